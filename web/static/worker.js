// SPDX-License-Identifier: Apache-2.0
// The worker in which the Go program runs: explorer.wasm, archiver.wasm, bytes.wasm or hardware.wasm. The page asks it by messages {id, method, params, data} and
// gets {id, result} or {id, error}, and {id, progress} before.
'use strict';

const asked = new URLSearchParams(self.location.search).get('program');
const program = ['explorer', 'archiver', 'bytes', 'hardware'].includes(asked) ? asked : 'explorer';
const fetched = fetch(`${program}.wasm.gz`); // before what it needs, which comes meanwhile
fetched.catch(() => {}); // it is told of where it is waited for

importScripts('wasm_exec.js');

function joined(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

// plain returns what an answer holds, decompressed if it is compressed. Some servers decompress it on the way.
async function plain(response, name) {
  if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  const reader = response.body.getReader();
  let head = new Uint8Array();
  for (let part; head.length < 2 && !(part = await reader.read()).done;) head = joined(head, part.value);
  const whole = new ReadableStream({
    start(to) { to.enqueue(head); },
    async pull(to) {
      const { done, value } = await reader.read();
      if (done) to.close();
      else to.enqueue(value);
    },
  });
  return head[0] === 0x1f && head[1] === 0x8b ? whole.pipeThrough(new DecompressionStream('gzip')) : whole;
}

// instantiate compiles a program while it is fetched and decompressed.
async function instantiate(response, imports) {
  const stream = await plain(response, `${program}.wasm.gz`);
  return WebAssembly.instantiateStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }), imports);
}

// The program is fetched at once, and compiled when the page says so, which paints before: compiling takes all cores.
let begin;
const begun = new Promise((resolve) => { begin = resolve; });

let running = false;
const ready = new Promise((resolve) => { self.ply11Ready = resolve; });
const started = (async () => {
  await begun;
  const go = new Go();
  const { instance } = await instantiate(await fetched, go.importObject);
  go.run(instance).then(() => fail('the program ended'));
  await ready;
  running = true;
})();
started.catch(() => self.postMessage({ ended: true }));

const open = new Set(); // ids of calls without an answer

function fail(text) {
  for (const id of open) self.postMessage({ id, error: text });
  open.clear();
  self.postMessage({ ended: true });
}

// ply11Pause lets the worker take messages.
const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();
self.ply11Pause = () => new Promise((resolve) => { waiting.push(resolve); channel.port2.postMessage(0); });

// ply11Fetch fetches a file of the page when the program first wants it, decompressed if it is compressed by gzip.
self.ply11Fetch = async (name) => new Uint8Array(await new Response(await plain(await fetch(name), name)).arrayBuffer());

// sliceOf returns what reads a part of a file that is here.
function sliceOf(file) {
  return async (at, n) => new Uint8Array(await file.slice(at, at + n).arrayBuffer());
}

// isHere tells whether an address is of this machine.
function isHere(url) { return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url, self.location.href).hostname); }

// rangesOf returns what asks for a range of a file on a server: it gives the answer, and cancel, which ends the request unless all of it came.
// early has requests that were begun before, by their ranges: each serves once.
function rangesOf(url, early = new Map()) {
  return (range) => {
    const before = early.get(range);
    early.delete(range);
    if (before) return before;
    const control = new AbortController();
    let done = false;
    const answer = async () => {
      const response = await fetch(url, { headers: { Range: range }, signal: control.signal, credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' });
      const length = response.headers.get('Content-Length');
      return {
        status: response.status,
        headers: response.headers,
        length: length === null ? -1 : Number(length),
        body: async () => { const b = new Uint8Array(await response.arrayBuffer()); done = true; return b; },
      };
    };
    return { answer: answer(), cancel: () => { if (!done) control.abort(); } };
  };
}

// askEarly asks for what the program reads first of an archive, its front and its end, before the program is there. The sizes are those of the packages httprange and archive;
// if they were others, the program would ask by itself.
async function askEarly(url, early) {
  const [front, page, end] = [16384, 8192, 49152];
  const ask = rangesOf(url);
  const add = (from, to) => {
    const range = `bytes=${from}-${to}`;
    early.set(range, ask(range));
    return early.get(range).answer;
  };
  try {
    const size = Number((await add(0, front - 1)).headers.get('Content-Range')?.split('/')[1]);
    if (!running && size > front) await add(Math.max(front, Math.floor((size - end) / page) * page), size - 1);
  } catch { /* the program is told of it, or asks again */ }
}

// earlyOf has the requests of askEarly that the program has not taken, by the ids of their calls.
const earlyOf = new Map();

// endEarly ends what is left of them.
function endEarly(id) {
  for (const left of earlyOf.get(id)?.values() ?? []) left.cancel();
  earlyOf.delete(id);
}

async function answer({ id, method, params, data }) {
  if (method === 'openURL' && !running) {
    earlyOf.set(id, new Map());
    askEarly(params.url, earlyOf.get(id));
  }
  await started;
  if (!open.has(id)) return undefined; // it was given up while the program came
  switch (method) {
    case 'ready': // for who wants to know whether the program is there
      return true;
    case 'open': {
      const told = await ply11.open(id, data.size, sliceOf(data));
      if (params.index) await ply11.index(id, params.index.size, sliceOf(params.index));
      return told;
    }
    case 'openURL': {
      const told = await ply11.openURL(id, params.url, rangesOf(params.url, earlyOf.get(id)), isHere(params.url));
      if (params.index) await ply11.indexURL(id, params.index, rangesOf(params.index));
      return told;
    }
    case 'setIndex':
      return ply11.index(id, data.size, sliceOf(data));
    default: {
      const file = data instanceof Blob ? { size: data.size, read: sliceOf(data) } : data ?? null;
      const result = await ply11.call(id, method, JSON.stringify(params ?? {}), file, (progress) => self.postMessage({ id, progress }));
      return method === 'pack' ? new Blob([result]) : result;
    }
  }
}

self.onmessage = async ({ data }) => {
  if (data.begin) {
    begin();
    return;
  }
  if (data.cancel !== undefined) {
    // The page waits no longer; the program ends the call, and the request that it waits for.
    if (open.delete(data.cancel)) self.postMessage({ id: data.cancel, error: 'canceled' });
    endEarly(data.cancel);
    await started;
    ply11.cancel(data.cancel);
    return;
  }
  open.add(data.id);
  try {
    const result = await answer(data);
    if (open.delete(data.id)) self.postMessage({ id: data.id, result }, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (error) {
    if (open.delete(data.id)) self.postMessage({ id: data.id, error: error.message || String(error) });
  } finally {
    endEarly(data.id);
  }
};
