# SPDX-License-Identifier: Apache-2.0
"""Reads the same positions as WebDataset, TFRecord and bullet's ChessBoards, by other programs' readers, and compares them with an npz; and reads the card.

Usage: others.py NPZ-FOLDER WEBDATASET-FOLDER TFRECORD-FOLDER BULLET-FILE
"""
import json
import struct
import sys
from pathlib import Path

import crc32c
import numpy as np
import webdataset
import yaml
from arrays import arrays
from tfrecord import reader


def read_webdataset(folder):
    got = {}
    files = sorted(str(p) for p in folder.glob("*.tar"))
    assert len(files) == 2, files
    for path in files:
        sizes = []
        for sample in webdataset.WebDataset([path], shardshuffle=False, empty_check=False).decode():
            names = [k for k in sample if not k.startswith("__")]
            sizes.append(len(sample[names[0]]))
            for k in names:
                got.setdefault(k.removesuffix(".npy"), []).append(sample[k])
        assert len(sizes) > 1 and set(sizes[:-1]) == {100} and 0 < sizes[-1] <= 100, (path, sizes)
    return {k: np.concatenate(v) for k, v in got.items()}


def read_tfrecord(folder):
    got = {}
    for path in sorted(folder.glob("*.tfrecord")):
        b = path.read_bytes()
        at = 0
        while at < len(b):  # the checksums, which that reader passes over
            (n,) = struct.unpack_from("<Q", b, at)
            for part, where in ((b[at : at + 8], at + 8), (b[at + 12 : at + 12 + n], at + 12 + n)):
                c = crc32c.crc32c(part)
                c = ((c >> 15 | c << 17) + 0xA282EAD8) & 0xFFFFFFFF
                assert struct.unpack_from("<I", b, where)[0] == c, (path, at)
            at += 16 + n
        for row in reader.tfrecord_loader(str(path), None):
            for k, v in row.items():
                got.setdefault(k, []).append(np.frombuffer(v, np.uint8) if isinstance(v, bytes) else v)
    return {k: np.array(v) for k, v in got.items()}


def check_bullet(path, rows):
    b = path.read_bytes()
    assert len(b) == 32 * len(rows["ply"]), (len(b), len(rows["ply"]))
    for i in range(len(rows["ply"])):
        occupied, pieces, score, result, own, other = struct.unpack_from("<Q16shBBB3x", b, 32 * i)
        black = rows["state"][i][0]
        board = {}  # by square, as White sees it
        for n, s in enumerate(s for s in range(64) if occupied >> s & 1):
            v = pieces[n // 2] >> 4 * (n % 2) & 15
            board[s ^ 56 * black] = (v & 7) + 6 * ((v >> 3) ^ black)
        planes = np.unpackbits(rows["planes"][i], axis=-1, bitorder="little").reshape(12, 64)
        assert board == {int(s): p for p in range(12) for s in np.flatnonzero(planes[p])}, i
        assert board[own ^ 56 * black] == 5 + 6 * black and board[other ^ 56 ^ 56 * black] == 11 - 6 * black, i
        want = int(rows["eval"][i])
        if abs(want) <= 30000:
            assert score == want, (i, score, want)
        else:
            moves = min(32000 - abs(want), 122)
            assert score == (32001 - 2 * moves if want > 0 else -32000 + 2 * moves), (i, score, want)
        assert result == rows["result"][i] + 1, i


def check_card(folder):
    _, head, text = (folder / "README.md").read_text().split("---\n", 2)
    m = json.loads((folder / "manifest.json").read_text())
    head = yaml.safe_load(head)
    assert head["license"] == "cc0-1.0" and head["size_categories"] == ["1K<n<10K"] and head["tags"] == ["chess"], head
    files = head["configs"][0]["data_files"][0]
    assert files["split"] == "train"
    assert sorted(p.name for p in folder.glob(files["path"])) == [f["name"] for s in m["shards"] for f in s["files"]]
    for s in m["shards"]:
        for f in s["files"]:
            assert f["sha256"] in text and f["name"] in text
    assert (folder / "labels.txt").read_text().split("\n")[:-1] == m["labels"]["order"]


def main():
    folders = [Path(p) for p in sys.argv[1:]]
    want = arrays(folders[0], json.loads((folders[0] / "manifest.json").read_text()))
    got = read_webdataset(folders[1])
    assert list(got) == list(want), list(got)
    for k, a in want.items():
        assert got[k].dtype == a.dtype and np.array_equal(got[k], a, equal_nan=k == "wdl"), k
    got = read_tfrecord(folders[2])
    assert sorted(got) == sorted(want), list(got)
    for k, a in want.items():
        assert np.array_equal(got[k].reshape(a.shape).astype(a.dtype), a, equal_nan=k == "wdl"), k
    check_bullet(folders[3], want)
    check_card(folders[1])
    print(len(want["ply"]))


if __name__ == "__main__":
    main()
