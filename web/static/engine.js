// SPDX-License-Identifier: Apache-2.0
// An Engine is the page's end of a worker. @ts-check

/** Canceled is the message of a call that was given up. */
export const Canceled = 'canceled';

/** patience is how many milliseconds a worker has to notice that a call was given up. Then another worker takes its place. */
const patience = 1000;

/**
 * @typedef {{id: number, method: string, params: object, data: Uint8Array|Blob|null}} Message
 * @typedef {{message: Message, resolve: (result: any) => void, reject: (error: Error) => void, progress?: (done: number) => void, timer?: number, again?: boolean}} Call
 */

/** taken returns the worker that was begun before the page's scripts, if it has a program and nobody has taken it: see first.js. */
function taken(program) {
  if (program !== 'explorer') return undefined;
  const worker = globalThis.firstWorker;
  globalThis.firstWorker = undefined;
  return worker;
}

export class Engine {
  /** @param {string} program explorer, archiver, bytes or hardware */
  constructor(program) {
    this.program = program;
    /** @type {Map<number, Call>} */
    this.calls = new Map();
    this.next = 1;
    /** @type {Message[]} what a worker is told that takes the place of another: the archive that is open, and its index */
    this.opened = [];
    this.reopening = false;
    this.start();
  }

  start() {
    this.answered = false; // nothing yet
    this.dead = false; // it could not even begin: the next call begins another
    const worker = this.worker = taken(this.program) ?? new Worker(`worker.js?program=${this.program}`);
    worker.onmessage = ({ data }) => {
      if (!data.ended) this.answer(data);
      else if (this.answered) this.restart(); // one that does not even begin is not begun again by itself
      else this.dead = true;
    };
    worker.onerror = (event) => {
      this.dead = true;
      for (const call of this.calls.values()) call.reject(new Error(event.message || 'the worker failed'));
      this.calls.clear();
    };
    worker.postMessage({ begin: true });
  }

  answer({ id, progress, error, result }) {
    const call = this.calls.get(id);
    if (!call) return;
    if (progress !== undefined) {
      call.progress?.(progress);
      return;
    }
    this.calls.delete(id);
    clearTimeout(call.timer);
    if (error !== undefined) {
      call.reject(new Error(error));
      return;
    }
    const { method } = call.message;
    if (call.timer !== undefined && method.startsWith('open')) { // it was given up, and was opened yet: what was open before is wanted
      this.restart();
      return;
    }
    if (!call.again) {
      if (method === 'open' || method === 'openURL') this.opened = [];
      if (/^open|^setIndex$/.test(method)) this.opened.push(call.message);
    }
    this.answered = true;
    call.resolve(result);
  }

  /**
   * call asks for something. The promise that it returns has a method cancel.
   * @param {string} method
   * @param {object} [params]
   * @param {Uint8Array|Blob|null} [data]
   * @param {(done: number) => void} [progress]
   */
  call(method, params = {}, data = null, progress = undefined) {
    const id = this.next++;
    const message = { id, method, params, data };
    const promise = new Promise((resolve, reject) => {
      this.calls.set(id, { message, resolve, reject, progress });
      if (this.dead) this.restart();
      else if (!this.reopening) this.worker.postMessage(message);
    });
    return Object.assign(promise, { cancel: () => this.cancel(id) });
  }

  /** cancel gives up a call: at once for who waits for it, whatever the worker is doing. */
  cancel(id) {
    const call = this.calls.get(id);
    if (!call || call.timer !== undefined) return;
    call.progress = undefined;
    call.reject(new Error(Canceled));
    if (this.reopening) { // the worker was not told of it yet
      this.calls.delete(id);
      return;
    }
    call.timer = setTimeout(() => this.restart(), patience);
    this.worker.postMessage({ cancel: id });
  }

  /** restart ends a worker that does not listen. Another one opens what was open, and then does the calls that were not given up. */
  async restart() {
    this.worker.terminate();
    for (const [id, call] of this.calls) {
      clearTimeout(call.timer);
      if (call.timer !== undefined || call.again) this.calls.delete(id);
    }
    this.start();
    const worker = this.worker;
    this.reopening = true;
    for (const message of this.opened) {
      await new Promise((done) => {
        const again = { ...message, id: this.next++ };
        this.calls.set(again.id, { message: again, resolve: done, reject: done, again: true });
        worker.postMessage(again);
      });
      if (worker !== this.worker) return;
    }
    this.reopening = false;
    for (const call of this.calls.values()) worker.postMessage(call.message);
  }
}
