# SPDX-License-Identifier: Apache-2.0
"""Reads games with python-chess, chooses positions as docs/train.md says, and compares with the arrays of a data set, row by row.

Usage: arrays.py GAMES.pgn INDEX FOLDER. INDEX has the moves of the index, one a line.
"""
import hashlib
import io
import json
import math
import re
import sys
import zipfile
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import numpy as np

MASK = 2**64 - 1
VALUE = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 1000}
KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
QUEEN = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


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


def captures(board, square, side, pieces, target):
    """What side wins at most by capturing a piece worth target on square with its least one, or 0; pieces are the squares that are still occupied."""
    attackers = board.attackers_mask(side, square, pieces) & pieces
    for kind in chess.PIECE_TYPES:
        for s in chess.scan_forward(attackers & board.pieces_mask(kind, side)):
            left = pieces & ~chess.BB_SQUARES[s]
            if kind == chess.KING and board.attackers_mask(not side, square, left) & left & ~chess.BB_SQUARES[square]:
                return 0
            return max(0, target - captures(board, square, not side, left, VALUE[kind]))
    return 0


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
    return gain - captures(board, move.to_square, not board.turn, pieces | chess.BB_SQUARES[move.to_square], target) > 0


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


def label(labels, where, b, move):
    """The label of a move."""
    a, z, promotion = move.from_square, move.to_square, move.promotion
    if labels["name"] == "lc0":
        if b.is_castling(move):
            z += 1 if z > a else -2
        if promotion == chess.KNIGHT:
            promotion = None
    if labels["side_to_move"] and not b.turn:
        a, z = a ^ 56, z ^ 56
    if labels["name"] == "alphazero":
        df, dr = z % 8 - a % 8, z // 8 - a // 8
        if promotion not in (None, chess.QUEEN):
            plane = 64 + 3 * (df + 1) + [chess.KNIGHT, chess.BISHOP, chess.ROOK].index(promotion)
        elif (df, dr) in KNIGHT:
            plane = 56 + KNIGHT.index((df, dr))
        else:
            n = max(abs(df), abs(dr))
            plane = 7 * QUEEN.index((df // n, dr // n)) + n - 1
        return 73 * a + plane
    return where[chess.Move(a, z, promotion).uci()]


def boards(b, white=True):
    """The twelve planes of a board, of White's pieces first, or else of Black's with the ranks mirrored."""
    masks = [b.pieces_mask(k, c) for c in (white, not white) for k in chess.PIECE_TYPES]
    masks = np.array(masks if white else [chess.flip_vertical(m) for m in masks], "<u8")
    return np.unpackbits(masks.view(np.uint8), bitorder="little").reshape(12, 8, 8)


def lc0_planes(history, filled):
    """The planes of boards, the last of them first."""
    out = []
    for i in range(8):
        if i >= len(history) and not filled:
            out.append(np.zeros((13, 8, 8), np.uint8))
            continue
        b, again = history[max(len(history) - 1 - i, 0)]
        if i >= len(history) and b.ep_square is not None:
            b, up = b.copy(), 8 if b.turn else -8
            b.set_piece_at(b.ep_square + up, b.remove_piece_at(b.ep_square - up))
        out += [boards(b, history[-1][0].turn), np.full((1, 8, 8), again, np.uint8)]
    return np.concatenate(out)


def rows_of(game, number, o, labels, where, index):
    moves = list(game.mainline_moves())
    code = b"".join(index.get(m.uci(), 1972).to_bytes(2, "little") for m in moves)
    start = game.board()
    filled = start.fen() != chess.STARTING_FEN
    if "split" in o:
        low, high = map(float, o["split"].split("-"))
        fen = start.fen(en_passant="fen") if filled else ""
        if not low <= fraction(hashed(b"split" + fen.encode() + b"\0" + code)) < high:
            return
    n = hashed(o["seed"].to_bytes(8, "little") + code)
    chance, only = weight(o, game), o.get("only", [])
    every, first = o.get("every", 1), o.get("from_ply", 0)
    if every > 1:
        first += n % every
    result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"])
    found, history, seen = [], [], set()
    node, board = game, start.copy(stack=False)
    for ply, move in enumerate(moves):
        score = node.eval()
        node = node.variations[0]
        key = board.board_fen(), board.turn, board.castling_rights, board.ep_square if board.has_legal_en_passant() else None
        history.append((board.copy(stack=False), key in seen))
        seen.add(key)
        board.push(move)
        board.clear_stack()
        now = history[-1][0]
        if ply < first or (ply - first) % every or o.get("to_ply", 0) and ply > o["to_ply"] or not move:
            continue
        u = row_number(n, number, ply + 1)
        if fraction(u) >= chance or "eval" in only and score is None:
            continue
        if score is not None and o.get("max_eval", 0) and abs(short(score)) > o["max_eval"]:
            continue
        if "no-check" in only and now.is_check() or "quiet" in only and not is_quiet(now):
            continue
        found.append((u, ply, move, score))
    if o.get("per_game", 0):
        found = sorted(sorted(found)[: o["per_game"]], key=lambda f: f[1])
    augment, lc0 = o.get("augment", []), o.get("planes", "").startswith("lc0")
    for _, ply, move, score in found:
        for how in ([], ["colors"], ["files"], ["colors", "files"]):
            board = history[ply][0]
            if not set(how) <= set(augment) or "files" in how and board.castling_rights:
                continue
            b, m = mirrored(board, move, how)
            s, r = score, result
            if "colors" in how:
                s = s and chess.engine.PovScore(s.black(), chess.WHITE)
                r = r and -r
            sign = 1 if b.turn else -1
            turned = labels["side_to_move"] and not b.turn
            rights = [f(c) for c in (True, False) for f in (b.has_kingside_castling_rights, b.has_queenside_castling_rights)]
            clock = min(b.halfmove_clock, 255)
            planes = boards(b, not turned)
            if lc0:
                more = [rights[i if b.turn else i ^ 2] for i in (1, 0, 3, 2)] + [not b.turn, clock, 0, 1]
                planes = np.concatenate([lc0_planes(history[: ply + 1], filled), np.broadcast_to(np.array(more, np.uint8)[:, None, None], (8, 8, 8))])
            if turned:
                rights = rights[2:] + rights[:2]
            legal = np.zeros(labels["count"], np.uint8)
            legal[[label(labels, where, b, x) for x in b.legal_moves]] = 1
            yield {
                "planes": planes,
                "state": np.array([not b.turn] + rights + [b.ep_square % 8 + 1 if b.ep_square is not None else 0, clock], np.uint8),
                "labels": label(labels, where, b, m),
                "legal": legal,
                "result": -128 if r is None else sign * r,
                "eval": -32768 if s is None else sign * short(s),
                "wdl": wdl(b, o.get("wdl"), s),
                "game": number,
                "ply": ply,
            }


def arrays(folder, m):
    """The arrays of all parts, as the manifest has them."""
    got = {}
    for shard in m["shards"]:
        for f in shard["files"]:
            file = np.load(folder / f["name"], mmap_mode="r")
            if f["name"].endswith(".npz"):
                assert zipfile.ZipFile(folder / f["name"]).testzip() is None
            for name, a in file.items() if f["name"].endswith(".npz") else [(f["name"].split(".")[1], file)]:
                assert len(a) == shard["rows"], (name, len(a), shard["rows"])
                got.setdefault(name, []).append(a)
    got = {name: np.concatenate(parts) for name, parts in got.items()}
    assert [a["name"] for a in m["arrays"]] == list(got), list(got)
    for a in m["arrays"]:
        assert got[a["name"]].dtype == a["type"] and list(got[a["name"]].shape[1:]) == a.get("shape", []), a
    return got


def spread(got, m):
    """Makes bytes of bits."""
    for name, planes in ("planes", 3), ("legal", 2):
        if name in got and got[name].ndim == planes:
            clock = got[name][:, 109:110] if m["options"].get("planes") == "lc0" and name == "planes" else None
            got[name] = np.unpackbits(got[name], axis=-1, bitorder="little")
            if planes == 3:
                got[name] = got[name].reshape(len(got[name]), -1, 8, 8)
            if clock is not None:
                assert (clock == clock[:, :, :1]).all()
                got[name][:, 109] = clock
    if "legal" in got:
        n = m["labels"]["count"]
        assert not got["legal"][:, n:].any()
        got["legal"] = got["legal"][:, :n]


def main():
    folder = Path(sys.argv[3])
    m = json.loads((folder / "manifest.json").read_text())
    o, labels = m["options"], m["labels"]
    index, where = ({text: i for i, text in enumerate(moves) if text} for moves in (Path(sys.argv[2]).read_text().split("\n"), labels["order"]))
    assert len(labels["order"]) == labels["count"]
    games = io.StringIO(re.sub(r"\[%eval (#?-?[\d.]+),\d+\]", r"[%eval \1]", open(sys.argv[1], encoding="utf-8").read()))
    want = []
    for number, game in enumerate(iter(lambda: chess.pgn.read_game(games), None), 1):
        assert not game.errors, game.errors
        want += rows_of(game, number, o, labels, where, index)
    got = arrays(folder, m)
    assert got["labels"].dtype == np.dtype(o.get("label_type", "uint16")), got["labels"].dtype
    spread(got, m)
    rows = [{name: a[i] for name, a in got.items()} for i in range(m["rows"])]
    assert {len(a) for a in got.values()} == {len(rows)} and len(rows) + m.get("duplicates", 0) == len(want), (len(rows), len(want))

    def key(r):
        return int(r["game"]), int(r["ply"]), r["planes"].tobytes() if "planes" in r else b"", r["state"].tobytes()

    if m.get("duplicates"):
        at = {key(r)[:2] for r in rows}
        seen = [{key(w)[2] + key(w)[3][:5] for w in want if key(w)[:2] in at or all_} for all_ in (True, False)]
        assert seen[0] == seen[1], "a position is lost"
        want = [w for w in want if key(w)[:2] in at]
    if o["shuffle"]:
        assert [key(r) for r in rows] != sorted(key(r) for r in rows), "no shuffle"
        rows.sort(key=key)
        want.sort(key=lambda w: key(w) if "planes" in got else (w["game"], w["ply"]))
    for i, (r, w) in enumerate(zip(rows, want)):
        if "wdl" in r:
            assert sum(r["wdl"]) == 1 or math.isnan(r["wdl"][0])
            near = 0.0011 if o["wdl"] == "lichess" else 2e-5
            assert np.allclose(r["wdl"], w["wdl"], rtol=0, atol=near, equal_nan=True), (i, r["wdl"], w["wdl"])
        for name in set(r) - {"wdl"}:
            if not np.array_equal(r[name], w[name]):
                sys.exit(f"row {i}, game {w['game']}, ply {w['ply']}: {name} is {r[name]}, want {w[name]}")
    print(len(rows))


if __name__ == "__main__":
    main()
