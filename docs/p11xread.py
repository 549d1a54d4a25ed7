#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads an index (.p11x) by docs/INDEXFILE.md alone: verifies every CRC, and writes lines of JSON: the facts of each
game, and each position: rare ones by the top bits of their hashes with the game, others by their hashes with the games of each word."""
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

def counted(r):
    c = [r.varint() for _ in range(11)]
    return {"games": c[0], "results": c[1:4], "ratings": c[4:8], "years": c[8:10], "best": [[r.varint(), r.varint()] for _ in range(c[10])]}

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

def read(data, put):
    head = sealed(data, 0, 128, "the header")
    need(head[:8] == b"\x89p1x\r\n\x1a\n", "it is no index")
    version, flags, b, r, reserved, games = struct.unpack_from("<HHBBHQ", head, 8)
    need(version == 1 and flags < 2 and reserved == 0 and not any(head[108:]), "it is of a later version")
    end = sealed(data, len(data) - 64, 64, "the trailer")
    need(end[:8] == b"P11XEND\n" and not any(end[48:]), "the trailer is none")
    directory, positions, postings, rare, common = struct.unpack_from("<5Q", end, 8)
    at = 128
    for first in range(0, games, 256):
        n = min(256, games - first)
        for i, f in enumerate(struct.unpack(f"<{n}Q", sealed(data, at, 8 * n + 4, "facts"))):
            put(["facts", first + i + 1, f & 3, f >> 2 & 65535, f >> 18 & 65535, f >> 34 & 1, f >> 35 & 16383, f >> 49 & 15, f >> 53 & 31, f >> 58])
        at += 8 * n + 4
    entries, where = [], directory
    for first in range(0, 1 << b, 256):
        n = min(256, (1 << b) - first)
        page = sealed(data, where, 12 * n + 4, "the directory")
        entries += [struct.unpack_from("<QI", page, 12 * i) for i in range(n)]
        where += 12 * n + 4
    need(where == len(data) - 64, "the directory does not end at the trailer")
    width, gamebits, wordbits = 64 - b, bitlen(games - 1) if games else 0, 11 + flags
    found = [0, 0, 0, 0]
    for number, (offset, size) in enumerate(entries):
        z = Bytes(sealed(data, offset, size, "a bucket"))
        ncommon, nrare, nshared = z.varint(), z.varint(), z.varint()
        for _ in range(ncommon):
            rest, place, length = z.take("QQI")
            c = Bytes(sealed(data, place, length, "a record"))
            line = ["common", number << width | rest, counted(c)]
            if flags:
                line.append(counted(c))
            groups = []
            for _ in range(c.varint()):
                word = c.take("H")[0]
                groups.append([word, counted(c), c.varint()])
            lists = place - sum(g[2] for g in groups)
            need(lists == at and c.at == len(c.data), "a record does not follow on its lists")
            for g in groups:
                size_of_list, g[2] = g[2], chunks(data, lists, lists + g[2])
                need(len(g[2]) == g[1]["games"], "a list has not the games that are counted")
                lists += size_of_list
                found[1] += len(g[2])
            put(line + [groups])
            at = place + length
            found[0] += 1
            found[3] += 1
        need(offset == at, "there are bytes that belong to nothing")
        s, part, rest = Bits(z.data[z.at:]), 0, 0
        for _ in range(nrare):
            part += s.rice(r - min(r, bitlen(nrare)))
            put(["rare", number << r | part, s.get(gamebits) + 1])
        for _ in range(nshared):
            rest += s.rice(width - min(width, bitlen(nshared)))
            groups = []
            for _ in range(s.gamma()):
                word, n = s.get(wordbits), s.gamma()
                list = [s.get(gamebits) + 1]
                for _ in range(n - 1):
                    list.append(list[-1] + s.rice(max(0, bitlen(games // n) - 1)) + 1)
                groups.append([word, list])
                found[1] += n
            put(["shared", number << width | rest, groups])
        s.end()
        found[0] += nrare + nshared
        found[1] += nrare
        found[2] += nrare
        at = offset + size
    need(at == directory and found == [positions, postings, rare, common], "the trailer counts others")

if __name__ == "__main__":
    try:
        with open(sys.argv[1], "rb") as f:
            read(f.read(), lambda line: print(json.dumps(line)))
    except (Refused, IndexError, struct.error) as e:
        sys.exit(f"{sys.argv[1]}: {e}")
