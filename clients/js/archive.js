// SPDX-License-Identifier: Apache-2.0

// Archives, their indexes, tree files, and games as links.

import { Board } from "./board.js";
import { bytesOf, c, grown, hooks, memory, OUT, Ply11Error, POSITION, textAt, view } from "./core.js";

const OK = 0, UNSUPPORTED = 18, MEMORY = 20; // of ply11_status
const TAGS = 1, NOTES = 2; // parts of a block
const INVALID = 2; // a flag of a game
const RESULTS = /** @type {const} */ (["0-1", "1/2-1/2", "1-0", "*"]);
const LIMIT = 64 * 2 ** 20; // PLY11_MEMORY_LIMIT
const COUNTS = 64, BRANCH = 72; // bytes
const FAULT = OUT + 8; // of what is opened

const number64 = (at) => Number(view.getBigUint64(at, true));

/**
 * What is wrong with an archive, its index or a tree file. The places are 0 where they are not known; game, block and
 * column count from 1.
 */
export class ArchiveError extends Ply11Error {
  constructor(status, held) {
    super(status, held.what);
    this.name = "ArchiveError";
    const { archive, index } = held;
    const at = archive !== 0 ? c.ply11_archive_fault(archive) : index !== 0 ? c.ply11_index_fault(index) : FAULT;
    const told = view.getUint32(at, true);
    this.offset = number64(at + 8);
    this.game = number64(at + 16);
    this.block = view.getUint32(at + 24, true);
    this.column = view.getUint32(at + 28, true);
    const places = ["game", "block", "column", "offset"].filter((k) => this[k] !== 0).map((k) => `${k} ${this[k]}`);
    if (told !== 0) this.message = places.join(", ") + (places.length ? ": " : "") + textAt(told);
  }
}

/* ---- Sources: the core asks for bytes at once, and fetch gives them later ---- */

/**
 * Where the bytes of a file are. A server of another origin must expose the header Content-Range; it need not answer
 * preflight requests. One without ranges gives the whole file, which is refused if it is more than limit.
 * @typedef {{ size: number, read(offset: number, size: number): Uint8Array | Promise<Uint8Array> }} Reader
 * @typedef {Uint8Array | ArrayBuffer | Blob | URL | string | Reader} Source
 */

// A call of the core fails where bytes are not here yet; they are fetched, and the call is made again.
// A piece is bytes from an offset on. A source is one, too, if it has some.
const sources = new Map(); // by their numbers
/** The call that is made: the pieces it has, and what it misses. @type {{ pieces: any[], missing?: any }} */
let attempt;
let numbers = 0;

hooks.read = (number, offset, at, size) => {
  grown();
  const source = sources.get(number);
  const has = (p) => p.number === number && p.offset <= offset && offset + size <= p.offset + p.bytes.length;
  const piece = [source, ...attempt.pieces].find(has);
  if (!piece) {
    attempt.missing = { source, offset, size };
    return 0;
  }
  memory.set(piece.bytes.subarray(offset - piece.offset, offset - piece.offset + size), at);
  return 1;
};

