// Made from archive.js by go generate ./clients.
/**
 * A game as a text for a link, of letters, digits, - and _: a number of plies as a varint, and their dense moves
 * (docs/DENSE.md, model 1), in base64url. The start is not in the text. At most 4,096 plies.
 * @param {Iterable<number | string>} moves
 * @param {Board | string} [start] the usual one if it is not there
 */
export function encodeGame(moves: Iterable<number | string>, start?: Board | string): Promise<string>;
/**
 * The codes of the moves of such a text; start must be the same. Any other text is refused.
 * @param {string} text
 * @param {Board | string} [start]
 * @returns {Promise<Uint16Array>}
 */
export function decodeGame(text: string, start?: Board | string): Promise<Uint16Array>;
/**
 * What is wrong with an archive, its index or a tree file. The places are 0 where they are not known; game, block and
 * column count from 1.
 */
export class ArchiveError extends Ply11Error {
    constructor(status: any, held: any);
    offset: number;
    game: number;
    block: number;
    column: number;
}
/** The counts of a tree file, which needs no archive. All that is read is verified by its checksum. */
export class TreeFile {
    /**
     * Opens a tree file, .p11t: one request. It takes at most limit bytes of memory, 64 MiB if it is 0.
     * @param {Source} from
     */
    static open(from: Source, { limit }?: {
        limit?: number | undefined;
    }): Promise<TreeFile>;
    /**
     * What was played in a position. Cost: a request, or two if the file has more than 44 MB.
     * @param {Board | string} position
     */
    tree(position: Board | string): Promise<Tree>;
    /** Gives the memory back; a tree file that is forgotten does so by itself. */
    close(): Promise<void>;
    #private;
}
/**
 * Opens a tree file, .p11t: one request. It takes at most limit bytes of memory, 64 MiB if it is 0.
 * @param {Source} from
 */
export function openTree(from: Source, { limit }?: {
    limit?: number | undefined;
}): Promise<TreeFile>;
/** The games of an archive. All that is read is verified by its digest. */
export class Archive {
    /**
     * Opens an archive, a file .p11: two requests, or one for a small file. It and its blocks take at most limit bytes of
     * memory, 64 MiB if it is 0.
     * @param {Source} from
     */
    static open(from: Source, { limit }?: {
        limit?: number | undefined;
    }): Promise<Archive>;
    /** How many games there are. */
    get length(): number;
    /** How many plies all main lines have. */
    get plies(): number;
    /** How many blocks. A block is what is read at a time, some hundred to some thousand games; the last one is kept. */
    get blocks(): number;
    /** How many bytes are behind the archive, of games that are being added, or were not added to the end. */
    get unfinished(): number;
    /**
     * A game by its number, from 1. Cost: at most one request for each level of the index, which has up to four, and one
     * for the block; less where these are here.
     * @param {number} number
     * @returns {Promise<Game>}
     */
    game(number: number): Promise<Game>;
    /** Reads all blocks, and throws an ArchiveError if something is wrong. */
    verify(): Promise<void>;
    /** Opens the index of the archive, a file .p11x, for tree. @param {Source} from */
    useIndex(from: Source): Promise<void>;
    /** What was played in a position. @param {Board | string} position */
    tree(position: Board | string): Promise<Tree>;
    /** Gives the memory back; an archive that is forgotten does so by itself. */
    close(): Promise<void>;
    [Symbol.asyncIterator](): AsyncGenerator<{
        /** From 1. */
        number: number;
        result: "0-1" | "1/2-1/2" | "1-0" | "*";
        /** Whether the text is a valid game. If not, the moves are as much of it as is valid. */
        valid: boolean;
        /** The position in which it begins; null where that is impossible. */
        start: Board | null;
        /** The codes of the main line; NULL is one of them. */
        moves: Uint16Array<ArrayBuffer>;
        /** The time left after each move to the one who made it, in hundredths of a second; -1 if it is not told. */
        clocks: Int32Array<ArrayBuffer>;
        /**
         * The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k
         * for Black's; -32768 if there is none.
         */
        evals: Int16Array<ArrayBuffer>;
        /** The evaluation of the start position. */
        startEval: number;
        /** In their order. Of bytes that are not UTF-8, each is a lone surrogate, U+DC00 and the byte. */
        allTags: [name: string, value: string][];
        /** By name; of several of one name, the first. */
        tags: Record<string, string>;
    }, void, unknown>;
    #private;
}
/**
 * Opens an archive, a file .p11: two requests, or one for a small file. It and its blocks take at most limit bytes of
 * memory, 64 MiB if it is 0.
 * @param {Source} from
 */
export function open(from: Source, { limit }?: {
    limit?: number | undefined;
}): Promise<Archive>;
/**
 * By the codes of moves, the most frequent first.
 */
export type Tree = {
    all: Counts;
    moves: Map<number, Counts>;
};
/**
 * Games, and how they ended; the others have no result. Ratings are sums, of so many rated players.
 */
export type Counts = ReturnType<typeof counts>;
/**
 * Its arrays are copies.
 */
export type Game = ReturnType<typeof gameOf>;
/**
 * Where the bytes of a file are. A server of another origin must expose the header Content-Range; it need not answer
 * preflight requests. One without ranges gives the whole file, which is refused if it is more than limit.
 */
export type Reader = {
    size: number;
    read(offset: number, size: number): Uint8Array | Promise<Uint8Array>;
};
/**
 * Where the bytes of a file are. A server of another origin must expose the header Content-Range; it need not answer
 * preflight requests. One without ranges gives the whole file, which is refused if it is more than limit.
 */
export type Source = Uint8Array | ArrayBuffer | Blob | URL | string | Reader;
import { Board } from "./board.js";
import { Ply11Error } from "./core.js";
/**
 * Games, and how they ended; the others have no result. Ratings are sums, of so many rated players.
 * @typedef {ReturnType<typeof counts>} Counts
 */
declare function counts(at: any): {
    games: number;
    white: number;
    draws: number;
    black: number;
    whiteRatings: number;
    whiteRated: number;
    blackRatings: number;
    blackRated: number;
};
/** @typedef {ReturnType<typeof gameOf>} Game Its arrays are copies. */
/** @param {number} number */
declare function gameOf(block: any, number: number): {
    /** From 1. */
    number: number;
    result: "0-1" | "1/2-1/2" | "1-0" | "*";
    /** Whether the text is a valid game. If not, the moves are as much of it as is valid. */
    valid: boolean;
    /** The position in which it begins; null where that is impossible. */
    start: Board | null;
    /** The codes of the main line; NULL is one of them. */
    moves: Uint16Array<ArrayBuffer>;
    /** The time left after each move to the one who made it, in hundredths of a second; -1 if it is not told. */
    clocks: Int32Array<ArrayBuffer>;
    /**
     * The evaluation after each move, from White's side, in hundredths of a pawn; mate in k is 32000 - k, or -32000 + k
     * for Black's; -32768 if there is none.
     */
    evals: Int16Array<ArrayBuffer>;
    /** The evaluation of the start position. */
    startEval: number;
    /** In their order. Of bytes that are not UTF-8, each is a lone surrogate, U+DC00 and the byte. */
    allTags: [name: string, value: string][];
    /** By name; of several of one name, the first. */
    tags: Record<string, string>;
};
export {};
