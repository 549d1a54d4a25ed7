// SPDX-License-Identifier: Apache-2.0
// What lies side by side: bits by field, and clocks. What bits are and say, the server knows.
import { squareOf, start } from './board.js';
import { el } from './page.js';

/** styled is when the style sheet of these rooms is there, which the first page does without. */
export const styled = new Promise((done) => {
  document.head.append(el('link', { rel: 'stylesheet', href: 'bits.css', onload: done, onerror: done }));
});

/** runs groups neighbours that are the same. @param {Iterable<string>} list */
export function runs(list) {
  const all = /** @type {[number, string][]} */ ([]);
  for (const x of list) {
    if (all.at(-1)?.[1] === x) all.at(-1)[0]++;
    else all.push([1, x]);
  }
  return all;
}

/** strip draws what lies side by side: of each its length, its class, and what stands in it. */
export function strip(list, name = '') {
  const all = list.reduce((sum, [n]) => sum + n, 0);
  const box = el('span', { class: `strip ${name}` }, list.map(([n, kind, ...inside]) => {
    const i = el('i', { class: kind }, inside);
    i.style.width = `${100 * n / all}%`;
    return i;
  }));
  box.style.setProperty('--all', String(all));
  return box;
}

/** cells draws fields, a colour each. What is no bits is one of them. */
export function cells(fields) {
  const list = fields.map((f) => [f.bits.length, f.name, f.bits]);
  return strip(list, fields[0].bits.includes(' ') ? 'cells text' : 'cells');
}

/** told lists fields and what they say. One in several parts is there once. */
export function told(fields) {
  return el('dl.told', [...new Set(fields.map((f) => f.name))].map((name) => {
    const own = fields.filter((f) => f.name === name);
    return [el(`dt.${name}`, own.map((f) => f.bits).join(' … ')), el('dd.hint', name),
      el('dd', own[0].text)];
  }));
}

/** press shows which of some buttons was chosen, by its value, if one was. */
export function press(box, value = '') {
  for (const b of box.querySelectorAll('button')) b.setAttribute('aria-pressed', String(b.value === value));
}

/** shownOn shows a position and the move that led to it, and tells who is to move. */
export function shownOn(board, turn, fen = start, uci = '') {
  board.set(fen, uci && uci !== '0000' ? { from: squareOf(uci), to: squareOf(uci.slice(2)) } : {});
  turn.textContent = `${fen.includes(' w') ? 'White' : 'Black'} to move`;
}

/** bold returns a text with its numbers in bold. */
export function bold(text) { return text.split(/(\d+(?:,\d+)*)/).map((s, i) => (i % 2 ? el('b', s) : s)); }

/** hex writes a number in so many hexadecimal digits. */
export function hex(n, digits = 2) { return n.toString(16).padStart(digits, '0'); }
