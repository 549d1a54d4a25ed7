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
  /** The piece on a square as its letter in FEN, null if it is empty. */
  piece(square: number): string | null;
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

/** Where the bytes of a file are: in memory, in a Blob (of a page's input, or of Node's fs.openAsBlob), at a URL whose server gives ranges, or
 * wherever read gets them. A server of another origin must expose the header
 * Content-Range; it need not answer preflight requests. A server without ranges gives the whole file, which is refused if it is more than limit. */
export type Source = Uint8Array | ArrayBuffer | Blob | URL | string | { size: number; read(offset: number, size: number): Uint8Array | Promise<Uint8Array> };

/** What is wrong with an archive, its index or a tree file. The places are 0 where they are not known; game, block and column count from 1. */
export class ArchiveError extends Ply11Error {
  readonly offset: number;
  readonly game: number;
  readonly block: number;
  readonly column: number;
}

/** A game of an archive. Its arrays are copies. Of bytes that are not UTF-8 in tags, each is a lone surrogate, U+DC00 and the byte. */
export interface Game {
  /** From 1. */
  number: number;
  result: "1-0" | "0-1" | "1/2-1/2" | "*";
  /** Whether the text is a valid game. If not, the moves are as much of it as is valid. */
  valid: boolean;
  /** The position in which it begins; null where that is impossible. */
  start: Board | null;
  /** The codes of the main line; NULL is one of them. */
  moves: Uint16Array;
  /** The time left after each move to the one who made it, in hundredths of a second; -1 if it is not told. */
  clocks: Int32Array;
  /** The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k for Black's; -32768 if there is none. */
  evals: Int16Array;
  /** The evaluation of the start position. */
  startEval: number;
  /** By name; of several of one name, the first. */
  tags: Record<string, string>;
  /** In their order. */
  allTags: [name: string, value: string][];
}

/** Games, and how they ended. The others have no result. Ratings are sums, of so many rated players. */
export interface Counts {
  games: number;
  white: number;
  draws: number;
  black: number;
  whiteRatings: number;
  whiteRated: number;
  blackRatings: number;
  blackRated: number;
}

/** What was played in a position: the games that reach it, and the moves by their codes, the most frequent first. */
export interface Tree {
  all: Counts;
  moves: Map<number, Counts>;
}

/** The games of an archive. All that is read is verified by its digest. */
export class Archive implements AsyncIterable<Game> {
  private constructor();
  /** How many games there are. */
  readonly length: number;
  /** How many plies all main lines have. */
  readonly plies: number;
  /** How many blocks. A block is what is read at a time, some hundred to some thousand games; the last one is kept. */
  readonly blocks: number;
  /** How many bytes are behind the archive, of games that are being added, or were not added to the end. They are not read. */
  readonly unfinished: number;
  /** A game by its number, from 1. Cost: at most one request for each level of the index, which has up to four, and one for the block; less where these are here. */
  game(number: number): Promise<Game>;
  [Symbol.asyncIterator](): AsyncIterator<Game>;
  /** Reads all blocks, and throws an ArchiveError if something is wrong. */
  verify(): Promise<void>;
  /** Opens the index of the archive, a file .p11x, for tree. */
  useIndex(from: Source): Promise<void>;
  /** What was played in a position. */
  tree(position: Board | string): Promise<Tree>;
  /** Gives the memory back; an archive that is forgotten does so by itself. */
  close(): Promise<void>;
}

/** Opens an archive, a file .p11: two requests, or one for a small file. It and its blocks take at most limit bytes of memory, 64 MiB if it is 0. */
export function open(from: Source, options?: { limit?: number }): Promise<Archive>;

/** The counts of a tree file, which needs no archive. All that is read is verified by its checksum. */
export class TreeFile {
  private constructor();
  /** What was played in a position. Cost: a request, or two if the file has more than 44 MB. */
  tree(position: Board | string): Promise<Tree>;
  /** Gives the memory back; a tree file that is forgotten does so by itself. */
  close(): Promise<void>;
}

/** Opens a tree file, .p11t: one request. It takes at most limit bytes of memory, 64 MiB if it is 0. */
export function openTree(from: Source, options?: { limit?: number }): Promise<TreeFile>;

/** A game as a text for a link, of letters, digits, - and _: a number of plies as a varint, and their dense moves (docs/DENSE.md, model 1), in base64url. Of sixty plies that
 * people played, the median is 30 characters, and 98 of 100 have at most 38. start is the usual position unless it is told, and is not in the text. At most 4,096 plies. */
export function encodeGame(moves: Iterable<number | string>, start?: Board | string): Promise<string>;
/** The codes of the moves of such a text; start must be the same. Any other text is refused. */
export function decodeGame(text: string, start?: Board | string): Promise<Uint16Array>;
