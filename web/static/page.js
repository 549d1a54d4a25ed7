// SPDX-License-Identifier: Apache-2.0
// What all rooms need: to ask the server, and to make elements. What the server answers is JSON, of which docs/EXPLORER.md has the table. Texts become text nodes: nothing of a file is
// ever read as HTML. It is one file, so that a browser has the first page by six requests, which is how many it makes at once. @ts-check

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
 * @param {{body?: Blob|Uint8Array|string, wait?: string|false}} [more] what is sent, and what is shown, with how far it is, if it takes longer than a moment
 * @returns {Promise<any> & {cancel: () => void}}
 */
export function ask(path, params = {}, { body, wait } = {}) {
  const control = new AbortController(), shown = wait && busy(wait, control);
  const get = async () => {
    let answer, wrong;
    try {
      const address = `api/${path}${queryOf({ ...params, progress: Boolean(wait) && !body })}`;
      const sent = body !== undefined && { method: 'POST', body: /** @type {BodyInit} */ (body), headers: { 'Content-Type': 'application/octet-stream' } };
      const response = await fetch(address, { signal: control.signal, ...sent });
      const type = response.headers.get('Content-Type');
      if (type === 'application/jsonl') ({ result: answer, error: wrong } = await lines(response, shown));
      else answer = await response.json();
      if (!response.ok) wrong = answer.error ?? `status ${response.status}`;
    } catch {
      throw control.signal.aborted ? new Error(Canceled) : new Gone();
    } finally {
      if (shown) shown.end();
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
async function lines(response, shown) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ''; ;) {
    const { done, value } = await reader.read();
    if (done) throw new Error('the answer has no end');
    const parts = (text + value).split('\n');
    text = parts.pop();
    for (const part of parts) {
      const line = JSON.parse(part);
      if (line.progress === undefined) return line;
      shown.set(line.progress);
    }
  }
}

/** of is the path of an archive. @param {{name: string}} archive */
export function of(archive, path = '') { return `archives/${encodeURIComponent(archive.name)}${path}`; }

/** positionLink is the address of a position in the room of openings. */
export function positionLink(fen) { return `#/openings/${fen.replaceAll(' ', '_')}`; }

/** @typedef {{name: string, label: string, path: string, games: number, plies: number, bytes: number, indexed: boolean, rows?: any[], error?: string}} Archive */

/** @type {Promise<Archive[]>|null} */
let recent = null;

/** archives lists the archives of the server as they are now: an index may have come, or games. Who asks at the same time gets the same list, unless it is to be a fresh one. */
export function archives(fresh = false) {
  if (fresh) recent = null;
  recent ??= ask('archives', { rows: 20 }).finally(() => setTimeout(() => { recent = null; }, 500));
  return recent;
}

/**
 * el makes an element: el('p.hint', {title: 'x', onclick: f}, 'text', child, list.map(f)). What is false, null or
 * undefined is left out. A button submits nothing.
 * @template {string} Name
 * @param {Name} name of the element, and its class
 * @param {...any} parts attributes, texts, numbers, elements, and lists of them
 * @returns {ElementOf<Name>}
 */
export function el(name, ...parts) {
  const [tag, ...classes] = name.split('.'), e = document.createElement(tag);
  if (tag === 'button') e.setAttribute('type', 'button');
  if (classes.length > 0) e.className = classes.join(' ');
  return /** @type {any} */ (put(e, parts));
}

/** svg makes an element of SVG. @param {string} name */
export function svg(name, ...parts) { return put(document.createElementNS('http://www.w3.org/2000/svg', name), parts); }

/** fill gives an element, or that of an id, other contents. @param {string|Element} at */
export function fill(at, ...parts) {
  const e = typeof at === 'string' ? byId(at) : at;
  e.replaceChildren();
  put(e, parts);
}

/** put gives an element its attributes and what is in it. @template {Element} E @param {E} e @returns {E} */
function put(e, parts) {
  for (const part of parts.flat(Infinity)) {
    if (part === undefined || part === null || part === false || part === '') continue;
    if (typeof part !== 'object' || part instanceof Node) { e.append(part); continue; }
    for (const [key, value] of Object.entries(part)) {
      if (value === undefined || value === null || value === false) continue;
      if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
      else e.setAttribute(key, value === true ? '' : String(value));
    }
  }
  return e;
}

/** icon draws one of the signs of index.html. */
export function icon(name) { return svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `#icon-${name}` })); }

