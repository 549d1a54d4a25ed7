#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a .p11 archive by docs/FORMAT.md alone: verifies every CRC and digest, and writes for each game a line of JSON with
its number, tags, result, start position if it is not the usual one, and main line in UCI."""
import hashlib, json, struct, subprocess, sys
sys.dont_write_bytecode = True  # leave nothing beside this file

TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)

def crc(data):
    c = 0xFFFFFFFF
    for b in data:
        c = c >> 8 ^ TABLE[(c ^ b) & 255]
    return c ^ 0xFFFFFFFF

def digest(data):
    return hashlib.sha256(data).digest()[:16]

class Refused(Exception):
    pass

def need(sound, what):
    if not sound:
        raise Refused(what)

def check(data, want, what):
    need(crc(data) == want, f"the CRC of {what} is wrong")

def reserved(data, what):
    need(not any(data), f"a reserved field of {what} is set: it is of a later version")

def knight(f, r, df, dr):  # the knight move of a diagonal code that wraps in one coordinate
    sx, sy, a = df < 0, dr < 0, abs(df)
    u, v = 7 - f if sx else f, 7 - r if sy else r
    x, y = {3: (u, v), 4: (u, v), 5: (v, 5 - u), 6: (5 + u, v), 2: (4 + u // 2, 2 * v + u % 2), 1: (u, 4), 7: (v, 5)}[a]
    (x, y), (tx, ty) = ((y, x), (y + 2, x + 1)) if bin(a).count("1") & 1 else ((x, y), (x + 1, y + 2))
    return (7 - x if sx else x, 7 - y if sy else y, 7 - tx if sx else tx, 7 - ty if sy else ty)

def uci(w):
    if w == 1972:
        return "0000"
    if w >= 1792:  # a promotion
        p = w - 1792
        j = p >> 4 << 1 | p & 1
        f = (j + 1) // 3
        black = p >> 3 & 1
        return f"{'abcdefgh'[f]}{'72'[black]}{'abcdefgh'[j - 2 * f]}{'81'[black]}{'nbrq'[p >> 1 & 3]}"
    f, r, n = w & 7, w >> 3 & 7, (w >> 8) + 1
    sf, sr = ((1, 0), (1, 1), (0, 1), (-1, 1))[w >> 6 & 3]
    tf, tr = f + n * sf, r + n * sr
    if sf and sr and (tf & ~7 != 0) != (tr & ~7 != 0):
        f, r, tf, tr = knight(f, r, (tf & 7) - f, (tr & 7) - r)
    return f"{'abcdefgh'[f]}{r + 1}{'abcdefgh'[tf & 7]}{(tr & 7) + 1}"

def bits(data, at, n):
    return int.from_bytes(data[at // 8:(at + n + 7) // 8], "little") >> at % 8 & (1 << n) - 1

def varint(data, at):
    v = s = 0
    while True:
        need(at < len(data), "a number ends too early")
        b = data[at]
        v, s, at = v | (b & 127) << s, s + 7, at + 1
        if b < 128:
            need(v < 1 << 64 and (b > 0 or s == 7), "a number is too large, or has more bytes than it needs")
            return v, at

def unzstd(frame, length):
    """The content of one zstd frame and nothing else."""
    need(frame[:4] == b"\x28\xb5\x2f\xfd" and len(frame) > 5, "no zstd frame begins here")
    descriptor, at = frame[4], 5
    need(not descriptor & 8 and not descriptor & 3, "a reserved bit or a dictionary in a zstd frame")
    single = descriptor >> 5 & 1
    if not single:
        base = 1 << 10 + (frame[at] >> 3)
        need(base + base // 8 * (frame[at] & 7) <= 1 << 24, "the window of a zstd frame is larger than 16 MiB")
        at += 1
    if descriptor >> 6 or single:
        at += 1 << (descriptor >> 6)
    last = False
    while not last:
        need(at + 3 <= len(frame), "a zstd frame ends too early")
        header = int.from_bytes(frame[at:at + 3], "little")
        last, at = header & 1, at + 3 + (1 if header >> 1 & 3 == 1 else header >> 3)
    need(at + 4 * (descriptor >> 2 & 1) == len(frame), "a column is not one zstd frame")
    done = subprocess.run(["zstd", "-dcq"], input=frame, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    need(done.returncode == 0 and len(done.stdout) == length, "a zstd frame is unsound or of another length")
    return done.stdout

def most_text(data):
    """Returns the most that a block with so many bytes of data holds as text, and as tags."""
    return min(64 * data + 16384, 1 << 25)

def tags(data, results, most):
    """Returns the tags of each game of a block, of at most so many bytes."""
    count, at = varint(data, 0)
    names, shapes, left = [], [], 1 << 18
    need(count <= left, "too many names of tags")
    for _ in range(count):
        end = data.index(0, at)
        names.append(data[at:end].decode())
        at = end + 1
    count, at = varint(data, at)
    need(names and count <= len(results), "no names, or more shapes than games")
    for _ in range(count):
        n, at = varint(data, at)
        left -= n
        need(left >= 0, "too many numbers in the shapes of tags")
        shapes.append([])
        for _ in range(n):
            i, at = varint(data, at)
            shapes[-1].append(i)
    games = []
    for _ in results:
        i, at = varint(data, at) if count > 1 else (0, at)
        games.append([[names[i], None, i] for i in shapes[i]])
    need({tag[2] for game in games for tag in game} == set(range(len(names))), "no game has a tag of a name")
    for i in range(len(names)):
        last, length = "", 0
        for game, result in zip(games, results):
            for tag in (t for t in game if t[2] == i):
                if data[at] == 2:
                    last, length = result, 0
                if data[at] in (1, 2):
                    at += 1
                else:
                    value = bytearray()
                    while data[at] != 0:
                        at += data[at] == 3
                        value.append(data[at])
                        at += 1
                    last, length, at = value.decode(), len(value), at + 1
                tag[1] = last
                most -= len(names[i].encode()) + length
                need(most >= 0, "the tags are too long for the columns")
    need(at == len(data), "bytes are left over in the tags")
    return [[[name, value] for name, value, _ in game] for game in games]

def possible(start):
    """Verifies that a start position is one, by the rules of WORDS.md."""
    import p11dense
    board, state = [start >> 4 * s & 15 for s in range(64)], start >> 256
    black, rights, file, number = state & 1, state >> 1 & 15, state >> 5 & 15, state >> 17 & 8191
    need(not {7, 8, 15} & set(board) and board.count(1) == board.count(9) == 1, "a start with other men, or not with two kings")
    need(all(man & 7 != 6 for man in board[:8] + board[56:]), "a start with a pawn on rank 1 or 8")
    need(not start >> 308 or rights, "a start of Chess960 without a right to castle")
    for i in (i for i in range(4) if rights >> i & 1):
        home, side, king = i // 2 * 56, i // 2 * 8, board.index(i // 2 * 8 + 1)
        rook = home + ((start >> 286 + 3 * i & 7) if start >> 308 else 7 * (1 - i % 2))
        need(board[rook] == side + 5 and (king // 8 * 8 == home and (rook < king) == i % 2 if start >> 308 else king == home + 4), "a start with a false right to castle")
    if file:
        pawn, back = (23 + file, -8) if black else (31 + file, 8)
        need(file <= 8 and board[pawn] == (6 if black else 14) and not board[pawn + back] and not board[pawn + 2 * back], "a start with a false en passant")
    king = board.index(1 if black else 9)
    need(1 <= number <= 8187 and not any(king in p11dense.attacks(board, man, s) for s, man in enumerate(board) if man and man // 8 == black),
         "a start that no move leads to")

def dense(raw, games, words, total):
    """Returns the main line of each game of a block of dense moves: start position, moves, result."""
    import p11dense
    table, at = raw[12], games + (games + 3) // 4
    plies, starts = list(table[:games]), {}
    for long in True, False:
        count, at = varint(table, at)
        i = -1
        for _ in range(count):
            gap, at = varint(table, at)
            i += gap + 1
            if long:
                high, at = varint(table, at)
                plies[i] += 256 * high
            else:
                starts[i], at = bits(table, 8 * at, 288), at + 36
                if starts[i] >> 286 == 1:  # of Chess960
                    rooks, at = bits(table, 8 * at, 16), at + 2
                    need(not rooks >> 12, "bits are left over in a start position")
                    starts[i] += (rooks - 1 << 286) + (1 << 308)
    need(at == len(table) and not bits(table, 8 * games + 2 * games, -2 * games % 8), "bits are left over in the column of games")
    need(not any(start >> 286 and not start >> 308 for start in starts.values()), "bits are left over in a start position")
    for start in (start for i, start in starts.items() if plies[i]):
        men = [start >> 4 * s & 15 for s in range(64)]
        need(sum(0 < m < 8 for m in men) <= 16 and sum(m > 8 for m in men) <= 16, "a start with more than 16 men of a side in dense moves")
    need(raw[11][0] == 1, "dense moves of a later version")
    need(total <= 8 * len(raw[11]) + 1024, "more than 8 plies for each byte of dense moves, and 1,024")
    need(sum(plies) + games + sum(29 if start >> 308 else 27 for start in starts.values()) == words, "the games are not the words of the header")
    decoder = p11dense.Decoder(*p11dense.shared(), raw[11][1:])
    lines = [(starts.get(i), [p11dense.uci(m) for m in decoder.game(p11dense.fen(starts.get(i)), plies[i])],
              1968 + bits(table, 8 * games + 2 * i, 2)) for i in range(games)]
    decoder.finish()
    return lines

def sums(index, words, games):
    """Verifies the checksums at the end of column 1, and returns the column without them."""
    runs = -(-games // 16)
    need(len(index) >= 2 + 4 * runs, "the index has no checksums")
    body, at, word = index[:len(index) - 4 * runs], 16, 0
    a, w = body[:2]
    for i in range(runs):
        at, end = at + a, word
        for _ in range(min(16, games - 16 * i)):
            end, at = end + bits(body, at, w), at + w
        check(words[11 * word // 8:-(-11 * end // 8)], struct.unpack_from("<I", index, len(body) + 4 * i)[0], "sixteen games")
        word = end
    return body

def fixed(raw, games, count):
    """The same of a block of words."""
    lines, at, words = [], 16, raw[2]
    a, w = raw[1][:2]
    used = 16 + -(-games // 16) * a + games * w
    need(a <= 32 and w <= 32 and len(raw[1]) == -(-used // 8) and not bits(raw[1], used, -used % 8), "the index is not that of the games")
    used = 11 * count
    need(len(words) == -(-used // 8) and bits(words, used, -used % 8) == (1 << -used % 8) - 1, "the moves are not the words of the header")
    total = 0
    for i in range(games):
        if i % 16 == 0:
            word, at = bits(raw[1], at, a), at + a
            need(word == total, "the index has a gap")
        n, at = bits(raw[1], at, w), at + w
        line = [bits(words, 11 * (word + k), 11) for k in range(n)]
        word += n
        total = word
        need(n > 0 and total <= count, "the index is not that of the words")
        start = None
        if line[0] == 2008:
            start, line = sum(x << 11 * k for k, x in enumerate(line[1:27])), line[27:]
        elif line[0] == 2009:
            start, line = sum(x << 11 * k for k, x in enumerate(line[1:29])) + (1 << 308), line[29:]
        need(all(x < 1968 or x == 1972 for x in line[:-1]), "a main line holds what is no move")
        lines.append((start, [uci(x) for x in line[:-1]], line[-1]))
    need(total == count, "the index is not that of the words")
    return lines

ORDER = [1, 12, 2, 11, 3, 10, 4, 5, 6, 7, 8, 9]  # of the columns in a block

def rank(kind):
    return ORDER.index(kind) if kind in ORDER else 12 + kind

def block(data, number, first, out, edited=False):
    """Writes the games of a block, whose first one may have had a greater number if the archive was edited. It returns their number, the size of the block's front, if its moves are dense, and the tags."""
    size, columns = struct.unpack_from("<HB", data, 4)
    need(data[:4] == b"P11B" and columns <= 32 and size == 64 + 24 * columns <= len(data), "no block begins here")
    check(data[:size - 4], struct.unpack_from("<I", data, size - 4)[0], "a block's header")
    need(data[7] == 1, "the columns are in an order of a later version")
    reserved(data[58:60], "a block's header")
    mine, here, games, words, plies, length, departing, text = struct.unpack_from("<QIIIIIIQ", data, 8)
    need((mine == first or edited and mine > first) and here == number and length == len(data) - size, "it is another block")
    need(games <= 65535 and words <= 1 << 23 and plies <= words and departing <= games and (games or not words), "impossible counts")
    most = most_text(len(data) - size)
    need(text <= most, "the text is too long for the columns")
    raw, last, front, columns = {}, 0, size, []
    for at in range(60, size - 4, 24):
        stored, length, want = *struct.unpack_from("<II", data, at), data[at + 8:at + 24]
        columns.append((stored & 255, (stored >> 8) + 1, length & 255, (length >> 8) + 1, want))
    for kind, stored, codec, length, want in columns:
        need(last < kind and (kind <= 12 or kind >= 128) and codec <= 2, "a column of a later version, or out of order")
        need(games or kind == 10 or kind >= 128, "a column of no games")
        at = size + sum(c[1] for c in columns if rank(c[0]) < rank(kind))
        front += stored if kind in (1, 12) else 0
        need(length == stored if codec == 0 else length <= (16 * stored if kind in (3, 6) else 255 * stored + 65536), "impossible lengths of columns")
        need(kind != 12 or games <= 2 * stored, "more than 2 games for each byte of the column of games")
        need(codec == 0 or kind not in (1, 2, 11), "a column is compressed whose bits have addresses")
        need(codec < 2 or kind in (7, 8, 9), "a column is modelled that has no numbers")
        column = data[at:at + stored]
        need(digest(column) == want, f"column {kind} has another digest")
        raw[kind] = unzstd(column, length) if codec == 1 else column
        last = kind
    need(sum(c[1] for c in columns) == len(data) - size, "impossible lengths of columns")
    need((11 in raw) == (12 in raw) and not (11 in raw and (1 in raw or 2 in raw)), "impossible columns of moves")
    if games and 1 in raw and 2 in raw:
        raw[1] = sums(raw[1], raw[2], games)
    lines = dense(raw, games, words, plies) if 11 in raw else fixed(raw, games, words) if games else []
    need(sum(len(line) for _, line, _ in lines) == plies, "the plies are not those of the header")
    results = [{1968: "0-1", 1969: "1/2-1/2", 1970: "1-0", 1971: "*"}[line[2]] for line in lines]
    table = tags(raw[3], results, most) if 3 in raw else [[]] * games
    for start in {start for start, _, _ in lines if start is not None}:
        possible(start)
    for i, (start, line, _) in enumerate(lines):
        game = {"game": first + i, "tags": table[i], "result": results[i], "moves": " ".join(line)}
        if start is not None:
            game["start"] = f"{start - (1 << 308):078x}" if start >> 308 else f"{start:072x}"
        print(json.dumps(game, ensure_ascii=False), file=out)
    return games, front, 11 in raw, table

