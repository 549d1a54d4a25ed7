// SPDX-License-Identifier: Apache-2.0

/** How many codes are moves: 0 to 1967. */
export const MOVES: 1968;
/** The code of the null move. */
export const NULL: 1972;
export type Vocabulary = "index" | "lc0" | "alphazero" | "zeta36" | "searchless-chess";
/** The orders of labels: see docs/train.md. */
export const VOCABULARIES: readonly Vocabulary[];

/** Input that is refused. */
export class Ply11Error extends Error {
  /** The byte at which a FEN is wrong. */
  at?: number;
}

/** The code of a move in UCI, legal or not. Throws a Ply11Error. */
export function fromUCI(uci: string): number;
/** A code as UCI: "e2e4", "a7a8q"; "0000" for the null move, "" for other codes that are no moves. */
export function toUCI(code: number): string;
/** The squares (a1 is 0, h8 is 63) and the promotion ("", n, b, r, q) of a code; null for what is no move. */
export function move(code: number): { from: number; to: number; promotion: "" | "n" | "b" | "r" | "q" } | null;
/** The code of the same move with the ranks, or the files, mirrored. What is no move stays. */
export function mirrorRanks(code: number): number;
export function mirrorFiles(code: number): number;
export function codeClass(code: number): "rook" | "bishop" | "knight" | "promotion" | "control" | "reserved";
/** The name of a code that is no move ("ResultDraw"), null for moves and reserved codes. */
export function controlName(code: number): string | null;
/** How many labels a vocabulary has. */
export function vocabularySize(name: Vocabulary): number;
/** Words of eleven bits as bytes, and back: docs/WORDS.md. */
export function pack(words: Uint16Array | number[]): Uint8Array;
export function unpack(data: Uint8Array): Uint16Array;

/** A position, and the moves that are legal in it. A move is a code, or a text in SAN or UCI; one that is not legal throws a Ply11Error. */
export class Board {
  /** The usual start, or the position of a FEN of six fields (X-FEN and Shredder-FEN, too). */
  constructor(fen?: string);
  copy(): Board;
  readonly fen: string;
  /** Whether Black is to move. */
  readonly black: boolean;
  /** Whether castling is king takes rook. */
  readonly chess960: boolean;
  readonly outcome: "playing" | "check" | "stalemate" | "mate";
  /** The man on a square as its letter in FEN, null if it is empty. */
  man(square: number): string | null;
  /** The codes of the legal moves. */
  legal(): Uint16Array;
  /** The legal moves as bits: bit c % 8 of byte c / 8. 246 bytes. */
  mask(): Uint8Array;
  isLegal(code: number): boolean;
  /** The code of a legal move. */
  parse(move: number | string): number;
  /** Makes a move, and returns its code. */
  push(move: number | string): number;
  /** A legal move in SAN. */
  san(move: number | string): string;
  /** The label of a legal move in a vocabulary. */
  label(move: number | string, vocabulary: Vocabulary): number;
}
