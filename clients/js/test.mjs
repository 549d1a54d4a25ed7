// SPDX-License-Identifier: Apache-2.0

// Tests of what is JavaScript's own, run by the tests in Go. These compare games, trees and links by driver.mjs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import * as ply11 from "ply11";
import { ArchiveError, Board, decodeGame, encodeGame, open, openTree, Ply11Error } from "ply11";

const start = new Board();
const played = (...moves) => {
  const b = new Board();
  for (const m of moves) b.push(m);
  return b;
};

test("codes", () => {
  const pawn = ply11.fromUCI("a7a8n");
  assert.deepEqual([ply11.mirrorRanks(pawn), ply11.mirrorFiles(pawn)].map(ply11.toUCI), ["a2a1n", "h7h8n"]);
  assert.deepEqual([396, pawn, 1969].map(ply11.codeClass), ["rook", "promotion", "control"]);
  assert.deepEqual([396, 1969, 1979, 2010, 2047].map(ply11.controlName), [null, "ResultDraw", "NAG3", null, "Idle"]);
  for (const wrong of [-1, 1.5, "x"]) assert.equal(ply11.controlName(wrong), null);
  assert.deepEqual([ply11.NULL, 2000, NaN].map(ply11.toUCI), ["0000", "", ""]);
  assert.equal(ply11.move(1968), null);
  assert.deepEqual(ply11.move(1792), { from: 48, to: 56, promotion: "n" });
  const words = Uint16Array.from({ length: 1000 }, (_, i) => (i * 1237) % 2048), bytes = ply11.pack(words);
  assert.equal(bytes.length, 1375);
  assert.deepEqual(ply11.unpack(bytes), words);
  assert.deepEqual([...ply11.pack([1, 2, 3])], [0x01, 0x10, 0xc0, 0x00, 0xfe]);
});

test("a board", () => {
  const b = played("e4", "e5", "Bc4", "Nc6", "Qh5", 766);
  assert.deepEqual([b.san("h5f7"), b.label("h5f7", "index")], ["Qxf7#", ply11.fromUCI("h5f7")]);
  const mask = b.mask(), codes = [...Array(1968).keys()];
  assert.equal(mask.length, 246);
  assert.deepEqual([...b.legal()].sort((x, y) => x - y), codes.filter((c) => (mask[c >> 3] >> (c & 7)) & 1));
  const before = b.copy();
  b.push("Qxf7#");
  assert.deepEqual([before.outcome, b.outcome, b.legal().length, b.black], ["playing", "mate", 0, true]);
  assert.deepEqual([b.chess960, b.piece(53), b.piece(39)], [false, "Q", null]);
  assert.equal(new Board(before.fen).piece(39), "Q");
});

test("what is refused", () => {
  assert.throws(() => new Board(start.fen.replace("w", "x")), { name: "Ply11Error", at: 44 });
  for (const wrong of ["e5", "Ke2", "", "é", "x".repeat(5000), 1460, -3, NaN]) {
    assert.throws(() => new Board().push(wrong), Ply11Error);
  }
  assert.throws(() => new Board("8".repeat(5000)), Ply11Error);
  assert.throws(() => ply11.fromUCI("e2e9"), Ply11Error);
  assert.throws(() => ply11.vocabularySize("lc1"), RangeError);
});

// The archive that the test in Go made, of dense moves in blocks of eight games, its index and its tree file.
const read = (name) => readFileSync(`${process.env.PLY11_ARCHIVES}/${name}`);
const [file, index, tree] = ["games.p11", "games.p11x", "games.p11t"].map(read);
const large = read("large.p11"), deep = read("deep.p11t");
const part = (offset, size) => file.subarray(offset, offset + size);

