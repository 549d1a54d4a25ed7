# SPDX-License-Identifier: Apache-2.0
"""ply11_player_axis plays games as python-chess does, between a source and a sink of cocotbext-axi that pause at random, and after resets."""
import random

import chess
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

import common

PLY, END, ERROR = 0, 2, 3


def record(data):
    """The fields of a record of sixteen bytes, as the module's header has them."""
    word = int.from_bytes(data, "little")
    field = lambda low, width: word >> low & (1 << width) - 1
    return {"kind": field(0, 2), "side": field(7, 1), "error": field(8, 4), "result": field(12, 2), "index": field(16, 11), "from": field(32, 6), "to": field(40, 6),
            "promotion": field(48, 3), "man": field(56, 4), "captured": field(60, 4), "offset": field(64, 32), "ply": field(96, 16), "depth": field(112, 5),
            "rights": field(120, 4), "ep": field(124, 4)}


def check_game(frame, moves, result, first):
    """Compares the records of a game, whose first word is so many words behind the packet's start, with python-chess."""
    board, data = chess.Board(), bytes(frame.tdata)
    assert len(data) == 16 * (len(moves) + 1), (len(data) // 16, len(moves))
    for n, move in enumerate(moves + [None]):
        got = record(data[16 * n:16 * n + 16])
        want = {"kind": END, "result": result, "error": 0, "offset": 11 * (first + n) // 8, "depth": 0}
        if move:
            want.update({"kind": PLY, "result": got["result"], "index": common.INDEX[move], "from": move.from_square, "to": move.to_square,
                         "promotion": common.PROMOTIONS[move.promotion], "man": common.man(board.piece_at(move.from_square)),
                         "captured": common.captured(board, move)})
            board.push(move)
        want.update({"side": int(not board.turn), "ply": board.ply(), "rights": common.rights(board), "ep": common.ep(board)})
        assert {k: got[k] for k in want} == want, (board.fen(), move)


def games_of(rng, count):
    """Games, and their words with some idle ones before each: (words, games with the number of their first word)."""
    words, games = [], []
    for _ in range(count):
        words += [common.IDLE] * rng.choice((0, 0, 1, 5))
        moves, result = common.random_game(rng)
        games.append((moves, result, len(words)))
        words += [common.INDEX[m] for m in moves] + [1968 + result]
    return words, games


def stream_source(dut, rng, clock, **reset):
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), clock, **reset)
    source.log.setLevel("WARNING")
    source.set_pause_generator(common.stalls(rng, 0.3))
    return source


def stream_sink(dut, rng, clock, name, **reset):
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, name), clock, byte_size=8, **reset)
    sink.log.setLevel("WARNING")
    sink.set_pause_generator(common.stalls(rng, 0.3))
    return sink


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def plays(dut):
    rng = random.Random(common.SEED)
    dut.reset.value = dut.restart.value = dut.mode.value = dut.numbering.value = dut.load_valid.value = 0
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    dut.aresetn.value = 0
    reset = {"reset": dut.aresetn, "reset_active_level": False}
    source, sink = stream_source(dut, rng, dut.aclk, **reset), stream_sink(dut, rng, dut.aclk, "m_axis", **reset)
    dut.m_axis_text_tready.value = 1
    await ClockCycles(dut.aclk, 3)
    played = 0
    while played < common.GAMES:
        dut.aresetn.value = 1
        words, games = games_of(rng, rng.randrange(1, 4))
        for share in (source, sink):
            share.set_pause_generator(common.stalls(rng, rng.choice((0, 0.3, 0.8))))
        await source.send(AxiStreamFrame(common.pack(words)))
        for moves, result, first in games:
            frame = await sink.recv()
            check_game(frame, moves, result, first)
            played += 1
        # A reset inside a packet: what comes after it knows nothing of it.
        await source.send(AxiStreamFrame(common.pack(games_of(rng, 1)[0])))
        await ClockCycles(dut.aclk, rng.randrange(2, 120))
        dut.aresetn.value = 0
        await ClockCycles(dut.aclk, rng.randrange(1, 4))
        source.clear()
        sink.clear()
        await ClockCycles(dut.aclk, 1)
    dut._log.info("%d games", played)
