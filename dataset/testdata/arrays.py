# SPDX-License-Identifier: Apache-2.0
"""Reads the arrays of a data set with NumPy, and compares them with what it works out from JSON Lines of the same games.

It knows the rules of chess by itself. Usage: arrays.py JSONL FOLDER FROM TO EVERY DEDUPE SHUFFLED
"""
import hashlib
import json
import sys
import zipfile
from pathlib import Path

import numpy as np

KNIGHT = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
KING = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
ORDER = "PNBRQK"


def square(name):
    return ord(name[0]) - 97 + 8 * (int(name[1]) - 1)


def name(s):
    return "abcdefgh"[s % 8] + str(s // 8 + 1)


class Board:
    def __init__(self, fen):
        rows, turn, rights, ep, clock, _ = fen.split()
        self.pieces = [None] * 64
        for r, row in enumerate(rows.split("/")):
            f = 0
            for c in row:
                if c.isdigit():
                    f += int(c)
                else:
                    self.pieces[8 * (7 - r) + f] = c
                    f += 1
        self.white = turn == "w"
        self.rights = set(rights) - {"-"}
        self.ep = square(ep) if ep != "-" else None
        self.clock = int(clock)

    def copy(self):
        b = Board.__new__(Board)
        b.pieces, b.white, b.rights, b.ep, b.clock = self.pieces[:], self.white, set(self.rights), self.ep, self.clock
        return b

    def own(self, c):
        return c is not None and c.isupper() == self.white

    def play(self, uci):
        if uci == "0000":
            self.white, self.ep, self.clock = not self.white, None, self.clock + 1
            return
        a, z = square(uci[:2]), square(uci[2:4])
        piece = self.pieces[a]
        self.clock += 1
        if piece in "Pp" or self.pieces[z] is not None:
            self.clock = 0
        if piece in "Pp" and a % 8 != z % 8 and self.pieces[z] is None:
            self.pieces[a // 8 * 8 + z % 8] = None
        if piece in "Kk" and abs(a - z) == 2:
            corner, beside = (a + 3, a + 1) if z > a else (a - 4, a - 1)
            self.pieces[beside], self.pieces[corner] = self.pieces[corner], None
        self.pieces[a] = None
        if len(uci) == 5:
            piece = uci[4].upper() if self.white else uci[4]
        self.pieces[z] = piece
        for s, gone in ((4, "KQ"), (60, "kq"), (0, "Q"), (7, "K"), (56, "q"), (63, "k")):
            if s in (a, z):
                self.rights -= set(gone)
        self.ep = (a + z) // 2 if piece in "Pp" and abs(a - z) == 16 else None
        self.white = not self.white

    def attacked(self, s, by_white):
        f, r = s % 8, s // 8

        def at(df, dr, n=1):
            x, y = f + n * df, r + n * dr
            return self.pieces[8 * y + x] if 0 <= x < 8 and 0 <= y < 8 else "#"

        def is_(c, kinds):
            return c is not None and c != "#" and c.upper() in kinds and c.isupper() == by_white

        if any(is_(at(*d), "N") for d in KNIGHT) or any(is_(at(*d), "K") for d in KING):
            return True
        down = -1 if by_white else 1
        if is_(at(1, down), "P") or is_(at(-1, down), "P"):
            return True
        for i, d in enumerate(KING):
            n = 1
            while at(*d, n) is None:
                n += 1
            if is_(at(*d, n), "BQ" if i % 2 else "RQ"):
                return True
        return False

    def check(self, white):
        return self.attacked(self.pieces.index("K" if white else "k"), not white)

    def legal(self):
        out = []
        for a in range(64):
            piece = self.pieces[a]
            if not self.own(piece):
                continue
            f, r, kind = a % 8, a // 8, piece.upper()

            def step(df, dr, n=1):
                x, y = f + n * df, r + n * dr
                return 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else None

            targets = []
            if kind == "P":
                up = 1 if self.white else -1
                z = step(0, up)
                if self.pieces[z] is None:
                    targets.append(z)
                    if r == (1 if self.white else 6) and self.pieces[z + 8 * up] is None:
                        targets.append(z + 8 * up)
                for d in (-1, 1):
                    z = step(d, up)
                    if z is not None and (self.pieces[z] is not None and not self.own(self.pieces[z]) or z == self.ep and self.pieces[z] is None):
                        targets.append(z)
            elif kind in "NK":
                for d in KNIGHT if kind == "N" else KING:
                    z = step(*d)
                    if z is not None and not self.own(self.pieces[z]):
                        targets.append(z)
                if kind == "K" and not self.check(self.white):
                    for right, free, path in (("K", (1, 2), 1), ("Q", (-1, -2, -3), -1)):
                        if (right if self.white else right.lower()) in self.rights and all(self.pieces[a + x] is None for x in free) \
                                and not self.attacked(a + path, not self.white):
                            targets.append(a + 2 * path)
            else:
                for i, d in enumerate(KING):
                    if kind == "R" and i % 2 or kind == "B" and not i % 2:
                        continue
                    n = 1
                    while (z := step(*d, n)) is not None and not self.own(self.pieces[z]):
                        targets.append(z)
                        if self.pieces[z] is not None:
                            break
                        n += 1
            for z in targets:
                uci = name(a) + name(z)
                b = self.copy()
                b.play(uci)
                if not b.check(self.white):
                    out += [uci + c for c in "nbrq"] if kind == "P" and z // 8 in (0, 7) else [uci]
        return out


def mirrored(uci):
    return uci[0] + str(9 - int(uci[1])) + uci[2] + str(9 - int(uci[3])) + uci[4:]


def label(labels, where, b, uci):
    """The label of a move."""
    castling = b.pieces[square(uci[:2])] in "Kk" and abs(square(uci[:2]) - square(uci[2:4])) == 2
    if labels["side_to_move"] and not b.white:
        uci = mirrored(uci)
    if labels["name"] == "lc0":
        if castling:
            uci = uci[:2] + ("h" if uci[2] == "g" else "a") + uci[3]
        if uci.endswith("n"):
            uci = uci[:4]
    if labels["name"] == "alphazero":
        a, z = square(uci[:2]), square(uci[2:4])
        df, dr = z % 8 - a % 8, z // 8 - a // 8
        if len(uci) == 5 and uci[4] != "q":
            plane = 64 + 3 * (df + 1) + "nbr".index(uci[4])
        elif (df, dr) in KNIGHT:
            plane = 56 + KNIGHT.index((df, dr))
        else:
            n = max(abs(df), abs(dr))
            plane = 7 * KING.index((df // n, dr // n)) + n - 1
        return 73 * a + plane
    return where[uci]


def state(b):
    """What tells a position: the board, with a square en passant only if a capture there is legal."""
    ep = None
    if b.ep is not None and any(m[2:4] == name(b.ep) and b.pieces[8 * (int(m[1]) - 1) + ord(m[0]) - 97] in "Pp" for m in b.legal()):
        ep = name(b.ep)
    return ("".join(c or "." for c in b.pieces), b.white, "".join(sorted(b.rights)), ep)


def lc0_planes(history, filled):
    """The bytes of the planes of boards, the last of them first."""
    out, white = b"", history[-1][0].white
    for i in range(8):
        if i >= len(history) and not filled:
            out += bytes(8 * 13)
            continue
        b, again = history[max(len(history) - 1 - i, 0)]
        pieces = b.pieces[:]
        if i >= len(history) and b.ep is not None:
            up = -8 if b.white else 8
            pieces[b.ep - up], pieces[b.ep + up] = pieces[b.ep + up], None
        for c in ("PNBRQKpnbrqk" if white else "pnbrqkPNBRQK"):
            for r in range(8):
                row = pieces[8 * r : 8 * r + 8] if white else pieces[56 - 8 * r : 64 - 8 * r]
                out += bytes([sum(128 >> f for f in range(8) if row[f] == c)])
        out += bytes([255 * again] * 8)
    return out


def expect(game, number, seed, first, last, every, labels, where, lc0):
    """The rows of a game."""
    if every > 1:
        key = seed.to_bytes(8, "little") + b"".join(i.to_bytes(2, "little") for i in game["indices"])
        first += int.from_bytes(hashlib.sha256(key).digest()[:8], "little") % every
    b = Board(game.get("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
    scores = [game.get("start_eval")] + game.get("evals", [None] * len(game["moves"]))
    history, seen = [], set()
    for ply, uci in enumerate(game["moves"]):
        if lc0:
            key = state(b)
            history.append((b.copy(), key in seen))
            seen.add(key)
        if ply >= first and (last == 0 or ply <= last) and (ply - first) % every == 0 and uci != "0000":
            turned = labels["side_to_move"] and not b.white
            if lc0:
                planes = np.unpackbits(np.frombuffer(lc0_planes(history, "fen" in game), np.uint8)).reshape(104, 8, 8)
                more = [c in b.rights for c in ("QKqk" if b.white else "qkQK")] + [not b.white, min(b.clock, 255), 0, 1]
                planes = np.concatenate([planes, np.broadcast_to(np.array(more, np.uint8)[:, None, None], (8, 8, 8))])
            else:
                planes = np.zeros((12, 8, 8), np.uint8)
            for s, c in enumerate(b.pieces):
                if c is not None and not lc0:
                    plane = ORDER.index(c.upper()) + (0 if c.isupper() != turned else 6)
                    planes[plane, 7 - s // 8 if turned else s // 8, s % 8] = 1
            rights = [int(c in b.rights) for c in ("kqKQ" if turned else "KQkq")]
            sign = 1 if b.white else -1
            result = {"1-0": sign, "0-1": -sign, "1/2-1/2": 0, "*": -128}[game["result"]]
            score = scores[ply]
            legal = np.zeros(labels["count"], np.uint8)
            for m in b.legal():
                legal[label(labels, where, b, m)] = 1
            yield {
                "planes": planes,
                "state": [int(not b.white)] + rights + [0 if b.ep is None else b.ep % 8 + 1, min(b.clock, 255)],
                "labels": label(labels, where, b, uci),
                "legal": legal,
                "result": result,
                "eval": -32768 if score is None else sign * score,
                "game": number,
                "ply": ply,
            }
        b.play(uci)


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
