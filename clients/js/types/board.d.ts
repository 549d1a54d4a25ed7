// Made from board.js by go generate ./clients.
/** The code of a move in UCI, legal or not. @param {string} uci */
export function fromUCI(uci: string): number;
/**
 * A code as UCI: "e2e4", "a7a8q"; "0000" for the null move, "" for other codes that are no moves.
 * @param {number} code
 */
export function toUCI(code: number): string;
/** The squares of a code (a1 is 0, h8 is 63), and its promotion; null for what is no move. @param {number} code */
export function move(code: number): {
    from: number;
    to: number;
    promotion: "" | "r" | "b" | "q" | "n";
} | null;
/** The code of the same move with the ranks mirrored. What is no move stays. @param {number} code */
export function mirrorRanks(code: number): number;
/** @param {number} code */
export function mirrorFiles(code: number): number;
/** @param {number} code */
export function codeClass(code: number): "rook" | "bishop" | "knight" | "promotion" | "control" | "reserved";
/** The name of a code that is no move ("ResultDraw"), null for moves and reserved codes. @param {number} code */
export function controlName(code: number): string | null;
/** How many labels a vocabulary has. @param {Vocabulary} name */
export function vocabularySize(name: Vocabulary): number;
/** Words of eleven bits as bytes: docs/WORDS.md. @param {Uint16Array | number[]} words */
export function pack(words: Uint16Array | number[]): Uint8Array<ArrayBuffer>;
/** @param {Uint8Array} data */
export function unpack(data: Uint8Array): Uint16Array<ArrayBuffer>;
/** How many codes are moves: 0 to 1967. */
export const MOVES: 1968;
/** The code of the null move. */
export const NULL: 1972;
/** The orders of labels: see docs/train.md. */
export const VOCABULARIES: readonly ["index", "lc0", "alphazero", "zeta36", "searchless-chess"];
/** A position, and the moves that are legal in it. A move is a code, or a text in SAN or UCI. */
export class Board {
    /** @param {string} [fen] of six fields, X-FEN and Shredder-FEN, too; the usual start if it is not there */
    constructor(fen?: string);
    copy(): Board;
    get fen(): string;
    /** Whether Black is to move. */
    get black(): boolean;
    /** Whether castling is king takes rook. */
    get chess960(): boolean;
    get outcome(): "playing" | "check" | "stalemate" | "mate";
    /** The piece on a square as its letter in FEN, null if it is empty. @param {number} square */
    piece(square: number): string | null;
    /** The codes of the legal moves. */
    legal(): Uint16Array<ArrayBuffer>;
    /** The legal moves as bits: bit c % 8 of byte c / 8. 246 bytes. */
    mask(): Uint8Array<ArrayBuffer>;
    /** @param {number} code */
    isLegal(code: number): boolean;
    /** The code of a legal move. @param {number | string} m */
    parse(m: number | string): number;
    /** Makes a move, and returns its code. @param {number | string} m */
    push(m: number | string): number;
    /** @param {number | string} m */
    san(m: number | string): string;
    /**
     * The label of a legal move.
     * @param {number | string} m
     * @param {Vocabulary} name
     */
    label(m: number | string, name: Vocabulary): number;
    #private;
}
export type Vocabulary = (typeof VOCABULARIES)[number];
