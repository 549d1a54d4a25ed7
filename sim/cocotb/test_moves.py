# SPDX-License-Identifier: Apache-2.0
"""ply11_moves gives the legal moves of python-chess, each once, and says check, mate and stalemate."""
import random

import chess
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

import common

# Positions that games seldom have: mates, stalemate, double check, pins en passant, many promotions, 218 moves.
RARE = [
    "7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "8/8/8/K2pP2q/8/8/8/7k w - d6 0 1", "8/1b6/8/3pP3/8/5K2/8/7k w - d6 0 1", "4k3/8/8/8/8/5n2/8/4K2r w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1n1n3k/P1P1P3/8/8/8/8/8/K7 w - - 0 1", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
]


async def reset(dut, clocks):
    dut.rst.value = 1
    for _ in range(clocks):
        await FallingEdge(dut.clk)
    dut.rst.value = 0


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def legal_moves(dut):
    rng = random.Random(common.SEED)
    dut.s_valid.value = dut.m_ready.value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
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
        dut.s_valid.value = 1
        dut.board.value, dut.side.value = common.planes(board), int(not board.turn)
        dut.rights.value, dut.ep.value = common.rights(board), common.ep(board)
        if n % 16 == 15:  # a reset inside a position, which is then offered again
            for _ in range(rng.randrange(60)):
                dut.m_ready.value = rng.getrandbits(1)
                await FallingEdge(dut.clk)
            dut.s_valid.value = 0
            await reset(dut, rng.randrange(1, 3))
            dut.s_valid.value = 1
        found, before, share = [], None, rng.choice((0, 0.3, 0.8))
        for clock in range(5000):
            now = tuple(int(s.value) for s in (dut.m_index, dut.m_last, dut.m_count, dut.m_check)) if dut.m_valid.value else None
            ready = rng.random() >= share
            dut.m_ready.value = int(ready)
            assert before in (None, now), "a beat changed while it waited"
            before = None if ready else now
            if now and ready:
                assert now[2] == len(found) and now[3] == board.is_check(), board.fen()
                if now[1]:
                    assert now[0] == common.IDLE and dut.m_mate.value == board.is_checkmate() and dut.m_stalemate.value == board.is_stalemate(), board.fen()
                    break
                found.append(now[0])
            taken = bool(dut.s_ready.value)
            await FallingEdge(dut.clk)
            if taken:
                dut.s_valid.value = 0
        else:
            raise AssertionError("no end: " + board.fen())
        await FallingEdge(dut.clk)
        dut.m_ready.value = 0
        assert len(set(found)) == len(found), board.fen()
        assert {common.MOVES[i] for i in found} == set(board.legal_moves), board.fen()
    dut._log.info("%d positions", len(positions))
