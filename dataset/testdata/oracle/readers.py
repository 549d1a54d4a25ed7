#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads four formats of training data and prints each position as a line of JSON.

    readers.py binpack FILE     Stockfish's chained binpack
    readers.py bin FILE         Stockfish's packed positions of 40 bytes
    readers.py viri FILE        viriformat, games of 32 bytes and 4 a move
    readers.py lc0 FILE...      lc0's training records V6, plain, gzip or tar

It was written from these definitions alone, to be compared with the Go code. The
rules are those of python-chess.

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
  lc0: LeelaChessZero/lc0, src/trainingdata/{trainingdata_v6.h,trainingdata.cc,
      reader.cc}, src/neural/encoder.cc; lczero.org, "Training data format versions".
"""

import gzip
import json
import struct
import sys
import tarfile

import chess


class Bad(Exception):
    """The file breaks its format."""


def name(sq):
    return chess.SQUARE_NAMES[sq]


def put(b, sq, letter):
    b.set_piece_at(sq, chess.Piece.from_symbol(letter))


def castles(b, move):
    return bool(b.kings & b.occupied_co[b.turn] & chess.BB_SQUARES[move.from_square] and b.occupied_co[b.turn] & chess.BB_SQUARES[move.to_square])


def takes_ep(b, move):
    """Whether a pawn moves aslant to an empty square."""
    aslant = (move.to_square - move.from_square) % 8 != 0
    return b.piece_type_at(move.from_square) == chess.PAWN and aslant and b.piece_type_at(move.to_square) is None


def make(b, move):
    """Plays a move; castling is given as the king to its own rook's square."""
    if not b.occupied_co[b.turn] & chess.BB_SQUARES[move.from_square]:
        raise Bad("no piece of the side to move on " + name(move.from_square))
    b.push(move)
    if not b.has_legal_en_passant():
        b.ep_square = None


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
    b = chess.Board(None)
    for n, sq in enumerate(chess.scan_forward(int.from_bytes(data[:8], "big"))):
        if n == 32:
            raise Bad("more than 32 pieces")
        code = data[8 + n // 2] >> 4 * (n % 2) & 15
        if code < 12:
            piece = "PpNnBbRrQqKk"[code]
        elif code == 12:  # the pawn that has just gone two squares
            if sq >> 3 not in (3, 4):
                raise Bad("a pawn that went two squares is on " + name(sq))
            piece, b.ep_square = ("P", sq - 8) if sq >> 3 == 3 else ("p", sq + 8)
        elif code < 15:  # a rook that may castle
            piece = "Rr"[code - 13]
            b.castling_rights |= chess.BB_SQUARES[sq]
        else:  # the black king, Black to move
            piece, b.turn = "k", False
        put(b, sq, piece)
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
    own = b.occupied_co[b.turn]
    start = list(chess.scan_forward(own))[bits.choice(own.bit_count())]
    to = b.attacks_mask(start) & ~own
    if b.pawns & chess.BB_SQUARES[start]:
        way, row = (8, start >> 3) if b.turn else (-8, 7 - (start >> 3))
        to &= b.occupied | (chess.BB_SQUARES[b.ep_square] if b.ep_square is not None else 0)
        if b.piece_type_at(start + way) is None:
            to |= chess.BB_SQUARES[start + way]
            if row == 1 and b.piece_type_at(start + 2 * way) is None:
                to |= chess.BB_SQUARES[start + 2 * way]
        to = list(chess.scan_forward(to))
        if row == 6:
            n = bits.choice(4 * len(to))
            return chess.Move(start, to[n // 4], 2 + n % 4)
        return chess.Move(start, to[bits.choice(len(to))])
    to = list(chess.scan_forward(to))
    if b.kings & chess.BB_SQUARES[start]:
        to += chess.scan_forward(b.castling_rights & (chess.BB_RANK_1 if b.turn else chess.BB_RANK_8))
    return chess.Move(start, to[bits.choice(len(to))])


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
            b.halfmove_clock = rule50
            ply, result, score = plyres & 0x3FFF, signed(plyres >> 14), signed(score)
            b.fullmove_number = ply // 2 + 1
            move = chess.Move(move >> 8 & 63, move >> 2 & 63, 2 + (move & 3) if move >> 14 == 1 else None)
            bits = Bits(block, p + 34)
            game += 1
            while True:
                line(game=game, fen=b.fen(en_passant="fen"), move=b.uci(move), score=score, result=result, ply=ply)
                if count == 0:
                    break
                count -= 1
                make(b, move)
                move = chained_move(bits, b)
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

    b = chess.Board(None)
    b.turn = read(1) == 0
    put(b, read(6), "K")
    put(b, read(6), "k")
    for sq in chess.SQUARES_180:
        if b.piece_type_at(sq) or read(1) == 0:
            continue
        code = read(3)
        if code > 4:
            raise Bad("no piece has the code %d" % code)
        put(b, sq, ("pnbrq" if read(1) else "PNBRQ")[code])
    b.castling_rights = sum(corner for corner in (chess.BB_H1, chess.BB_A1, chess.BB_H8, chess.BB_A8) if read(1))
    if read(1):
        b.ep_square = read(6)
    b.halfmove_clock = read(6)
    b.fullmove_number = read(16)
    b.halfmove_clock |= read(1) << 6
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
        kind = move >> 14
        move = chess.Move(move >> 6 & 63, move & 63, 2 + (move >> 12 & 3) if kind == 1 else None)
        if (kind == 3) != castles(b, move):
            raise Bad("castling's mark is wrong at byte %d" % at)
        if (kind == 2) != takes_ep(b, move):
            raise Bad("en passant's mark is wrong at byte %d" % at)
        line(game=0, fen=b.fen(en_passant="fen"), move=b.uci(move), score=score, result=result, ply=ply, pad=pad)


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
        b = chess.Board(None)
        for n, sq in enumerate(chess.scan_forward(occupied)):
            code = pieces[n // 2] >> 4 * (n % 2) & 15
            if code & 7 == 7:
                raise Bad("no piece has the code 7")
            if code & 7 == 6:
                b.castling_rights |= chess.BB_SQUARES[sq]
            put(b, sq, "PNBRQKR.pnbrqkr"[code])
        b.turn, ep = turn < 128, turn & 127
        b.ep_square = None if ep == 64 else ep
        b.halfmove_clock, b.fullmove_number = rule50, full
        game, at, ply = game + 1, at + 32, 0
        while True:
            move, score = struct.unpack_from("<Hh", data, at)
            at += 4
            if move == 0:
                if score:
                    raise Bad("the end of a game is not four zeros")
                break
            kind = move >> 14
            move = chess.Move(move & 63, move >> 6 & 63, 2 + (move >> 12 & 3) if kind == 3 else None)
            if (kind == 2) != castles(b, move):
                raise Bad("castling's mark is wrong at byte %d" % (at - 4))
            if (kind == 1) != takes_ep(b, move):
                raise Bad("en passant's mark is wrong at byte %d" % (at - 4))
            line(game=game, fen=b.fen(en_passant="fen"), move=b.uci(move), score=score, result=wdl, ply=ply)
            make(b, move)
            ply += 1


# --- lc0 -------------------------------------------------------------------

V6 = struct.Struct("<II1858f104Q8B15fIHHfI")
NAMES = ("root_q best_q root_d best_d root_m best_m plies_left result_q result_d played_q played_d played_m "
         "orig_q orig_d orig_m visits played_idx best_idx policy_kld reserved").split()


def policy():
    """The 1,858 moves in their order; a knight's promotion is the plain move."""
    moves = []
    for start in chess.SQUARES:
        queen = chess.BaseBoard(None)
        put(queen, start, "Q")
        moves += [chess.Move(start, t) for t in chess.scan_forward(queen.attacks_mask(start) | chess.BB_KNIGHT_ATTACKS[start])]
    for x in range(8):
        moves += [chess.Move(48 + x, 56 + t, p) for t in (x - 1, x, x + 1) if 0 <= t < 8 for p in (chess.QUEEN, chess.ROOK, chess.BISHOP)]
    return moves


POLICY = policy()


def planes_board(planes, white):
    """The pieces of twelve planes: the mover's six and the other's; a byte has the a-file in its highest bit, and ranks are turned for Black."""
    b = chess.Board(None)
    for i, plane in enumerate(planes):
        plane = chess.flip_horizontal(plane) if white else chess.flip_vertical(chess.flip_horizontal(plane))
        for sq in chess.scan_forward(plane):
            if b.piece_type_at(sq):
                raise Bad("two pieces on " + name(sq))
            b.set_piece_at(sq, chess.Piece(i % 6 + 1, white == (i < 6)))
    return b


def lc0_move(b, index):
    move = POLICY[index]
    start, to, promotion = move.from_square, move.to_square, move.promotion
    if not b.turn:
        start, to = start ^ 56, to ^ 56
    if b.piece_type_at(start) == chess.PAWN and to >> 3 in (0, 7) and promotion is None:
        promotion = chess.KNIGHT
    return b.uci(chess.Move(start, to, promotion))


def lc0_record(data, game, ply):
    f = V6.unpack(data)
    if f[0] != 6 or f[1] != 1:
        raise Bad("version %d, input format %d; 6 and 1 are known" % f[:2])
    probabilities, planes = f[2:1860], f[1860:1964]
    rights, turn, rule50, invariance, dummy = f[1964:1968], f[1968], f[1969], f[1970], f[1971]
    b = planes_board(planes[:12], turn == 0)
    b.turn = turn == 0
    b.halfmove_clock = rule50
    corners = (chess.BB_A1, chess.BB_H1, chess.BB_A8, chess.BB_H8) if b.turn else (chess.BB_A8, chess.BB_H8, chess.BB_A1, chess.BB_H1)
    b.castling_rights = sum(c for c, on in zip(corners, rights) if on)
    past, again = [], []
    for i in range(8):
        part = planes[13 * i : 13 * i + 13]
        if not any(part):
            break
        past.append(planes_board(part[:12], b.turn).board_fen())
        if part[12] not in (0, 2**64 - 1):
            raise Bad("a plane of repetitions is neither empty nor full")
        again.append(part[12] != 0)
    if any(planes[13 * len(past) :]):
        raise Bad("there is a gap in the history")
    # The format has no en passant square: the last two positions show the pawn that went two squares.
    if len(past) > 1:
        before = planes_board(planes[13:25], b.turn)
        home, way = (48, -8) if b.turn else (8, 8)
        for sq in range(home, home + 8):
            pushed = before.copy()
            pushed.set_piece_at(sq + 2 * way, pushed.remove_piece_at(sq))
            if before.piece_type_at(sq) == chess.PAWN and before.piece_type_at(sq + 2 * way) is None and pushed.board_fen() == past[0]:
                b.ep_square = sq + way
    fields = {k: (v if v == v else None) for k, v in zip(NAMES, f[1972:])}
    legal = sorted(lc0_move(b, i) for i, p in enumerate(probabilities) if p >= 0)
    if any(p < 0 and p != -1 for p in probabilities):
        raise Bad("an illegal move's probability is not -1")
    best = max(range(1858), key=probabilities.__getitem__)
    line(game=game, fen=b.fen(en_passant="fen"), move=lc0_move(b, fields["played_idx"]), policy=lc0_move(b, best), sum=sum(p for p in probabilities if p > 0),
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
    except (Bad, struct.error, OSError) as err:
        sys.exit("readers.py: %s" % err)
    sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
