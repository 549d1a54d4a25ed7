# SPDX-License-Identifier: Apache-2.0
"""Reads PGN with python-chess, and compares each game and each position with what DuckDB, pyarrow, polars and NumPy read of data sets of the same games.

Usage: values.py PGN FOLDER. The folder has games.parquet, positions.parquet and games.npz, and games.labels.txt with the move of each number.
It prints the numbers of games and of positions.
"""
import datetime
import re
import sys
from pathlib import Path

import chess
import chess.pgn
import duckdb
import numpy as np
import polars
import pyarrow.parquet

TAGS = ["Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteTitle", "BlackTitle", "ECO", "Opening", "Termination", "TimeControl"]
NUMBERS = {"WhiteElo": r"\d+", "BlackElo": r"\d+", "WhiteRatingDiff": r"[+-]\d+", "BlackRatingDiff": r"[+-]\d+"}
COLUMNS = ["moves", "evals", "clocks", *TAGS, *NUMBERS, "UTCDate", "UTCTime"]
WON = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
PIECES = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]
BOARD = {None: 0, chess.KING: 1, chess.QUEEN: 2, chess.KNIGHT: 3, chess.BISHOP: 4, chess.ROOK: 5, chess.PAWN: 6}
ROW = [("ply", "u4"), ("black", "?"), ("castling", "u1"), ("en_passant", "u1"), ("halfmoves", "u2"), ("move", "u2"), ("result", "i2"), ("eval", "i4"), ("clock", "i4")]
NONE = {"result": -128, "eval": -32768, "clock": -1}


def score(node):
    e = node.eval()
    return None if e is None else e.white().score(mate_score=32000)


def text(s):
    """The value of a tag, in which python-chess leaves the \\ before \\ and ". One that is no UTF-8 is Latin-1."""
    b = re.sub(r'\\([\\"])', r"\1", s).encode("utf-8", "surrogateescape")
    try:
        return b.decode("utf-8")
    except UnicodeDecodeError:
        return b.decode("latin-1")


def when(s, form):
    try:
        return datetime.datetime.strptime(s, form)
    except ValueError:
        return None


class Builder(chess.pgn.GameBuilder):
    """Builds a game that has no tags but those of the file."""

    def begin_headers(self):
        self.game.headers = chess.pgn.Headers({})
        return self.game.headers


def parse(path, number):
    """Yields of each game its row, and of its positions the rows and the boards of pieces."""
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        while (game := chess.pgn.read_game(f, Visitor=Builder)) is not None:
            assert not game.errors, game.errors
            h = game.headers
            row = {"moves": [], "evals": [], "clocks": []}
            for t in TAGS:
                row[t] = text(h.get(t, "")) or None
            for t, form in NUMBERS.items():
                row[t] = int(h[t]) if re.fullmatch(form, h.get(t, ""), re.ASCII) else None
            day, time = when(h.get("UTCDate", ""), "%Y.%m.%d"), when(h.get("UTCTime", ""), "%H:%M:%S")
            row["UTCDate"], row["UTCTime"] = day and day.date(), time and time.time()
            rows, pieces = [], []
            board = game.board()
            before, node = None, game
            while node.variations:
                node = node.variations[0]
                move = number[board.uci(node.move)]
                e, c = score(node), node.clock()
                c = None if c is None else round(c * 100)
                mover = 1 if board.turn else -1
                won = WON.get(h["Result"])
                rights = sum(bit for bit, mask in ((1, chess.BB_H1), (2, chess.BB_A1), (4, chess.BB_H8), (8, chess.BB_A8)) if board.castling_rights & mask)
                rows.append((len(rows), not board.turn, rights, 0 if board.ep_square is None else board.ep_square % 8 + 1, board.halfmove_clock, move,
                             -128 if won is None else won * mover, -32768 if before is None else before * mover, -1 if c is None else c))
                pieces.append([int(board.pieces(p, side)) for side in (True, False) for p in PIECES])
                row["moves"].append(move)
                row["evals"].append(e)
                row["clocks"].append(c)
                before = e
                board.push(node.move)
            for name in ("evals", "clocks"):
                if all(v is None for v in row[name]):
                    row[name] = None
            yield row, rows, pieces


