// SPDX-License-Identifier: Apache-2.0
// An Engine is the page's end of a worker. @ts-check

/** Canceled is the message of a call that was given up. */
export const Canceled = 'canceled';

export class Engine {
  /** @param {string} program explorer, bytes or hardware */
  constructor(program) {
    this.calls = new Map();
    this.next = 1;
    this.worker = new Worker(`worker.js?program=${program}`);
    this.worker.onmessage = ({ data }) => {
      const call = this.calls.get(data.id);
      if (!call) return;
      if (data.progress !== undefined) {
        call.progress?.(data.progress);
        return;
      }
      this.calls.delete(data.id);
      if (data.error !== undefined) call.reject(new Error(data.error));
      else call.resolve(data.result);
    };
    this.worker.onerror = (event) => {
      for (const call of this.calls.values()) call.reject(new Error(event.message || 'the worker failed'));
      this.calls.clear();
    };
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
    const promise = new Promise((resolve, reject) => {
      this.calls.set(id, { resolve, reject, progress });
      this.worker.postMessage({ id, method, params, data });
    });
    return Object.assign(promise, { cancel: () => this.worker.postMessage({ cancel: id }) });
  }
}