def entries(data, level, end, edited=False):
    """Returns what entries say of blocks, or of parts of the index if a level is told: offset, games, size, front or blocks, digest. They stand
    one behind the other unless the archive was edited."""
    list, last = [struct.unpack_from("<QQII16s", data, at) for at in range(0, len(data), 40)], 32
    for at, games, size, sub, _ in list:
        need(last <= at <= at + size <= end, "an entry is out of order")
        need(games <= 65535 and 64 <= sub <= size if level is None else size <= 15316 and 0 < sub < 1 << 31, "an impossible entry")
        last = 32 if edited else at + size
    return list

def number(text):
    return int(text) if 1 <= len(text) <= 5 and text.isascii() and text.isdigit() else None

def search(data, directory, blocks, tags):
    """Verifies the columns of a search part, of the blocks whose tags are given: it hides none of their games."""
    raw, last, count = {}, 0, len(blocks)
    for i in range(0, len(directory), 20):
        kind, size = directory[i], (struct.unpack_from("<I", directory, i)[0] >> 8) + 1
        raw[kind] = data[:size]
        need(kind > last and digest(raw[kind]) == directory[i + 4:i + 20], "an unsound column of a search part")
        need(kind != 1 or size == 8 * count, "ranges of other blocks")
        need(not 64 <= kind < 128 or 8 * size >= count and (kind == 64 or len(raw.get(kind - 1, b"")) == size), "unsound slices of names")
        data, last = data[size:], kind
    slices = [raw[kind] for kind in range(64, 128) if kind in raw]
    for k, block in enumerate(tags):
        years, ratings = [], []
        for name, value in (tag for game in block for tag in game):
            if name == "Date" and len(value) >= 4 and number(value[:4]) is not None:
                years.append(number(value[:4]))
            if name in ("WhiteElo", "BlackElo"):
                n = number(value.strip(" \t\r\n"))
                if n is not None and n < 65535:
                    ratings.append(n)
                elif value.strip("?- \t\r\n"):
                    ratings += [0, 65535]
            if name in ("White", "Black") and slices:
                h = crc(value.encode())
                own, row, step, rows = slices[h % len(slices)], h // len(slices), h >> 17 | h << 15 & 0xFFFFFFFF, 8 * len(slices[0]) // count
                for _ in range(7):
                    bit = row % rows * count + k
                    need(own[bit // 8] >> bit % 8 & 1, "a search part hides a player")
                    row = (row + step) & 0xFFFFFFFF
        if 1 in raw:
            a, b, c, d = struct.unpack_from("<4H", raw[1], 8 * k)
            need(all(a <= n <= b for n in years) and all(c <= n <= d for n in ratings), "a search part hides a year or a rating")

def part(data, at, blocks, parts, found, tags):
    """Verifies a part of the index that begins at an offset, and notes it in parts. found is the search part before it. Returns where it ends."""
    size, level, count, columns, zero = struct.unpack_from("<IBBBB", data, at + 4)
    whole = data[at:at + size]
    need(len(whole) == size == 16 + 40 * count + 20 * columns and count, "a part of the index is not of its size")
    check(whole[:-4], struct.unpack("<I", whole[-4:])[0], "the index")
    need(level < 4 and zero == 0, "a part of the index of a later version")
    need(not level or not columns, "a search part before parts of the index")
    directory = whole[12 + 40 * count:-4]
    need(len(found) == sum((struct.unpack_from("<I", directory, i)[0] >> 8) + 1 for i in range(0, len(directory), 20)) + (12 if columns else 0),
         "a search part is not of its columns")
    list = entries(whole[12:12 + 40 * count], level - 1 if level else None, at - len(found))
    if level:
        first, last = follow(list, level - 1, parts)
        total = last - first
    else:
        first, total = ([b[0] for b in blocks] + [None]).index(list[0][0]), count
        need(blocks[first:first + count] == list, "the index tells of other blocks")
        search(found[12:], directory, list, tags[first:first + count])
    parts[at] = (at, sum(e[1] for e in list), size, total, digest(whole)), level, first
    return at + size

def follow(list, level, parts):
    """Returns the first block of parts of the index that follow each other, and the one after their last."""
    next = first = parts[list[0][0]][2]
    for e in list:
        need(parts[e[0]] == (e, level, next), "the index tells of other parts")
        next += e[3]
    return first, next

def leaves(data, list, level, edited):
    """Returns the entries of all blocks below entries of parts, in their order. Each part is verified."""
    found = []
    for e in list:
        at, games, size, count, want = e
        whole = data[at:at + size]
        need(digest(whole) == want and len(whole) == size == 16 + 40 * whole[9] + 20 * whole[10] and whole[9], "a part of the index has another digest")
        check(whole[:-4], struct.unpack("<I", whole[-4:])[0], "the index")
        need(whole[:4] == b"P11I" and whole[8] == level and not whole[11], "a part of the index of a later version")
        below = entries(whole[12:12 + 40 * whole[9]], level - 1 if level else None, at, edited)
        here = leaves(data, below, level - 1, edited) if level else below
        need(len(here) == count and sum(b[1] for b in here) == games, "the index tells of other blocks")
        found += here
    return found

def indexed(data, flags, out):
    """Writes the games of an archive that was edited, along its index, from the trailer on."""
    place, size = struct.unpack_from("<QI", data, len(data) - 32)
    whole = data[place:place + size]
    total, plies, text, count, coded, mine, length, *levels = struct.unpack_from("<QQQIIIIHHHH", whole, 8)
    need(mine == flags | 2, "the footer is of another header")
    list, at = [], 56
    for level in 3, 2, 1, 0:
        end = at + 40 * levels[level]
        list += leaves(data, entries(whole[at:end], level, place, True), level, True)
        at = end
    need(len(list) == count <= place // 64 and sum(e[1] for e in list) == total, "the footer tells of other blocks")
    properties(whole, length, sum(levels), text)
    first = 1
    for number, (at, games, size, front, want) in enumerate(list):
        head = struct.unpack_from("<H", data, at + 4)[0]
        need(digest(data[at:at + head]) == want, "a block's header has another digest")
        got = block(data[at:at + size], number, first, out, True)
        need(got[:2] == (games, front), "the index tells of other blocks")
        first, coded = first + games, coded - got[2]
    need(coded == 0, "the footer is of other blocks")
    trailer(data, place, whole)

def footer(data, at, flags, blocks, parts, games, dense):
    """Verifies a footer, and the trailer after it. Returns where that ends."""
    mark, size, total, plies, text, count, coded, mine, length, *levels = struct.unpack_from("<4sIQQQIIIIHHHH", data, at)
    whole = data[at:at + size]
    need(len(whole) == size <= 49112 and count == len(blocks) and total == games, "the footer tells of other blocks")
    check(whole[:-4], struct.unpack("<I", whole[-4:])[0], "the footer")
    need(mine == flags and coded == dense, "the footer is of another header, or of other blocks")
    place, next = 56, 0
    properties(whole, length, sum(levels), text)
    for level in 3, 2, 1, 0:
        end = place + 40 * levels[level]
        list = entries(whole[place:end], level, at)
        if list:
            first, last = follow(list, level, parts)
            need(first == next, "the footer tells of other parts")
            next = last
        place = end
    need(next == count, "the footer tells of other blocks")
    return trailer(data, at, whole)

def properties(whole, length, count, text):
    """Verifies the size of a footer and its properties."""
    need(len(whole) == 60 + 40 * count + length and length <= 16384, "the footer is not of its size")
    need(whole[23] < 128 and whole[31] < 128, "the footer has impossible numbers")
    list, names, i = whole[-4 - length:-4], [], 0
    while i < length:
        texts = []
        for _ in range(2):
            n, i = varint(list, i)
            texts.append(list[i:i + n])
            i += n
            need(i <= length, "a property ends too early")
        need(0 < len(texts[0]) < 256 and (not names or names[-1] < texts[0]), "unsound properties")
        names.append(texts[0])
        texts[0].decode()
        need(texts[0][:1] != b"!", "a property of a later version")
        if texts[0][:1] != b".":
            texts[1].decode()
        need(texts[0] != b".sha256" or len(texts[1]) == 32 + text % 64, "the state of the hash is not that of the text")

def trailer(data, place, whole):
    """Verifies the trailer after a footer. Returns where it ends."""
    at, size = place + len(whole), len(whole)
    mark, version, zero, mine, length, want, own = struct.unpack_from("<4sHHQI16sI", data, at)
    check(data[at:at + 36], own, "the trailer")
    reserved([zero], "the trailer")
    need(mark == b"P11E" and version == 1 and mine == place and length == size and want == digest(whole), "the trailer does not tell of the footer")
    return at + 40

def read(data, out):
    """Writes the games of an archive, front to back. It raises Refused, or what Python does where bytes are missing, if it is not sound."""
    need(data[:8] == b"\x89P11\r\n\x1a\n" and len(data) >= 132 and data[8:10] == b"\x01\0", "not an archive of version 1")
    check(data[:28], struct.unpack_from("<I", data, 28)[0], "the header")
    flags = struct.unpack_from("<I", data, 12)[0]
    reserved(data[10:12] + data[16:28], "the header")
    need(not flags & 0xFFFE, "a flag of a later version")
    if data[-40:-36] == b"P11E":
        place, size = struct.unpack_from("<QI", data, len(data) - 32)
        if data[place:place + 4] == b"P11F" and place + size + 40 == len(data) and size >= 60 and data[place + 40] & 2:
            check(data[place:place + size - 4], struct.unpack_from("<I", data, place + size - 4)[0], "the footer")
            indexed(data, flags, out)
            return
    at, first, blocks, parts, coded, found, names = 32, 1, [], {}, 0, b"", []
    while True:
        if data[at:at + 4] == b"P11I":
            at, found = part(data, at, blocks, parts, found, names), b""
            continue
        need(not found, "no part of the index tells of a search part")
        if data[at:at + 4] == b"P11S":
            found = data[at:at + struct.unpack_from("<I", data, at + 4)[0]]
            check(found[:8], struct.unpack_from("<I", found, 8)[0], "a search part")
            at += len(found)
            continue
        if data[at:at + 4] == b"P11F":
            at = footer(data, at, flags, blocks, parts, first - 1, coded)
            if at == len(data):
                return
            continue
        head, length = struct.unpack_from("<H", data, at + 4)[0], struct.unpack_from("<I", data, at + 32)[0]
        end = at + head + length
        need(end <= len(data), "a block ends too early")
        count, front, dense, table = block(data[at:end], len(blocks), first, out)
        names.append(table)
        blocks.append((at, count, end - at, front, digest(data[at:at + head])))
        at, first, coded = end, first + count, coded + dense

REFUSALS = (Refused, ValueError, IndexError, KeyError, struct.error)

def main(path, out):
    try:
        read(sys.stdin.buffer.read() if path == "-" else open(path, "rb").read(), out)
    except REFUSALS as e:
        sys.exit(f"refused: {e!r}")

if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "-", sys.stdout)
