# SPDX-License-Identifier: Apache-2.0
"""Does a work in Python with the games of a file once, prints what came out, and does it ROUNDS times more: python peers.py WORK FILE ROUNDS."""
import re
import sys
from importlib.metadata import version

if sys.argv[1] == "version":
    print(version(sys.argv[2]))
    sys.exit()

import ply11


def text(path):
    return open(path, encoding="latin-1", newline="")


def chess_games(path):
    import chess.pgn

    with text(path) as f:
        return list(iter(lambda: chess.pgn.read_game(f), None))


def said(plies):
    return f"{len(plies)} games, {sum(plies)} plies"


def chess_read(path):
    return lambda: [len(list(g.mainline())) for g in chess_games(path)], said


def chess_replay(path):
    games = [(g.board(), list(g.mainline_moves())) for g in chess_games(path)]

    def replay():
        for start, moves in games:
            board = start.copy()
            for m in moves:
                board.push(m)
        return sum(len(moves) for _, moves in games)

    return replay, lambda plies: f"{plies} plies"


def replay(path):
    games = [(g.moves, g.start) for g in ply11.open(path)]
    return lambda: sum(len(ply11.replay(*g)) - 1 for g in games), lambda plies: f"{plies} plies"


def rust_read(path, **options):
    import rust_pgn_reader_python_binding as rust

    with text(path) as f:
        games = re.split(r"\n\n(?=\[Event )", f.read())
    return lambda: rust.parse_games_from_strings(games, num_threads=1, **options), lambda g: f"{g.num_games} games, {g.num_moves} plies"


def batches(path, **options):
    archive = ply11.open(path)
    return lambda: sum(len(b.moves) for b in archive.batches(4096, bits=True, **options)), lambda plies: f"{len(archive)} games, {plies} plies"


works = {
    "chess-read": chess_read,
    "chess-replay": chess_replay,
    "rust": rust_read,
    "rust-clocks": lambda path: rust_read(path, store_comments=True),
    "replay": replay,
    "moves": lambda path: (lambda: [len(g.moves) for g in ply11.open(path)], said),
    "positions": lambda path: batches(path, planes=None, labels=None, positions=True),
    "board": lambda path: batches(path, planes="board"),
    "lc0": lambda path: batches(path, planes="lc0"),
}

do, say = works[sys.argv[1]](sys.argv[2])
print(say(do()))
for _ in range(int(sys.argv[3])):
    do()