test("an archive is the same from wherever its bytes come, and in any order", async () => {
  const a = await open(file), want = [];
  for await (const g of a) want.push({ ...g, start: g.start?.fen });
  for (const from of [new Uint8Array(file).buffer, new Blob([file]), { size: file.length, read: part }]) {
    const b = await open(from), games = await Promise.all(want.map((g) => b.game(want.length + 1 - g.number)));
    assert.deepEqual(games.reverse().map((g) => ({ ...g, start: g.start?.fen })), want);
  }
  for (const n of [0, 1.5, a.length + 1, "1"]) await assert.rejects(a.game(n), RangeError);
  for (const wrong of [7, null, {}, "x:/"]) await assert.rejects(open(wrong));
  await assert.rejects(a.tree(start), /no index/);
});

test("a closed archive is refused, also in the midst of its use", async () => {
  const other = await open(new Blob([file])), game = other.game(36);
  await other.close();
  assert.equal((await game).number, 36); // it was asked for before
  const closed = /the archive is closed/, a = await open(new Blob([file]));
  await a.useIndex(index);
  const verified = assert.rejects(a.verify(), closed), games = a[Symbol.asyncIterator]();
  await games.next();
  await a.close();
  await verified;
  const uses = [() => a.verify(), () => a.game(1), () => games.next(), () => a.tree(start), () => a.useIndex(index)];
  for (const use of uses) await assert.rejects(use, closed, `${use}`);
  assert.throws(() => a.length, closed);
  await a.close();
});

// served gives bytes in ranges, and counts the requests.
async function served(t, bytes) {
  const host = { requests: 0, ranges: true };
  const server = createServer((request, response) => {
    host.requests++;
    // With other ranges, a browser needs leave of another server.
    const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).slice(1).map(Number);
    if (!host.ranges) return response.end(bytes);
    response.setHeader("Content-Range", `bytes ${first}-${Math.min(last, bytes.length - 1)}/${bytes.length}`);
    response.writeHead(206).end(bytes.subarray(first, last + 1));
  });
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  host.url = `http://127.0.0.1:${server.address().port}/games`;
  return host;
}

test("a tree file behind a URL answers in three requests", async (t) => {
  const host = await served(t, deep), there = await openTree(host.url), here = await openTree(deep);
  assert.equal(host.requests, 1); // the first bytes, with the size and the root
  assert.deepEqual(await there.tree(start.fen), await here.tree(start));
  assert.equal(host.requests, 3); // a page, and a part
  await there.close();
  await assert.rejects(there.tree(start), /the tree file is closed/);
  const damaged = Uint8Array.from(deep);
  damaged[deep.length - 1] ^= 1; // the page
  await assert.rejects((await openTree(damaged)).tree(start), { name: "ArchiveError", message: /checksum/ });
});

test("an archive behind a URL takes two requests to open, and few for a game", async (t) => {
  const host = await served(t, large), a = await open(host.url), here = await open(large);
  assert.equal(host.requests, 2); // the first bytes, with the size, and the last
  assert.deepEqual(await a.game(65), await here.game(65));
  const before = host.requests;
  assert.ok(before <= 4, `${before}`); // the index and the block
  await a.game(66);
  assert.equal(host.requests, before);
  host.ranges = false;
  assert.deepEqual((await (await open(host.url)).game(3)).moves, (await here.game(3)).moves);
  assert.equal(host.requests, before + 1);
  await assert.rejects(open(host.url, { limit: large.length - 1 }), /more than \d+ bytes/);
});

test("several archives at once do not mix", async () => {
  const archives = await Promise.all([file, new Blob([file]), file, new Blob([file])].map((from) => open(from)));
  await Promise.all(archives.map((a, i) => a.useIndex(i % 2 === 0 ? index : new Blob([index]))));
  const boards = [start, played("e4"), played("d4"), played("e4", "e5")], want = [];
  for (const [i, a] of archives.entries()) want.push(await a.tree(boards[i]));
  assert.equal(new Set(want.map((t) => JSON.stringify([...t.moves]))).size, 4);
  const asked = archives.map((a, i) => a.tree(boards[i]));
  for (const b of boards) b.push(b.legal()[0]); // what is given may change at once
  assert.deepEqual(await Promise.all(asked), want);
});

