// SPDX-License-Identifier: Apache-2.0

// Archives, their indexes, tree files, and games as links.

import { Board, boardOf, place } from "./board.js";
import { bytesOf, c, grown, IN, memory, OUT, Ply11Error, POSITION, reader, SIZE, textAt, view } from "./core.js";

const OK = 0, UNSUPPORTED = 18, MEMORY = 20; // of ply11_status
const TAGS = 1, NOTES = 2; // parts of a block
const INVALID = 2; // a flag of a game
const RESULTS = ["0-1", "1/2-1/2", "1-0", "*"];
const LIMIT = 64 * 2 ** 20; // PLY11_MEMORY_LIMIT
const FAULT = 32, COUNTS = 64, BRANCH = 72; // bytes

const number64 = (at) => Number(view.getBigUint64(at, true));

export class ArchiveError extends Ply11Error {
  constructor(status, at, what = "archive") {
    super(status, what);
    this.name = "ArchiveError";
    const told = view.getUint32(at, true);
    [this.offset, this.game] = [number64(at + 8), number64(at + 16)];
    [this.block, this.column] = [view.getUint32(at + 24, true), view.getUint32(at + 28, true)];
    const places = ["game", "block", "column", "offset"].filter((k) => this[k] !== 0).map((k) => `${k} ${this[k]}`);
    if (told !== 0) this.message = places.join(", ") + (places.length ? ": " : "") + textAt(told);
  }
}

/* ---- Sources: the core asks for bytes at once, and fetch gives them later ---- */

// A call of the core fails where bytes are not here yet; they are fetched, and the call is made again.
const sources = new Map(); // by their numbers
let attempt = null; // the call that is made: the pieces it has, and what it misses
let numbers = 0;

reader.read = (number, offset, at, size) => {
  grown();
  const source = sources.get(number);
  if (source.bytes) {
    memory.set(source.bytes.subarray(offset, offset + size), at);
    return 1;
  }
  const has = (p) => p.source === source && p.offset <= offset && offset + size <= p.offset + p.bytes.length;
  const piece = source.first && has(source.first) ? source.first : attempt.pieces.find(has);
  if (!piece) {
    attempt.missing = { source, offset, size };
    return 0;
  }
  memory.set(piece.bytes.subarray(offset - piece.offset, offset - piece.offset + size), at);
  return 1;
};

// finish makes a call until it misses nothing, and returns its status, and what then makes of a call that was right. That is at once: what the core has
// written to OUT is lost when another call is made, and each await lets one in. What is fetched is put to pieces, and is not fetched again.
async function finish(call, then, pieces = []) {
  for (;;) {
    attempt = { pieces, missing: null };
    const status = call();
    const { missing } = attempt;
    grown();
    if (status === OK) return { status, result: then() };
    if (missing === null) return { status };
    const bytes = await missing.source.read(missing.offset, missing.size);
    if (!(bytes instanceof Uint8Array) || bytes.length !== missing.size) throw new Error(`${missing.size} bytes were asked for, from ${missing.offset} on, and ${bytes?.length} came`);
    pieces.push({ source: missing.source, offset: missing.offset, bytes });
  }
}

const FIRST = 16384; // bytes of the first request, which tells the size

// bodyOf reads an answer of at most so many bytes.
async function bodyOf(response, most) {
  const parts = [], body = response.body.getReader();
  for (let size = 0; ; ) {
    const { done, value } = await body.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    size += value.length;
    if (size <= most) continue;
    await body.cancel();
    throw new Error(`${response.url}: the server gives more than ${most} bytes`);
  }
}

// fromURL reads ranges of a URL. Each has both ends: a browser asks another server for leave before it sends one without, and some servers know none.
// A server without ranges gives all, which is kept, if it is no more than limit.
async function fromURL(url, limit) {
  const get = async (range) => {
    const response = await fetch(url, { headers: { Range: `bytes=${range}` } });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response;
  };
  const response = await get(`0-${FIRST - 1}`);
  const bytes = await bodyOf(response, response.status === 206 ? FIRST : limit);
  if (response.status !== 206) return { size: bytes.length, bytes };
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "");
  if (!range || Number(range[2]) - Number(range[1]) + 1 !== bytes.length) throw new Error(`${url}: the server does not tell which bytes it gives`);
  const source = { size: Number(range[3]) };
  source.read = async (offset, size) => {
    const response = await get(`${offset}-${offset + size - 1}`);
    if (response.status !== 206) throw new Error(`${url}: the server gives all bytes where a part was asked for`);
    return bodyOf(response, size);
  };
  source.first = { source, offset: Number(range[1]), bytes };
  return source;
}