def halves(pieces):
    """The column board, of twelve bitboards for each position."""
    squares = np.zeros((len(pieces), 64), np.uint8)
    for k in range(12):
        bits = np.unpackbits(pieces[:, k].copy().view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
        squares += bits * np.uint8(BOARD[PIECES[k % 6]] + 8 * (k // 6))
    return squares[:, ::2] | squares[:, 1::2] << 4


def check_games(want, folder):
    names = ", ".join(f'"{c}"' for c in COLUMNS)
    path = folder / "games.parquet"
    read = {
        "DuckDB": [dict(zip(COLUMNS, r)) for r in duckdb.sql(f"select {names} from '{path}' order by game").fetchall()],
        "pyarrow": pyarrow.parquet.read_table(path, columns=COLUMNS).to_pylist(),
        "polars": polars.read_parquet(path, columns=COLUMNS).to_dicts(),
    }
    for reader, rows in read.items():
        assert len(rows) == len(want), (reader, len(rows), len(want))
        for i, (got, w) in enumerate(zip(rows, want), 1):
            for c in COLUMNS:
                g = got[c]
                assert (list(g) if isinstance(w[c], list) else g) == w[c], (reader, "game", i, c, g, w[c])


def check_positions(rows, pieces, folder):
    path = folder / "positions.parquet"
    names = [n for n, _ in ROW]
    table = pyarrow.parquet.read_table(path, columns=[*names, "board"])
    frame = polars.read_parquet(path, columns=[*names, "board"])
    boards = halves(pieces)
    read = {"DuckDB": lambda c: duckdb.sql(f"select coalesce({c}::int, {NONE.get(c, 0)}) v from '{path}' order by game, ply").fetchnumpy()["v"],
            "pyarrow": lambda c: table.column(c).fill_null(NONE.get(c, False if c == "black" else 0)).to_numpy(),
            "polars": lambda c: frame[c].fill_null(NONE.get(c, False if c == "black" else 0)).to_numpy()}
    for reader, column in read.items():
        for c in names:
            got = column(c)
            assert len(got) == len(rows), (reader, c, len(got), len(rows))
            bad = np.flatnonzero(got != rows[c])
            assert len(bad) == 0, (reader, "position", bad[0] + 1, c, got[bad[0]], rows[c][bad[0]])
    of_duckdb = duckdb.sql(f"select board from '{path}' order by game, ply").fetchnumpy()["board"]
    for reader, all in (("DuckDB", of_duckdb), ("pyarrow", table.column("board").to_pylist()), ("polars", frame["board"].to_list())):
        got = np.frombuffer(b"".join(all), np.uint8).reshape(-1, 32)
        assert np.array_equal(got, boards), (reader, "board")
    with np.load(folder / "games.npz") as z:
        assert np.array_equal(z["planes"], pieces.view(np.uint8).reshape(len(pieces), 12, 8)), "planes"
        assert np.array_equal(z["labels"], rows["move"]) and np.array_equal(z["result"], rows["result"]) and np.array_equal(z["eval"], rows["eval"]) and np.array_equal(z["ply"], rows["ply"])
        s, c = z["state"], rows["castling"]
        assert np.array_equal(s[:, 0], rows["black"]) and np.array_equal(s[:, 1] | s[:, 2] << 1 | s[:, 3] << 2 | s[:, 4] << 3, c)
        assert np.array_equal(s[:, 5], rows["en_passant"]) and np.array_equal(s[:, 6], np.minimum(rows["halfmoves"], 255))


def main():
    folder = Path(sys.argv[2])
    number = {m: i for i, m in enumerate((folder / "games.labels.txt").read_text().split("\n")) if m}
    games, rows, pieces = [], [], []
    for g, r, m in parse(sys.argv[1], number):
        games.append(g)
        rows.append(np.array(r, dtype=ROW))
        pieces.append(np.array(m, dtype="<u8").reshape(-1, 12))
    check_games(games, folder)
    rows, pieces = np.concatenate(rows), np.concatenate(pieces)
    check_positions(rows, pieces, folder)
    print(len(games), len(rows))


main()
