// SPDX-License-Identifier: Apache-2.0

// Moves as numbers, and positions.

import { c, CAP, hooks, IN, memory, OUT, Ply11Error, POSITION, SIZE, textAt, textIn, view, whole } from "./core.js";

/** How many codes are moves: 0 to 1967. */
export const MOVES = 1968;
/** The code of the null move. */
export const NULL = 1972;

/** The code of a move in UCI, legal or not. @param {string} uci */
export function fromUCI(uci) {
  const status = c.ply11_from_uci(0, IN, textIn(uci), OUT);
  if (status !== 0) throw new Ply11Error(status, JSON.stringify(uci));
  return view.getUint16(OUT, true);
}

/**
 * A code as UCI: "e2e4", "a7a8q"; "0000" for the null move, "" for other codes that are no moves.
 * @param {number} code
 */
export function toUCI(code) {
  c.ply11_to_uci(whole(code), OUT);
  return textAt(OUT);
}

const PROMOTIONS = /** @type {const} */ (["", "", "", "", "n", "b", "r", "q"]);

/** The squares of a code (a1 is 0, h8 is 63), and its promotion; null for what is no move. @param {number} code */
export function move(code) {
  const w = c.ply11_word(whole(code));
  return w === 0 ? null : { from: w & 63, to: (w >> 6) & 63, promotion: PROMOTIONS[(w >> 12) & 7] };
}

/** The code of the same move with the ranks mirrored. What is no move stays. @param {number} code */
export function mirrorRanks(code) {
  return c.ply11_mirror_ranks(whole(code));
}

/** @param {number} code */
export function mirrorFiles(code) {
  return c.ply11_mirror_files(whole(code));
}

const CLASSES = /** @type {const} */ (["rook", "bishop", "knight", "promotion", "control", "reserved"]);

/** @param {number} code */
export function codeClass(code) {
  return CLASSES[c.ply11_code_class(whole(code))];
}

/** The name of a code that is no move ("ResultDraw"), null for moves and reserved codes. @param {number} code */
export function controlName(code) {
  const at = c.ply11_control_name(whole(code));
  return at === 0 ? null : textAt(at);
}

const names = /** @type {const} */ (["index", "lc0", "alphazero", "zeta36", "searchless-chess"]);
/** The orders of labels: see docs/train.md. */
export const VOCABULARIES = Object.freeze(names);
/** @typedef {typeof VOCABULARIES[number]} Vocabulary */

function vocabulary(name) {
  const v = VOCABULARIES.indexOf(name);
  if (v < 0) throw new RangeError(`there are no labels ${JSON.stringify(name)}`);
  return v;
}

/** How many labels a vocabulary has. @param {Vocabulary} name */
export function vocabularySize(name) {
  return c.ply11_vocabulary_size(vocabulary(name));
}

/** Words of eleven bits as bytes: docs/WORDS.md. @param {Uint16Array | number[]} words */
export function pack(words) {
  const out = new Uint8Array(Math.ceil((words.length * 11) / 8));
  for (let first = 0; first < words.length; first += 256) { // whole groups of eight words, which begin with a byte
    const part = words.slice(first, first + 256);
    part.forEach((w, i) => view.setUint16(IN + 2 * i, w, true));
    c.ply11_pack(IN, part.length, OUT);
    out.set(memory.subarray(OUT, OUT + Math.ceil((part.length * 11) / 8)), (first * 11) / 8);
  }
  return out;
}

/** @param {Uint8Array} data */
export function unpack(data) {
  const out = new Uint16Array(Math.floor((data.length * 8) / 11));
  for (let first = 0, at = 0; first < out.length; first += 256, at += 352) {
    const part = data.subarray(at, at + 352);
    memory.set(part, IN);
    const n = c.ply11_unpack(IN, part.length, 0, OUT, 256);
    for (let i = 0; i < n; i++) out[first + i] = view.getUint16(OUT + 2 * i, true);
  }
  return out;
}

