#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decodes blocks of dense moves, from the description in docs/DENSE.md alone.

    p11dense.py MODEL.zst KEYS.json VECTORS.json

checks the vectors: a list of blocks, each with its bytes in hex, and of each game the start (FEN) and the
moves in UCI. It is slow, and meant to be read: the rules of chess first, then the model, then the coder.
"""
import functools
import json
import operator
import os.path
import struct
import subprocess
import sys

KING, QUEEN, KNIGHT, BISHOP, ROOK, PAWN = range(1, 7)
LETTERS = " KQNBRP  kqnbrp"
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
OBLIQUE = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def walk(board, s, steps, far):
    """The squares that a man on s reaches by the steps, up to and with the first that is occupied."""
    for df, dr in steps:
        f, r = s % 8 + df, s // 8 + dr
        while 0 <= f < 8 and 0 <= r < 8:
            yield 8 * r + f
            if not far or board[8 * r + f]:
                break
            f, r = f + df, r + dr


def attacks(board, man, s):
    kind = man & 7
    if kind == PAWN:
        return set(walk(board, s, [(-1, 1), (1, 1)] if man < 8 else [(-1, -1), (1, -1)], False))
    steps = {KING: STRAIGHT + OBLIQUE, QUEEN: STRAIGHT + OBLIQUE, KNIGHT: LEAPS, BISHOP: OBLIQUE, ROOK: STRAIGHT}
    return set(walk(board, s, steps[kind], kind not in (KING, KNIGHT)))


class Position:
    """A board of 64 men (kind, and 8 for Black), the turn (0 White), the rights, the en passant square.

    In Chess960 the rights are given by the files of the rooks, HAha, and kept with the squares of these rooks."""

    def __init__(self, fen):
        board, turn, rights, ep = fen.split()[:4]
        self.board = [0] * 64
        for r, row in enumerate(board.split("/")):
            f = 0
            for c in row:
                if c.isdigit():
                    f += int(c)
                else:
                    self.board[8 * (7 - r) + f] = LETTERS.index(c)
                    f += 1
        self.turn = "wb".index(turn)
        self.rights, self.rooks = {c for c in rights if c in "KQkq"}, {}
        for c in rights:
            if c in "ABCDEFGHabcdefgh":
                home, file = 56 * (c > "Z"), "abcdefgh".index(c.lower())
                right = ("K", "Q", "k", "q")[2 * (c > "Z") + (file < self.men(int(c > "Z"), KING)[0] % 8)]
                self.rooks[right] = home + file
                self.rights.add(right)
        self.ep = None if ep == "-" else "abcdefgh".index(ep[0]) + 8 * (int(ep[1]) - 1)

    def men(self, color, kind=None):
        return [s for s in range(64) if self.board[s] and self.board[s] >> 3 == color
                and kind in (None, self.board[s] & 7)]

    def attacked(self, color):
        return set().union(*(attacks(self.board, self.board[s], s) for s in self.men(color)))

    def in_check(self, color):
        return self.men(color, KING)[0] in self.attacked(1 - color)

    def copy(self):
        p = object.__new__(Position)
        p.board, p.turn, p.rights, p.rooks, p.ep = self.board[:], self.turn, set(self.rights), dict(self.rooks), self.ep
        return p

    def make(self, move):
        """Makes (from, to, promotion); (0, 0, 0) is the null move."""
        frm, to, promotion = move
        ep, self.ep = self.ep, None
        if frm != to:
            man = self.board[frm]
            for right, rook in list(self.rooks.items()):
                if rook in (frm, to) or man == (KING if right < "Z" else KING + 8):
                    del self.rooks[right]
                    self.rights.remove(right)
            if man & 7 == KING and self.board[to] and self.board[to] >> 3 == self.turn:  # castling of Chess960
                home = 56 * self.turn
                king, rook = (home + 6, home + 5) if to > frm else (home + 2, home + 3)
                self.board[frm] = self.board[to] = 0
                self.board[king], self.board[rook] = KING + 8 * self.turn, ROOK + 8 * self.turn
                self.turn ^= 1
                return
            if man & 7 == PAWN and to == ep:
                self.board[to + (8 if self.turn else -8)] = 0
            if man & 7 == PAWN and abs(to - frm) == 16:
                self.ep = (frm + to) // 2
            if man & 7 == KING and abs(to - frm) == 2:
                corner, beside = (to + 1, to - 1) if to > frm else (to - 2, to + 1)
                self.board[beside], self.board[corner] = self.board[corner], 0
            self.board[to], self.board[frm] = (promotion | self.turn << 3 if promotion else man), 0
            for corner, gone in ((0, "Q"), (4, "KQ"), (7, "K"), (56, "q"), (60, "kq"), (63, "k")):
                if corner in (frm, to) and not self.rooks:
                    self.rights -= set(gone)
        self.turn ^= 1

    def legal(self):
        """The legal moves in the order of the format: by kind, by square, by target, by promotion."""
        us, moves = self.turn, []
        for kind in range(KING, PAWN + 1):
            for s in self.men(us, kind):
                if kind == PAWN:
                    targets = {t for t in attacks(self.board, self.board[s], s)
                               if self.board[t] and self.board[t] >> 3 != us or t == self.ep}
                    step = -8 if us else 8
                    if not self.board[s + step]:
                        targets.add(s + step)
                        if s // 8 == (6 if us else 1) and not self.board[s + 2 * step]:
                            targets.add(s + 2 * step)
                else:
                    targets = {t for t in attacks(self.board, self.board[s], s)
                               if not self.board[t] or self.board[t] >> 3 != us}
                if kind == KING:
                    targets |= self.castlings(s)
                for t in sorted(targets):
                    for promotion in [KNIGHT, BISHOP, ROOK, QUEEN] if kind == PAWN and t // 8 in (0, 7) else [0]:
                        after = self.copy()
                        after.make((s, t, promotion))
                        if not after.in_check(us):
                            moves.append((s, t, promotion))
        return moves

    def castlings(self, king):
        home, danger = 56 * self.turn, self.attacked(1 - self.turn)
        found = set()
        if self.rooks:
            for right, king_to, rook_to in (("Kk", home + 6, home + 5), ("Qq", home + 2, home + 3)):
                rook = self.rooks.get(right[self.turn])
                if rook is None:
                    continue
                line = lambda a, b: set(range(min(a, b), max(a, b) + 1))
                if (not any(self.board[s] for s in (line(king, king_to) | line(rook, rook_to)) - {king, rook})
                        and not line(king, king_to) - {king_to} & danger and king not in danger):
                    found.add(rook)  # whether he is in check on his last square is asked like that of any move
            return found
        for right, free, safe, target in (("Kk", (5, 6), (4, 5, 6), 6), ("Qq", (1, 2, 3), (2, 3, 4), 2)):
            if (right[self.turn] in self.rights and king == home + 4 and not any(self.board[home + f] for f in free)
                    and not any(home + f in danger for f in safe)):
                found.add(home + target)
        return found

    def hash(self, keys):
        """The Polyglot book hash."""
        h = 0
        for s, man in enumerate(self.board):
            if man:
                order = [None, 5, 4, 1, 2, 3, 0][man & 7]
                h ^= keys[64 * (2 * order + (man < 8)) + s]
        for i, right in enumerate("KQkq"):
            if right in self.rights:
                h ^= keys[768 + i]
        if self.ep is not None:
            pawn = self.ep + (8 if self.turn else -8)
            if any(0 <= pawn % 8 + d < 8 and self.board[pawn + d] == PAWN + 8 * self.turn for d in (-1, 1)):
                h ^= keys[772 + self.ep % 8]
        return h ^ (0 if self.turn else keys[780])


# The tables of weights, in the order of the model's file.
PLACE = 0
TACTIC = PLACE + 4 * 8 * 64 * 64
CIRCUMSTANCE = TACTIC + 8 * 4 * 2 * 8 * 4 * 2
REPLY = CIRCUMSTANCE + 8 * 8 * 8 * 8
PLAN = REPLY + 8 * 64 * 8 * 64
PROMOTION = PLAN + 8 * 64 * 8 * 64
WEIGHTS = PROMOTION + 4 * 8


# The rows of the net, likewise.
NEURONS = 96
MEN = 0
ATTACKED = MEN + 2 * 4 * 8 * 64
REACHED = ATTACKED + 8 * 4 * 64
OPP_LAST = REACHED + 8 * 64
OWN_LAST = OPP_LAST + 8 * 64
PHASE = OWN_LAST + 8 * 64
CAPTURE = PHASE + 4
INPUTS = CAPTURE + 1
FROM = 0
TO = FROM + 8 * 64
EXCHANGE = TO + 8 * 64
OUTPUTS = EXCHANGE + CIRCUMSTANCE - TACTIC


class Model:
    def __init__(self, path):
        data = subprocess.run(["zstd", "-dc", path], check=True, capture_output=True).stdout
        assert data[:8] == b"ply11dm\x01"
        self.weights = struct.unpack_from("%db" % WEIGHTS, data, 8)
        at = 8 + WEIGHTS
        rows = []
        for _ in range(INPUTS + OUTPUTS):
            rows.append(struct.unpack_from("%db" % NEURONS, data, at))
            at += NEURONS
        self.input, self.output = rows[:INPUTS], rows[INPUTS:]
        (n,), at = struct.unpack_from("<I", data, at), at + 4
        self.book = {}
        for _ in range(n):
            h, d = struct.unpack_from("<QB", data, at)
            pairs = struct.unpack_from("<%dH" % (2 * d), data, at + 9)
            self.book[h] = dict(zip(pairs[::2], pairs[1::2]))
            at += 9 + 4 * d
        assert at == len(data)


def word(move):
    return move[0] | move[1] << 6 | {0: 0, KNIGHT: 4, BISHOP: 5, ROOK: 6, QUEEN: 7}[move[2]] << 12


EXP2 = [65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393,
        46341, 44376, 42495, 40693, 38968, 37316, 35734, 34219]


def home(king):
    """Where a king stands, as his side sees him."""
    return 3 if king >= 8 else 0 if king < 3 else 1 if king > 5 else 2


def neurons(model, p, level, guards, phase, opp, own, capture):
    """The net's values of the position."""
    b, us, flip = p.board, p.turn, 56 * p.turn
    homes = [home(p.men(us, KING)[0] ^ flip), home(p.men(1 - us, KING)[0] ^ flip ^ 56)]
    rows = [PHASE + phase] + [CAPTURE] * capture
    for s in range(64):
        if not b[s]:
            continue
        kind, theirs = b[s] & 7, (b[s] >> 3) ^ us
        rows.append(MEN + ((theirs * 4 + homes[theirs]) * 8 + kind) * 64 + (s ^ flip))
        if not theirs and level[s]:
            rows.append(ATTACKED + (kind * 4 + level[s]) * 64 + (s ^ flip))
        if theirs and guards[s]:
            rows.append(REACHED + kind * 64 + (s ^ flip))
    for at, x in (OPP_LAST, opp), (OWN_LAST, own):
        if x[0]:
            rows.append(at + x[0] * 64 + (x[2] ^ flip))
    return [min(max(sum(column), 0), 127) for column in zip(*(model.input[r] for r in rows))]


