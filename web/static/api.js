// SPDX-License-Identifier: Apache-2.0
// What the page asks its server. The answers are JSON: docs/EXPLORER.md has the table. @ts-check

/** Canceled is the message of a request that was given up. */
export const Canceled = 'canceled';

/** Gone is the error of a server that does not answer: it may do so later. */
export class Gone extends Error {
  constructor() { super('The server does not answer. Does it still run?'); }
}

/**
 * ask asks for a path below api/. The promise that it returns has a method cancel.
 * @param {string} path
 * @param {Record<string, any>} [params] what has no value is left out
 * @param {{body?: Blob|Uint8Array|string, progress?: (done: number) => void}} [more] what is sent, and what is told how far it is
 * @returns {Promise<any> & {cancel: () => void}}
 */
export function ask(path, params = {}, { body, progress } = {}) {
  const control = new AbortController();
  const get = async () => {
    let answer, wrong;
    try {
      const address = `api/${path}${queryOf(progress ? { ...params, progress: 1 } : params)}`;
      const response = await fetch(address, body === undefined ? { signal: control.signal }
        : { method: 'POST', body: /** @type {BodyInit} */ (body), headers: { 'Content-Type': 'application/octet-stream' }, signal: control.signal });
      const type = response.headers.get('Content-Type');
      if (type === 'application/jsonl') ({ result: answer, error: wrong } = await lines(response, progress));
      else if (type === 'application/octet-stream') answer = new Uint8Array(await response.arrayBuffer());
      else answer = await response.json();
      if (!response.ok) wrong = answer.error ?? `status ${response.status}`;
    } catch {
      throw control.signal.aborted ? new Error(Canceled) : new Gone();
    }
    if (wrong !== undefined) throw new Error(wrong);
    return answer;
  };
  return Object.assign(get(), { cancel: () => control.abort() });
}

/** queryOf writes parameters as an address has them: a list has its name for each. */
export function queryOf(params) {
  const list = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  return list.length > 0 ? `?${new URLSearchParams(list.flatMap(([name, value]) => [value].flat().map((v) => [name, v === true ? '1' : String(v)])))}` : '';
}

/** lines reads lines of JSON: how far it is, and the last one, which has the answer or what is wrong. */
async function lines(response, progress) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the answer has no end');
    const parts = (text + value).split('\n');
    text = parts.pop();
    for (const part of parts) {
      const line = JSON.parse(part);
      if (line.progress === undefined) return line;
      progress?.(line.progress);
    }
  }
}

/** of is the path of an archive. @param {{name: string}} archive */
export function of(archive, path = '') { return `archives/${encodeURIComponent(archive.name)}${path}`; }

/** @typedef {{name: string, label: string, path: string, games: number, plies: number, bytes: number, indexed: boolean, rows?: any[], error?: string}} Archive */

/** @type {Promise<Archive[]>|null} */
let recent = null;

/** archives lists the archives of the server as they are now: an index may have come, or games. Who asks at the same time gets the same list. */
export function archives() {
  recent ??= ask('archives', { rows: 20 }).finally(() => setTimeout(() => { recent = null; }, 500));
  return recent;
}
