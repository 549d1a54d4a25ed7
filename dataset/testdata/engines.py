# SPDX-License-Identifier: Apache-2.0
"""Reads files of positions as engines have them, from the definitions in docs/train.md, and compares them with what it works out
from JSON Lines of the same games.

Usage: engines.py FORMAT JSONL FILE ...
"""
import gzip
import io
import json
import struct
import sys
import tarfile

from arrays import KING, KNIGHT, Board, label, name

NONE = 32002
MEN = "PNBRQK"


def empty():
    return Board("8/8/8/8/8/8/8/8 w - - 0 1")


def state(b, uci, score, ply, result, clock):
    """A row: the board, with a square en passant only if a capture there is legal."""
    ep = None
    if b.ep is not None and any(m[2:4] == name(b.ep) and b.men[8 * (int(m[1]) - 1) + ord(m[0]) - 97] in "Pp" for m in b.legal()):
        ep = name(b.ep)
    return ("".join(c or "." for c in b.men), b.white, "".join(sorted(b.rights)), ep, uci, score, ply, result, clock)


def signed(v):
    """The number whose sign is bit 0."""
    return -(v + 1) // 2 if v & 1 else v // 2


def int16(v):
    return (v + 0x8000) % 0x10000 - 0x8000


def castled(b, a, z):
    """The move of a king that names his rook."""
    return name(a) + name(a + 2 if z > a else a - 2)


