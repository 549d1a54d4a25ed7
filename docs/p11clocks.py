# SPDX-License-Identifier: Apache-2.0
"""Decodes a column of clocks, times or evaluations of codec 2, by docs/FORMAT.md alone."""
from p11dense import Range

LIMIT = 1 << 40

def step(v):
    return v if v < 4 else 4 * (v.bit_length() - 2) + (v >> v.bit_length() - 3 & 3)

def length(v):
    return v.bit_length()

def signed(v, size, limit):
    return limit + min(size(-v), limit - 1) if v < 0 else min(size(v), limit - 1)

def varint(u):
    out = bytearray()
    while u > 127:
        out.append(u & 127 | 128)
        u >>= 7
    return bytes(out) + bytes([u])

def zigzag(v):
    return varint(2 * v if v >= 0 else -2 * v - 1)

class Numbers:
    """The numbers of a column, one after the other."""

    def __init__(self, data):
        self.range, self.cells = Range(data), {}

    def at(self, *circumstances):
        self.now = list(enumerate(circumstances))

    def bit(self, node):
        keys = [(t, k, node) for t, k in self.now]
        cells = [self.cells.setdefault(key, [32768, 0]) for key in keys]
        p = sum(p for p, _ in cells) // 3
        bit = 1 - self.range.symbol([p, 65536 - p])
        for cell in cells:
            rate = 65536 // (cell[1] + 2)
            cell[0] += (65536 - cell[0]) * rate >> 16 if bit else -(cell[0] * rate >> 16)
            cell[1] = min(cell[1] + 1, 30)
        return bit

    def number(self):
        if self.bit(0):
            return 0
        minus = self.bit(1)
        node, n = 3 + 30 * minus, 1
        while n < 42 and not self.bit(node + min(n, 15)):
            n += 1
        v = 1
        if n > 1:
            v = 2 + self.bit(node + 14 + min(n, 15))
        if n > 2:
            v = v << n - 2 | self.range.uniform(1 << n - 2)
        return -v if minus else v

def within(v, least):
    if not least <= v <= LIMIT:
        raise ValueError("a number beyond the limits")
    return v

class Series:
    def __init__(self):
        self.values, self.average, self.gain = [], [0, 0], 0

def column(kind, data, marks):
    """The column as it is raw. marks are the codes of all commands of the block's texts, in order, and a 0 where a game with annotations begins."""
    numbers, out, firsts = Numbers(data), b"", [0, 0, 0]
    for code in marks:
        if code == 0:
            series = [Series() for _ in range(3)]
            count, last, change, average, level, mate, mated = 0, 0, 0, 320, 0, 0, 0
        elif kind == 9 and code in (7, 8):
            sign = -1 if count & 1 else 1
            numbers.at(2 * min(step(average), 63) + (last == 0),
                       2 * (16 * signed(change, length, 16) + min(length(abs(last)), 15)) + mated,
                       8 * signed(last * sign, step, 64) + level)
            v = 0
            if not numbers.bit(2):
                v = within(last + sign * numbers.number(), -LIMIT)
                if v == 0:
                    raise ValueError("an evaluation of 0.00 that no writer writes")
            out += zigzag(v - last)
            level = 2 * level & 7 | (v == 0)
            change = sign * (v - last)
            average += 4 * abs(change) - (average >> 2)
            count, last, mated = count + 1, v, 0
        elif kind == 9 and code == 11:
            numbers.at(*[1024 + min(max(mate + 20, 0), 41) + 64 * mated + 128 * (count & 1)] * 3)
            mate = within(mate + numbers.number(), -LIMIT)
            out += zigzag(mate)
            count, mated = count + 1, 1
        elif kind in (7, 8) and kind == 7 + (code > 3) and code < 7:
            form = (code - 1) % 3
            s = series[form]
            n, side = len(s.values), len(s.values) & 1
            second = s.values[-2] if n > 1 else 0
            was = second
            if kind == 7 and n < 2:
                was = s.values[0] if n else firsts[form]
            first = 0 if kind == 8 else s.values[0] if n else was
            a, b, c = 16 * min(n // 2, 31) + min(length(first + 40 * s.gain), 15), n, n
            if n > 1:
                b = 16 + min(length(was), 15) + 16 * min(step(s.average[side]), 47)
                c = 8 + min(length(s.gain), 7) + 8 * min(step(was), 63)
            numbers.at(a, b, c)
            x = numbers.number()
            v = within(x + (was if kind == 7 else 0), 0)
            if n > 1:
                s.gain = max(s.gain, x)
                s.average[side] += 4 * abs(x) - (s.average[side] >> 2)
            if n == 0:
                firsts[form] = v
            s.values.append(v)
            out += zigzag(v - second) if kind == 7 else varint(v)
    numbers.range.finish()
    return out