def general(model, p, last, capture, plies):
    """The legal moves, the null move, and their frequencies without the book."""
    b, us, w = p.board, p.turn, model.weights
    flip = 56 * us
    count = 64 - b.count(0)
    phase = 3 if count <= 12 else 2 if count <= 22 else 1 if plies >= 24 else 0
    low, middle, high = set(), set(), set()
    through = [0 if man == KING + 8 * us else man for man in b]
    for s in p.men(1 - us):
        oblique = attacks(through, BISHOP, s) if b[s] & 7 == QUEEN else set()
        middle |= oblique
        {PAWN: low, KNIGHT: middle, BISHOP: middle}.get(b[s] & 7, high).update(attacks(through, b[s], s) - oblique)
    level = [1 if s in low else 2 if s in middle else 3 if s in high else 0 for s in range(64)]
    guards = [0] * 64
    for kinds, line in ((KING,), KING), ((KNIGHT,), KNIGHT), ((BISHOP, QUEEN), BISHOP), ((ROOK, QUEEN), ROOK):
        for s in set().union(*(attacks(b, line, m) for kind in kinds for m in p.men(us, kind))):
            guards[s] += 1
    for s in p.men(us, PAWN):
        for t in attacks(b, b[s], s):
            guards[t] += 1
    king = p.men(1 - us, KING)[0]
    checks = {k: attacks(b, k | (1 - us) << 3, king) for k in range(QUEEN, PAWN + 1)}
    checks[KING] = set()
    opp, own = last[1 - us], last[us]
    row = [(x[0] * 64 + (x[2] ^ flip)) * 512 if x[0] else 0 for x in (opp, own)]
    seen = attacks(b, opp[0] | (1 - us) << 3, opp[2]) if opp[0] else set()
    moves, scores = p.legal(), []
    values = neurons(model, p, level, guards, phase, opp, own, capture)
    product = functools.cache(lambda row: sum(map(operator.mul, values, model.output[row])))
    for f, t, promotion in moves:
        man, taken = b[f] & 7, b[t] & 7 if b[t] >> 3 != us else 0
        needed = 1 if man == PAWN and not taken else 2
        flags = bool(own[0] and f == own[2]) | (f in seen) << 1 | capture << 2
        to_flags = bool(opp[0] and t == opp[2]) | bool(own[0] and t == own[1]) << 1 | (t in checks[man]) << 2
        code = word((0, 0, promotion)) >> 12
        exchange = (((man * 4 + level[f]) * 2 + (guards[f] > 0)) * 8 + taken) * 8 + level[t] * 2 + (guards[t] >= needed)
        scores.append(
            w[PLACE + ((phase * 8 + man) * 64 + (f ^ flip)) * 64 + (t ^ flip)]
            + w[TACTIC + exchange]
            + w[CIRCUMSTANCE + ((man * 8 + flags) * 8 + taken) * 8 + to_flags]
            + w[REPLY + row[0] + man * 64 + (t ^ flip)]
            + w[PLAN + row[1] + man * 64 + (t ^ flip)]
            + w[PROMOTION + phase * 8 + code]
            + ((product(FROM + man * 64 + (f ^ flip)) + product(TO + man * 64 + (t ^ flip)) + product(EXCHANGE + exchange)) >> 8))
    best = max(scores, default=0)
    freq = [max(EXP2[min(best - s, 255) & 15] >> (min(best - s, 255) >> 4), 1) for s in scores]
    return moves + [(0, 0, 0)], freq + [1]


