// SPDX-License-Identifier: Apache-2.0

// Run by: npm test. Of the rules, the tests of the core in C say more.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import * as ply11 from "ply11";

test("the table of docs/INDEX.md", () => {
  let table = "index\tclass\tfrom\tto\tpromotion\n";
  for (let c = 0; c < ply11.MOVES; c++) {
    const uci = ply11.toUCI(c);
    table += `${c}\t${ply11.codeClass(c)}\t${uci.slice(0, 2)}\t${uci.slice(2, 4)}\t${uci[4] ?? "-"}\n`;
    assert.equal(ply11.fromUCI(uci), c);
    assert.equal(ply11.mirrorRanks(ply11.mirrorRanks(c)), c);
    assert.equal(ply11.mirrorFiles(ply11.mirrorFiles(c)), c);
  }
  assert.equal(createHash("sha256").update(table).digest("hex"), "b04bfc839547f25f1b584dce20f73bb41c97816df523d04f4ccab1d1dea67768");
});

test("codes that are no moves", () => {
  assert.deepEqual([396, 1969, 1979, 2010, 2047, -1, 1.5, "x"].map(ply11.controlName), [null, "ResultDraw", "NAG3", null, "Idle", null, null, null]);
  assert.deepEqual([ply11.toUCI(1972), ply11.toUCI(2000), ply11.toUCI(NaN), ply11.move(1968)], ["0000", "", "", null]);
  assert.deepEqual(ply11.move(1792), { from: 48, to: 56, promotion: "n" });
  assert.throws(() => ply11.fromUCI("e2e9"), ply11.Ply11Error);
});

function perft(board, depth) {
  const legal = board.legal();
  if (depth === 1) return legal.length;
  let n = 0;
  for (const code of legal) {
    const next = board.copy();
    next.push(code);
    n += perft(next, depth - 1);
  }
  return n;
}

test("moves are counted", () => {
  assert.equal(perft(new ply11.Board(), 3), 8902);
  assert.equal(perft(new ply11.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 3), 97862);
  assert.equal(perft(new ply11.Board("qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9"), 3), 26578);
});

test("a game", () => {
  const b = new ply11.Board();
  for (const m of ["e4", "e5", "Bc4", "Nc6", "Qh5", 766]) b.push(m);
  assert.equal(b.san("h5f7"), "Qxf7#");
  assert.equal(b.label("h5f7", "index"), ply11.fromUCI("h5f7"));
  const mask = b.mask();
  assert.deepEqual([...b.legal()].sort((x, y) => x - y), [...Array(1968).keys()].filter((c) => (mask[c >> 3] >> (c & 7)) & 1));
  const before = b.copy();
  b.push("Qxf7#");
  assert.deepEqual([b.outcome, b.legal().length, b.black, b.man(53), b.man(39)], ["mate", 0, true, "Q", null]);
  assert.equal(new ply11.Board(before.fen).fen, before.fen);
});

test("what is refused", () => {
  assert.throws(() => new ply11.Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1"), (e) => e instanceof ply11.Ply11Error && e.at === 44);
  for (const wrong of ["e5", "Ke2", "", "é", "x".repeat(5000), 1460, -3, NaN]) assert.throws(() => new ply11.Board().push(wrong), ply11.Ply11Error);
  assert.throws(() => new ply11.Board("8".repeat(5000)), ply11.Ply11Error);
  assert.throws(() => ply11.vocabularySize("lc1"), RangeError);
});

test("words", () => {
  const words = Uint16Array.from({ length: 1000 }, (_, i) => (i * 1237) % 2048);
  const bytes = ply11.pack(words);
  assert.equal(bytes.length, 1375);
  assert.deepEqual(ply11.unpack(bytes), words);
  assert.deepEqual([...ply11.pack([1, 2, 3])], [0x01, 0x10, 0xc0, 0x00, 0xfe]);
});
