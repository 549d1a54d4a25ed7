# SPDX-License-Identifier: Apache-2.0
"""Prints all games of archives, whose names are on the standard input, or what is wrong with each, as the driver of the core in C does."""
import sys

import ply11


def hexadecimal(text):
    return text.encode("utf-8", "surrogateescape").hex()


def fen(game):
    try:
        board = game.start
    except ply11.ArchiveError:
        return "?"
    return "-" if board == ply11.Board() else board.fen


def numbers(a):
    return "".join(f"{x}," for x in a.tolist())


for name in sys.stdin.read().splitlines():
    try:
        a = ply11.open(name)
        a.verify()
        lines = [f"games {len(a)}, plies {a.n_plies}\n"]
        for g in a:
            result = 1968 + ["0-1", "1/2-1/2", "1-0", "*"].index(g.result)
            tags = "".join(f"{hexadecimal(k)}={hexadecimal(v)} " for k, v in g.all_tags)
            lines.append(f"{g.number}\t{result}\t{int(g.valid)}\t{fen(g)}\t{numbers(g.moves)}\t{numbers(g.clocks)}\t{numbers(g.evals)}\t{g.start_eval}\t{tags}\n")
    except ply11.ArchiveError as e:
        lines = [f"error {e.status}: {e.what}; block {e.block}, column {e.column}, game {e.game}\n"]
    sys.stdout.write("".join(lines))
