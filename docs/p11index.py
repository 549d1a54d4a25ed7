#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The index and the word stream, from docs/INDEX.md and docs/WORDS.md alone.

  p11index.py table               the 1,968 moves, as docs/INDEX.md says under "Check your program"
  p11index.py codes               all 2,048 codes: code, move, both mirrors, ROM word
  p11index.py halfmoves           the ROM words of the 7,752 coloured halfmoves, in order
  p11index.py decode < x.words    a line of JSON for each game: its events, in order
  p11index.py encode < x.jsonl    the words of such games, as a .words file

An error ends the program with status 1 and a line that names the word. It does not know the rules of chess, so
it takes moves that are not legal."""
import json, sys

DX, DY = (1, 1, 0, -1), (0, 1, 1, 1)
E, NE, N, NW = range(4)
# a: how u and v give X and Y, the bounds of u and v
TILES = {
    3: (lambda u, v: (u, v), 5, 3), 5: (lambda u, v: (v, 5 - u), 3, 5), 6: (lambda u, v: (5 + u, v), 2, 6),
    4: (lambda u, v: (u, v), 4, 4), 2: (lambda u, v: (4 + u // 2, 2 * v + u % 2), 6, 2),
    1: (lambda u, v: (u, 4), 7, 1), 7: (lambda u, v: (v, 5), 1, 7)}
TALL = (3, 5, 6)  # step of 1 file and 2 ranks


def flip(yes, k):
    return 7 - k if yes else k


def name(square):
    return "abcdefgh"[square % 8] + "12345678"[square // 8]


def decode(c):
    """Returns from, to, promotion ("" or one of nbrq), or None for what is no move."""
    if c >= 1968:
        return None
    if c >= 1792:
        p = c - 1792
        j, piece, black = 2 * (p // 16) + p % 2, p // 2 % 4, p // 8 % 2
        file = (j + 1) // 3
        return 8 * (1 if black else 6) + file, 8 * (0 if black else 7) + j - 2 * file, "nbrq"[piece]
    origin, axis, n = c % 64, c // 64 % 4, c // 256 + 1
    file, rank = origin % 8, origin // 8
    x, y = file + n * DX[axis], rank + n * DY[axis]
    tofile, torank = x % 8, y % 8
    if axis in (NE, NW) and (x != tofile) != (y != torank):
        fx, fy = tofile - file, torank - rank
        sx, sy, a = fx < 0, fy < 0, abs(fx)
        X, Y = TILES[a][0](flip(sx, file), flip(sy, rank))
        start, land = ((X, Y), (X + 1, Y + 2)) if a in TALL else ((Y, X), (Y + 2, X + 1))
        return flip(sx, start[0]) + 8 * flip(sy, start[1]), flip(sx, land[0]) + 8 * flip(sy, land[1]), ""
    return origin, tofile + 8 * torank, ""


def encode(origin, to, promotion=""):
    """Returns the code of a move, or None for what is no move of chess."""
    file, rank, tofile, torank = origin % 8, origin // 8, to % 8, to // 8
    if promotion:
        if (rank, torank) not in ((6, 7), (1, 0)) or abs(tofile - file) > 1:
            return None
        j = 2 * file + tofile
        return 1792 + 16 * (j // 2) + 8 * (rank == 1) + 2 * "nbrq".index(promotion) + j % 2
    dx, dy = tofile - file, torank - rank
    if dx == dy == 0:
        return None
    if dy == 0:
        axis, n = E, dx % 8
    elif dx == 0:
        axis, n = N, dy % 8
    elif dx == dy:
        axis, n = NE, dy % 8
    elif dx == -dy:
        axis, n = NW, dy % 8
    elif sorted((abs(dx), abs(dy))) == [1, 2]:
        sx, sy = dx < 0, dy < 0
        X, Y = flip(sx, file), flip(sy, rank)
        if abs(dy) == 1:
            X, Y = Y, X
        a, u, v = next((a, u, v) for a, (xy, us, vs) in TILES.items() if (a in TALL) == (abs(dy) == 2)
                       for u in range(us) for v in range(vs) if xy(u, v) == (X, Y))
        axis, n = (NW, a if sy else 8 - a) if sx == sy else (NE, 8 - a if sx else a)
        origin = flip(sx, u) + 8 * flip(sy, v)
    else:
        return None
    return 256 * (n - 1) + 64 * axis + origin


def mirror(c, files):
    """Returns the code on the board with its files mirrored, or else its ranks."""
    if c >= 1968:
        return c
    if c >= 1792:
        if not files:
            return c ^ 8
        p = c - 1792
        j = 21 - (2 * (p // 16) + p % 2)
        return 1792 + 16 * (j // 2) + p // 2 % 8 * 2 + j % 2
    origin, axis, n = c % 64, c // 64 % 4, c // 256 + 1
    if (axis == E) == files:
        n = 8 - n
    return 256 * (n - 1) + 64 * (-axis % 4) + (origin ^ (7 if files else 56))


def uci(c):
    move = decode(c)
    return name(move[0]) + name(move[1]) + move[2] if move else "-"


def kind(c):
    if c >= 1792:
        return "promotion"
    origin, to, _ = decode(c)
    dx, dy = abs(to % 8 - origin % 8), abs(to // 8 - origin // 8)
    return "rook" if 0 in (dx, dy) else "bishop" if dx == dy else "knight"


def word(c):
    move = decode(c)
    return 1 << 15 | (4 + "nbrq".index(move[2]) if move[2] else 0) << 12 | move[1] << 6 | move[0] if move else 0


def halfmoves():
    """Yields the ROM words of the coloured halfmoves."""
    numbers = {"K": 1, "Q": 2, "R": 5, "B": 4, "N": 3, "P": 6}
    for black in (0, 1):
        for man in "KQRBNP":
            for c in range(1968):
                origin, to, promotion = decode(c)
                dx, dy, rank = to % 8 - origin % 8, to // 8 - origin // 8, origin // 8
                if man == "P":
                    up, home = (-1, 6) if black else (1, 1)
                    step = dy == up and abs(dx) <= 1 or dx == 0 and dy == 2 * up and rank == home
                    good = step and 0 < rank < 7 and bool(promotion) == (to // 8 == (0 if black else 7))
                else:
                    castling = man == "K" and origin == (60 if black else 4) and dy == 0 and abs(dx) == 2
                    good = castling or not promotion and {
                        "K": max(abs(dx), abs(dy)) == 1, "Q": kind(c) in ("rook", "bishop"), "R": kind(c) == "rook",
                        "B": kind(c) == "bishop", "N": kind(c) == "knight"}[man]
                if good:
                    yield 1 << 15 | black << 14 | numbers[man] << 11 | c


class Words:
    """The words of a stream that are not idle."""

    def __init__(self, data):
        self.data, self.left, self.at = data, 8 * len(data), 0

    def peek(self):
        bit = 11 * self.at
        return int.from_bytes(self.data[bit // 8:bit // 8 + 3], "little") >> bit % 8

    def next(self):
        """Returns the next word, or None at the end."""
        while self.left >= 11:
            w = self.peek() & 2047
            self.at, self.left = self.at + 1, self.left - 11
            if w != 2047:
                return w
        if self.peek() != (1 << self.left) - 1:
            self.fail("what is left over is not all ones")
        return None

    def need(self):
        w = self.next()
        if w is None:
            self.fail("the stream ends inside a game", 0)
        return w

    def fail(self, why, back=1):
        sys.exit(f"word {self.at - back}: {why}")


def text(words):
    """Reads a text after its first 1975."""
    data = b""
    while True:
        n = words.need()
        count = (8 * n + 10) // 11
        bits = sum(words.need() << 11 * i for i in range(count))
        if bits >> 8 * n:
            words.fail("spare bits are set")
        data += bits.to_bytes(n, "little")
        if n < 2046:
            break
        if words.need() != 1975:
            words.fail("a piece of 2046 bytes that none continues")
    try:
        s = data.decode("utf-8")
    except UnicodeDecodeError:
        words.fail("not UTF-8")
    if "\0" in s:
        words.fail("NUL in a text")
    return s


def start(words):
    bits = sum(words.need() << 11 * i for i in range(26))
    board = "".join(".KQNBRP..kqnbrp."[bits >> 4 * s & 15] for s in range(64))
    return {"board": board, "black": bits >> 256 & 1, "rights": bits >> 257 & 15, "ep": bits >> 261 & 15,
            "clock": bits >> 265 & 255, "number": bits >> 273}


def read(words):
    """Yields the games: lists of events."""
    while (w := words.next()) is not None:
        events, lines = [], [0]  # lines: the moves in each open line
        if w == 2008:
            events.append(["start", start(words)])
            w = words.need()
        while True:
            if w < 1968:
                events.append(["move", uci(w)])
                lines[-1] += 1
            elif w < 1972:
                if len(lines) > 1:
                    words.fail("a result inside a variation")
                events.append(["result", ("0-1", "1/2-1/2", "1-0", "*")[w - 1968]])
                break
            elif w == 1972:
                events.append(["move", "0000"])
                lines[-1] += 1
            elif w == 1973:
                if not lines[-1]:
                    words.fail("a variation with no move before it")
                events.append(["("])
                lines.append(0)
            elif w == 1974:
                if len(lines) == 1 or not lines.pop():
                    words.fail("1974 out of place")
                events.append([")"])
            elif w == 1975:
                events.append(["text", text(words)])
            elif w == 1976:
                nag = words.need()
                if nag > 255:
                    words.fail("a NAG above 255")
                events.append(["nag", nag])
            elif w <= 2007:
                events.append(["nag", w - 1976])
            elif w == 2008:
                words.fail("a start position that is not at the front")
            else:
                words.fail("a reserved word")
            w = words.need()
        yield events


def write(events):
    """Returns the words of a game."""
    out = []
    for what, *rest in events:
        if what == "start":
            p = rest[0]
            bits = sum(".KQNBRP..kqnbrp.".index(m) << 4 * s if m != "." else 0 for s, m in enumerate(p["board"]))
            bits |= p["black"] << 256 | p["rights"] << 257 | p["ep"] << 261 | p["clock"] << 265 | p["number"] << 273
            out += [2008] + [bits >> 11 * i & 2047 for i in range(26)]
        elif what == "move":
            squares = ["abcdefgh".index(s[0]) + 8 * (int(s[1]) - 1) for s in (rest[0][:2], rest[0][2:4])] \
                if rest[0] != "0000" else None
            out.append(encode(*squares, rest[0][4:]) if squares else 1972)
        elif what == "result":
            out.append(1968 + ("0-1", "1/2-1/2", "1-0", "*").index(rest[0]))
        elif what in "()":
            out.append(1973 if what == "(" else 1974)
        elif what == "nag":
            out += [1976 + rest[0]] if 1 <= rest[0] <= 31 else [1976, rest[0]]
        elif what == "text":
            data, n = rest[0].encode("utf-8"), 2046
            while n == 2046:
                piece, data = data[:2046], data[2046:]
                n, bits = len(piece), int.from_bytes(piece, "little")
                out += [1975, n] + [bits >> 11 * i & 2047 for i in range((8 * n + 10) // 11)]
    return out


def pack(words):
    words = words + [2047] * (-len(words) % 8)
    return sum(w << 11 * i for i, w in enumerate(words)).to_bytes(11 * len(words) // 8, "little")


def main(command):
    if command == "table":
        print("index\tclass\tfrom\tto\tpromotion")
        for c in range(1968):
            origin, to, promotion = decode(c)
            if encode(origin, to, promotion) != c:
                sys.exit(f"{c} is {uci(c)}, which is {encode(origin, to, promotion)}")
            print(c, kind(c), name(origin), name(to), promotion or "-", sep="\t")
    elif command == "codes":
        for c in range(2048):
            print(c, uci(c), mirror(c, False), mirror(c, True), f"{word(c):04x}")
    elif command == "halfmoves":
        for w in halfmoves():
            print(f"{w:04x}")
    elif command == "decode":
        for events in read(Words(sys.stdin.buffer.read())):
            print(json.dumps(events))
    elif command == "encode":
        words = []
        for line in sys.stdin:
            words += write(json.loads(line))
        sys.stdout.buffer.write(pack(words))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) == 2 else "")
