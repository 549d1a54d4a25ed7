// SPDX-License-Identifier: Apache-2.0

// Run by: npm test. Of the rules, the tests of the core in C say more.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { openAsBlob, readFileSync } from "node:fs";
import { createServer } from "node:http";
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

test("a game", () => {
  const b = new ply11.Board();
  for (const m of ["e4", "e5", "Bc4", "Nc6", "Qh5", 766]) b.push(m);
  assert.equal(b.san("h5f7"), "Qxf7#");
  assert.equal(b.label("h5f7", "index"), ply11.fromUCI("h5f7"));
  const mask = b.mask();
  assert.deepEqual([...b.legal()].sort((x, y) => x - y), [...Array(1968).keys()].filter((c) => (mask[c >> 3] >> (c & 7)) & 1));
  const before = b.copy();
  b.push("Qxf7#");
  assert.deepEqual([b.outcome, b.legal().length, b.black, b.piece(53), b.piece(39)], ["mate", 0, true, "Q", null]);
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

// The archive that the test in Go made, of dense moves in blocks of eight games, and its index.
const path = process.env.PLY11_ARCHIVE;
const file = readFileSync(path), index = readFileSync(path + "x");

// all reads everything of an archive.
async function all(a) {
  const games = [];
  for await (const g of a) games.push({ ...g, start: g.start?.fen });
  return games;
}

test("an archive is the same from wherever its bytes come", async () => {
  const a = await ply11.open(file);
  await a.verify();
  const want = await all(a);
  assert.equal(want.length, a.length);
  assert.equal(want.reduce((n, g) => n + g.moves.length, 0), a.plies);
  assert.ok(a.blocks > 3 && want.some((g) => g.tags.White !== undefined));
  for (const from of [new Uint8Array(file).buffer, new Blob([file]), await openAsBlob(path), { size: file.length, read: (offset, size) => file.subarray(offset, offset + size) }])
    assert.deepEqual(await all(await ply11.open(from)), want);
  // Several at once, backwards.
  const b = await ply11.open(new Blob([file]));
  const games = await Promise.all(want.map((g) => b.game(want.length + 1 - g.number)));
  assert.deepEqual(games.reverse().map((g) => ({ ...g, start: g.start?.fen })), want);
  for (const n of [0, 1.5, b.length + 1, "1"]) await assert.rejects(b.game(n), RangeError);
  for (const wrong of [7, null, {}, "x:/"]) await assert.rejects(ply11.open(wrong));
});

test("a closed archive is refused, also in the midst of its use", async () => {
  const closed = /the archive is closed/, a = await ply11.open(new Blob([file]));
  await a.useIndex(index);
  const verified = assert.rejects(a.verify(), closed), games = a[Symbol.asyncIterator]();
  await games.next();
  await a.close();
  await verified;
  for (const use of [() => a.verify(), () => a.game(1), () => games.next(), () => a.tree(new ply11.Board()), () => a.useIndex(index), async () => a.length, async () => a.plies, async () => a.blocks])
    await assert.rejects(use, closed, `${use}`);
  await a.close();
});

// served gives bytes in ranges, and counts the requests.
async function served(t, bytes) {
  const host = { requests: 0, ranges: true };
  const server = createServer((request, response) => {
    host.requests++;
    const [first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).slice(1).map(Number); // others need leave of another server
    if (host.ranges) response.writeHead(206, { "Content-Range": `bytes ${first}-${Math.min(last, bytes.length - 1)}/${bytes.length}` }).end(bytes.subarray(first, last + 1));
    else response.end(bytes);
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
  const bytes = readFileSync(process.env.PLY11_DEEP), host = await served(t, bytes), want = await ply11.open(file);
  await want.useIndex(index);
  const tree = await ply11.openTree(host.url), here = await ply11.openTree(bytes), b = new ply11.Board();
  assert.equal(host.requests, 1); // the first bytes, with the size and the root
  const { all, moves } = await tree.tree(b);
  assert.equal(host.requests, 3); // a page, and a part
  const one = await want.tree(b); // the games are there a hundred times
  assert.equal(all.games, 100 * one.all.games);
  assert.deepEqual([...moves].map(([m, c]) => [m, c.games, c.white]), [...one.moves].map(([m, c]) => [m, 100 * c.games, 100 * c.white]));
  b.push("e4");
  assert.deepEqual(await tree.tree(b.fen), await here.tree(b));
  assert.deepEqual((await tree.tree("8/8/8/4k3/8/8/8/4K3 w - - 0 1")).moves, new Map());
  await tree.close();
  await assert.rejects(tree.tree(b), /the tree file is closed/);
  for (let n = 0; n < bytes.length; n += 97) await assert.rejects(ply11.openTree(bytes.subarray(0, n)), ply11.ArchiveError);
  const damaged = Uint8Array.from(bytes);
  damaged[bytes.length - 1] ^= 1; // the page
  await assert.rejects((await ply11.openTree(damaged)).tree(b), (e) => e instanceof ply11.ArchiveError && /checksum/.test(e.message));
  await assert.rejects(ply11.openTree(file), /no tree file/);
});

test("an archive behind a URL takes two requests to open, and few for a game", async (t) => {
  const bytes = readFileSync(process.env.PLY11_LARGE), host = await served(t, bytes), url = host.url;
  const a = await ply11.open(url);
  assert.equal(host.requests, 2); // the first bytes, with the size, and the last
  const g = await a.game(65);
  const before = host.requests;
  assert.ok(before <= 4, `${before}`); // the index and the block
  await a.game(66);
  assert.equal(host.requests, before);
  const here = await ply11.open(bytes);
  assert.deepEqual(g, await here.game(65));
  host.ranges = false;
  assert.deepEqual((await (await ply11.open(url)).game(3)).moves, (await here.game(3)).moves);
  assert.equal(host.requests, before + 1);
  await assert.rejects(ply11.open(url, { limit: bytes.length - 1 }), /more than \d+ bytes/);
});

test("what was played in a position", async () => {
  const a = await ply11.open(new Blob([file]));
  await assert.rejects(a.tree(new ply11.Board()), /no index/);
  await a.useIndex(new Blob([index]));
  const want = new Map();
  let games = 0;
  for await (const g of a) {
    if (g.start?.fen !== new ply11.Board().fen) continue;
    games++;
    if (g.moves.length > 0) want.set(g.moves[0], (want.get(g.moves[0]) ?? 0) + 1);
  }
  const tree = await a.tree(new ply11.Board().fen);
  assert.equal(tree.all.games, games);
  assert.deepEqual(new Map(Array.from(tree.moves, ([m, c]) => [m, c.games])), new Map([...want].sort(([m, x], [n, y]) => y - x || m - n)));
});

test("several archives at once do not mix", async () => {
  const archives = await Promise.all([file, new Blob([file]), file, new Blob([file])].map((from) => ply11.open(from)));
  await Promise.all(archives.map((a, i) => a.useIndex(i % 2 === 0 ? index : new Blob([index]))));
  const boards = [[], ["e4"], ["d4"], ["e4", "e5"]].map((moves) => {
    const b = new ply11.Board();
    for (const m of moves) b.push(m);
    return b;
  });
  const want = [];
  for (const [i, a] of archives.entries()) want.push(await a.tree(boards[i]));
  assert.equal(new Set(want.map((t) => JSON.stringify([...t.moves]))).size, 4);
  assert.deepEqual(await Promise.all(archives.map((a, i) => a.tree(boards[i]))), want);
  for (const a of archives) await a.close();
});

test("a dense block is asked for once", async () => {
  let reads = [];
  const a = await ply11.open({
    size: file.length,
    read(offset, size) {
      reads.push(`${size} from ${offset}`);
      return file.subarray(offset, offset + size);
    },
  });
  reads = [];
  await a.game(1);
  assert.ok(reads.length > 0 && new Set(reads).size === reads.length, `${reads}`);
});

test("a damaged archive is refused, with the place", async () => {
  for (const wrong of [file.subarray(0, 50), new Uint8Array(0), file.subarray(0, file.length - 1), new Uint8Array(60000)]) await assert.rejects(ply11.open(wrong), ply11.ArchiveError);
  const damaged = Uint8Array.from(file);
  damaged[400] ^= 1;
  const a = await ply11.open(damaged);
  await assert.rejects(a.verify(), (e) => e instanceof ply11.ArchiveError && e.block === 1 && e.offset > 0 && e.message.includes("block 1"));
  await assert.rejects(ply11.open({ size: file.length, read: () => new Uint8Array(3) }), /bytes were asked for/);
  await assert.rejects(ply11.open({ size: file.length, read: async () => Promise.reject(new Error("no network")) }), /no network/);
  await assert.rejects(ply11.open(file, { limit: 10000 }), /memory/);
  await assert.rejects((await ply11.open(file)).useIndex(file), ply11.ArchiveError);
});

test("memory is given back", async () => {
  const { c } = await import("./core.js");
  const size = c.memory.buffer.byteLength; // a number: the buffer of before is empty when the memory has grown
  for (let i = 0; i < 60; i++) {
    const a = await ply11.open(file);
    await a.useIndex(index);
    await a.game(1 + (i % a.length));
    await a.tree(new ply11.Board());
    await a.close();
    await (await ply11.openTree(readFileSync(path + "t"))).close();
  }
  assert.ok(c.memory.buffer.byteLength - size <= 2 ** 22, `${size} bytes became ${c.memory.buffer.byteLength}`);
});

test("games in links", async () => {
  const a = await ply11.open(file);
  for await (const g of a) {
    if (!g.valid || g.start === null) continue;
    const text = await ply11.encodeGame(g.moves, g.start);
    assert.match(text, /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(await ply11.decodeGame(text, g.start), g.moves);
  }
  const board = new ply11.Board(), decoded = ply11.decodeGame(await ply11.encodeGame(["e4", "e5"]), board);
  board.push("d4"); // what is given may change at once
  assert.deepEqual(Array.from(await decoded, ply11.toUCI), ["e2e4", "e7e5"]);
  assert.equal(await ply11.encodeGame([]), "AA");
  assert.deepEqual(await ply11.decodeGame("AA"), new Uint16Array(0));
  const long = Array.from({ length: 4096 }, (_, i) => ["g1f3", "g8f6", "f3g1", "f6g8"][i % 4]);
  assert.deepEqual(Array.from(await ply11.decodeGame(await ply11.encodeGame(long)), ply11.toUCI), long);
  await assert.rejects(ply11.encodeGame([...long, "e4"]), RangeError);
  await assert.rejects(ply11.encodeGame(["e4", "e4"]), ply11.Ply11Error);
  // Of all texts of three letters, each that is taken is the one of its game.
  let taken = 0;
  for (const a of "ABCD") for (const b of "BEFILQTXYZaeinsx0369-_") for (const c of "AEIMQUYcgkosw048BC") {
    const moves = await ply11.decodeGame(a + b + c).catch((e) => assert.ok(e instanceof ply11.Ply11Error || e instanceof RangeError));
    if (!moves) continue;
    taken++;
    assert.equal(await ply11.encodeGame(moves), a + b + c);
  }
  assert.ok(taken > 20, `${taken}`);
  for (const wrong of ["", "A", "A=", "AB", "gAA", "AAAA", "_".repeat(20000), "é"]) await assert.rejects(ply11.decodeGame(wrong));
});

test("memory that is full stays as it is", async () => {
  const { c } = await import("./core.js"), pieces = [];
  for (let size = 2 ** 30; size >= 16; size /= 4) for (let at; (at = c.allocate(size) >>> 0) !== 0; ) pieces.push([at, size]);
  pieces.sort(([a], [b]) => a - b);
  assert.ok(pieces.every(([at], i) => i === 0 || pieces[i - 1][0] + pieces[i - 1][1] <= at), "pieces overlap");
  await assert.rejects(ply11.open(file), (e) => e instanceof ply11.Ply11Error && e.message === "archive: there is not enough memory");
  for (const [at] of pieces) c.release(at);
  await (await ply11.open(file)).verify();
});
