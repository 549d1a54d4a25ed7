# SPDX-License-Identifier: Apache-2.0
"""What the benches share: the index, games, positions and verdicts of python-chess, random stalls, and what a stream must hold.

By hand, with the packages of internal/pytools/requirements.txt and Icarus:

    go run ./cmd/genrom table > table.tsv
    PLY11_TABLE=table.tsv PLY11_GAMES=20 PLY11_SEED=1 python sim/cocotb/common.py build ply11_moves test_moves hdl/rtl/ply11_*.v
"""
import os
import random
import sys

import chess
from cocotb.triggers import RisingEdge

SEED = int(os.environ.get("PLY11_SEED", "1"))
GAMES = int(os.environ.get("PLY11_GAMES", "4"))
# Piece and promoted piece as ports have them: 1 king, 2 queen, 3 knight, 4 bishop, 5 rook, 6 pawn, 8 more for Black.
PIECES = {chess.KING: 1, chess.QUEEN: 2, chess.KNIGHT: 3, chess.BISHOP: 4, chess.ROOK: 5, chess.PAWN: 6}
PROMOTIONS = {None: 0, chess.KNIGHT: 4, chess.BISHOP: 5, chess.ROOK: 6, chess.QUEEN: 7}
# Of a test, in ms: a bench that waits for what does not come fails. A clock has 10 ns, and a game takes some thousand of them.
TIMEOUT = 1 + GAMES // 5
RESULTS = {"0-1": 0, "1/2-1/2": 1, "1-0": 2, "*": 3}
IDLE = 2047


def read_table():
    """The moves of the index, in its order, from the table that genrom prints."""
    moves = {}
    with open(os.environ["PLY11_TABLE"]) as table:
        head = next(table).rstrip("\n").split("\t")
        for line in table:
            row = dict(zip(head, line.rstrip("\n").split("\t")))
            letter = row["promotion"].strip("-").replace("kn", "n")[:1]
            moves[int(row["index"])] = chess.Move.from_uci(row["from"] + row["to"] + letter)
    assert len(moves) == 1968
    return moves


MOVES = read_table() if "PLY11_TABLE" in os.environ else {}
INDEX = {move: index for index, move in MOVES.items()}


def piece(piece):
    return 0 if piece is None else PIECES[piece.piece_type] + (0 if piece.color else 8)


def planes(board):
    return sum(piece(board.piece_at(square)) << 4 * square for square in range(64))


def rights(board):
    corners = chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8
    return sum(bool(board.castling_rights & corner) << i for i, corner in enumerate(corners))


def ep(board):
    return 0 if board.ep_square is None else chess.square_file(board.ep_square) + 1


def captured(board, move):
    if board.is_en_passant(move):
        return piece(chess.Piece(chess.PAWN, not board.turn))
    return 0 if board.is_castling(move) else piece(board.piece_at(move.to_square))


def position(board):
    """What the ports of that name show."""
    return {"board": planes(board), "side": int(not board.turn), "rights": rights(board), "ep": ep(board)}


def verdict(board, move):
    """m_error and m_reason of a move: what ply11_board refuses, and then, with 7, why ply11_legal does."""
    us, mover, target = board.turn, board.piece_at(move.from_square), board.piece_at(move.to_square)
    if mover is None or mover.color != us:
        return (1 if mover is None else 2), 0
    if target and (target.color == us or target.piece_type == chess.KING):
        return (3 if target.color == us else 4), 0
    home = chess.E1 if us else chess.E8
    if mover.piece_type == chess.KING and move.from_square == home and move.to_square - home in (-2, 2):
        corner = home + (3 if move.to_square > home else -4)
        if not board.castling_rights & chess.BB_SQUARES[corner] or board.occupied & chess.between(home, corner):
            return 5, 0
        if board.piece_at(corner) != chess.Piece(chess.ROOK, us):
            return 7, 2
        for reason, square in (3, home), (4, (home + move.to_square) // 2), (5, move.to_square):
            if board.is_attacked_by(not us, square):
                return 7, reason
    elif not board.is_pseudo_legal(move):
        # Where only he and his target stand, it may be a move of that piece.
        alone = board.copy(stack=False)
        for square in chess.SquareSet(board.occupied) - chess.SquareSet([move.from_square, move.to_square]):
            alone.remove_piece_at(square)
        return (7, 1) if alone.is_pseudo_legal(move) else (4, 0)
    elif board.is_en_passant(move):
        behind, beside = (move.to_square + step for step in ((8, -8) if us else (-8, 8)))
        if board.piece_at(behind) or board.piece_at(beside) != chess.Piece(chess.PAWN, not us):
            return 7, 6
        if not board.is_legal(move):
            return 7, 7
    elif not board.is_legal(move):
        return 7, 8
    assert board.is_legal(move), (board.fen(), move)
    return 0, 0


def doubtful(rng, board):
    """A move that the rules may forbid: any, or one of the side's own pieces, or of some of these the one with the rarest verdict."""
    own = [m for m in INDEX if board.color_at(m.from_square) == board.turn]
    return rng.choice((rng.choice(MOVES), rng.choice(own), max(rng.sample(own, 20), key=lambda m: verdict(board, m))))


def random_game(rng, longest=120):
    """The moves of a game, which prefers what is rare: captures, promotions, castling, en passant, checks."""
    board, moves = chess.Board(), []
    while len(moves) < longest and not board.is_game_over():
        legal = list(board.legal_moves)
        rare = [m for m in legal if m.promotion or board.is_castling(m) or board.is_en_passant(m) or board.gives_check(m)]
        move = rng.choice(rare if rare and rng.random() < 0.4 else legal)
        moves.append(move)
        board.push(move)
    return moves, RESULTS[board.result(claim_draw=False)]


def pack(words):
    """The bytes of words, as docs/WORDS.md has them."""
    bits = sum(word << 11 * i for i, word in enumerate(words))
    spare = -11 * len(words) % 8
    bits |= ((1 << spare) - 1) << 11 * len(words)
    return bits.to_bytes((11 * len(words) + spare) // 8, "little")


def stalls(rng, share):
    """True with a probability, for ever: the pauses of cocotbext-axi's masters and sinks."""
    while True:
        yield rng.random() < share


def pause(rng, share, *models):
    for model in models:
        model.log.setLevel("ERROR")
        model.set_pause_generator(stalls(rng, share))


async def holds(clock, reset, level, valid, ready, *data):
    """Fails if what is offered does not stay, unchanged, until it is taken or a reset comes."""
    before = None
    while True:
        await RisingEdge(clock)
        now = [signal.value for signal in data] if valid.value == 1 else None
        assert before in (None, now), "a beat changed while it waited"
        before = now if ready.value == 0 and reset.value != level else None


def main(build, top, module, *sources):
    from cocotb_tools.runner import get_results, get_runner

    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)
    os.environ["PYTHONPATH"] = here
    parameters = {k: int(v) for k, _, v in (p.partition("=") for p in os.environ.get("PLY11_PARAMETERS", "").split())}
    runner = get_runner("icarus")
    runner.build(sources=sources, hdl_toplevel=top, build_dir=build, parameters=parameters, build_args=["-g2005"], timescale=("1ns", "1ps"))
    tests, failed = get_results(runner.test(hdl_toplevel=top, test_module=module, build_dir=build, test_dir=build, seed=SEED))
    print("cocotb: %d tests, %d failed" % (tests, failed))
    return 0 if tests and not failed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