// sourceOf gives a source a number.
async function sourceOf(from, limit) {
  let source;
  if (typeof from === "string" || from instanceof URL) source = await fromURL(from, limit || LIMIT);
  else if (from instanceof Uint8Array) source = { size: from.length, bytes: from };
  else if (from instanceof ArrayBuffer) source = { size: from.byteLength, bytes: new Uint8Array(from) };
  else if (from instanceof Blob) source = { size: from.size, read: async (offset, size) => new Uint8Array(await from.slice(offset, offset + size).arrayBuffer()) };
  else if (Number.isSafeInteger(from?.size) && typeof from.read === "function") source = { size: from.size, read: async (offset, size) => from.read(offset, size) };
  else throw new TypeError("a file is bytes, a Blob, a URL, or an object with size and read");
  source.number = ++numbers;
  sources.set(source.number, source);
  return source;
}

/* ---- Texts ---- */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// textOf reads a text of a game, in which each byte that is not UTF-8 becomes a lone surrogate, U+DC00 and the byte, as Python's surrogateescape has it.
function textOf(at, size) {
  const bytes = memory.subarray(at, at + size);
  try {
    return utf8.decode(bytes);
  } catch {
    let text = "";
    for (let i = 0; i < size; ) {
      const n = bytes[i] < 0x80 ? 1 : bytes[i] < 0xe0 ? 2 : bytes[i] < 0xf0 ? 3 : 4;
      try {
        text += utf8.decode(bytes.subarray(i, i + n));
        i += n;
      } catch {
        text += String.fromCharCode(0xdc00 + bytes[i++]);
      }
    }
    return text;
  }
}

/* ---- The model of dense moves ---- */

let model = null; // a promise of its address

async function openModel() {
  const file = bytesOf((await import("./model.js")).default);
  const at = c.allocate(file.length);
  if (at === 0) throw new Ply11Error(MEMORY, "the model of dense moves");
  grown();
  memory.set(file, at);
  const status = c.model_open(OUT, at, file.length);
  grown();
  c.release(at);
  if (status !== OK) throw new Ply11Error(status, "the model of dense moves");
  return view.getUint32(OUT, true);
}

function theModel() {
  model ??= openModel().catch((e) => {
    model = null;
    throw e;
  });
  return model;
}

/* ---- Archives and tree files ---- */

// What the core has of one: of a tree file it is an index without an archive.
const nothing = (what) => ({ what, archive: 0, index: 0, block: 0, sources: [], modelled: false, busy: Promise.resolve() });

// Of what nobody has any more, the memory is given back.
const forgotten = new FinalizationRegistry((held) => free(held));

function free(held) {
  c.ply11_block_close(held.block);
  c.ply11_index_close(held.index);
  c.ply11_archive_close(held.archive);
  for (const source of held.sources) sources.delete(source.number);
  held.archive = held.index = held.block = 0;
  held.sources = [];
}

// opened makes a call that opens a source. keep takes what it gives.
async function opened(of, held, from, limit, call, keep) {
  const source = await sourceOf(from, limit);
  held.sources.push(source);
  const fault = c.allocate(FAULT);
  grown();
  try {
    if (fault === 0) throw new Ply11Error(MEMORY, held.what);
    const { status } = await finish(() => call(source, fault), () => keep(view.getUint32(OUT, true)));
    if (status !== OK) throw new ArchiveError(status, fault, held.what);
  } catch (e) {
    free(held);
    throw e;
  } finally {
    if (fault !== 0) c.release(fault);
  }
  forgotten.register(of, held, held);
  return of;
}

function alive(held) {
  if (held.archive === 0 && held.index === 0) throw new Error(`the ${held.what} is closed`);
}

// ask makes a call of the core, after those before it: one after the other.
function ask(held, call, then) {
  const done = held.busy.then(async () => {
    alive(held);
    const pieces = [];
    let { status, result } = await finish(call, then, pieces);
    if (status === UNSUPPORTED && !held.modelled && held.archive !== 0) {
      c.ply11_archive_use(held.archive, await theModel());
      held.modelled = true;
      ({ status, result } = await finish(call, then, pieces));
    }
    if (status !== OK) throw new ArchiveError(status, held.archive !== 0 ? c.ply11_archive_fault(held.archive) : c.ply11_index_fault(held.index), held.what);
    return result;
  });
  held.busy = done.catch(() => {});
  return done;
}

