#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads four formats of training data and prints each position as a line of JSON.

    readers.py binpack FILE     Stockfish's chained binpack
    readers.py bin FILE         Stockfish's packed positions of 40 bytes
    readers.py viri FILE        viriformat, games of 32 bytes and 4 a move
    readers.py lc0 FILE...      lc0's training records V6, plain, gzip or tar

It was written from the definitions below by somebody who had not seen the Go
code of this project, to be compared with it. It needs the standard library only.

A line has: game (from 1), fen, move in UCI (castling as the king's two squares),
score and result as the file holds them, ply. Score and result are the mover's
in binpack and bin, White's in viriformat. Of a first position the en passant
square is what the file says; later ones have it where a capture is legal. A line
of lc0 has the fields of its record, the legal moves and the boards before.

Where the facts are from:
  binpack, bin: official-stockfish/Stockfish, branch tools: its page on binpack,
      src/extra/nnue_data_binpack_format.h, src/tools/sfen_packer.cpp,
      src/tools/packed_sfen.h; Disservin/binpack-rust.
  viriformat: cosmobobak/viriformat, README.md.
  lc0: LeelaChessZero/lc0, src/trainingdata/trainingdata_v6.h, trainingdata.cc
      and reader.cc, src/neural/encoder.cc; lczero.org, "Training data format
      versions".
"""

import gzip
import json
import struct
import sys
import tarfile

KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
ROOK = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP = ((1, 1), (1, -1), (-1, 1), (-1, -1))
SLIDES = {"b": BISHOP, "r": ROOK, "q": ROOK + BISHOP}


class Bad(Exception):
    """The file breaks its format."""


def name(sq):
    return "abcdefgh"[sq & 7] + str((sq >> 3) + 1)


def ray(sq, way):
    """The squares from sq in the direction way, to the edge."""
    out, x, y = [], sq & 7, sq >> 3
    while True:
        x, y = x + way[0], y + way[1]
        if not (0 <= x < 8 and 0 <= y < 8):
            return out
        out.append(y * 8 + x)


RAYS = {way: [ray(sq, way) for sq in range(64)] for way in ROOK + BISHOP}
LEAPS = {
    "n": [[y * 8 + x for x, y in ((s % 8 + a, s // 8 + b) for a, b in KNIGHT) if 0 <= x < 8 and 0 <= y < 8] for s in range(64)],
    "k": [[RAYS[w][s][0] for w in ROOK + BISHOP if RAYS[w][s]] for s in range(64)],
}


class Board:
    """A position: pieces by square ('P', 'k', '' for none), turn, rights, en passant, clocks."""

    def __init__(self):
        self.pieces = [""] * 64
        self.white = True
        self.castle = set()  # of "KQkq"
        self.ep = None
        self.rule50 = 0
        self.full = 1

    def ours(self, piece):
        return piece != "" and piece.isupper() == self.white

    def fen(self):
        rows = []
        for y in range(7, -1, -1):
            row, gap = "", 0
            for piece in self.pieces[y * 8 : y * 8 + 8]:
                if piece == "":
                    gap += 1
                    continue
                row += (str(gap) if gap else "") + piece
                gap = 0
            rows.append(row + (str(gap) if gap else ""))
        rights = "".join(c for c in "KQkq" if c in self.castle)
        ep = "-" if self.ep is None else name(self.ep)
        return "%s %s %s %s %d %d" % ("/".join(rows), "w" if self.white else "b", rights or "-", ep, self.rule50, self.full)

    def reach(self, sq):
        """The squares that the piece on sq attacks, a pawn's two diagonals among them."""
        piece = self.pieces[sq].lower()
        if piece == "p":
            way = 1 if self.pieces[sq] == "P" else -1
            return [RAYS[(dx, way)][sq][0] for dx in (-1, 1) if RAYS[(dx, way)][sq]]
        if piece in LEAPS:
            return LEAPS[piece][sq]
        out = []
        for way in SLIDES[piece]:
            for to in RAYS[way][sq]:
                out.append(to)
                if self.pieces[to] != "":
                    break
        return out

    def bare(self, king):
        """Whether an enemy rook, bishop or queen attacks the king's square."""
        white = self.pieces[king].isupper()
        for ways, kinds in ((ROOK, "rq"), (BISHOP, "bq")):
            for way in ways:
                for to in RAYS[way][king]:
                    piece = self.pieces[to]
                    if piece != "":
                        if piece.isupper() != white and piece.lower() in kinds:
                            return True
                        break
        return False

    def takes_ep(self):
        """Whether a pawn of the side to move may take en passant and not leave its king to a slider."""
        if self.ep is None:
            return False
        x, pawn, king = self.ep & 7, "P" if self.white else "p", "K" if self.white else "k"
        gone = self.ep - 8 if self.white else self.ep + 8
        if self.pieces[self.ep] != "" or self.pieces[gone] != ("p" if self.white else "P"):
            return False
        for dx in (-1, 1):
            if not 0 <= x + dx < 8 or self.pieces[gone + dx] != pawn:
                continue
            pieces = self.pieces
            self.pieces = list(pieces)
            self.pieces[gone + dx] = self.pieces[gone] = ""
            self.pieces[self.ep] = pawn
            legal = not self.bare(self.pieces.index(king))
            self.pieces = pieces
            if legal:
                return True
        return False

    def make(self, start, to, promote):
        """Plays a move; castling is given as the king to its own rook's square."""
        piece, taken = self.pieces[start], self.pieces[to]
        if not self.ours(piece):
            raise Bad("no piece of the side to move on " + name(start))
        self.rule50 += 1
        castling = piece in "Kk" and self.ours(taken)
        if piece in "Pp" or (taken != "" and not castling):
            self.rule50 = 0
        for sq, right in ((0, "Q"), (7, "K"), (4, "KQ"), (56, "q"), (63, "k"), (60, "kq")):
            if sq in (start, to):
                self.castle -= set(right)
        if castling:
            row, short = start & 56, to > start
            self.pieces[start] = self.pieces[to] = ""
            self.pieces[row + (6 if short else 2)] = piece
            self.pieces[row + (5 if short else 3)] = taken
        else:
            if piece in "Pp" and to == self.ep:
                self.pieces[to - 8 if self.white else to + 8] = ""
            self.pieces[start] = ""
            self.pieces[to] = (promote.upper() if self.white else promote) if promote else piece
        self.ep = (start + to) // 2 if piece in "Pp" and abs(start - to) == 16 else None
        if not self.white:
            self.full += 1
        self.white = not self.white

    def uci(self, start, to, promote):
        if self.pieces[start] in ("K", "k") and self.ours(self.pieces[to]):
            to = (start & 56) + (6 if to > start else 2)
        return name(start) + name(to) + promote


def line(**fields):
    sys.stdout.write(json.dumps(fields, separators=(",", ":")) + "\n")


def signed(u):
    """A number whose sign is its lowest bit, and whose other bits are flipped where it is negative."""
    return ~(u >> 1) if u & 1 else u >> 1


def int16(v):
    return (v + 0x8000 & 0xFFFF) - 0x8000


# --- binpack ---------------------------------------------------------------


def stem_board(data):
    """The 24 bytes of a position: occupied squares, big-endian, then a nibble a piece."""
    b, n = Board(), 0
    occupied = int.from_bytes(data[:8], "big")
    for sq in range(64):
        if not occupied >> sq & 1:
            continue
        if n == 32:
            raise Bad("more than 32 pieces")
        code = data[8 + n // 2] >> 4 * (n % 2) & 15
        n += 1
        if code < 12:
            piece = "PpNnBbRrQqKk"[code]
        elif code == 12:  # the pawn that has just gone two squares
            if sq >> 3 not in (3, 4):
                raise Bad("a pawn that went two squares is on " + name(sq))
            piece, b.ep = ("P", sq - 8) if sq >> 3 == 3 else ("p", sq + 8)
        elif code == 13:  # a rook that may castle
            piece = "R"
            b.castle.add("Q" if sq == 0 else "K")
        elif code == 14:
            piece = "r"
            b.castle.add("q" if sq == 56 else "k")
        else:  # the black king, Black to move
            piece, b.white = "k", False
        b.pieces[sq] = piece
    return b


class Bits:
    """Bits of a byte string, the highest of each byte first."""

    def __init__(self, data, at):
        self.data, self.at, self.start = data, at * 8, at

    def read(self, n):
        v = 0
        while n > 0:
            if self.at >> 3 >= len(self.data):
                raise Bad("the moves run out of the block")
            k = min(n, 8 - (self.at & 7))
            v = v << k | (self.data[self.at >> 3] >> 8 - (self.at & 7) - k) & (1 << k) - 1
            self.at += k
            n -= k
        return v

    def choice(self, n):
        """One of n: as many bits as n-1 has."""
        v = self.read((n - 1).bit_length() if n > 0 else 0)
        if v >= n:
            raise Bad("choice %d of %d" % (v, n))
        return v

    def blocks(self):
        """A number in blocks of 4 bits, low block first, each after a bit that says whether more follow."""
        v, shift = 0, 0
        while True:
            block = self.read(5)
            v |= (block & 15) << shift
            if block < 16:
                return v & 0xFFFF
            shift += 4


def chained_move(bits, b):
    """The move that follows in a chain: which piece, then which of its pseudo-legal squares."""
    own = [sq for sq in range(64) if b.ours(b.pieces[sq])]
    start = own[bits.choice(len(own))]
    piece = b.pieces[start]
    if piece in "Pp":
        way, row = (8, start >> 3) if b.white else (-8, 7 - (start >> 3))
        to = [sq for sq in b.reach(start) if sq == b.ep or (b.pieces[sq] != "" and not b.ours(b.pieces[sq]))]
        if b.pieces[start + way] == "":
            to.append(start + way)
            if row == 1 and b.pieces[start + 2 * way] == "":
                to.append(start + 2 * way)
        to.sort()
        if row == 6:
            n = bits.choice(4 * len(to))
            return start, to[n // 4], "nbrq"[n % 4]
        return start, to[bits.choice(len(to))], ""
    to = sorted(sq for sq in b.reach(start) if not b.ours(b.pieces[sq]))
    if piece in "Kk":
        row = 0 if b.white else 56
        to += [row + corner for right, corner in (("Qq", 0), ("Kk", 7)) if right[not b.white] in b.castle]
    return start, to[bits.choice(len(to))], ""


def binpack(path):
    data = open(path, "rb").read()
    at = game = 0
    while at < len(data):
        if data[at : at + 4] != b"BINP":
            raise Bad("no BINP at byte %d" % at)
        size = int.from_bytes(data[at + 4 : at + 8], "little")
        block = data[at + 8 : at + 8 + size]
        if len(block) < size:
            raise Bad("the block at byte %d is cut off" % at)
        at += 8 + size
        p = 0
        while p < size:
            move, score, plyres, rule50, count = struct.unpack_from(">HHHHH", block, p + 24)
            b = stem_board(block[p : p + 24])
            b.rule50 = rule50
            ply, result, score = plyres & 0x3FFF, signed(plyres >> 14), signed(score)
            b.full = ply // 2 + 1
            kind, start, to = move >> 14, move >> 8 & 63, move >> 2 & 63
            promote = "nbrq"[move & 3] if kind == 1 else ""
            bits = Bits(block, p + 34)
            game += 1
            while True:
                line(game=game, fen=b.fen(), move=b.uci(start, to, promote), score=score, result=result, ply=ply)
                if count == 0:
                    break
                count -= 1
                b.make(start, to, promote)
                if not b.takes_ep():
                    b.ep = None
                start, to, promote = chained_move(bits, b)
                score = int16(-score + signed(bits.blocks()))
                ply, result = ply + 1, -result
            p = (bits.at + 7) // 8


# --- bin -------------------------------------------------------------------


def packed_sfen(data):
    """A position of 32 bytes: bits from the lowest; the kings' squares, then the other pieces, rank 8 first."""
    v, at = int.from_bytes(data, "little"), 0

    def read(n):
        nonlocal at
        at += n
        return v >> at - n & (1 << n) - 1

    b = Board()
    b.white = read(1) == 0
    b.pieces[read(6)] = "K"
    b.pieces[read(6)] = "k"
    for y in range(7, -1, -1):
        for sq in range(y * 8, y * 8 + 8):
            if b.pieces[sq] != "" or read(1) == 0:
                continue
            code = read(3)
            if code > 4:
                raise Bad("no piece has the code %d" % code)
            piece = "PNBRQ"[code]
            b.pieces[sq] = piece.lower() if read(1) else piece
    b.castle = {right for right in "KQkq" if read(1)}
    if read(1):
        b.ep = read(6)
    b.rule50 = read(6)
    b.full = read(8)
    b.full |= read(8) << 8
    b.rule50 |= read(1) << 6
    if v >> at:
        raise Bad("bits are set after the end of the position")
    return b


def bin40(path):
    data = open(path, "rb").read()
    if len(data) % 40:
        raise Bad("%d bytes are not a multiple of 40" % len(data))
    for at in range(0, len(data), 40):
        b = packed_sfen(data[at : at + 32])
        score, move, ply, result, pad = struct.unpack_from("<hHHbB", data, at + 32)
        kind, start, to = move >> 14, move >> 6 & 63, move & 63
        promote = "nbrq"[move >> 12 & 3] if kind == 1 else ""
        if (kind == 3) != (b.pieces[start] in ("K", "k") and b.ours(b.pieces[to])):
            raise Bad("castling's mark is wrong at byte %d" % at)
        if (kind == 2) != (b.pieces[start] in ("P", "p") and (to - start) % 8 != 0 and b.pieces[to] == ""):
            raise Bad("en passant's mark is wrong at byte %d" % at)
        line(game=0, fen=b.fen(), move=b.uci(start, to, promote), score=score, result=result, ply=ply, pad=pad)


# --- viriformat ------------------------------------------------------------


def viri(path):
    data = open(path, "rb").read()
    at = game = 0
    while at < len(data):
        if len(data) - at < 36:
            raise Bad("the game at byte %d is cut off" % at)
        occupied, pieces, turn, rule50, full, _, wdl, _ = struct.unpack_from("<Q16sBBHhBB", data, at)
        if occupied == 0:
            raise Bad("an extension record at byte %d" % at)
        b, n, kings = Board(), 0, set()
        for sq in range(64):
            if not occupied >> sq & 1:
                continue
            code = pieces[n // 2] >> 4 * (n % 2) & 15
            n += 1
            white = code < 8
            if code & 7 == 7:
                raise Bad("no piece has the code 7")
            if code & 7 == 5:
                kings.add(white)
            if code & 7 == 6:
                right = "k" if white in kings else "q"
                b.castle.add(right.upper() if white else right)
            b.pieces[sq] = "PNBRQKR"[code & 7] if white else "pnbrqkr"[code & 7]
        b.white, ep = turn < 128, turn & 127
        b.ep = None if ep == 64 else ep
        b.rule50, b.full = rule50, full
        game, at, ply = game + 1, at + 32, 0
        while True:
            move, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if move == 0:
                if score:
                    raise Bad("the end of a game is not four zeros")
                break
            start, to, kind = move & 63, move >> 6 & 63, move >> 14
            promote = "nbrq"[move >> 12 & 3] if kind == 3 else ""
            if (kind == 2) != (b.pieces[start] in ("K", "k") and b.ours(b.pieces[to])):
                raise Bad("castling's mark is wrong at byte %d" % (at - 4))
            if (kind == 1) != (b.pieces[start] in ("P", "p") and (to - start) % 8 != 0 and b.pieces[to] == ""):
                raise Bad("en passant's mark is wrong at byte %d" % (at - 4))
            line(game=game, fen=b.fen(), move=b.uci(start, to, promote), score=score, result=wdl, ply=ply)
            b.make(start, to, promote)
            if not b.takes_ep():
                b.ep = None
            ply += 1


# --- lc0 -------------------------------------------------------------------

V6 = struct.Struct("<II1858f104Q8B15fIHHfI")
NAMES = ("root_q best_q root_d best_d root_m best_m plies_left result_q result_d played_q played_d played_m "
         "orig_q orig_d orig_m visits played_idx best_idx policy_kld reserved").split()


def policy():
    """The 1,858 moves in their order: (from, to, promotion); a knight's promotion is the plain move."""
    moves = []
    for start in range(64):
        to = set(LEAPS["n"][start])
        for way in RAYS:
            to |= set(RAYS[way][start])
        moves += [(start, t, "") for t in sorted(to)]
    for x in range(8):
        moves += [(48 + x, 56 + t, p) for t in (x - 1, x, x + 1) if 0 <= t < 8 for p in "qrb"]
    return moves


POLICY = policy()
MIRROR = [int("{:08b}".format(i)[::-1], 2) for i in range(256)]


def planes_pieces(planes, white):
    """Pieces by square from twelve planes: the mover's six and the other's; rows turned for Black."""
    pieces = [""] * 64
    for i, plane in enumerate(planes):
        for y, row in enumerate(plane.to_bytes(8, "little")):
            row = MIRROR[row]  # a byte has the a-file in its highest bit
            for x in range(8):
                if row >> x & 1:
                    sq = y * 8 + x if white else (7 - y) * 8 + x
                    if pieces[sq] != "":
                        raise Bad("two pieces on " + name(sq))
                    pieces[sq] = "PNBRQK"[i % 6] if white == (i < 6) else "pnbrqk"[i % 6]
    return pieces


def lc0_move(b, index):
    start, to, promote = POLICY[index]
    if not b.white:
        start, to = start ^ 56, to ^ 56
    if b.pieces[start] in ("P", "p") and to >> 3 in (0, 7) and promote == "":
        promote = "n"
    return b.uci(start, to, promote)


def lc0_record(data, game, ply):
    f = V6.unpack(data)
    if f[0] != 6 or f[1] != 1:
        raise Bad("version %d, input format %d; 6 and 1 are known" % f[:2])
    probabilities, planes = f[2:1860], f[1860:1964]
    rights, turn, rule50, invariance, dummy = f[1964:1968], f[1968], f[1969], f[1970], f[1971]
    b = Board()
    b.white = turn == 0
    b.rule50 = rule50
    b.pieces = planes_pieces(planes[:12], b.white)
    b.castle = {c for c, on in zip("QKqk" if b.white else "qkQK", rights) if on}
    past, again = [], []
    for i in range(8):
        part = planes[13 * i : 13 * i + 13]
        if not any(part):
            break
        then = Board()
        then.pieces = planes_pieces(part[:12], b.white)
        past.append(then.fen().split()[0])
        if part[12] not in (0, 2**64 - 1):
            raise Bad("a plane of repetitions is neither empty nor full")
        again.append(part[12] != 0)
    if any(planes[13 * len(past) :]):
        raise Bad("there is a gap in the history")
    # The format has no en passant square: the last two positions show the pawn that went two squares.
    if len(past) > 1:
        before = planes_pieces(planes[13:25], b.white)
        home, way, pawn = (48, -8, "p") if b.white else (8, 8, "P")
        for sq in range(home, home + 8):
            to = sq + 2 * way
            if before[sq] == pawn and b.pieces[sq] == "" and b.pieces[to] == pawn and before[to] == "":
                if all(before[s] == b.pieces[s] for s in range(64) if s not in (sq, to)):
                    b.ep = sq + way
    fields = {k: (v if v == v else None) for k, v in zip(NAMES, f[1972:])}
    legal = sorted(lc0_move(b, i) for i, p in enumerate(probabilities) if p >= 0)
    if any(p < 0 and p != -1 for p in probabilities):
        raise Bad("an illegal move's probability is not -1")
    best = max(range(1858), key=probabilities.__getitem__)
    line(game=game, fen=b.fen(), move=lc0_move(b, fields["played_idx"]), policy=lc0_move(b, best), sum=sum(p for p in probabilities if p > 0),
         legal=legal, past=past, again=again, invariance=invariance, dummy=dummy, ply=ply, **fields)


def lc0(paths):
    game = 0
    for path in paths:
        parts = [open(path, "rb").read()]
        if tarfile.is_tarfile(path):
            with tarfile.open(path) as tar:
                parts = [tar.extractfile(member).read() for member in tar if member.isfile()]
        for part in parts:
            if part[:2] == b"\x1f\x8b":
                part = gzip.decompress(part)
            if len(part) % V6.size:
                raise Bad("%s: %d bytes are not a multiple of %d" % (path, len(part), V6.size))
            game += 1
            for i in range(len(part) // V6.size):
                lc0_record(part[i * V6.size : (i + 1) * V6.size], game, i)


def main(args):
    commands = {"binpack": binpack, "bin": bin40, "viri": viri}
    try:
        if len(args) > 1 and args[0] == "lc0":
            return lc0(args[1:])
        if len(args) == 2 and args[0] in commands:
            return commands[args[0]](args[1])
        if args == ["policy"]:
            return print("\n".join(name(s) + name(t) + p for s, t, p in POLICY))
    except (Bad, struct.error, OSError) as err:
        sys.exit("readers.py: %s" % err)
    sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
