# SPDX-License-Identifier: Apache-2.0
"""Measures the package beside python-chess, in processor time on one core: python bench.py [games [FILE.pgn FILE.p11]]. With the same games in two files it also
measures how fast they become boards and moves in arrays, beside python-chess and rust_pgn_reader_python_binding: make bench-peers."""
import os
import random
import re
import sys
import time

import chess
import chess.pgn
import numpy as np

import ply11

rng = random.Random(1)
games = []
for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 40):
    board, moves = ply11.Board(), []
    while len(moves) < 100 and len(board.legal()):
        moves.append(board.push(int(rng.choice(board.legal()))))
    games.append(np.array(moves, np.uint16))
plies = sum(map(len, games))
ucis = [[ply11.to_uci(int(m)) for m in g] for g in games]


def measure(what, n, f):
    """Prints how many thousand a second f does, if a call does n."""
    rounds, start = 0, time.process_time()
    while time.process_time() - start < 0.5:
        f()
        rounds += 1
    rate = n * rounds / (time.process_time() - start) / 1000
    print(f"{what:56} {rate:12,.0f} thousand/s", flush=True)
    return rate


def chess_moves():
    for g in ucis:
        b = chess.Board()
        for m in g:
            b.push(chess.Move.from_uci(m))


def chess_legal():
    for g in ucis[:4]:
        b = chess.Board()
        for m in g:
            for _ in b.legal_moves:
                pass
            b.push(chess.Move.from_uci(m))


def chess_planes():
    for g in ucis[:4]:
        b = chess.Board()
        out = np.zeros((12, 8, 8), np.uint8)
        for m in g:
            b.push(chess.Move.from_uci(m))
            out[:] = 0
            for s, piece in b.piece_map().items():
                out[piece.piece_type - 1 + 6 * (piece.color != b.turn), s >> 3, s & 7] = 1


def chess_san():
    for g in ucis[:4]:
        b = chess.Board()
        for m in g:
            move = chess.Move.from_uci(m)
            b.san(move)
            b.push(move)


def board_moves():
    for g in games[:4]:
        b = ply11.Board()
        for m in g.tolist():
            b.push(m)


def board_san():
    for g in games[:4]:
        b = ply11.Board()
        for m in g.tolist():
            b.san(m)
            b.push(m)


few = sum(map(len, games[:4]))
line = np.concatenate([ply11.replay(g)[:-1] for g in games])
played = np.concatenate(games)
one = ply11.replay(games[0])
bits12 = np.empty((line.size, 12, 8), np.uint8)
bytes12 = np.empty((line.size, 12, 8, 8), np.uint8)
bits112 = np.empty((one.size, 112, 8), np.uint8)
bytes112 = np.empty((one.size, 112, 8, 8), np.uint8)
masks = np.empty((line.size, 246), np.uint8)
numbers = np.empty(line.size, np.int32)

measure("python-chess: moves made", plies, chess_moves)
measure("python-chess: legal moves of positions", few, chess_legal)
measure("python-chess: 12 x 8 x 8 planes", few, chess_planes)
measure("python-chess: SAN written", few, chess_san)
measure("ply11 Board.push", few, board_moves)
measure("ply11 Board.san and push", few, board_san)
measure("ply11 replay, verified", plies, lambda: [ply11.replay(g) for g in games])
measure("ply11 replay, not verified", plies, lambda: [ply11.replay(g, verify=False) for g in games])
measure("ply11 legal_masks", line.size, lambda: ply11.legal_masks(line, out=masks))
measure("ply11 labels, lc0", line.size, lambda: ply11.labels(line, played, "lc0", out=numbers))
measure("ply11 labels, alphazero", line.size, lambda: ply11.labels(line, played, "alphazero", out=numbers))
measure("ply11 planes, bits", line.size, lambda: ply11.planes(line, bits=True, out=bits12))
measure("ply11 planes, 12 x 8 x 8 bytes", line.size, lambda: ply11.planes(line, out=bytes12))
measure("ply11 lc0_planes, 112 x 8 bytes of bits", one.size, lambda: ply11.lc0_planes(one, bits=True, out=bits112))
measure("ply11 lc0_planes, 112 x 8 x 8 bytes", one.size, lambda: ply11.lc0_planes(one, out=bytes112))


def peers(pgn, p11):
    import rust_pgn_reader_python_binding as rust

    with open(pgn) as f:
        text = f.read()
    texts = re.split(r"\n\n(?=\[Event )", text)
    archive = ply11.open(p11)

    def read_chess():
        with open(pgn) as f:
            for _ in range(100):
                board = (game := chess.pgn.read_game(f)).board()
                for m in game.mainline_moves():
                    board.push(m)

    def batches(**options):
        return lambda: [None for _ in archive.batches(4096, bits=True, **options)]

    hundred = sum(len(archive[i]) for i in range(100))
    print(f"{len(archive)} games, {archive.n_plies} plies; PGN {len(text):,} bytes, archive {os.path.getsize(p11):,}")
    measure("python-chess: PGN, moves made", hundred, read_chess)
    measure("rust_pgn_reader: PGN, boards and moves", archive.n_plies, lambda: rust.parse_games_from_strings(texts, num_threads=1))
    measure("ply11 archive: moves, verified by digest", archive.n_plies, lambda: [g.moves for g in ply11.open(p11)])
    measure("ply11 archive: moves and positions, not verified", archive.n_plies, batches(planes=None, labels=None, verify=False))
    measure("ply11 archive: 12 planes and labels", archive.n_plies, batches(planes="board", labels="lc0", verify=False))
    measure("ply11 archive: lc0's 112 planes and labels", archive.n_plies, batches(planes="lc0", labels="lc0", verify=False))


if len(sys.argv) == 4:
    peers(sys.argv[2], sys.argv[3])
