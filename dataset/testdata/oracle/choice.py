# SPDX-License-Identifier: Apache-2.0
"""Reads games with python-chess, chooses positions as docs/train.md says, and compares with the arrays of a data set, row by row.

Usage: choice.py GAMES.pgn FOLDER
"""
import hashlib
import io
import json
import math
import re
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np

MASK = 2**64 - 1
VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 1000}


def scatter(v):
    v = v + 0x9E3779B97F4A7C15 & MASK
    v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9 & MASK
    v = (v ^ v >> 27) * 0x94D049BB133111EB & MASK
    return v ^ v >> 31


def row_number(n, number, k):
    return scatter(scatter(n + number & MASK) + k & MASK)


def fraction(v):
    return (v >> 11) / 2**53


def hashed(b):
    return int.from_bytes(hashlib.sha256(b).digest()[:8], "little")


def captures(board, square, side, pieces):
    """What side wins at most by capturing on square with its least piece, or 0; pieces are the squares that are still occupied."""
    for kind in (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING):
        for s in chess.scan_forward(board.occupied_co[side] & board.pieces_mask(kind, side) & pieces):
            if not attacks(board, s, kind, side, pieces) & chess.BB_SQUARES[square]:
                continue
            left = pieces & ~chess.BB_SQUARES[s]
            if kind == chess.KING and any(
                attacks(board, o, board.piece_type_at(o), not side, left) & chess.BB_SQUARES[square]
                for o in chess.scan_forward(board.occupied_co[not side] & left & ~chess.BB_SQUARES[square])
            ):
                return 0
            return max(0, board.target - follow(board, square, not side, left, VALUE[kind]))
    return 0


def follow(board, square, side, pieces, target):
    old, board.target = board.target, target
    won = captures(board, square, side, pieces)
    board.target = old
    return won


def attacks(board, s, kind, side, pieces):
    if kind == chess.PAWN:
        return chess.BB_PAWN_ATTACKS[side][s]
    if kind == chess.KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[s]
    if kind == chess.KING:
        return chess.BB_KING_ATTACKS[s]
    found = 0
    for df in (-1, 0, 1):
        for dr in (-1, 0, 1):
            if (df, dr) == (0, 0) or kind == chess.ROOK and df and dr or kind == chess.BISHOP and not (df and dr):
                continue
            f, r = chess.square_file(s) + df, chess.square_rank(s) + dr
            while 0 <= f < 8 and 0 <= r < 8:
                found |= chess.BB_SQUARES[chess.square(f, r)]
                if pieces & chess.BB_SQUARES[chess.square(f, r)]:
                    break
                f, r = f + df, r + dr
    return found


def wins(board, move):
    """Whether a capture or promotion wins material by static exchange."""
    gain = 0
    pieces = board.occupied & ~chess.BB_SQUARES[move.from_square]
    target = VALUE[board.piece_type_at(move.from_square)]
    if board.is_en_passant(move):
        gain = 1
        pieces &= ~chess.BB_SQUARES[chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))]
    elif board.is_capture(move):
        gain = VALUE[board.piece_type_at(move.to_square)]
    if move.promotion:
        target = VALUE[move.promotion]
        gain += target - 1
    board.target = 0
    return gain - follow(board, move.to_square, not board.turn, pieces | chess.BB_SQUARES[move.to_square], target) > 0


def is_quiet(board):
    return not board.is_check() and not any(
        wins(board, m) for m in board.legal_moves if board.is_capture(m) or m.promotion
    )


def stockfish17(board, cp):
    pieces = sum(VALUE[k] * len(board.pieces(k, c)) for k in range(chess.PAWN, chess.KING) for c in chess.COLORS)
    m = min(max(pieces, 17), 78) / 58
    a = -37.45051876 * m**3 + 121.19101539 * m**2 - 132.78783573 * m + 420.70576692
    b = 90.26261072 * m**3 - 137.26549898 * m**2 + 71.10130540 * m + 51.35259597
    v = max(-100 * b, min(cp * a / 100, 100 * b))
    return 1 / (1 + math.exp((a - v) / b)), 1 / (1 + math.exp((a + v) / b))


def wdl(board, model, score):
    """The chances of the side to move; of the model of Lichess those that python-chess knows, in thousandths."""
    if score is None:
        return [math.nan] * 3
    if model == "lichess":
        w = score.pov(board.turn).wdl(model="lichess")
        return [w.wins / 1000, w.draws / 1000, w.losses / 1000]
    if score.is_mate():
        win, loss = (1, 0) if score.pov(board.turn) > chess.engine.Cp(0) else (0, 1)
    else:
        win, loss = stockfish17(board, score.pov(board.turn).score())
    return [win, 1 - win - loss, loss]


def short(score):
    """A score of White's in 16 bits."""
    if score.white().is_mate():
        n = score.white().mate()
        return 32000 - n if n > 0 else -32000 - n
    return max(-30000, min(score.white().score(), 30000))


def weight(options, game):
    """The chance of the rows of a game."""
    chance = options.get("sample", 1)
    for text in options.get("weights", []):
        term, factor = text.rsplit(":", 1)
        name, value = term.split("=")
        if name == "result":
            holds = {"draw": "1/2-1/2", "white": "1-0", "black": "0-1"}.get(value, value) == game.headers["Result"]
        else:
            low, high = value.split("-")
            ratings = [game.headers.get(k, "") for k in ("WhiteElo", "BlackElo")]
            holds = all(r.isdigit() and int(low or 0) <= int(r) <= int(high or 9999) for r in ratings)
        if holds:
            chance *= float(factor)
    return chance


