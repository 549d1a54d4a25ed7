// Made from core.js by go generate ./clients.
export function grown(): void;
export function textAt(at: any): string;
export function textIn(text: any): number;
export function whole(n: any, top?: number): any;
export function bytesOf(text: any): Uint8Array<ArrayBuffer>;
export const hooks: Record<"read" | "at" | "place", (...of: any) => any>;
/** @type {Record<string, (...of) => number> & { memory: WebAssembly.Memory }} */
export const c: Record<string, (...of: any) => number> & {
    memory: WebAssembly.Memory;
};
export const SIZE: 56;
export const CAP: 1024;
export const POSITION: number;
export const IN: number;
export const OUT: number;
export let memory: Uint8Array<ArrayBuffer>;
export let view: DataView<ArrayBuffer>;
/** Input that is refused. */
export class Ply11Error extends Error {
    /** @param {number} [at] the byte at which a FEN is wrong */
    constructor(status: any, what: any, at?: number);
    at: number | undefined;
}
