# SPDX-License-Identifier: Apache-2.0
"""ply11_moves gives the legal moves of python-chess, each once, and says check, mate and stalemate."""
import random

import chess
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi.stream import define_stream

import common

BEAT = ["m_index", "m_last", "m_count", "m_check", "m_mate", "m_stalemate"]
PositionBus, Position, PositionSource, _, _ = define_stream("Position", ["s_valid", "s_ready", "board", "side", "rights", "ep"])
BeatBus, _, _, BeatSink, _ = define_stream("Beat", ["m_valid", "m_ready"] + BEAT)
# Positions that games seldom have: mates, stalemate, double check, pins en passant, many promotions, 218 moves.
RARE = [
    "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/8/8/K2pP2q/8/8/8/7k w - d6 0 1", "8/1b6/8/3pP3/8/5K2/8/7k w - d6 0 1", "4k3/8/8/8/8/5n2/8/4K2r w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1n1n3k/P1P1P3/8/8/8/8/8/K7 w - - 0 1", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
]


async def reset(dut, clocks):
    dut.rst.value = 1
    await ClockCycles(dut.clk, clocks)
    dut.rst.value = 0


def check(board, beats):
    """Judges the beats of a position, or those that came before a reset."""
    for n, beat in enumerate(beats):
        assert beat.m_count == n and beat.m_check == board.is_check(), board.fen()
    found, legal = [common.MOVES[int(beat.m_index)] for beat in beats if not beat.m_last], set(board.legal_moves)
    assert len(set(found)) == len(found) and legal.issuperset(found), board.fen()
    if len(found) < len(beats):
        assert len(found) == len(legal) and beats[-1].m_index == common.IDLE, board.fen()
        assert beats[-1].m_mate == board.is_checkmate() and beats[-1].m_stalemate == board.is_stalemate(), board.fen()


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def legal_moves(dut):
    rng = random.Random(common.SEED)
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    source, sink = PositionSource(PositionBus.from_entity(dut), dut.clk, dut.rst), BeatSink(BeatBus.from_entity(dut), dut.clk, dut.rst)
    cocotb.start_soon(common.holds(dut.clk, dut.rst, 1, dut.m_valid, dut.m_ready, *(getattr(dut, name) for name in BEAT)))
    await reset(dut, 2)
    positions = [chess.Board(fen) for fen in RARE]
    for _ in range(common.GAMES):
        board = chess.Board()
        for move in common.random_game(rng)[0]:
            board.push(move)
            if rng.random() < 0.15 or board.is_check():
                positions.append(board.copy(stack=False))
    for n, board in enumerate(positions):
        assert board.is_valid() or n < len(RARE), board.fen()
    total = len(positions)
    while positions:
        batch, cut = positions[:rng.randrange(1, 9)], rng.random() < 0.3
        common.pause(rng, rng.choice((0, 0.3, 0.8)), source, sink)
        for board in batch:
            source.send_nowait(Position(**common.position(board)))
        if cut:  # a reset in the midst: the positions are offered again
            await ClockCycles(dut.clk, rng.randrange(1, 80 * len(batch)))
            await reset(dut, rng.randrange(1, 3))
            source.clear()
        for board in batch:
            beats = []
            while not (beats and beats[-1].m_last) and not (cut and sink.empty()):
                beats.append(await sink.recv())
            check(board, beats)
        if not cut:
            del positions[:len(batch)]
    await ClockCycles(dut.clk, 100)
    assert sink.empty()
    dut._log.info("%d positions", total)
