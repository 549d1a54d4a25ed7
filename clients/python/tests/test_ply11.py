# SPDX-License-Identifier: Apache-2.0
"""Run with the package on the path: python -m unittest discover tests. Of the rules, the tests of the core in C say more."""
import doctest
import random
import unittest

import numpy as np

import ply11


def game(seed, plies=80, start=None):
    """A random game: its codes."""
    rng, board, codes = random.Random(seed), (start or ply11.Board()).copy(), []
    while len(codes) < plies and len(board.legal()):
        codes.append(board.push(int(rng.choice(board.legal()))))
    return np.array(codes, np.uint16)


class Index(unittest.TestCase):
    def test_both_ways(self):
        moves = np.arange(ply11.MOVES)
        w = ply11.WORDS[:ply11.MOVES]
        np.testing.assert_array_equal(ply11.codes(w & 63, w >> 6 & 63, w >> 12 & 7), moves)
        self.assertTrue((ply11.WORDS[ply11.MOVES:] == 0).all())
        self.assertEqual(ply11.codes(0, 0), 0xFFFF)
        self.assertEqual([f([396, 2000]).tolist() for f in (ply11.mirror_ranks, ply11.mirror_files)], [[1460, 2000], [ply11.from_uci("d2d4"), 2000]])

    def test_names(self):
        self.assertEqual([ply11.control_name(c) for c in (396, 1969, 1979, 2010, 2047, -1)], [None, "ResultDraw", "NAG3", None, "Idle", None])
        with self.assertRaises(ValueError):
            ply11.to_uci(2000)
        with self.assertRaises(ply11.Error):
            ply11.from_uci("e2e9")
        for wrong in ([-1], [2048], [1.5], ["e4"]):
            with self.assertRaises(ValueError):
                ply11.mirror_ranks(wrong)

    def test_labels_of_a_vocabulary(self):
        self.assertEqual([ply11.vocabulary_size(v) for v in ply11.VOCABULARIES], [1968, 1858, 4672, 1968, 1968])
        king = ply11.vocabulary_labels("lc0", "K")
        self.assertEqual(king[ply11.from_uci("e1g1")], ply11.vocabulary_labels("lc0", "R")[ply11.from_uci("e1h1")])
        self.assertEqual((ply11.vocabulary_labels("index", "P") >= 0).sum(), 206)
        with self.assertRaises(ValueError):
            ply11.vocabulary_size("lc1")
        with self.assertRaises(ValueError):
            ply11.vocabulary_labels("lc0", "x")


class Rules(unittest.TestCase):
    def test_board(self):
        b = ply11.Board()
        for move in "e4 e5 Bc4 Nc6 Qh5".split():
            b.push(move)
        self.assertEqual(b.push("g8f6"), 766)
        self.assertEqual(b.san("h5f7"), "Qxf7#")
        b.push(b.parse("Qxf7"))
        self.assertEqual((b.outcome, len(b.legal()), b.black, b.piece(53), b.piece(39)), ("mate", 0, True, "Q", None))
        self.assertNotEqual(b, b.copy().__class__())
        self.assertEqual(b, ply11.Board(b.fen))

    def test_errors(self):
        with self.assertRaises(ply11.Error) as e:
            ply11.Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1")
        self.assertEqual(e.exception.at, 44)
        for wrong in ("e5", "Ke2", "", "é", 1460, -3):
            with self.assertRaises(ply11.Error):
                ply11.Board().push(wrong)
        with self.assertRaises(ply11.Error) as e:
            ply11.replay([396, 396])
        self.assertEqual((e.exception.at, str(e.exception)), (1, "move 2 of the line, code 396: illegal move"))

    def test_replay(self):
        for seed in range(20):
            moves = game(seed)
            line = ply11.replay(moves)
            self.assertEqual(line.tobytes(), ply11.replay(moves, verify=False).tobytes())
            b = ply11.Board()
            for i, m in enumerate(moves):
                self.assertEqual(ply11.Board.at(line, i), b)
                mask = b.mask()
                np.testing.assert_array_equal(np.flatnonzero(mask), np.sort(b.legal()))
                b.push(int(m))

    def test_chess960(self):
        b = ply11.Board("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1")
        self.assertTrue(b.chess960)
        self.assertEqual((ply11.to_uci(b.push("O-O-O")), b.fen, b.chess960), ("d1b1", "4k3/8/8/8/8/8/8/2KR4 b - - 1 1", False))


