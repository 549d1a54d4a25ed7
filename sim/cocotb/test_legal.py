# SPDX-License-Identifier: Apache-2.0
"""ply11_referee, which is ply11_board with ply11_legal behind it, applies what python-chess holds legal, and nothing else, and says why."""
import random

import chess
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi.stream import define_stream

import common

MOVE, NEW = 0, 1
POSITION = ["board", "side", "rights", "ep", "ply"]
BEAT = ["m_op", "m_user", "m_error", "m_reason", "m_from", "m_to", "m_promotion", "m_piece", "m_captured"] + POSITION
OrderBus, Order, OrderSource, _, _ = define_stream("Order", ["s_valid", "s_ready", "s_op", "s_index", "s_user"])
WordBus, Word, WordSource, _, _ = define_stream("Word", ["load_valid", "load_ready", "load_addr", "load_data"])
BeatBus, _, _, BeatSink, _ = define_stream("Beat", ["m_valid", "m_ready"] + BEAT)
# A position for each m_reason from 1 to 8, with moves that have it: games seldom do, and rights without a rook or a file without a pawn must be loaded.
RARE = [
    ("4k3/8/8/8/8/8/P7/R3K3 w Q - 0 1", "a1a5"), ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "e1g1"), ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1g1 e1c1"),
    ("4k3/8/8/8/3r1r2/8/8/R3K2R w KQ - 0 1", "e1g1 e1c1"), ("4k3/8/8/8/2r3r1/8/8/R3K2R w KQ - 0 1", "e1g1 e1c1"), ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "e5d6"),
    ("8/8/8/K2pP2q/8/8/8/7k w - d6 0 1", "e5d6"), ("4k3/8/8/8/7b/8/5N2/4K3 w - - 0 1", "f2e4 f2g4"),
]


def position(board):
    return {**common.position(board), "ply": board.ply()}


def order(rng, board, move=None, stopped=False):
    """An order, which is NEW without a move, and the beat that must come of it; board follows."""
    beat = dict.fromkeys(BEAT, 0)
    beat.update({"m_op": MOVE if move else NEW, "m_user": rng.getrandbits(1)})
    if move:
        error, reason = (7, 0) if stopped else common.verdict(board, move)
        beat.update({"m_error": error, "m_reason": reason, "m_from": move.from_square, "m_to": move.to_square, "m_promotion": common.PROMOTIONS[move.promotion]})
        if not error:
            beat.update({"m_piece": common.piece(board.piece_at(move.from_square)), "m_captured": common.captured(board, move)})
            board.push(move)
    else:
        board.reset()
    beat.update(position(board))
    return Order(s_op=beat["m_op"], s_index=common.INDEX.get(move, rng.getrandbits(11)), s_user=beat["m_user"]), beat


def game(rng, board, moves, wrong):
    """The orders of a game. Some are replaced by doubtful ones; what follows a refused one is refused, too."""
    orders, stopped = [], 0
    for move in moves:
        if stopped < 20:
            orders.append(order(rng, board, common.doubtful(rng, board) if rng.random() < wrong else move, stopped > 0))
            stopped += orders[-1][1]["m_error"] != 0
    return orders


@cocotb.test(timeout_time=common.TIMEOUT, timeout_unit="ms")
async def verdicts(dut):
    rng = random.Random(common.SEED)
    dut.hush.value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    source, words = OrderSource(OrderBus.from_entity(dut), dut.clk, dut.rst), WordSource(WordBus.from_entity(dut), dut.clk, dut.rst)
    sink = BeatSink(BeatBus.from_entity(dut), dut.clk, dut.rst)
    cocotb.start_soon(common.holds(dut.clk, dut.rst, 1, dut.m_valid, dut.m_ready, *(getattr(dut, name) for name in BEAT)))
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    seen = []

    async def judge(orders, reset=False):
        common.pause(rng, rng.choice((0, 0.3, 0.8)), source, words, sink)
        for o, _ in orders:
            source.send_nowait(o)
        if reset:  # in the midst: what has not come by then does not come
            await ClockCycles(dut.clk, rng.randrange(1, 2 * len(orders)))
            dut.rst.value = 1
            await ClockCycles(dut.clk, rng.randrange(1, 4))
            source.clear()
            dut.rst.value = 0
        for _, want in orders:
            if reset and sink.empty():
                break
            beat = await sink.recv()
            got = {name: int(getattr(beat, name)) for name in BEAT}
            assert got == want, {name: (got[name], want[name]) for name in BEAT if got[name] != want[name]}
            seen.append((want["m_error"], want["m_reason"]))

    for fen, moves in RARE:
        for board in (chess.Board(fen), chess.Board(fen).mirror()):
            await judge([order(rng, chess.Board())])
            data = common.planes(board)
            state = board.ply() << 9 | common.ep(board) << 5 | common.rights(board) << 1 | (not board.turn)
            for address in (7, 6, 5, 4, 3, 2, 1, 0, 8):
                words.send_nowait(Word(load_addr=address, load_data=state if address == 8 else data >> 32 * address & 0xffffffff))
            await words.wait()
            await RisingEdge(dut.clk)
            while not dut.settled.value:
                await RisingEdge(dut.clk)
            assert {name: int(getattr(dut, name).value) for name in POSITION} == position(board), board.fen()
            move = chess.Move.from_uci(rng.choice(moves.split()))
            if not board.turn:
                move = chess.Move(chess.square_mirror(move.from_square), chess.square_mirror(move.to_square))
            await judge(game(rng, board, [move] + list(board.legal_moves)[:2], 0))
    reset = False
    for _ in range(5 * common.GAMES):
        # A reset is a NEW, too.
        board, orders = chess.Board(), []
        for n in range(rng.randrange(1, 4)):
            if n or not reset or rng.getrandbits(1):
                orders.append(order(rng, board))
            orders += game(rng, board, common.random_game(rng)[0], 0.02)
        reset = rng.random() < 0.4
        await judge(orders, reset)
    await ClockCycles(dut.clk, 100)
    assert sink.empty() and len(seen) > 60 * common.GAMES and {reason for _, reason in seen} == set(range(9)), (sink.count(), len(seen))
    dut._log.info("%d orders, %d refused", len(seen), sum(error != 0 for error, _ in seen))
