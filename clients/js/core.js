// SPDX-License-Identifier: Apache-2.0

// The core in C as WebAssembly. What its functions do is told in clients/c/ply11.h, and in wasm.c beside this.

import wasm from "./wasm.js";

// bytesOf returns the bytes of a file that is a text of base64 in a module: bundlers, browsers and Node find it alike.
export const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// What other modules set. read gets bytes of archives, within calls of the core; at makes a board of a position of the
// core, and place puts a board's position in its place for a call.
export const hooks = /** @type {Record<"read" | "at" | "place", (...of) => any>} */ ({});

const module = new WebAssembly.Module(bytesOf(wasm)), imports = { js: { read: (...of) => hooks.read(...of) } };

/** @type {Record<string, (...of) => number> & { memory: WebAssembly.Memory }} */
export const c = /** @type {any} */ (new WebAssembly.Instance(module, imports).exports);

// Where the core's arguments are: a position, a text or words that go in, what comes out. Each call writes it anew.
export const SIZE = 56; // of a position
export const CAP = 1024; // codes in a list
export const POSITION = c.allocate(64 + 1024 + 2 * CAP);
export const IN = POSITION + 64;
export const OUT = IN + 1024;

// The core's memory. After a call that may take more of it, grown must be called.
export let memory = new Uint8Array(c.memory.buffer);
export let view = new DataView(c.memory.buffer);

export function grown() {
  if (memory.buffer === c.memory.buffer) return;
  memory = new Uint8Array(c.memory.buffer);
  view = new DataView(c.memory.buffer);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Input that is refused. */
export class Ply11Error extends Error {
  /** @param {number} [at] the byte at which a FEN is wrong */
  constructor(status, what, at) {
    super(`${what}: ${textAt(c.ply11_status_text(status))}`);
    this.name = "Ply11Error";
    this.at = at;
  }
}

// textAt reads a text that ends with a zero.
export function textAt(at) {
  let end = at;
  while (memory[end] !== 0) end++;
  return decoder.decode(memory.subarray(at, end));
}

// textIn puts a text in place, and returns its length; a longer one is cut, which no reader takes.
export function textIn(text) {
  return encoder.encodeInto(String(text), memory.subarray(IN, OUT)).written;
}

// whole returns a number from 0 to top, or 65535, which is no code and no square.
export function whole(n, top = 2047) {
  return Number.isInteger(n) && n >= 0 && n <= top ? n : 65535;
}
