#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a .p11 archive by docs/FORMAT.md alone: verifies every CRC, and writes for each game a line of JSON with
its number, tags, result, start position if it is not the usual one, and main line in UCI."""
import json, struct, subprocess, sys

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

def check(data, want, what):
    if crc(data) != want:
        sys.exit(f"corrupt: {what}")

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
        b = data[at]
        v, s, at = v | (b & 127) << s, s + 7, at + 1
        if b < 128:
            return v, at

def tags(data, results):
    """Returns the tags of each game of a block."""
    count, at = varint(data, 0)
    names, shapes = [], []
    for _ in range(count):
        end = data.index(0, at)
        names.append(data[at:end].decode())
        at = end + 1
    count, at = varint(data, at)
    for _ in range(count):
        n, at = varint(data, at)
        shapes.append([])
        for _ in range(n):
            i, at = varint(data, at)
            shapes[-1].append(i)
    games = []
    for _ in results:
        i, at = varint(data, at) if count > 1 else (0, at)
        games.append([[names[i], None, i] for i in shapes[i]])
    for i in range(len(names)):
        last = ""
        for game, result in zip(games, results):
            for tag in (t for t in game if t[2] == i):
                if data[at] == 2:
                    last = result
                if data[at] in (1, 2):
                    at += 1
                else:
                    value = bytearray()
                    while data[at] != 0:
                        at += data[at] == 3
                        value.append(data[at])
                        at += 1
                    last, at = value.decode(), at + 1
                tag[1] = last
    return [[[name, value] for name, value, _ in game] for game in games]

def dense(raw, games):
    """Returns the main line of each game of a block of dense moves: start position, moves, result."""
    sys.dont_write_bytecode = True  # leave nothing beside this file
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
    assert at == len(table) and raw[11][0] == 1
    decoder = p11dense.Decoder(*p11dense.shared(), raw[11][1:])
    return [(starts.get(i), [p11dense.uci(m) for m in decoder.game(p11dense.fen(starts.get(i)), plies[i])],
             1968 + bits(table, 8 * games + 2 * i, 2)) for i in range(games)]

def fixed(raw, games):
    """The same of a block of words."""
    lines, at, words = [], 16, raw[2]
    a, w = raw[1][:2]
    for i in range(games):
        if i % 16 == 0:
            word, at = bits(raw[1], at, a), at + a
        n, at = bits(raw[1], at, w), at + w
        line = [bits(words, 11 * (word + k), 11) for k in range(n)]
        word += n
        start = None
        if line[0] == 2008:
            start, line = sum(x << 11 * k for k, x in enumerate(line[1:27])), line[27:]
        lines.append((start, [uci(x) for x in line[:-1]], line[-1]))
    return lines

def block(data, version, out):
    size, columns = struct.unpack_from("<HB", data, 4)
    check(data[:size - 4], struct.unpack_from("<I", data, size - 4)[0], "a block's header")
    first, _, games = struct.unpack_from("<QII", data, 8)
    raw = {}
    for i in range(columns):
        kind, codec, _, offset, stored, length, want = struct.unpack_from("<BBHIIII", data, 72 + 20 * i)
        column = data[size + offset:size + offset + stored]
        check(column, want, f"column {kind}")
        if codec == 1:
            column = subprocess.run(["zstd", "-dcq"], input=column, stdout=subprocess.PIPE, check=True).stdout
        assert len(column) == length and (kind <= (10, 12)[version - 1] or kind >= 128)
        raw[kind] = column
    lines = dense(raw, games) if 11 in raw else fixed(raw, games) if games else []
    results = [{1968: "0-1", 1969: "1/2-1/2", 1970: "1-0", 1971: "*"}[line[2]] for line in lines]
    table = tags(raw[3], results) if 3 in raw else [[]] * games
    for i, (start, line, _) in enumerate(lines):
        game = {"game": first + i, "tags": table[i], "result": results[i], "moves": " ".join(line)}
        if start is not None:
            game["start"] = f"{start:072x}"
        print(json.dumps(game, ensure_ascii=False), file=out)
    return games

def main(path, out):
    data = sys.stdin.buffer.read() if path == "-" else open(path, "rb").read()
    assert data[:8] == b"\x89p11\r\n\x1a\n" and data[8] in (1, 2) and data[9] == 0, "not an archive of version 1 or 2"
    check(data[:28], struct.unpack_from("<I", data, 28)[0], "header")
    mark, version, _, at, size, want, own = struct.unpack("<4sHHQQII", data[-32:])
    check(data[-32:-4], own, "trailer")
    footer = data[at:at + size]
    assert mark == b"P11E" and version == data[8] and footer[:4] == b"P11F" and struct.unpack("<I", footer[-4:])[0] == want
    check(footer[:-4], want, "footer")
    blocks, _, games = struct.unpack_from("<IQQ", footer, 4)
    for i in range(blocks):
        offset, _, _, _, length, _ = struct.unpack_from("<QQIIII", footer, 80 + 32 * i)
        assert data[offset:offset + 4] == b"P11B"
        games -= block(data[offset:offset + length], version, out)
    assert games == 0, "the footer counts other games"

if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "-", sys.stdout)