test("a dense block is asked for once", async () => {
  const reads = [], read = (offset, size) => reads.push(`${size} from ${offset}`) && part(offset, size);
  const a = await open({ size: file.length, read });
  reads.length = 0;
  await a.game(1);
  assert.ok(reads.length > 0 && new Set(reads).size === reads.length, `${reads}`);
});

test("a damaged archive is refused, with the place", async () => {
  for (const size of [0, 60000]) await assert.rejects(open(new Uint8Array(size)), ArchiveError);
  const damaged = Uint8Array.from(file);
  damaged[400] ^= 1;
  const a = await open(damaged);
  const message = "block 1, column 3, offset 32: a column has another digest";
  await assert.rejects(a.verify(), { name: "ArchiveError", message, block: 1, column: 3, game: 0 });
  await assert.rejects(open({ size: file.length, read: () => new Uint8Array(3) }), /bytes were asked for/);
  await assert.rejects(open({ size: file.length, read: () => Promise.reject(new Error("no network")) }), /no network/);
  await assert.rejects(open(file, { limit: 10000 }), /memory/);
  await assert.rejects((await open(file)).useIndex(file), ArchiveError);
});

test("games in links", async () => {
  const board = new Board(), decoded = decodeGame(await encodeGame(["e4", "e5"]), board);
  board.push("d4"); // what is given may change at once
  assert.deepEqual(Array.from(await decoded, ply11.toUCI), ["e2e4", "e7e5"]);
  const fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
  assert.deepEqual(await decodeGame(await encodeGame(["a8=N"], fen), fen), Uint16Array.of(1792));
  assert.equal(await encodeGame([]), "AA");
  const long = Array.from({ length: 4096 }, (_, i) => ["g1f3", "g8f6", "f3g1", "f6g8"][i % 4]);
  assert.deepEqual(Array.from(await decodeGame(await encodeGame(long)), ply11.toUCI), long);
  await assert.rejects(encodeGame([...long, "e4"]), RangeError);
  await assert.rejects(encodeGame(["e4", "e4"]), Ply11Error);
  // Of all texts of three letters, each that is taken is the one of its game.
  let taken = 0;
  for (const a of "ABCD") for (const b of "BEFILQTXYZaeinsx0369-_") for (const c of "AEIMQUYcgkosw048BC") {
    const refused = (e) => assert.ok(e instanceof Ply11Error || e instanceof RangeError);
    const moves = await decodeGame(a + b + c).catch(refused);
    if (!moves) continue;
    taken++;
    assert.equal(await encodeGame(moves), a + b + c);
  }
  assert.ok(taken > 20, `${taken}`);
  for (const wrong of ["", "A", "A=", "AB", "gAA", "AAAA", "_".repeat(20000), "é"]) {
    await assert.rejects(decodeGame(wrong));
  }
});

test("memory is given back, and stays as it is where it is full", async () => {
  const { c } = await import("./core.js");
  const full = async () => {
    const pieces = [];
    for (let size = 2 ** 30; size >= 16; size /= 4) {
      for (let at; (at = c.allocate(size) >>> 0) !== 0; ) pieces.push([at, size]);
    }
    pieces.sort(([a], [b]) => a - b);
    assert.ok(pieces.every(([at], i) => i === 0 || pieces[i - 1][0] + pieces[i - 1][1] <= at), "pieces overlap");
    await assert.rejects(open(file), { name: "ArchiveError", message: /there is not enough memory$/ });
    for (const [at] of pieces) c.release(at);
    return pieces.reduce((sum, [, size]) => sum + size, 0);
  };
  const before = await full();
  for (let i = 0; i < 60; i++) {
    const a = await open(file);
    await a.useIndex(index);
    await a.game(1 + (i % a.length));
    await a.tree(start);
    await a.close();
    await (await openTree(tree)).close();
    await encodeGame(["e4"]);
  }
  const after = await full();
  assert.ok(after >= before, `of ${before} bytes, ${before - after} are lost`);
});
