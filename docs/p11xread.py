#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads an index (.p11x) by docs/INDEXFILE.md alone: verifies every CRC, and writes lines of JSON: the facts of each
game, and each position of each segment: rare ones by the top bits of their hashes with the game, others by their hashes and checks with the games of each word. Of
a pruned index it writes each position with its counts."""
import json, struct, sys

TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)

class Refused(Exception):
    pass

def need(sound, what):
    if not sound:
        raise Refused(what)

def sealed(data, at, size, what):  # size bytes, the last four of which are the CRC
    need(0 <= at and size >= 4 and at + size <= len(data), f"{what} is not in the file")
    c = 0xFFFFFFFF
    for b in data[at:at + size - 4]:
        c = c >> 8 ^ TABLE[(c ^ b) & 255]
    need(c ^ 0xFFFFFFFF == struct.unpack_from("<I", data, at + size - 4)[0], f"the CRC of {what} is wrong")
    return data[at:at + size - 4]

class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0
    def varint(self):
        n = shift = 0
        while True:
            b = self.data[self.at]
            self.at += 1
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n
    def take(self, form):
        v = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return v

class Bits:
    def __init__(self, data):
        self.bits, self.at, self.size = int.from_bytes(data, "little"), 0, 8 * len(data)
    def get(self, n):
        v = self.bits >> self.at & (1 << n) - 1
        self.at += n
        need(self.at <= self.size, "a stream ends too early")
        return v
    def zeros(self):
        n = 0
        while not self.get(1):
            n += 1
        return n
    def rice(self, k):
        return self.zeros() << k | self.get(k)
    def gamma(self):
        n = self.zeros()
        return 1 << n | self.get(n)
    def end(self):
        need(self.size - self.at < 8 and self.bits >> self.at == 0, "a stream does not end where it should")

def bitlen(n):
    return n.bit_length()

def counted(r, before):
    c = [r.varint() for _ in range(11)]
    return {"games": c[0], "results": c[1:4], "ratings": c[4:8], "years": c[8:10], "best": [[before + r.varint(), r.varint()] for _ in range(c[10])]}

def chunks(data, at, end):
    games = []
    while at < end:
        n = struct.unpack_from("<H", data, at)[0]
        r = Bytes(sealed(data, at, n + 6, "a list"))
        r.take("H")
        count, game, k = r.varint(), r.varint(), r.take("B")[0]
        games.append(game)
        s = Bits(r.data[r.at:])
        for _ in range(count - 1):
            game += s.rice(k) + 1
            games.append(game)
        s.end()
        at += n + 6
    return games

def tally(s):
    n = left = s.gamma()
    c = [n]
    for _ in range(3):
        c.append(s.get(bitlen(left)))
        left -= c[-1]
        need(left >= 0, "more games have a result than there are")
    for _ in range(2):
        m = s.get(bitlen(n))
        c += [s.get(bitlen(9999 * m)), m]
        need(m <= n, "more games have a rating than there are")
    return {"games": n, "results": c[1:4], "ratings": c[4:]}

def parts(data, table, least, found, put):
    at, last = 64, (-1, 0)
    for i in range(0, len(table), 16):
        hash, check, reserved, size = struct.unpack_from("<QHHI", table, i)
        need(reserved == 0 and size <= 65536, "the table is of a later version")
        z = sealed(data, at, size, "a part")
        s = Bits(z[4:])
        for k in range(struct.unpack_from("<I", z)[0]):
            n = s.get(7)
            hash += 1 << n - 1 | s.get(n - 1) if n > 1 else n
            c = s.get(16)
            need((hash, c) > last and (k or (n == 0 and c == check)), "positions are not in their order")
            last = hash, c
            groups = [[s.get(11), tally(s)] for _ in range(s.gamma())]
            total = {"games": sum(g[1]["games"] for g in groups)}
            for kind in "results", "ratings":
                total[kind] = [sum(list) for list in zip(*(g[1][kind] for g in groups))]
            if s.get(1):
                total = tally(s)
            need(total["games"] >= least, "a position has too few games")
            put(["pruned", hash, c, total, groups])
            found[0] += 1
            found[1] += sum(g[1]["games"] for g in groups)
        s.end()
        at += size
    return at

def segment(data, entry, flags, before, put):
    size, games, b, r = len(data), *struct.unpack_from("<Q", entry, 16), entry[36], entry[37]
    at = 0
    for first in range(0, games, 256):
        n = min(256, games - first)
        for i, f in enumerate(struct.unpack(f"<{n}Q", sealed(data, at, 8 * n + 4, "facts"))):
            put(["facts", before + first + i + 1, f & 3, f >> 2 & 65535, f >> 18 & 65535, f >> 34 & 1, f >> 35 & 16383, f >> 49 & 15, f >> 53 & 31, f >> 58])
        at += 8 * n + 4
    directory = where = size - 12 * (1 << b) - 4 * ((1 << b) + 255 >> 8)
    entries = []
    for first in range(0, 1 << b, 256):
        n = min(256, (1 << b) - first)
        page = sealed(data, where, 12 * n + 4, "the directory")
        entries += [struct.unpack_from("<QI", page, 12 * i) for i in range(n)]
        where += 12 * n + 4
    width, gamebits, wordbits = 64 - b, bitlen(games - 1) if games else 0, 11 + flags
    found = [0, 0, 0, 0]
    for number, (offset, size) in enumerate(entries):
        z = Bytes(sealed(data, offset, size, "a bucket"))
        ncommon, nshared, nrare = z.varint(), z.varint(), z.varint()
        for _ in range(ncommon):
            rest, check, place, length = z.take("QHQI")
            c = Bytes(sealed(data, place, length, "a record"))
            line = ["common", number << width | rest, check, counted(c, before)]
            if flags:
                line.append(counted(c, before))
            groups = []
            for _ in range(c.varint()):
                word = c.take("H")[0]
                groups.append([word, counted(c, before), c.varint()])
            lists = place - sum(g[2] for g in groups)
            need(lists == at and c.at == len(c.data), "a record does not follow on its lists")
            for g in groups:
                size_of_list, g[2] = g[2], [before + n for n in chunks(data, lists, lists + g[2])]
                need(len(g[2]) == g[1]["games"], "a list has not the games that are counted")
                lists += size_of_list
                found[1] += len(g[2])
            put(line + [groups])
            at = place + length
            found[0] += 1
            found[3] += 1
        need(offset == at, "there are bytes that belong to nothing")
        s, part, rest, last = Bits(z.data[z.at:]), 0, 0, -1
        for _ in range(nshared):
            d = s.rice(width - min(width, bitlen(nshared)))
            check = s.get(16)
            need(d or check > last, "positions are not in their order")
            rest, last, groups = rest + d, check, []
            for _ in range(s.gamma()):
                word, n = s.get(wordbits), s.gamma()
                list = [before + s.get(gamebits) + 1]
                for _ in range(n - 1):
                    list.append(list[-1] + s.rice(max(0, bitlen(games // n) - 1)) + 1)
                groups.append([word, list])
                found[1] += n
            put(["shared", number << width | rest, check, groups])
        for _ in range(nrare):
            part += s.rice(r - min(r, bitlen(nrare)))
            put(["rare", number << r | part, b + r, before + s.get(gamebits) + 1])
        s.end()
        found[0] += nrare + nshared
        found[1] += nrare
        found[2] += nrare
        at = offset + size
    need(at == directory and found == [*struct.unpack_from("<4Q", entry, 72)], "the table counts others")
    return games

def read(data, put):
    need(data[:8] == b"\x89p1x\r\n\x1a\n", "it is no index")
    head = sealed(data, 0, 16, "the start")
    version, kind, flags = struct.unpack_from("<HBB", head, 8)
    need(version == 1 and kind < 2 and flags < 2, "it is of another version")
    slots = []
    for at in 16, 40:
        number, end = struct.unpack_from("<QQ", data, at)
        if any(data[at:at + 24]):
            sealed(data, at, 24, "a slot")
            need(64 <= end <= len(data), "a slot tells of more than there is")
            slots.append((number, end))
    data = data[:max(slots)[1]] if slots else data
    end = sealed(data, len(data) - 128, 128, "the trailer")
    need(end[:8] == b"P11XEND\n" and not any(end[104:]), "the trailer is none")
    n, least, last, games, plies = struct.unpack_from("<IHHQQ", end, 8)
    size = (16 if kind else 128) * n + 4
    table = sealed(data, len(data) - 128 - size, size, "the table")
    total = [*struct.unpack_from("<4Q", end, 72)]
    if kind:
        found = [0, 0, total[2], 0]
        need(parts(data, table, least, found, put) == len(data) - 128 - size and found == total, "the trailer counts others")
        return
    before, counts = 0, [0, 0, 0, 0]
    for i in range(0, len(table), 128):
        entry = table[i:i + 128]
        offset, length = struct.unpack_from("<QQ", entry)
        need(not any(entry[38:40]) and not any(entry[104:]) and offset + length <= len(data), "the table is not right")
        before += segment(data[offset:offset + length], entry, flags, before, put)
        counts = [a + b for a, b in zip(counts, struct.unpack_from("<4Q", entry, 72))]
    need(before == games and counts == total, "the trailer counts others")

if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as f:
            read(f.read(), lambda line: print(json.dumps(line)))
    except (Refused, IndexError, struct.error) as e:
        sys.exit(f"{sys.argv[1]}: {e}")