class Bits:
    def __init__(self, data, at):
        self.data, self.at = data, 8 * at

    def take(self, n):
        v = 0
        for _ in range(n):
            v = 2 * v + (self.data[self.at // 8] >> (7 - self.at % 8) & 1)
            self.at += 1
        return v

    def below(self, n):
        """A number below n, in as few bits as hold n-1."""
        v = self.take((n - 1).bit_length())
        assert v < n
        return v


def reach(b, a):
    """The squares that a man may go to, in their order, whether his king is then in check or not."""
    kind, f, r, out = b.men[a].upper(), a % 8, a // 8, []

    def step(df, dr, n=1):
        x, y = f + n * df, r + n * dr
        return 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else None

    if kind == "P":
        up = 1 if b.white else -1
        if b.men[step(0, up)] is None:
            out.append(step(0, up))
            if r == (1 if b.white else 6) and b.men[step(0, up, 2)] is None:
                out.append(step(0, up, 2))
        for d in (-1, 1):
            z = step(d, up)
            if z is None:
                continue
            if b.men[z] is not None and not b.own(b.men[z]):
                out.append(z)
            elif z == b.ep and any(m[2:4] == name(z) and b.men[8 * (int(m[1]) - 1) + ord(m[0]) - 97] in "Pp" for m in b.legal()):
                out.append(z)
        return sorted(out)
    for i, d in enumerate(KNIGHT if kind == "N" else KING):
        if kind == "R" and i % 2 or kind == "B" and not i % 2:
            continue
        for n in range(1, 2 if kind in "NK" else 8):
            z = step(*d, n)
            if z is None or b.own(b.men[z]):
                break
            out.append(z)
            if b.men[z] is not None:
                break
    return sorted(out)


def binpack_move(b, bits):
    own = [s for s in range(64) if b.own(b.men[s])]
    a = own[bits.below(len(own))]
    squares, man = reach(b, a), b.men[a].upper()
    if man == "P" and a // 8 == (6 if b.white else 1):
        k = bits.below(4 * len(squares))
        return name(a) + name(squares[k // 4]) + "nbrq"[k % 4]
    castlings = []
    if man == "K":
        castlings = [a + d for right, d in (("Q", -2), ("K", 2)) if (right if b.white else right.lower()) in b.rights]
    k = bits.below(len(squares) + len(castlings))
    return name(a) + name((squares + castlings)[k])


def binpack(data):
    at = 0
    while at < len(data):
        assert data[at : at + 4] == b"BINP"
        end = at + 8 + int.from_bytes(data[at + 4 : at + 8], "little")
        at += 8
        while at < end:
            b, ply, occupied, i = empty(), 0, int.from_bytes(data[at : at + 8], "big"), 0
            for s in range(64):
                if not occupied >> s & 1:
                    continue
                v = data[at + 8 + i // 2] >> 4 * (i % 2) & 15
                i += 1
                if v < 12:
                    c = MEN[v // 2] if v % 2 == 0 else MEN[v // 2].lower()
                elif v == 12:
                    c, b.ep = ("P", s - 8) if s // 8 == 3 else ("p", s + 8)
                elif v < 15:
                    c = "Rr"[v - 13]
                    b.rights.add({0: "Q", 7: "K", 56: "q", 63: "k"}[s])
                else:
                    c, b.white = "k", False
                b.men[s] = c
            word, score, number, b.clock = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (24, 26, 28, 30))
            count = int.from_bytes(data[at + 32 : at + 34], "big")
            score, ply, result = signed(score), number & 0x3FFF, signed(number >> 14)
            a, z = word >> 8 & 63, word >> 2 & 63
            uci = name(a) + name(z) + ("nbrq"[word & 3] if word >> 14 == 1 else "")
            assert (word >> 14 == 3) == (b.men[a] in "Pp" and a % 8 != z % 8 and b.men[z] is None)
            if word >> 14 == 2:
                uci = castled(b, a, z)
            yield state(b, uci, score, ply, result, b.clock)
            bits = Bits(data, at + 34)
            for _ in range(count):
                b.play(uci)
                uci, v, shift = binpack_move(b, bits), 0, 0
                while True:
                    group = bits.take(5)
                    v |= (group & 15) << shift
                    shift += 4
                    if group < 16:
                        break
                score = int16(-score + signed(v))
                ply, result = ply + 1, -result
                yield state(b, uci, score, ply, result, b.clock)
            at = (bits.at + 7) // 8
        assert at == end


def bin_(data):
    assert len(data) % 40 == 0
    for at in range(0, len(data), 40):
        sfen, place = int.from_bytes(data[at : at + 32], "little"), 0

        def take(n):
            nonlocal place
            place += n
            return sfen >> place - n & (1 << n) - 1

        b = empty()
        b.white = not take(1)
        white, black = take(6), take(6)
        for rank in range(7, -1, -1):
            for s in range(8 * rank, 8 * rank + 8):
                if s in (white, black):
                    b.men[s] = "K" if s == white else "k"
                elif take(1):
                    c = MEN[take(3)]
                    b.men[s] = c.lower() if take(1) else c
        b.rights = {c for c in "KQkq" if take(1)}
        b.ep = take(6) if take(1) else None
        clock = take(6)
        full = take(16)
        b.clock = clock + (take(1) << 6)
        assert place <= 256 and sfen >> place == 0
        score, word, ply = (int.from_bytes(data[at + k : at + k + 2], "little") for k in (32, 34, 36))
        assert ply == 2 * (full - 1) + (not b.white) and data[at + 39] == 255
        a, z = word >> 6 & 63, word & 63
        uci = name(a) + name(z) + ("nbrq"[word >> 12 & 3] if word >> 14 == 1 else "")
        assert (word >> 14 == 2) == (b.men[a] in "Pp" and a % 8 != z % 8 and b.men[z] is None)
        if word >> 14 == 3:
            uci = castled(b, a, z)
        yield state(b, uci, int16(score), ply, (data[at + 38] + 128) % 256 - 128, b.clock)


def viriformat(data):
    at = 0
    while at < len(data):
        b, occupied, i = empty(), int.from_bytes(data[at : at + 8], "little"), 0
        for s in range(64):
            if occupied >> s & 1:
                v = data[at + 8 + i // 2] >> 4 * (i % 2) & 15
                i += 1
                if v & 7 == 6:
                    b.rights.add({0: "Q", 7: "K", 56: "q", 63: "k"}[s])
                c = (MEN + "R")[v & 7]
                b.men[s] = c.lower() if v & 8 else c
        b.white = data[at + 24] < 128
        ep = data[at + 24] & 127
        b.ep = ep if ep < 64 else None
        b.clock = data[at + 25]
        ply = 2 * (int.from_bytes(data[at + 26 : at + 28], "little") - 1) + (not b.white)
        assert data[at + 28 : at + 30] == b"\0\0" and data[at + 31] == 0
        result = data[at + 30] - 1
        at += 32
        while data[at : at + 4] != b"\0\0\0\0":
            word, score = (int.from_bytes(data[at + k : at + k + 2], "little") for k in (0, 2))
            at += 4
            a, z = word & 63, word >> 6 & 63
            uci = name(a) + name(z) + ("nbrq"[word >> 12 & 3] if word >> 14 == 3 else "")
            assert (word >> 14 == 1) == (b.men[a] in "Pp" and a % 8 != z % 8 and b.men[z] is None)
            if word >> 14 == 2:
                uci = castled(b, a, z)
            sign = 1 if b.white else -1
            score = int16(score)
            yield state(b, uci, score if score == NONE else sign * score, ply, sign * result, min(b.clock, 255))
            b.play(uci)
            ply += 1
        at += 4


def lc0(data):
    for member in tarfile.open(fileobj=io.BytesIO(data)):
        chunk = gzip.decompress(tarfile.open(fileobj=io.BytesIO(data)).extractfile(member).read())
        assert chunk and len(chunk) % 8356 == 0
        for at in range(0, len(chunk), 8356):
            f = struct.unpack("<II1858f832s8B15fIHHff", chunk[at : at + 8356])
            policy, planes, rest = f[2:1860], f[1860], f[1861:]
            assert f[:2] == (6, 1) and rest[6:8] == (0, 0) and rest[-2:] == (0, 0) and rest[23] == 1
            assert all(v != v for v in rest[20:23]) and rest[24] == rest[25] and policy[rest[24]] == 1
            q, d, left = rest[15], rest[16], rest[14]
            assert rest[8:20] == (q, q, d, d, left, left, left, q, d, q, d, left) and d == 1 - abs(q)
            legal = tuple(sorted(i for i, v in enumerate(policy) if v >= 0))
            assert sum(v for v in policy if v > 0) == 1
            yield planes, rest[:6], rest[24], legal, q, left


def lc0_planes(history, filled):
    """The bytes of the planes of boards, the last of them first."""
    out, white = b"", history[-1][0].white
    for i in range(8):
        if i >= len(history) and not filled:
            out += bytes(8 * 13)
            continue
        b, again = history[max(len(history) - 1 - i, 0)]
        men = b.men[:]
        if i >= len(history) and b.ep is not None:
            up = -8 if b.white else 8
            men[b.ep - up], men[b.ep + up] = men[b.ep + up], None
        for c in ("PNBRQKpnbrqk" if white else "pnbrqkPNBRQK"):
            for r in range(8):
                row = men[8 * r : 8 * r + 8] if white else men[56 - 8 * r : 64 - 8 * r]
                out += bytes([sum(128 >> f for f in range(8) if row[f] == c)])
        out += bytes([255 * again] * 8)
    return out


def expect_lc0(lines, labels):
    where = {text: i for i, text in enumerate(labels["order"]) if text}
    for line in lines:
        g = json.loads(line)
        if g["result"] == "*":
            continue
        b = Board(g.get("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"))
        history, seen = [], set()
        for i, uci in enumerate(g["moves"]):
            key = state(b, None, 0, 0, 0, 0)
            history.append((b.copy(), key in seen))
            seen.add(key)
            if uci != "0000":
                rights = tuple(int(c in b.rights) for c in ("QKqk" if b.white else "qkQK"))
                sign = 1 if b.white else -1
                legal = tuple(sorted(label(labels, where, b, m) for m in b.legal()))
                yield (lc0_planes(history, "fen" in g), rights + (int(not b.white), min(b.clock, 255)), label(labels, where, b, uci), legal,
                       {"1-0": sign, "0-1": -sign, "1/2-1/2": 0}[g["result"]], len(g["moves"]) - i)
            b.play(uci)


def engine_score(v, white):
    """A score of JSON Lines from the side of the mover, with mates in plies."""
    if v is None:
        return NONE
    v = v if white else -v
    if v >= 31000:
        return 32000 - max(2 * min(32000 - v, 122) - 1, 0)
    if v <= -31000:
        return -32000 + 2 * min(32000 + v, 122)
    return v


def expect(lines, most):
    for line in lines:
        g = json.loads(line)
        if g["result"] == "*":
            continue
        fen = g.get("fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
        b = Board(fen)
        ply = 2 * (int(fen.split()[5]) - 1) + (not b.white)
        scores = [g.get("start_eval")] + g.get("evals", [None] * len(g["moves"]))
        for i, uci in enumerate(g["moves"]):
            if uci != "0000":
                sign = 1 if b.white else -1
                result = {"1-0": sign, "0-1": -sign, "1/2-1/2": 0}[g["result"]]
                yield state(b, uci, engine_score(scores[i], b.white), ply + i, result, min(b.clock, most))
            b.play(uci)


def main():
    if sys.argv[1] == "lc0":
        labels = json.load(open(sys.argv[3] + ".manifest.json"))["labels"]
        return compare(lc0, expect_lc0(open(sys.argv[2], encoding="utf-8"), labels))
    read, most = {"binpack": (binpack, 65535), "bin": (bin_, 127), "viriformat": (viriformat, 255)}[sys.argv[1]]
    compare(read, expect(open(sys.argv[2], encoding="utf-8"), most))


def compare(read, want):
    n = 0
    for path in sys.argv[3:]:
        for got in read(open(path, "rb").read()):
            w = next(want, None)
            if got != w:
                sys.exit(f"position {n + 1} is {got}, want {w}")
            n += 1
    left = next(want, None)
    if left is not None:
        sys.exit(f"position {n + 1} is missing: {left}")
    print(n)


if __name__ == "__main__":
    main()
