# SPDX-License-Identifier: Apache-2.0
"""Reads the arrays of a data set with NumPy, and compares them with what python-chess works out from JSON Lines of the same games.

Usage: arrays.py JSONL FOLDER FROM TO EVERY DEDUPE SHUFFLED
"""
import hashlib
import json
import sys
import zipfile
from pathlib import Path

import chess
import numpy as np

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
QUEEN = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]


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


def state(b):
    """What tells a position: the board, with a square en passant only if a capture there is legal."""
    return b.board_fen(), b.turn, b.castling_rights, b.ep_square if b.has_legal_en_passant() else None


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


def expect(game, number, seed, first, last, every, labels, where, lc0):
    """The rows of a game."""
    if every > 1:
        key = seed.to_bytes(8, "little") + b"".join(i.to_bytes(2, "little") for i in game["indices"])
        first += int.from_bytes(hashlib.sha256(key).digest()[:8], "little") % every
    b = chess.Board(game.get("fen", chess.STARTING_FEN))
    scores = [game.get("start_eval")] + game.get("evals", [None] * len(game["moves"]))
    history, seen = [], set()
    for ply, move in enumerate(map(chess.Move.from_uci, game["moves"])):
        if lc0:
            key = state(b)
            history.append((b.copy(stack=False), key in seen))
            seen.add(key)
        if ply >= first and (last == 0 or ply <= last) and (ply - first) % every == 0 and move:
            turned = labels["side_to_move"] and not b.turn
            rights = [f(c) for c in (True, False) for f in (b.has_kingside_castling_rights, b.has_queenside_castling_rights)]
            clock = min(b.halfmove_clock, 255)
            planes = boards(b, not turned)
            if lc0:
                more = [rights[i if b.turn else i ^ 2] for i in (1, 0, 3, 2)] + [not b.turn, clock, 0, 1]
                planes = np.concatenate([lc0_planes(history, "fen" in game), np.broadcast_to(np.array(more, np.uint8)[:, None, None], (8, 8, 8))])
            if turned:
                rights = rights[2:] + rights[:2]
            sign = 1 if b.turn else -1
            result = {"1-0": sign, "0-1": -sign, "1/2-1/2": 0, "*": -128}[game["result"]]
            score = scores[ply]
            legal = np.zeros(labels["count"], np.uint8)
            for m in b.legal_moves:
                legal[label(labels, where, b, m)] = 1
            yield {
                "planes": planes,
                "state": [int(not b.turn)] + rights + [0 if b.ep_square is None else b.ep_square % 8 + 1, clock],
                "labels": label(labels, where, b, move),
                "legal": legal,
                "result": result,
                "eval": -32768 if score is None else sign * score,
                "game": number,
                "ply": ply,
            }
        b.push(move)


def arrays(folder, shard):
    for f in shard["files"]:
        if f["name"].endswith(".npz"):
            assert zipfile.ZipFile(folder / f["name"]).testzip() is None
            yield from np.load(folder / f["name"]).items()
        else:
            yield f["name"].split(".")[1], np.load(folder / f["name"], mmap_mode="r")


def main():
    games = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    folder = Path(sys.argv[2])
    first, last, every, dedupe, shuffled = map(int, sys.argv[3:8])
    m = json.loads((folder / "manifest.json").read_text())
    labels = m["labels"]
    assert len(labels["order"]) == labels["count"]
    lc0 = m["options"].get("planes", "").startswith("lc0")
    where = {text: i for i, text in enumerate(labels["order"]) if text}
    want = [row for i, g in enumerate(games) for row in expect(g, i + 1, m["options"]["seed"], first, last, every, labels, where, lc0)]
    got = {}
    for shard in m["shards"]:
        for key, a in arrays(folder, shard):
            assert len(a) == shard["rows"], (key, len(a), shard["rows"])
            got.setdefault(key, []).append(a)
    got = {key: np.concatenate(list_) for key, list_ in got.items()}
    assert [a["name"] for a in m["arrays"]] == list(got), list(got)
    for a in m["arrays"]:
        assert got[a["name"]].dtype == a["type"] and list(got[a["name"]].shape[1:]) == a.get("shape", []), a
    for key in ("planes", "legal"):
        if key in got and got[key].ndim == {"planes": 3, "legal": 2}[key]:
            clock = got[key][:, 109] if lc0 and key == "planes" else None
            got[key] = np.unpackbits(got[key], axis=-1, bitorder="little")
            if clock is not None:
                got[key] = got[key].reshape(-1, 112, 8, 8)
                assert (clock == clock[:, :1]).all()
                got[key][:, 109] = clock[:, :, None]
    if "legal" in got:
        assert not got["legal"][:, labels["count"]:].any()
        got["legal"] = got["legal"][:, : labels["count"]]
    if "planes" in got:
        got["planes"] = got["planes"].reshape(-1, 112 if lc0 else 12, 8, 8)
    keys = list(zip(got["game"].tolist(), got["ply"].tolist()))
    rows = {(w["game"], w["ply"]): w for w in want}
    assert len(set(keys)) == len(keys) and len(rows) == len(want)
    in_order = keys == sorted(keys)
    assert in_order != bool(shuffled) or len(keys) < 20, "the order"
    if dedupe:
        assert len(keys) < len(want) and len(keys) + m["duplicates"] == len(want)
    else:
        assert len(keys) == len(want), (len(keys), len(want))
    for i, key in enumerate(keys):
        for column, a in got.items():
            if not np.array_equal(a[i], rows[key][column]):
                sys.exit(f"game {key[0]}, ply {key[1]}: {column} is {a[i]}, want {rows[key][column]}")
    if dedupe:
        seen = set()
        for w in want:
            seen.add(w["planes"].tobytes() + bytes(w["state"][:5]))
        have = {rows[k]["planes"].tobytes() + bytes(rows[k]["state"][:5]) for k in keys}
        assert seen == have, "a position is lost"
    print(len(keys))


if __name__ == "__main__":
    main()