// finish makes a call until it misses nothing, and returns what then makes of one that was right. That is at once: what
// the core has written to OUT is lost when another call is made, and each await lets one in.
async function finish(held, call, then) {
  const pieces = [];
  for (;;) {
    attempt = { pieces };
    const status = call(), { missing } = attempt;
    grown();
    if (status === OK) return then();
    if (missing) {
      const { source, offset, size } = missing, bytes = await source.read(offset, size);
      if (!(bytes instanceof Uint8Array) || bytes.length !== size) {
        throw new Error(`${size} bytes were asked for, from ${offset} on, and ${bytes?.length} came`);
      }
      pieces.push({ number: source.number, offset, bytes });
    } else if (status === UNSUPPORTED && held.archive !== 0 && !held.modelled) {
      c.ply11_archive_use(held.archive, await theModel());
      held.modelled = true;
    } else {
      throw new ArchiveError(status, held);
    }
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

// fromURL reads ranges of a URL. Each has both ends: a browser asks another server for leave before it sends one
// without, and some servers know none.
async function fromURL(url, limit) {
  const get = async (range) => {
    const response = await fetch(url, { headers: { Range: `bytes=${range}` } });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response;
  };
  const response = await get(`0-${FIRST - 1}`);
  const bytes = await bodyOf(response, response.status === 206 ? FIRST : limit);
  if (response.status !== 206) return inMemory(bytes);
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(response.headers.get("Content-Range") ?? "");
  if (!range || Number(range[2]) - Number(range[1]) + 1 !== bytes.length) {
    throw new Error(`${url}: the server does not tell which bytes it gives`);
  }
  const read = async (offset, size) => {
    const response = await get(`${offset}-${offset + size - 1}`);
    if (response.status !== 206) throw new Error(`${url}: the server gives all bytes where a part was asked for`);
    return bodyOf(response, size);
  };
  return { size: Number(range[3]), read, offset: Number(range[1]), bytes };
}

const inMemory = (bytes) => ({ size: bytes.length, offset: 0, bytes });
const bytes8 = (buffer) => new Uint8Array(buffer);

// sourceOf gives a source a number.
async function sourceOf(from, limit) {
  /** @type {any} */
  let source;
  if (typeof from === "string" || from instanceof URL) source = await fromURL(from, limit || LIMIT);
  else if (from instanceof Uint8Array) source = inMemory(from);
  else if (from instanceof ArrayBuffer) source = inMemory(bytes8(from));
  else if (from instanceof Blob) {
    source = { size: from.size, read: (at, n) => from.slice(at, at + n).arrayBuffer().then(bytes8) };
  } else if (Number.isSafeInteger(from?.size) && from.read) {
    source = { size: from.size, read: (at, n) => from.read(at, n) };
  } else throw new TypeError("a file is bytes, a Blob, a URL, or an object with size and read");
  source.number = ++numbers;
  sources.set(source.number, source);
  return source;
}

/* ---- Texts ---- */

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

// textOf reads a text of a game, in which each byte that is not UTF-8 becomes a lone surrogate, U+DC00 and the byte, as
// Python's surrogateescape has it.
function textOf(at, size) {
  const bytes = memory.subarray(at, at + size);
  try {
    return utf8.decode(bytes);
  } catch {
    let text = "";
    for (let i = 0, n; i < size; i += n) {
      n = bytes[i] < 0x80 ? 1 : bytes[i] < 0xe0 ? 2 : bytes[i] < 0xf0 ? 3 : 4;
      try {
        text += utf8.decode(bytes.subarray(i, i + n));
      } catch {
        text += String.fromCharCode(0xdc00 + bytes[i]);
        n = 1;
      }
    }
    return text;
  }
}

/* ---- The model of dense moves ---- */

let model; // a promise of its address

// room returns the address of so much memory.
function room(size, what) {
  const at = c.allocate(size);
  if (at === 0) throw new Ply11Error(MEMORY, what);
  grown();
  return at;
}

async function openModel() {
  const what = "the model of dense moves", { default: text } = await import("./model.js");
  const file = bytesOf(text), at = room(file.length, what);
  memory.set(file, at);
  const status = c.model_open(OUT, at, file.length);
  grown();
  c.release(at);
  if (status !== OK) throw new Ply11Error(status, what);
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
function nothing(what) {
  /** @type {any[]} */
  const sources = [];
  return { what, archive: 0, index: 0, block: 0, limit: 0, sources, modelled: false, busy: Promise.resolve() };
}

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

/**
 * Opens a source by a function of the core, and keeps what that gives.
 * @template {WeakKey} T
 * @param {T} of
 * @param {"archive" | "index"} kind
 */
async function opened(of, held, from, limit, kind, open) {
  const source = await sourceOf(from, limit);
  held.limit = limit;
  held.sources.push(source);
  try {
    const call = () => open(OUT, source.number, source.size, limit, FAULT);
    held[kind] = await finish(held, call, () => view.getUint32(OUT, true));
  } catch (e) {
    free(held);
    throw e;
  }
  forgotten.register(of, held, held);
  return of;
}

function alive(held) {
  if (held.archive === 0 && held.index === 0) throw new Error(`the ${held.what} is closed`);
}

// ask makes a call of the core, after those before it: one after the other.
function ask(held, call, then) {
  const done = held.busy.then(() => {
    alive(held);
    return finish(held, call, then);
  });
  held.busy = done.catch(() => {});
  return done;
}

/** @returns {Promise<void>} */
function close(held) {
  forgotten.unregister(held);
  held.busy = held.busy.then(() => free(held));
  return held.busy;
}

// copyOf makes a board of what may stand for one.
const copyOf = (start) => (start instanceof Board ? start.copy() : new Board(start));

/** @typedef {{ all: Counts, moves: Map<number, Counts> }} Tree By the codes of moves, the most frequent first. */

/** @returns {Promise<Tree>} */
async function treeAt(held, board) {
  const b = copyOf(board);
  alive(held);
  if (held.index === 0) throw new Error("the archive has no index: useIndex opens one");
  return ask(held, () => c.ply11_index_tree(held.index, hooks.place(b), OUT), () => {
    const t = view.getUint32(OUT, true), n = view.getUint32(t + COUNTS, true);
    const list = view.getUint32(t + COUNTS + 4, true);
    const moves = new Map();
    for (let i = 0; i < n; i++) moves.set(view.getUint16(list + BRANCH * i, true), counts(list + BRANCH * i + 8));
    return { all: counts(t), moves };
  });
}

/** The counts of a tree file, which needs no archive. All that is read is verified by its checksum. */
export class TreeFile {
  #held = nothing("tree file");

  /**
   * Opens a tree file, .p11t: one request. It takes at most limit bytes of memory, 64 MiB if it is 0.
   * @param {Source} from
   */
  static open(from, { limit = 0 } = {}) {
    const t = new TreeFile();
    return opened(t, t.#held, from, limit, "index", c.tree_open);
  }

  /**
   * What was played in a position. Cost: a request, or two if the file has more than 44 MB.
   * @param {Board | string} position
   */
  tree(position) {
    return treeAt(this.#held, position);
  }

  /** Gives the memory back; a tree file that is forgotten does so by itself. */
  close() {
    return close(this.#held);
  }
}

export const openTree = TreeFile.open;

/**
 * Games, and how they ended; the others have no result. Ratings are sums, of so many rated players.
 * @typedef {ReturnType<typeof counts>} Counts
 */

function counts(at) {
  const all = Array.from({ length: 8 }, (_, i) => number64(at + 8 * i));
  const [games, white, draws, black, whiteRatings, whiteRated, blackRatings, blackRated] = all;
  return { games, white, draws, black, whiteRatings, whiteRated, blackRatings, blackRated };
}

/** @typedef {ReturnType<typeof gameOf>} Game Its arrays are copies. */

/** @param {number} number */
function gameOf(block, number) {
  const i = number - number64(block);
  const columns = [20, 24, 28, 32, 36, 40, 44].map((at) => view.getUint32(block + at, true));
  const [offsets, moves, results, flags, clocks, evals, starts] = columns;
  const [from, to] = [view.getUint32(offsets + 4 * i, true), view.getUint32(offsets + 4 * i + 4, true)];
  const list = (size, at) => memory.slice(at + size * from, at + size * to).buffer; // WebAssembly is little-endian
  /** @type {[name: string, value: string][]} */
  const allTags = [];
  for (let k = 0, n = c.ply11_block_tags(block, i); k < n; k++) {
    c.ply11_block_tag(OUT, block, i, k);
    const [name, value, nameSize, valueSize] = [0, 4, 8, 12].map((at) => view.getUint32(OUT + at, true));
    allTags.push([textOf(name, nameSize), textOf(value, valueSize)]);
  }
  const named = Object.assign(Object.create(null), Object.fromEntries([...allTags].reverse()));
  return {
    /** From 1. */
    number,
    result: RESULTS[view.getUint16(results + 2 * i, true) - 1968],
    /** Whether the text is a valid game. If not, the moves are as much of it as is valid. */
    valid: (memory[flags + i] & INVALID) === 0,
    /** The position in which it begins; null where that is impossible. */
    start: /** @type {Board | null} */ (c.ply11_block_start(block, i, POSITION) === OK ? hooks.at(POSITION) : null),
    /** The codes of the main line; NULL is one of them. */
    moves: new Uint16Array(list(2, moves)),
    /** The time left after each move to the one who made it, in hundredths of a second; -1 if it is not told. */
    clocks: new Int32Array(list(4, clocks)),
    /**
     * The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k
     * for Black's; -32768 if there is none.
     */
    evals: new Int16Array(list(2, evals)),
    /** The evaluation of the start position. */
    startEval: view.getInt16(starts + 2 * i, true),
    /** In their order. Of bytes that are not UTF-8, each is a lone surrogate, U+DC00 and the byte. */
    allTags,
    /** By name; of several of one name, the first. */
    tags: /** @type {Record<string, string>} */ (named),
  };
}

/** The games of an archive. All that is read is verified by its digest. */
export class Archive {
  #held = nothing("archive");

  /**
   * Opens an archive, a file .p11: two requests, or one for a small file. It and its blocks take at most limit bytes of
   * memory, 64 MiB if it is 0.
   * @param {Source} from
   */
  static open(from, { limit = 0 } = {}) {
    const a = new Archive();
    return opened(a, a.#held, from, limit, "archive", c.archive_open);
  }

  get #archive() {
    alive(this.#held);
    return this.#held.archive;
  }

  /** How many games there are. */
  get length() {
    return Number(c.ply11_archive_games(this.#archive));
  }

  /** How many plies all main lines have. */
  get plies() {
    return Number(c.ply11_archive_plies(this.#archive));
  }

  /** How many blocks. A block is what is read at a time, some hundred to some thousand games; the last one is kept. */
  get blocks() {
    return c.ply11_archive_blocks(this.#archive);
  }

  /** How many bytes are behind the archive, of games that are being added, or were not added to the end. */
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

  /**
   * A game by its number, from 1. Cost: at most one request for each level of the index, which has up to four, and one
   * for the block; less where these are here.
   * @param {number} number
   * @returns {Promise<Game>}
   */
  async game(number) {
    const there = Number.isInteger(number) && number >= 1 && number <= this.length;
    if (!there) throw new RangeError(`there is no game ${number}`);
    const call = () => {
      const status = c.ply11_archive_find(this.#held.archive, BigInt(number), OUT);
      return status === OK ? this.#block(view.getUint32(OUT, true)) : status;
    };
    return ask(this.#held, call, () => gameOf(this.#held.block, number));
  }

  async *[Symbol.asyncIterator]() {
    for (let n = 1; n <= this.length; n++) yield await this.game(n);
  }

  /** Reads all blocks, and throws an ArchiveError if something is wrong. */
  async verify() {
    for (let n = 0; n < this.blocks; n++) await ask(this.#held, () => this.#block(n), () => {});
  }

  /** Opens the index of the archive, a file .p11x, for tree. @param {Source} from */
  async useIndex(from) {
    const held = this.#held, source = await sourceOf(from, held.limit);
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

  /** What was played in a position. @param {Board | string} position */
  tree(position) {
    return treeAt(this.#held, position);
  }

  /** Gives the memory back; an archive that is forgotten does so by itself. */
  close() {
    return close(this.#held);
  }
}

export const open = Archive.open;

/* ---- Games as links ---- */

const MAX_LINK = 8192; // bytes, and plies

/**
 * Calls the coder with a game's start in place, and room for the size, for moves and for bytes behind each other. It
 * writes moves, or reads n of bytes.
 * @returns {Promise<any>}
 */
async function link(start, n, bytes, moves) {
  const model = await theModel(), at = room(4 + 3 * MAX_LINK, "link"), codes = at + 4, coded = codes + 2 * MAX_LINK;
  view.setUint32(at, bytes?.length ?? MAX_LINK, true);
  moves?.forEach((m, i) => view.setUint16(codes + 2 * i, m, true));
  if (bytes) memory.set(bytes, coded);
  const status = c.code_link(model, hooks.place(start), codes, n, moves ? 1 : 0, coded, at);
  grown();
  const written = memory.slice(coded, coded + view.getUint32(at, true)), read = memory.slice(codes, codes + 2 * n);
  c.release(at);
  if (status !== OK) throw new Ply11Error(status, "link");
  return moves ? written : new Uint16Array(read.buffer);
}

function textForLink(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * A game as a text for a link, of letters, digits, - and _: a number of plies as a varint, and their dense moves
 * (docs/DENSE.md, model 1), in base64url. The start is not in the text. At most 4,096 plies.
 * @param {Iterable<number | string>} moves
 * @param {Board | string} [start] the usual one if it is not there
 */
export async function encodeGame(moves, start) {
  const first = copyOf(start), board = first.copy();
  const codes = Array.from(moves, (m) => board.push(m));
  if (codes.length > MAX_LINK / 2) throw new RangeError(`a link has at most ${MAX_LINK / 2} plies`);
  const length = codes.length < 128 ? [codes.length] : [(codes.length & 127) | 128, codes.length >> 7];
  return textForLink([...length, ...(await link(first, codes.length, null, codes))]);
}

/**
 * The codes of the moves of such a text; start must be the same. Any other text is refused.
 * @param {string} text
 * @param {Board | string} [start]
 * @returns {Promise<Uint16Array>}
 */
export async function decodeGame(text, start) {
  const first = copyOf(start);
  const wrong = () => new RangeError("this is no link of a game");
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1 || text.length > (MAX_LINK * 4) / 3) throw wrong();
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (b) => b.charCodeAt(0));
  const [low, high] = bytes, size = low > 127 ? 2 : 1, n = size === 2 ? (low & 127) | (high << 7) : low;
  const whole = textForLink(bytes) === text && bytes.length >= size && (size === 1 || high !== 0);
  if (!whole || n > MAX_LINK / 2) throw wrong();
  return link(first, n, bytes.subarray(size), null);
}
