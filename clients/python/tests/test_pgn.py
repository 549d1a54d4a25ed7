# SPDX-License-Identifier: Apache-2.0
"""Tests of what the program ply11 does for the package. PLY11_PGN is a PGN file, compressed by zstd. It is compared with python-chess, where that is installed."""
import io
import multiprocessing
import os
import pickle
import shutil
import tempfile
import unittest
from unittest import mock

import numpy as np

import ply11
from ply11 import _program

try:
    import chess.pgn
    import pyarrow
except ImportError:
    pyarrow = None

PATH = os.environ.get("PLY11_PGN", "")


@unittest.skipUnless(PATH, "PLY11_PGN is not set")
class PGN(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = shutil.copy(PATH, os.path.join(self.folder, "games.pgn.zst"))

    @unittest.skipUnless(pyarrow, "python-chess or pyarrow is not installed")
    def test_batches_are_those_of_python_chess(self):
        kinds = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING]
        planes, moves, results = [], [], []
        with pyarrow.input_stream(self.path, compression="zstd") as raw:
            games = io.StringIO(raw.read().decode())
        while (game := chess.pgn.read_game(games)) is not None:
            for node in game.mainline():
                board = node.parent.board()
                sides = [board.pieces_mask(k, color) for color in (board.turn, not board.turn) for k in kinds]
                planes.append(sides if board.turn else [chess.flip_vertical(m) for m in sides])
                moves.append(node.move.uci())
                won = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game.headers["Result"], -128)
                results.append(won if board.turn or won == -128 else -won)
            if len(moves) > 5000:
                break
        with ply11.open(self.path) as a:
            batch = next(a.batches(len(moves), bits=True))
        got = np.ascontiguousarray(batch.planes[:, :12]).view("<u8")[..., 0]
        np.testing.assert_array_equal(got, np.array(planes, np.uint64))
        self.assertEqual([ply11.to_uci(m) for m in batch.moves], moves)
        self.assertEqual(batch.results.tolist(), results)

    def test_temporary(self):
        with ply11.open(self.path) as a:
            name, n = a._handle.name, len(a)
            again = pickle.loads(pickle.dumps(a))
            with multiprocessing.get_context("fork").Pool(1) as pool:
                self.assertEqual(pool.apply(len, (a,)), n)
            self.assertEqual((len(again), again[0].moves.tolist()), (n, a[0].moves.tolist()))
            self.assertTrue(os.path.exists(name))
        self.assertFalse(os.path.exists(os.path.dirname(name)))
        a = ply11.open(self.path)
        game, name = a[-1], a._handle.name
        del a
        self.assertEqual(game.start, ply11.open(self.path)[-1].start)
        self.assertTrue(os.path.exists(name))
        del game
        self.assertFalse(os.path.exists(name))
        self.assertEqual(next(iter(ply11.Dataset(self.path, 10)))["moves"].shape, (10,))

    def test_beside(self):
        archive = os.path.join(self.folder, "games.p11")
        a = ply11.open(self.path, beside=True)
        made, size = os.stat(archive).st_mtime_ns, os.path.getsize(archive)
        self.assertEqual(len(ply11.open(self.path, beside=True)), len(a))
        self.assertEqual(os.stat(archive).st_mtime_ns, made)
        os.utime(archive, (1, 1))
        with self.assertRaisesRegex(ply11.ProgramError, "exist"):
            ply11.open(self.path, beside=True)
        ply11.pack(self.path, archive, dense=True, force=True)
        self.assertLess(os.path.getsize(archive), size)
        for _ in range(2):
            ply11.index(archive)
        dense = ply11.open(archive)
        first = dense.tree(ply11.Board()).all.games
        ply11.index(archive, force=True)
        self.assertEqual(ply11.open(archive).tree(ply11.Board()).all.games, first)

    def test_find(self):
        with ply11.open(self.path) as a:
            white, board = a[1].tags["White"], a[1].start
            want = [i for i, g in enumerate(a) if g.tags["White"] == white]
            self.assertEqual(a.find(f"white=={white}").tolist(), want)
            self.assertEqual(a.find(f"limit=1; white=={white}; fen=startpos; not=games=1; plies=-9999").tolist(), want[want[0] == 0:][:1])
            self.assertEqual(a.find("player==nobody at all").tolist(), [])
            self.assertEqual(a.find("").tolist(), list(range(len(a))))
            with self.assertRaisesRegex(ply11.ProgramError, "^--date.* no date") as e:
                a.find("date=x")
            self.assertEqual(e.exception.status, 2)
        with self.assertRaises(ValueError):
            ply11.open(b"").find("")

    def test_no_program(self):
        with mock.patch.object(_program, "_BUNDLED", "/none"), mock.patch.dict(os.environ, PATH=self.folder):
            with self.assertRaisesRegex(FileNotFoundError, "install Go"):
                ply11.open(self.path)
        with self.assertRaisesRegex(ply11.ProgramError, "no such file|cannot find"):
            ply11.open(os.path.join(self.folder, "none.PGN"))