class Range:
    """The choices that are coded in bytes, in order."""

    def __init__(self, data):
        self.low, self.span = 0, 2**64 - 1
        self.data = data
        self.at, self.code = 8, int.from_bytes((data + bytes(8))[:8], "big")

    def target(self, total):
        self.scale = self.span // total
        target = (self.code - self.low) // self.scale
        if target >= total:
            raise ValueError("bytes that no writer writes")
        return target

    def take(self, cum, freq):
        self.low += self.scale * cum
        self.span = self.scale * freq
        while True:
            if (self.low ^ (self.low + self.span)) >> 56:
                if self.span >= 1 << 48:
                    return
                self.span = -self.low % (1 << 48)
            byte = self.data[self.at] if self.at < len(self.data) else 0
            self.at += 1
            mask = 2**64 - 1
            self.code, self.low, self.span = (self.code << 8 | byte) & mask, self.low << 8 & mask, self.span << 8

    def symbol(self, freq):
        """The number of the choice that comes next, of choices of these frequencies."""
        target, cum, j = self.target(sum(freq)), 0, 0
        while cum + freq[j] <= target:
            cum += freq[j]
            j += 1
        self.take(cum, freq[j])
        return j

    def uniform(self, total):
        """One of so many choices of frequency 1."""
        target = self.target(total)
        self.take(target, 1)
        return target

    def finish(self):
        """After the last choice: the bytes must end as a writer ends them."""
        for n in range(9):
            rest = (1 << 64 - 8 * n) - 1
            number = (self.low + rest) % 2**64 & ~rest
            if (number - self.low) % 2**64 < self.span:
                break
        tail = number.to_bytes(8, "big").rstrip(b"\0")
        if self.data[self.at - 8:] != tail or len(self.data) != self.at - 8 + len(tail):
            raise ValueError("the bytes do not end as a writer ends them")


