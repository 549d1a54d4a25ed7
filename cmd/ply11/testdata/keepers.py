# SPDX-License-Identifier: Apache-2.0
"""What keepers do with games, counted by python-chess: keepers.py GAMES REPERTOIRE prints JSON."""
import collections
import json
import sys

import chess.pgn


def read(path):
    with open(path, encoding="utf-8") as f:
        while (game := chess.pgn.read_game(f)) is not None:
            yield game


def key(board):
    """A position without counters; en passant counts where a pawn stands beside."""
    ep = board.ep_square if board.has_pseudo_legal_en_passant() else None
    return f"{board.board_fen()} {board.turn} {board.castling_xfen()} {ep}"


def speed(game):
    base, _, more = game.headers.get("TimeControl", "").partition("+")
    if not base.isdigit() or not more.isdigit():
        return ""
    seconds = int(base) + 40 * int(more)
    for most, name in (29, "ultraBullet"), (179, "bullet"), (479, "blitz"), (1499, "rapid"), (21599, "classical"):
        if seconds <= most:
            return name
    return "correspondence"


games = list(read(sys.argv[1]))
book = {}
for game in read(sys.argv[2]):
    nodes = [game]
    while nodes:
        node = nodes.pop()
        for child in node.variations:
            book.setdefault(key(node.board()), set()).add(child.move)
            nodes.append(child)

out = collections.defaultdict(list)
had, tree, scores = collections.Counter(), collections.Counter(), collections.defaultdict(lambda: [0, 0, 0])
lines = []
for game in games:
    board, line, quiet = game.board(), [], 0
    for move in game.mainline_moves():
        line.append((key(board), f"{board.fullmove_number}.{'' if board.turn else '..'}{board.san(move)}", move))
        board.push(move)
        quiet = max(quiet, board.halfmove_clock)
    line.append((key(board), "", None))
    lines.append(line)
    out["moves"].append(" ".join(name.lstrip("0123456789.").rstrip("+#") for _, name, _ in line[:-1]))
    if quiet >= 40:
        out["quiet"].append(len(lines))
    had.update({k for k, _, _ in line})
for number, (game, line) in enumerate(zip(games, lines), 1):
    seen = collections.Counter(k for k, _, _ in line)
    if max(seen.values()) >= 3:
        out["repetition"].append(number)
    new = next((i for i in range(1, len(line)) if had[line[i][0]] < 2), None)
    if new is not None:
        out["novelty"].append(f"{number} {new} {line[new - 1][1]}")
    left = next((i for i, (k, _, move) in enumerate(line) if move and k in book and move not in book[k]), None)
    if left is not None:
        out["repertoire"].append(f"{number} {left + 1} {line[left][1]}")
    if len(line) > 40:
        out["fens"].append(line[40][0].split(" ")[0])
    out[speed(game)].append(number)
    if line[0][0] == key(chess.Board()):
        tree.update(name[2:] for _, name, move in line[:1] if move)
    points = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}.get(game.headers["Result"])
    if points is not None:
        scores[game.headers["White"]][points] += 1
        scores[game.headers["Black"]][2 - points] += 1
out["sorted"] = [n for *_, n in sorted((g.headers["Date"].replace("?", " "), g.headers["White"].lower(), n) for n, g in enumerate(games, 1))]
groups = collections.defaultdict(list)
for number, line in enumerate(lines, 1):
    if len(line) > 1:
        groups[line[0][0], tuple(move for _, _, move in line)].append(number)
out["same"] = [" ".join(map(str, g)) for g in groups.values() if len(g) > 1]
out["tree"] = sorted(f"{san} {n}" for san, n in tree.items())
best = max(scores, key=lambda name: (sum(scores[name]), name))
out["best"] = [best, *map(str, scores[best])]
json.dump(out, sys.stdout)
