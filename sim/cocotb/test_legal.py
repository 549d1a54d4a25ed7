# SPDX-License-Identifier: Apache-2.0
"""ply11_referee, which is ply11_board with ply11_legal behind it, applies what python-chess holds legal, and nothing else."""
import random

import chess
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

import common

MOVE, NEW = 0, 1


def orders(rng):
    """Operations of games with a wrong move somewhere, each with the position and the verdict that must come out."""
    codes = list(common.MOVES)
    for _ in range(8 * common.GAMES):
        board = chess.Board()
        yield NEW, 0, board.copy(stack=False), None, None
        for move in common.random_game(rng)[0]:
            # Before the move one that python-chess may refuse: any, or one of the side's own men.
            wrong = None
            if rng.random() < 0.04:
                own = [m for m in codes if board.color_at(common.MOVES[m].from_square) == board.turn]
                wrong = common.MOVES[rng.choice(own if rng.random() < 0.7 else codes)]
            move = wrong or move
            legal = move in board.legal_moves
            piece = common.man(board.piece_at(move.from_square)) if legal else 0
            took = common.captured(board, move) if legal else 0
            if legal:
                board.push(move)
            yield MOVE, common.INDEX[move], board.copy(stack=False), legal, (move, piece, took)
            if not legal:  # and what follows is refused, legal or not
                for follower in list(board.legal_moves)[:2]:
                    yield MOVE, common.INDEX[follower], board.copy(stack=False), False, (follower, 0, 0)
                break
            if board.is_game_over():
                break


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def verdicts(dut):
    rng = random.Random(common.SEED)
    dut.s_valid.value = dut.m_ready.value = dut.load_valid.value = dut.hush.value = 0
    dut.s_user.value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    coming = orders(rng)
    waiting, offered, before, judged, refused, idle = [], None, None, 0, 0, 0
    share = 0.3
    while idle < 100:
        if rng.random() < 0.01:
            share = rng.choice((0, 0.3, 0.8))
        if offered is None and rng.random() >= share:
            offered = next(coming, None)
        dut.s_valid.value = int(offered is not None)
        if offered:
            dut.s_op.value, dut.s_index.value, dut.s_user.value = offered[0], offered[1], len(waiting) & 1
            user = len(waiting) & 1
        ready = rng.random() >= share
        dut.m_ready.value = int(ready)
        await cocotb.triggers.Timer(1, "ns")  # s_ready is combinational from m_ready
        now = None
        if dut.m_valid.value:
            now = tuple(int(s.value) for s in (dut.m_op, dut.m_user, dut.m_error, dut.m_reason, dut.m_from, dut.m_to, dut.m_promotion, dut.m_man,
                                               dut.m_captured, dut.board, dut.side, dut.rights, dut.ep, dut.ply))
            assert before in (None, now), "a beat changed while it waited"
        before = None if ready else now
        idle = 0 if now or offered else idle + 1
        if now and ready:
            op, board, legal, what, tag = waiting.pop(0)
            assert now[:2] == (op, tag)
            assert now[9:] == (common.planes(board), int(not board.turn), common.rights(board), common.ep(board), board.ply()), board.fen()
            if op == MOVE:
                move, piece, took = what
                judged += 1
                refused += not legal
                assert (now[2] == 0) == legal and (legal or now[2] == 7 or now[3] == 0), (board.fen(), move, now[2:4])
                if now[2] in (0, 7):
                    assert now[4:7] == (move.from_square, move.to_square, common.PROMOTIONS[move.promotion])
                    assert now[7:9] == (piece, took), (board.fen(), move)
        if offered and dut.s_ready.value:
            waiting.append((offered[0], offered[2], offered[3], offered[4], user))
            offered = None
        await FallingEdge(dut.clk)
    assert not waiting and judged > 20 * common.GAMES and refused > 0, (len(waiting), judged, refused)
    dut._log.info("%d moves, %d refused", judged, refused)
