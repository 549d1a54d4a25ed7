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
            "promotion": field(48, 3), "piece": field(56, 4), "captured": field(60, 4), "offset": field(64, 32), "ply": field(96, 16), "depth": field(112, 5),
            "rights": field(120, 4), "ep": field(124, 4)}


def check(data, want, board):
    """Compares a record with the fields that python-chess says."""
    got = record(data)
    assert {k: got[k] for k in want} == want, (board.fen(), got, want)


def games_of(rng, count, share=0.3):
    """The words of games, with idle ones before some, and in a share of them a move that the board refuses; and of each game the fields of its records, with the position."""
    words, games = [], []
    for _ in range(count):
        words += [common.IDLE] * rng.choice((0, 0, 1, 5))
        moves, result = common.random_game(rng)
        wrong = rng.randrange(len(moves)) if rng.random() < share else None
        board, records = chess.Board(), []
        for n, move in enumerate(moves + [None]):
            if n == wrong:
                move = next(m for m in iter(lambda: common.doubtful(rng, board), None) if 0 < common.verdict(board, m)[0] < 7)
            want = {"kind": PLY if move else END, "offset": 11 * len(words) // 8, "error": 0, "depth": 0}
            words.append(common.INDEX.get(move, 1968 + result))
            if not move:
                want["result"] = result
            elif wrong is None or n < wrong:
                want.update({"index": words[-1], "from": move.from_square, "to": move.to_square, "promotion": common.PROMOTIONS[move.promotion],
                             "piece": common.piece(board.piece_at(move.from_square)), "captured": common.captured(board, move)})
                board.push(move)
            elif n == wrong:
                want.update({"kind": ERROR, "index": words[-1], "error": common.verdict(board, move)[0]})
            else:
                continue
            want.update({"side": int(not board.turn), "ply": board.ply(), "rights": common.rights(board), "ep": common.ep(board)})
            records.append((want, board.copy(stack=False)))
        games.append(records)
    return words, games


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def plays(dut):
    rng = random.Random(common.SEED)
    dut.reset.value = dut.restart.value = dut.mode.value = dut.numbering.value = dut.load_valid.value = 0
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    dut.aresetn.value = 0
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.aclk, dut.aresetn, False)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.aclk, dut.aresetn, False, byte_size=8)
    cocotb.start_soon(common.holds(dut.aclk, dut.aresetn, 0, dut.m_axis_tvalid, dut.m_axis_tready, dut.m_axis_tdata, dut.m_axis_tlast))
    dut.m_axis_text_tready.value = 1
    await ClockCycles(dut.aclk, 3)
    played = 0
    while played < common.GAMES:
        dut.aresetn.value = 1
        words, games = games_of(rng, rng.randrange(1, 4))
        for model in (source, sink):
            common.pause(rng, rng.choice((0, 0.3, 0.8)), model)
        await source.send(AxiStreamFrame(common.pack(words)))
        for records in games:
            data = bytes((await sink.recv()).tdata)
            assert len(data) == 16 * len(records), (len(data), len(records))
            for n, (want, board) in enumerate(records):
                check(data[16 * n:16 * n + 16], want, board)
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