class Decoder(Range):
    """The moves of the games of one block, in order."""

    def __init__(self, model, keys, data):
        super().__init__(data)
        self.model, self.keys, self.local = model, keys, {}

    def game(self, fen, n):
        p, moves = Position(fen), []
        last, capture, in_book = [(0, 0, 0), (0, 0, 0)], 0, True
        for ply in range(n):
            choices, freq = general(self.model, p, last, capture, min(ply, 24))
            node = None
            if in_book:
                node = self.visit(p.hash(self.keys))
                in_book = bool(node)
                if node:
                    whole, weight = sum(freq), 2 + min(len(node), 30)
                    freq = [f * weight + 2 * whole * node.get(word(m), 0) for f, m in zip(freq, choices)]
            move = choices[self.symbol(freq)]
            if move == (0, 0, 0) and p.in_check(p.turn):
                raise ValueError("a null move in check")
            if node is not None:
                node[word(move)] = node.get(word(move), 0) + 1
                if sum(node.values()) > 1023:
                    for m in node:
                        node[m] = (node[m] + 1) // 2
            f, t, promotion = move
            if f == t:
                last[p.turn], capture = (0, 0, 0), 0
            else:
                last[p.turn] = (promotion or p.board[f] & 7, f, t)
                capture = int(p.board[t] != 0 and p.board[t] >> 3 != p.turn)
            p.make(move)
            moves.append(move)
        return moves

    def visit(self, h):
        if h not in self.local:
            if len(self.local) >= 1 << 15:
                return None
            self.local[h] = dict(self.model.book.get(h, {}))
        return self.local[h]