class Streams(unittest.TestCase):
    def test_words(self):
        data = bytes.fromhex("8cc97ded1773fb00e0c1f6b48dfdffffffffffffffff")
        games = list(ply11.read_words(data))
        self.assertEqual(len(games), 1)
        g = games[0]
        self.assertEqual((g.moves.tolist(), g.result), ([396, 1460], "1/2-1/2"))
        self.assertEqual(g.events, [("move", 396), ("nag", 1), ("(", None), ("move", 395), ("text", "x"), (")", None), ("move", 1460)])
        self.assertEqual(ply11.pack_words(ply11.unpack_words(data)), data)
        with self.assertRaises(ply11.Error) as e:
            list(ply11.read_words(ply11.pack_words([396, 396, 1969])))
        self.assertEqual(e.exception.at, 1)
        long = "é" * 5000
        words = [1975, 2046]  # pieces are read together: see docs/WORDS.md
        text, out = long.encode(), []
        for i in range(0, len(text) + 1, 2046):
            piece = text[i:i + 2046]
            bits = int.from_bytes(piece, "little")
            out += [1975, len(piece)] + [bits >> 11 * k & 2047 for k in range((8 * len(piece) + 10) // 11)]
        self.assertEqual(words, out[:2])
        self.assertEqual(next(ply11.read_words(ply11.pack_words(out + [1969]))).events, [("text", long)])


class Arrays(unittest.TestCase):
    def test_planes(self):
        line = ply11.replay(game(1))
        for turns, king in (False, 6), (True, 0):
            p = ply11.planes(line, turns=turns)
            self.assertEqual(p[1, king + 5].nonzero(), (7 - 7 * turns, 4))  # of Black, whose turn it is
            bits = ply11.planes(line, turns=turns, bits=True)
            np.testing.assert_array_equal(np.unpackbits(bits, axis=2, bitorder="little").reshape(p.shape), p)

    def test_lc0(self):
        line = ply11.replay(ply11.codes([6, 62, 21, 45] * 3, [21, 45, 6, 62] * 3))
        p = ply11.lc0_planes(line)
        self.assertEqual(p.shape, (13, 112, 8, 8))
        self.assertEqual([int(p[i, 12].all()) for i in range(13)], [0, 0, 0, 0] + [1] * 9)
        np.testing.assert_array_equal(p[:, 109, 3, 5], np.arange(13))
        np.testing.assert_array_equal(p[5:9], ply11.lc0_planes(line, 5, 9))
        self.assertTrue(p[:, 111].all() and not p[:, 110].any())
        np.testing.assert_array_equal(ply11.lc0_planes(line, bits=True)[:, 109, 0], np.arange(13))

    def test_out(self):
        line = ply11.replay(game(3))
        n = len(line)
        for f, shape in ((ply11.planes, (n, 12, 8, 8)), (ply11.lc0_planes, (n, 112, 8, 8)), (ply11.states, (n, 7)), (ply11.legal_masks, (n, 246)), (ply11.label_masks, (n, 233))):
            out = np.full(shape, 77, np.uint8)
            self.assertIs(f(line, out=out), out)
            np.testing.assert_array_equal(out, f(line))
            for wrong in (out[:-1], out.astype(np.int32), np.asfortranarray(out) if out.ndim > 1 else out[::2]):
                with self.assertRaises(ValueError):
                    f(line, out=wrong)
        with self.assertRaises(ValueError):
            ply11.planes(np.zeros(3))
        with self.assertRaises(ValueError):
            ply11.lc0_planes(line, 5, n + 1)
        self.assertEqual(ply11.planes(line[:0]).shape, (0, 12, 8, 8))

    def test_labels(self):
        moves = game(1)
        line = ply11.replay(moves)[:-1]
        for v in ply11.VOCABULARIES:
            got = ply11.labels(line, moves, v)
            masks = np.unpackbits(ply11.label_masks(line, v), axis=1, bitorder="little")
            self.assertTrue(masks[np.arange(len(got)), got].all())
            np.testing.assert_array_equal(masks.sum(1), np.unpackbits(ply11.legal_masks(line), axis=1).sum(1))


class Docs(unittest.TestCase):
    def test_docstring(self):
        self.assertEqual(doctest.testmod(ply11).failed, 0)


if __name__ == "__main__":
    unittest.main()