def mirrored(board, move, how):
    if "colors" in how:
        board = board.mirror()
        move = chess.Move(move.from_square ^ 56, move.to_square ^ 56, move.promotion)
    if "files" in how:
        board = board.transform(chess.flip_horizontal)
        move = chess.Move(move.from_square ^ 7, move.to_square ^ 7, move.promotion)
    return board, move


def expect(game, number, o, index):
    moves = list(game.mainline_moves())
    code = b"".join(index.get(m.uci(), 1972).to_bytes(2, "little") for m in moves)
    start = game.board()
    if "split" in o:
        low, high = map(float, o["split"].split("-"))
        fen = "" if start.fen() == chess.STARTING_FEN else start.fen(en_passant="fen")
        if not low <= fraction(hashed(b"split" + fen.encode() + b"\0" + code)) < high:
            return
    n = hashed(o["seed"].to_bytes(8, "little") + code)
    chance, only = weight(o, game), o.get("only", [])
    every, first = o.get("every", 1), o.get("from_ply", 0)
    if every > 1:
        first += n % every
    result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
    found = []
    node = game
    while node.variations:
        board, score, ply = node.board(), node.eval(), node.ply() - game.ply()
        node = node.variations[0]
        if ply < first or (ply - first) % every or o.get("to_ply", 0) and ply > o["to_ply"] or not node.move:
            continue
        u = row_number(n, number, ply + 1)
        if fraction(u) >= chance or "eval" in only and score is None:
            continue
        if score is not None and o.get("max_eval", 0) and abs(short(score)) > o["max_eval"]:
            continue
        if "no-check" in only and board.is_check() or "quiet" in only and not is_quiet(board):
            continue
        found.append((u, ply, board, node.move, score))
    if o.get("per_game", 0):
        found = sorted(sorted(found, key=lambda f: f[0])[: o["per_game"]], key=lambda f: f[1])
    augment = o.get("augment", [])
    for _, ply, board, move, score in found:
        for how in ([], ["colors"], ["files"], ["colors", "files"]):
            if not set(how) <= set(augment) or "files" in how and board.castling_rights:
                continue
            b, m = mirrored(board, move, how)
            s, r = score, result
            if "colors" in how:
                s = s and chess.engine.PovScore(s.black(), chess.WHITE)
                r = r and -r
            sign = 1 if b.turn else -1
            pieces = np.zeros((12, 8, 8), np.uint8)
            for square, piece in b.piece_map().items():
                pieces[piece.piece_type - 1 + 6 * (not piece.color), square // 8, square % 8] = 1
            passant = b.ep_square % 8 + 1 if b.ep_square is not None else 0
            yield {
                "planes": np.packbits(pieces, axis=-1, bitorder="little").reshape(12, 8).tobytes().hex(),
                "state": (int(not b.turn),)
                + tuple(int(f(c)) for c in (True, False) for f in (b.has_kingside_castling_rights, b.has_queenside_castling_rights))
                + (passant, min(b.halfmove_clock, 255)),
                "labels": index[m.uci()],
                "result": -128 if r is None else sign * r,
                "eval": -32768 if s is None else sign * short(s),
                "wdl": wdl(b, o.get("wdl"), s),
                "game": number,
                "ply": ply,
            }


def main():
    folder = Path(sys.argv[2])
    m = json.loads((folder / "manifest.json").read_text())
    index = {text: i for i, text in enumerate(m["labels"]["order"])}
    want = []
    text = re.sub(r"\[%eval (#?-?[\d.]+),\d+\]", r"[%eval \1]", open(sys.argv[1], encoding="utf-8").read())
    games = io.StringIO(text)
    number = 0
    while game := chess.pgn.read_game(games):
        number += 1
        assert not game.errors, game.errors
        want += expect(game, number, m["options"], index)
    got = {}
    for shard in m["shards"]:
        for name, a in np.load(folder / shard["files"][0]["name"]).items():
            got.setdefault(name, []).append(a)
    got = {name: np.concatenate(a) for name, a in got.items()}
    kind = m["options"].get("label_type", "uint16")
    assert got["labels"].dtype == np.dtype(kind), got["labels"].dtype
    assert len(got["game"]) == len(want) == m["rows"], (len(got["game"]), len(want), m["rows"])
    rows = [
        {name: (a[i].tobytes().hex() if name == "planes" else tuple(a[i].tolist()) if a.ndim > 1 else a[i].item()) for name, a in got.items()}
        for i in range(len(want))
    ]
    if m["options"]["shuffle"]:
        key = lambda r: (r["game"], r["ply"], r["planes"], r["state"])
        assert [key(r) for r in rows] != sorted(key(r) for r in rows), "no shuffle"
        rows.sort(key=key)
        want.sort(key=key)
    for i, (r, w) in enumerate(zip(rows, want)):
        if "wdl" in r:
            chances, known = r.pop("wdl"), w.pop("wdl")
            assert ("wdl" in m["options"]) and chances[0] + chances[1] + chances[2] == 1 or math.isnan(chances[0])
            near = 0.0011 if m["options"]["wdl"] == "lichess" else 2e-5
            assert np.allclose(chances, known, rtol=0, atol=near, equal_nan=True), (i, chances, known)
        else:
            del w["wdl"]
        if r != w:
            sys.exit(f"row {i}: {r}, want {w}")
    print(len(rows))


if __name__ == "__main__":
    main()