def uci(move):
    f, t, promotion = move
    if f == t:
        return "0000"
    square = lambda s: "abcdefgh"[s % 8] + str(s // 8 + 1)
    return square(f) + square(t) + (" kqnbrp"[promotion] if promotion else "")


def fen(start):
    """The position of an archive's 286 bits of a start, or the usual one if there are none. Of Chess960 they are 308 bits, and bit 308 is set."""
    if start is None:
        return "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    board = [LETTERS[start >> 4 * s & 15].replace(" ", "1") for s in range(64)]
    state = start >> 256
    letters = "KQkq" if not start >> 308 else [("abcdefgh" if i > 1 else "ABCDEFGH")[start >> 286 + 3 * i & 7] for i in range(4)]
    rights = "".join(c for i, c in enumerate(letters) if state >> 1 + i & 1)
    ep = state >> 5 & 15
    return " ".join(["/".join("".join(board[8 * r:8 * r + 8]) for r in range(7, -1, -1)), "wb"[state & 1],
                     rights or "-", " abcdefgh"[ep] + "63"[state & 1] if ep else "-"])


@functools.cache
def shared():
    """The model and the keys, from where they are in the project."""
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "vectors", "polyglot-keys.json")) as keys:
        return (Model(os.path.join(here, "..", "bitstream", "dense", "model1.bin.zst")),
                [int(k, 16) for k in json.load(keys)])


def main():
    model = Model(sys.argv[1])
    keys = [int(k, 16) for k in json.load(open(sys.argv[2]))]
    blocks = json.load(open(sys.argv[3]))
    games = plies = 0
    for block in blocks:
        decoder = Decoder(model, keys, bytes.fromhex(block["bytes"]))
        for game in block["games"]:
            want = game["moves"].split()
            got = [uci(m) for m in decoder.game(game["fen"], len(want))]
            assert got == want, (game["fen"], got, want)
            games += 1
            plies += len(want)
        decoder.finish()
    print("%d blocks, %d games, %d plies: all as they should be" % (len(blocks), games, plies))


if __name__ == "__main__":
    main()
