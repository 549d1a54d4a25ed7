# SPDX-License-Identifier: Apache-2.0
"""Tests of archives. PLY11_ARCHIVE is one, and PLY11_EXPORT a folder that "ply11 export --to npy --labels lc0 --planes lc0 --legal" has made of it."""
import collections.abc
import glob
import itertools
import multiprocessing
import os
import pickle
import shutil
import sys
import tempfile
import threading
import types
import unittest
import weakref

import numpy as np

import ply11

PATH = os.environ.get("PLY11_ARCHIVE", "")
EXPORT = os.environ.get("PLY11_EXPORT", "")


def rows(batches):
    """The arrays of all batches, one behind the other."""
    list_ = list(batches)
    return ply11.Batch(*(None if c[0] is None else np.concatenate(c) for c in zip(*list_)))


def total(archive, queue):
    queue.put(total_of(archive))


@unittest.skipUnless(PATH, "PLY11_ARCHIVE is not set")
class Archive(unittest.TestCase):
    def setUp(self):
        self.a = ply11.open(PATH)

    def test_sequence(self):
        a = self.a
        self.assertEqual(a[-1].number, len(a))
        self.assertEqual([g.number for g in a[3:9:2]], [4, 6, 8])
        for i in (len(a), -len(a) - 1):
            with self.assertRaises(IndexError):
                a[i]
        with self.assertRaises(TypeError):
            a["x"]
        self.assertNotIsInstance(a, collections.abc.Sequence)  # of which polars makes a column of objects

    def test_tree_file(self):
        with open(PATH + "t", "rb") as f:
            data = f.read()
        want = ply11.TreeFile(data).tree(ply11.Board())
        for t in ply11.TreeFile(PATH + "t"), pickle.loads(pickle.dumps(ply11.TreeFile(data))):
            self.assertEqual(t.tree(ply11.Board()), want)
        for i in range(len(data)):
            with self.assertRaises(ply11.ArchiveError):
                ply11.TreeFile(data[:i])

    def test_arrays_are_views(self):
        g = self.a[len(self.a) - 1]
        moves, copy = g.moves, g.moves.copy()
        self.assertEqual(moves.dtype, np.uint16)
        self.assertFalse(moves.flags.owndata)
        with self.assertRaises(ValueError):
            moves[0] = 1
        address = moves.__array_interface__["data"][0]
        self.assertEqual(g.moves.__array_interface__["data"][0], address)
        memory = weakref.ref(g._block.memory)
        del g
        self.a = None
        self.assertTrue((moves == copy).all())  # the array keeps what it shows
        del moves
        self.assertIsNone(memory())  # and nothing else

    def test_plies(self):
        a = self.a
        self.assertEqual(len(a.plies), a.n_plies)
        everything = rows(a.batches(1000, planes=None, positions=True, invalid=True))
        place = {x: i for i, x in enumerate(zip(everything.games.tolist(), everything.plies.tolist()))}
        begins = np.concatenate(([0], np.cumsum([len(g) for g in a])))
        rng = np.random.default_rng(1)
        for i in [0, a.n_plies - 1] + rng.integers(0, a.n_plies, 30).tolist():
            p = a.plies[i]
            game = int(np.searchsorted(begins, i, "right")) - 1
            self.assertEqual((p.game.number - 1, p.ply), (game, i - begins[game]))
            if p.move != ply11.NULL:
                row = place[game, p.ply]
                self.assertEqual(p.move, everything.moves[row])
                self.assertEqual(p.board.position.tobytes(), everything.positions[row:row + 1].tobytes())
        self.assertEqual(a.plies[-1].move, a.plies[a.n_plies - 1].move)
        with self.assertRaises(IndexError):
            a.plies[a.n_plies]

    @unittest.skipUnless(EXPORT, "PLY11_EXPORT is not set")
    def test_batches_are_those_of_export(self):
        want = {os.path.basename(f).split(".")[1]: np.load(f) for f in glob.glob(os.path.join(EXPORT, "*.npy"))}
        got = rows(self.a.batches(1000, planes="lc0", labels="lc0", bits=True, legal=True, evals=True))
        np.testing.assert_array_equal(got.planes, want["planes"])
        np.testing.assert_array_equal(got.labels, want["labels"])
        np.testing.assert_array_equal(got.legal, want["legal"])
        np.testing.assert_array_equal(got.results, want["result"])
        np.testing.assert_array_equal(got.evals, want["eval"])
        np.testing.assert_array_equal(got.games + 1, want["game"])
        np.testing.assert_array_equal(got.plies, want["ply"])

    def test_bytes_are_the_bits(self):
        for planes in ("lc0", "board"):
            bits, spread = (rows(itertools.islice(self.a.batches(512, planes=planes, bits=b), 3)).planes for b in (True, False))
            clock = spread[:, 109, :, 0].copy() if planes == "lc0" else None
            got = np.packbits(spread != 0, axis=-1, bitorder="little")[..., 0]
            if clock is not None:
                np.testing.assert_array_equal(clock, bits[:, 109])
                got[:, 109] = bits[:, 109]
            np.testing.assert_array_equal(got, bits)

    def test_other_columns(self):
        bits, other = (rows(self.a.batches(512, **o)) for o in ({"legal": True}, {"legal": "bool", "dtype": np.float32, "clocks": True}))
        np.testing.assert_array_equal(np.unpackbits(bits.legal, axis=1, bitorder="little")[:, :1858], other.legal)
        self.assertTrue(other.legal.dtype == np.bool_ and other.legal[np.arange(len(other.labels)), other.labels].all())
        want = bits.planes.astype(np.float32)
        want[:, 109] /= 99
        np.testing.assert_array_equal(other.planes, want)
        self.assertEqual(other.clocks.tolist(), [self.a[g].clocks[p] for g, p in zip(other.games.tolist(), other.plies.tolist())])
        self.assertTrue((other.clocks >= 0).any())

    def test_shuffle(self):
        a = self.a
        plain = rows(a.batches(100, planes="board", bits=True))
        n = plain.moves.size
        first, again, other = (rows(a.batches(100, planes="board", bits=True, shuffle=s)) for s in (1, 1, 2))
        np.testing.assert_array_equal(first.moves, again.moves)
        self.assertFalse((first.moves == other.moves).all())
        back = np.lexsort((first.plies, first.games))
        for got, want in zip(first, plain):  # the same rows in another order
            if want is not None:
                np.testing.assert_array_equal(got[back], want)
        # A drawn order: neighbours are of one game as often as chance has it, and half of the rows of a half are of the first half.
        sizes = np.bincount(plain.games)
        expected = float((sizes / n) @ (sizes - 1) / (n - 1)) * (n - 1)
        same = int((np.diff(first.games) == 0).sum())
        self.assertLess(abs(same - expected), 6 * expected ** 0.5)
        early = int((back[:n // 2] < n // 2).sum())
        self.assertLess(abs(early - n / 4), 6 * (n / 16) ** 0.5)

    def test_parts(self):
        a = self.a
        whole = rows(a.batches(77, planes=None, shuffle=5))
        parts = [rows(a.batches(77, planes=None, shuffle=5, part=(i, 3))) for i in range(3)]
        self.assertEqual(sorted(zip(whole.games, whole.plies)), sorted(x for p in parts for x in zip(p.games, p.plies)))
        self.assertEqual([len(b.moves) for b in a.batches(whole.moves.size - 1, planes=None)], [whole.moves.size - 1, 1])
        self.assertEqual([len(b.moves) for b in a.batches(whole.moves.size - 1, planes=None, drop_last=True)], [whole.moves.size - 1])
        for wrong in ({"planes": "x"}, {"labels": "x"}, {"part": (1, 1)}, {"window": 0}, {"labels": None, "legal": True}, {"legal": "x"}, {"bits": True, "dtype": "f4"}):
            with self.assertRaises(ValueError):
                a.batches(10, **wrong)

    def test_processes(self):
        want = total_of(self.a)
        for method in ("fork", "spawn"):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            self.a[0].moves  # the parent has a block in memory
            workers = [context.Process(target=total, args=(self.a, queue)) for _ in range(2)]
            for w in workers:
                w.start()
            self.assertEqual([queue.get(timeout=60) for _ in workers], [want] * 2)
            for w in workers:
                w.join()

    def test_threads(self):
        want, got = total_of(self.a), []
        threads = [threading.Thread(target=lambda: got.append(total_of(self.a))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(got, [want] * 4)

    def test_dataset(self):
        batch = next(iter(ply11.Dataset(PATH, 50, planes="board", labels="lc0", legal=True)))
        self.assertIn("planes", batch)
        # The integers that all versions of PyTorch have.
        self.assertLessEqual({a.dtype.name for a in batch.values()}, {"uint8", "int8", "int16", "int32", "int64"})

    def test_dataset_in_workers(self):
        # What the package asks of PyTorch, and no more.
        class IterableDataset:
            pass

        data = types.ModuleType("torch.utils.data")
        data.IterableDataset, data.get_worker_info = IterableDataset, lambda: types.SimpleNamespace(id=worker, num_workers=2, seed=drawn + worker)
        torch, utils = types.ModuleType("torch"), types.ModuleType("torch.utils")
        torch.utils, utils.data = utils, data
        names = {"torch": torch, "torch.utils": utils, "torch.utils.data": data}
        sys.modules.update(names)
        try:
            ranks = [ply11.Dataset(PATH, 50, planes=None, part=(rank, 3)) for rank in range(3)]
            self.assertIsInstance(ranks[0], IterableDataset)
            again = ply11.Dataset(PATH, 50, planes=None, part=(0, 3))
            epochs = []
            for drawn in (7, 2 ** 62, 8):  # in each epoch workers begin anew, with another number
                epochs.append([])
                for d in ranks:
                    batches = []
                    for worker in range(2):
                        batches += [list(zip(b["games"], b["plies"])) for b in pickle.loads(pickle.dumps(d))]
                    self.assertEqual(len(batches), len(d))
                    epochs[-1] += sum(batches, [])
            # Each worker goes on from its own place.
            for worker in range(2):
                d, other = (ply11.Dataset(PATH, 50, planes=None) for _ in range(2))
                batches = iter(d)
                next(batches)
                other.load_state_dict(d.state_dict())
                for x, y in itertools.zip_longest(batches, other):
                    np.testing.assert_array_equal(x["games"], y["games"])
            # What is left of an epoch of which three batches were taken.
            inside, data.get_worker_info = data.get_worker_info, lambda: None
            with self.assertRaises(ValueError):
                ranks[0].state_dict()
            again.load_state_dict({"epoch": 0, "batch": 3})
            left, data.get_worker_info = [], inside
            for worker in range(2):
                left += [list(zip(b["games"], b["plies"])) for b in pickle.loads(pickle.dumps(again))]
            data.get_worker_info = lambda: None
            self.assertEqual((again.state_dict(5), len(left)), ({"epoch": 0, "batch": 5}, len(again) - 3))
            self.assertEqual(again.state_dict(len(again)), {"epoch": 1, "batch": 0})
        finally:
            for name in names:
                del sys.modules[name]
        plain = rows(self.a.batches(100, planes=None))
        self.assertNotEqual(epochs[0], epochs[1])
        self.assertNotEqual(epochs[1], epochs[2])
        for rows_ in epochs:
            self.assertEqual(sorted(rows_), sorted(zip(plain.games, plain.plies)))
        self.assertLess(set(sum(left, [])), set(epochs[0][:len(epochs[0]) // 3 + 1]))

    def test_dataset_goes_on(self):
        whole = ply11.Dataset(PATH, 64, planes=None, shuffle=4)
        epochs = [[b["games"].tolist() for b in whole] for _ in range(2)]
        self.assertNotEqual(*epochs)
        whole.set_epoch(1)
        self.assertEqual([b["games"].tolist() for b in pickle.loads(pickle.dumps(whole))], epochs[1])
        d = ply11.Dataset(PATH, 64, planes=None, shuffle=4)
        self.assertEqual(d.state_dict(), {"epoch": 0, "batch": 0})
        self.assertEqual([b["games"].tolist() for b, _ in zip(d, range(5))], epochs[0][:5])
        self.assertEqual(d.state_dict(5), {"epoch": 0, "batch": 5})
        other = ply11.Dataset(PATH, 64, planes=None, shuffle=4)
        other.load_state_dict({"epoch": 0, "batch": 5})
        self.assertEqual([b["games"].tolist() for b in other], epochs[0][5:])
        self.assertEqual(other.state_dict(), {"epoch": 1, "batch": 0})
        self.assertEqual([b["games"].tolist() for b in other], epochs[1])

    def test_dataset_of_several(self):
        n = len(self.a)
        d = ply11.Dataset([PATH, (PATH, 2.25)], 50, planes=None)
        one = sum(len(b.moves) for b in self.a.batches(1000, planes=None))
        for _ in range(2):
            games = np.concatenate([b["games"] for b in d])
            plies = np.bincount(games, minlength=2 * n)
            self.assertEqual((plies[:n].sum(), plies[n:].sum()), (one, int(2.25 * one)))
            self.assertTrue((plies[n:] >= 2 * plies[:n]).all())
        self.assertEqual(len(d), -(-len(games) // 50))
        parts = [ply11.Dataset(PATH, 7, planes=None, part=(i, 5), drop_last=True) for i in range(5)]
        self.assertEqual({len(p) for p in parts}, {one // 5 // 7})
        self.assertEqual([sum(len(b["moves"]) for b in p) for p in parts], [7 * (one // 5 // 7)] * 5)
        with self.assertRaises(ValueError):
            ply11.Dataset([(PATH, 0)], 50)

    def test_close(self):
        with ply11.open(PATH) as a:
            game = a[0]
            last = a[-1].moves.copy()
        self.assertGreater(len(game.moves), 0)
        with self.assertRaises(ply11.ArchiveError):
            a.verify()
        self.assertEqual(ply11.open(PATH)[-1].moves.tolist(), last.tolist())
        a.close()

    def test_truncated_while_open(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "games.p11")
            shutil.copyfile(PATH, path)
            with ply11.open(path) as a:
                os.truncate(path, 100)
                with self.assertRaises(ply11.ArchiveError):
                    a.verify()

    def test_damage(self):
        with open(PATH, "rb") as f:
            data = bytearray(f.read())
        data[200] ^= 1
        a = ply11.open(bytes(data))
        with self.assertRaises(ply11.ArchiveError) as e:
            a[0]
        self.assertEqual(e.exception.block, 1)
        with self.assertRaises(ply11.ArchiveError):
            ply11.open(b"")
        with self.assertRaises(FileNotFoundError):
            ply11.open(PATH + ".none")
        os.fstat(0)  # which is not closed in place of the file
        with self.assertRaises(ply11.ArchiveError):
            ply11.open(PATH, limit=10000)[0]

    def test_flipped_bit_of_moves(self):
        with open(PATH, "rb") as f:
            data = bytearray(f.read())
        sizes = {data[i]: 1 + int.from_bytes(data[i + 1:i + 4], "little") for i in range(92, 92 + 24 * data[38], 24)}
        first = 32 + int.from_bytes(data[36:38], "little") + sizes[1]  # of the moves of the first block
        for at in range(first, first + sizes[2], 5):
            data[at] ^= 1 << at % 8
            for options in ({"planes": None, "labels": None}, {"planes": "board", "shuffle": 1}):
                with self.assertRaises(ply11.ArchiveError) as e:
                    list(ply11.open(bytes(data)).batches(64, verify=False, **options))
                self.assertEqual(e.exception.block, 1)
            data[at] ^= 1 << at % 8
        data[first - 4 - sizes[1] // 2] ^= 1  # and of their index
        with self.assertRaises(ply11.ArchiveError):
            list(ply11.open(bytes(data)).batches(64, verify=False))

    def test_dataset_refuses(self):
        for wrong in ({"window": 0}, {"planes": "x"}, {"labels": "x"}, {"part": (1, 1)}):
            with self.assertRaises((TypeError, ValueError)):
                ply11.Dataset(PATH, 50, **wrong)
        with self.assertRaises(FileNotFoundError):
            ply11.Dataset(PATH + ".none", 50)


def total_of(a):
    return len(a[0]), sum(int(b.moves.sum(dtype=np.int64)) for b in a.batches(100, planes=None))


if __name__ == "__main__":
    unittest.main()