/** icons puts the icons into what names one below an element. @param {ParentNode} e */
export function icons(e) { for (const x of e.querySelectorAll('[data-icon]')) x.prepend(icon(x.dataset.icon)); }

/**
 * byId returns an element that the page has.
 * @template {string} Id
 * @param {Id} id
 * @returns {Id extends keyof PageElements ? PageElements[Id] : HTMLElement}
 */
export function byId(id) {
  const e = document.getElementById(id);
  if (!e) throw new Error(`no element ${id}`);
  return /** @type {any} */ (e);
}

/** count writes a number with commas: 1,234,567. (The browser's own way took 26 ms of a task when it was first used.) */
export function count(n) { return String(n).replace(/\B(?=(\d{3})+$)/g, ','); }

/** counted writes how many things there are: 1 game, 2 games. */
export function counted(n, thing) { return `${count(n)} ${n === 1 ? thing : thing === 'ply' ? 'plies' : `${thing}s`}`; }

/**
 * named makes a name that stands beside other text: one that is written from right to left turns nothing around but itself. Of a very long one it has the begin.
 * @param {string} text
 */
export function named(text, most = 120) {
  const letters = text.length > most ? [...text.slice(0, 2 * most)] : [];
  return el('bdi', letters.length > most ? `${letters.slice(0, most).join('')}…` : text);
}

let going = 0; // the timer of what was said last

/**
 * say tells something to everybody, those who listen included. again, if it is given, is what tries once more. It goes
 * after some seconds; what is wrong stays until the next thing is said, or somebody takes it away.
 * @param {string|(string|Node)[]} text
 * @param {boolean} [wrong]
 * @param {(() => void)|null} [again]
 */
export function say(text, wrong = false, again = null) {
  const status = byId('status');
  clearTimeout(going);
  status.classList.remove('gone');
  if (!wrong) going = setTimeout(() => status.classList.add('gone'), 4000);
  fill(status, text, again && [' ', el('button', { onclick: again }, 'Try again')],
    wrong && el('button.close', { 'aria-label': 'Close', onclick: () => say('') }, icon('close')));
  status.classList.toggle('wrong', wrong);
}

/** busy shows how far a call is, with a button that gives it up, once it takes longer than a moment. It returns what tells of the call and ends this. */
function busy(text, control) {
  const bar = el('progress', { max: 1, 'aria-label': 'Progress' });
  const box = el('div.toast', text, ' ', bar, ' ', el('button', { onclick: () => control.abort() }, 'Cancel'));
  const show = setTimeout(() => byId('status').before(box), 150);
  return {
    set(done) { bar.value = done; },
    end() {
      clearTimeout(show);
      box.remove();
    },
  };
}

/** each calls a function for every element of a list, in tasks of some milliseconds, between which the page goes on. It ends early when go tells so. */
export async function each(list, call, go = () => true) {
  for (let i = 0; i < list.length;) {
    const end = performance.now() + 8;
    while (i < list.length && performance.now() < end) {
      call(list[i], i);
      i++;
    }
    if (i < list.length) await new Promise((resolve) => { setTimeout(resolve); });
    if (!go()) return;
  }
}

/** fromHex returns the bytes, at most so many, of hexadecimal digits, which may have spaces, commas, colons and 0x between them. What is none, it throws as an error. */
export function fromHex(text, most) {
  const digits = text.replace(/0x|[\s,:]/gi, '').slice(0, 2 * most), [wrong] = /[^\da-f]/iu.exec(digits) ?? [];
  if (wrong) throw new Error(`"${wrong}" is no hexadecimal digit`);
  if (digits.length % 2) throw new Error('The number of hexadecimal digits is odd');
  return Uint8Array.from(digits.match(/../g) ?? [], (d) => parseInt(d, 16));
}

/** size writes a number of bytes as people read it. */
export function size(bytes) {
  if (bytes < 1e6) return bytes < 1000 ? counted(bytes, 'byte') : `${Math.round(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** tab shows what the checked radio buttons of tabs are of, and hides what the others are. Before, it checks that of an id. */
export function tab(id = '') {
  const tabs = [...document.querySelectorAll('[name=tab]')], chosen = tabs.find((t) => t.value === id);
  if (chosen) chosen.checked = true;
  for (const t of tabs) byId(t.value).hidden = !t.checked;
}

/** copy puts text on the clipboard. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    say(`The browser does not let the page copy. ${what}: ${text}`);
  }
}