const letters = ".KQNBRP..kqnbrp.";

const OUTCOMES = /** @type {const} */ (["playing", "check", "stalemate", "mate"]);

/** A position, and the moves that are legal in it. A move is a code, or a text in SAN or UCI. */
export class Board {
  #p = new Uint8Array(SIZE);

  static {
    hooks.at = (at) => {
      const p = memory.slice(at, at + SIZE), b = new Board();
      b.#p = p;
      return b;
    };
    hooks.place = (b) => b.#give();
  }

  /** @param {string} [fen] of six fields, X-FEN and Shredder-FEN, too; the usual start if it is not there */
  constructor(fen) {
    if (fen === undefined) {
      c.ply11_start(POSITION);
    } else {
      const status = c.ply11_from_fen(POSITION, IN, textIn(fen), OUT);
      if (status !== 0) throw new Ply11Error(status, `FEN ${JSON.stringify(fen)}`, view.getUint32(OUT, true));
    }
    this.#take();
  }

  // give puts the position in place for a call; take takes it back after one that changed it.
  #give() {
    memory.set(this.#p, POSITION);
    return POSITION;
  }
  #take() {
    this.#p.set(memory.subarray(POSITION, POSITION + SIZE));
  }

  copy() {
    const b = new Board();
    b.#p.set(this.#p);
    return b;
  }

  get fen() {
    c.ply11_to_fen(this.#give(), OUT);
    return textAt(OUT);
  }

  /** Whether Black is to move. */
  get black() {
    return this.#p[48] !== 0;
  }

  /** Whether castling is king takes rook. */
  get chess960() {
    return this.#p[50] !== 0;
  }

  get outcome() {
    return OUTCOMES[c.ply11_outcome(this.#give())];
  }

  /** The piece on a square as its letter in FEN, null if it is empty. @param {number} square */
  piece(square) {
    const piece = letters[c.ply11_piece_on(this.#give(), whole(square, 63))];
    return piece === "." ? null : piece;
  }

  /** The codes of the legal moves. */
  legal() {
    const n = Math.min(c.ply11_legal(this.#give(), OUT, CAP), CAP);
    return Uint16Array.from({ length: n }, (_, i) => view.getUint16(OUT + 2 * i, true));
  }

  /** The legal moves as bits: bit c % 8 of byte c / 8. 246 bytes. */
  mask() {
    c.ply11_legal_masks(this.#give(), 1, OUT);
    return memory.slice(OUT, OUT + 246);
  }

  /** @param {number} code */
  isLegal(code) {
    return c.ply11_is_legal(this.#give(), whole(code)) !== 0;
  }

  /** The code of a legal move. @param {number | string} m */
  parse(m) {
    if (typeof m === "number") {
      if (!this.isLegal(m)) throw new Ply11Error(9, `code ${m} in ${this.fen}`);
      return m;
    }
    const size = textIn(m);
    this.#give();
    let status = c.ply11_from_uci(POSITION, IN, size, OUT);
    if (status !== 0) status = c.ply11_from_san(POSITION, IN, size, OUT);
    if (status !== 0) throw new Ply11Error(status, `${JSON.stringify(m)} in ${this.fen}`);
    return view.getUint16(OUT, true);
  }

  /** Makes a move, and returns its code. @param {number | string} m */
  push(m) {
    const code = this.parse(m);
    c.ply11_make(this.#give(), code);
    this.#take();
    return code;
  }

  /** @param {number | string} m */
  san(m) {
    const code = this.parse(m);
    c.ply11_to_san(this.#give(), code, OUT);
    return textAt(OUT);
  }

  /**
   * The label of a legal move.
   * @param {number | string} m
   * @param {Vocabulary} name
   */
  label(m, name) {
    const v = vocabulary(name);
    view.setUint16(IN, this.parse(m), true);
    c.ply11_labels(v, this.#give(), IN, 1, OUT);
    return view.getInt32(OUT, true);
  }
}