function close(held) {
  forgotten.unregister(held);
  held.busy = held.busy.then(() => free(held));
  return held.busy;
}

// treeAt asks the index that is held.
async function treeAt(held, board) {
  const b = board instanceof Board ? board.copy() : new Board(board);
  alive(held);
  if (held.index === 0) throw new Error("the archive has no index: useIndex opens one");
  return ask(held, () => c.ply11_index_tree(held.index, place(b), OUT), () => {
    const t = view.getUint32(OUT, true), n = view.getUint32(t + COUNTS, true), list = view.getUint32(t + COUNTS + 4, true);
    const moves = Array.from({ length: n }, (_, i) => [view.getUint16(list + BRANCH * i, true), counts(list + BRANCH * i + 8)]);
    return { all: counts(t), moves: new Map(moves) };
  });
}

export class TreeFile {
  #held = nothing("tree file");

  /** openTree, as a method: the constructor makes one that is closed. */
  static open(from, { limit = 0 } = {}) {
    const t = new TreeFile(), held = t.#held;
    return opened(t, held, from, limit, (source, fault) => c.tree_open(OUT, source.number, source.size, limit, fault), (at) => {
      held.index = at;
    });
  }

  /** What was played in a position. */
  tree(board) {
    return treeAt(this.#held, board);
  }

  /** Gives the memory back. */
  close() {
    return close(this.#held);
  }
}

export const openTree = (from, options) => TreeFile.open(from, options);

function counts(at) {
  const [games, white, draws, black, whiteRatings, whiteRated, blackRatings, blackRated] = Array.from({ length: 8 }, (_, i) => number64(at + 8 * i));
  return { games, white, draws, black, whiteRatings, whiteRated, blackRatings, blackRated };
}

export class Archive {
  #held = nothing("archive");
  #limit = 0;

  /** open, as a method: the constructor makes an archive that is closed. */
  static open(from, { limit = 0 } = {}) {
    const a = new Archive(), held = a.#held;
    a.#limit = limit;
    return opened(a, held, from, limit, (source, fault) => c.archive_open(OUT, source.number, source.size, limit, fault), (at) => {
      held.archive = at;
    });
  }

  get #archive() {
    alive(this.#held);
    return this.#held.archive;
  }

  get length() {
    return Number(c.ply11_archive_games(this.#archive));
  }

  get plies() {
    return Number(c.ply11_archive_plies(this.#archive));
  }

  get blocks() {
    return c.ply11_archive_blocks(this.#archive);
  }

  get unfinished() {
    return Number(c.ply11_archive_unfinished(this.#archive));
  }

  // #block opens a block, which is kept until another is.
  #block(number) {
    const held = this.#held;
    if (held.block !== 0 && view.getUint32(held.block + 8, true) === number) return OK;
    c.ply11_block_close(held.block);
    held.block = 0;
    const status = c.ply11_block_open(held.archive, number, TAGS | NOTES, OUT);
    grown();
    if (status === OK) held.block = view.getUint32(OUT, true);
    return status;
  }

  /** Game number n, from 1. */
  async game(number) {
    if (!Number.isInteger(number) || number < 1 || number > this.length) throw new RangeError(`there is no game ${number}`);
    const call = () => {
      const status = c.ply11_archive_find(this.#held.archive, BigInt(number), OUT);
      return status === OK ? this.#block(view.getUint32(OUT, true)) : status;
    };
    return ask(this.#held, call, () => this.#game(number - number64(this.#held.block)));
  }

  // #game reads game i of the open block.
  #game(i) {
    const b = this.#held.block;
    const [offsets, moves, results, flags, clocks, evals, starts] = [20, 24, 28, 32, 36, 40, 44].map((at) => view.getUint32(b + at, true));
    const [from, to] = [view.getUint32(offsets + 4 * i, true), view.getUint32(offsets + 4 * i + 4, true)];
    const list = (Type, at) => new Type(memory.slice(at + Type.BYTES_PER_ELEMENT * from, at + Type.BYTES_PER_ELEMENT * to).buffer); // WebAssembly is little-endian
    const allTags = [];
    for (let k = 0, n = c.ply11_block_tags(b, i); k < n; k++) {
      c.ply11_block_tag(OUT, b, i, k);
      const [name, value, nameSize, valueSize] = [0, 4, 8, 12].map((at) => view.getUint32(OUT + at, true));
      allTags.push([textOf(name, nameSize), textOf(value, valueSize)]);
    }
    return {
      number: number64(b) + i,
      result: RESULTS[view.getUint16(results + 2 * i, true) - 1968],
      valid: (memory[flags + i] & INVALID) === 0,
      start: c.ply11_block_start(b, i, POSITION) === OK ? boardOf(POSITION) : null,
      moves: list(Uint16Array, moves),
      clocks: list(Int32Array, clocks),
      evals: list(Int16Array, evals),
      startEval: view.getInt16(starts + 2 * i, true),
      allTags,
      tags: Object.assign(Object.create(null), Object.fromEntries([...allTags].reverse())),
    };
  }

  async *[Symbol.asyncIterator]() {
    for (let n = 1; n <= this.length; n++) yield await this.game(n);
  }

  /** Reads all that a reader of games needs, and throws an ArchiveError if something is wrong. */
  async verify() {
    for (let n = 0; n < this.blocks; n++) await ask(this.#held, () => this.#block(n), () => {});
  }

  /** Opens the index of the archive. */
  async useIndex(from) {
    const held = this.#held, source = await sourceOf(from, this.#limit);
    const call = () => c.index_open(OUT, held.archive, source.number, source.size);
    try {
      await ask(held, call, () => {
        c.ply11_index_close(held.index);
        held.index = view.getUint32(OUT, true);
        held.sources.push(source);
      });
    } catch (e) {
      sources.delete(source.number);
      throw e;
    }
  }

  /** What was played in a position. */
  tree(board) {
    return treeAt(this.#held, board);
  }

  /** Gives the memory back. */
  close() {
    return close(this.#held);
  }
}

export const open = (from, options) => Archive.open(from, options);

/* ---- Games as links ---- */

const MAX_LINK = 8192; // bytes, and plies

// link calls the coder with a game's start in place, and room for moves and bytes behind each other.
async function link(start, n, bytes, size, moves) {
  const at = await theModel();
  const room = c.allocate(4 + 3 * MAX_LINK);
  if (room === 0) throw new Ply11Error(MEMORY, "link");
  grown();
  view.setUint32(room, size, true);
  moves?.forEach((m, i) => view.setUint16(room + 4 + 2 * i, m, true));
  if (bytes) memory.set(bytes, room + 4 + 2 * MAX_LINK);
  const status = c.code_link(at, place(start), room + 4, n, moves ? 1 : 0, room + 4 + 2 * MAX_LINK, room);
  grown();
  const out = { status, moves: new Uint16Array(memory.slice(room + 4, room + 4 + 2 * n).buffer), bytes: memory.slice(room + 4 + 2 * MAX_LINK, room + 4 + 2 * MAX_LINK + Math.min(MAX_LINK, view.getUint32(room, true))) };
  c.release(room);
  if (status !== OK) throw new Ply11Error(status, "link");
  return out;
}

const textForLink = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

export async function encodeGame(moves, start) {
  const first = start === undefined ? new Board() : start instanceof Board ? start.copy() : new Board(start);
  const board = first.copy();
  const codes = Array.from(moves, (m) => board.push(m));
  if (codes.length > MAX_LINK / 2) throw new RangeError(`a link has at most ${MAX_LINK / 2} plies`);
  const { bytes } = await link(first, codes.length, null, MAX_LINK, codes);
  const length = codes.length < 128 ? [codes.length] : [(codes.length & 127) | 128, codes.length >> 7];
  return textForLink([...length, ...bytes]);
}

export async function decodeGame(text, start) {
  const first = start === undefined ? new Board() : start instanceof Board ? start.copy() : new Board(start);
  const wrong = () => new RangeError("this is no link of a game");
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1 || text.length > (MAX_LINK * 4) / 3) throw wrong();
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (b) => b.charCodeAt(0));
  const two = bytes[0] > 127, n = two ? (bytes[0] & 127) | (bytes[1] << 7) : bytes[0];
  if (textForLink(bytes) !== text || bytes.length < 1 + Number(two) || (two && bytes[1] === 0) || n > MAX_LINK / 2) throw wrong();
  return (await link(first, n, bytes.subarray(1 + Number(two)), bytes.length - 1 - Number(two), null)).moves;
}
