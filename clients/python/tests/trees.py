# SPDX-License-Identifier: Apache-2.0
"""Prints what indexes, or by "counts" tree files, tell of positions of archives, whose names are on the standard input, as the driver of the core in C does."""
import sys

import ply11


def text(c):
    return f" {c.games} {c.white} {c.draws} {c.black} {c.white_ratings}/{c.white_rated} {c.black_ratings}/{c.black_rated}"


for name in sys.stdin.read().splitlines():
    a = ply11.open(name)
    x = ply11.TreeFile(name + "t") if "counts" in sys.argv else a
    lines = [f"games {len(a)}\n"]
    for g in a:
        line = g.positions()
        for ply in range(len(line)):
            if ply % 7 < 2:
                t = x.tree(ply11.Board.at(line, ply))
                lines.append(text(t.all) + "".join(f", {code}:{text(c)}" for code, c in t.moves.items()) + "\n")
    sys.stdout.write("".join(lines))
