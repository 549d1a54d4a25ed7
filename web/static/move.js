// SPDX-License-Identifier: Apache-2.0
// One move, by all its names.
import { Board, squareName, start } from './board.js';
import { moveOf } from './promotion.js';
import { ask as askServer, byId, copy, counted, el, fill, icon, say } from './page.js';

const kinds = [
  ['san', 'SAN'], ['uci', 'UCI'], ['index', 'Index'], ['bits', 'Bits'], ['rom', 'ROM word'], ['halfmove', 'Halfmove number'],
  ['lc0', 'lc0 label'], ['alphazero', 'AlphaZero label'], ['zeta36', 'Zeta36 label'], ['searchless-chess', 'Searchless chess'],
];

export async function moveRoom(app) {
  const rules = await import('./rules.js'); // before anything is made: without the rules there is no room
  const codes = rules.codes();
  const inputs = {};
  const fen = byId('move-fen');
  const wrong = byId('move-wrong');
  let here = start, legal = [], now = null, turn = 0;
  const board = new Board(byId('move-board'), { label: 'Board: choose a piece, then where it goes', onMove });

  for (const [kind, label] of kinds) {
    const input = el('input', { name: kind });
    // What is being typed is not written over by an answer, and asked once.
    input.addEventListener('input', () => { input.dataset.typed = 'yes'; });
    input.addEventListener('change', () => { if (input.dataset.typed) ask(kind, input.value); });
    input.addEventListener('keydown', (e) => { if (e.key === 'Enter') { e.preventDefault(); ask(kind, input.value); } });
    inputs[kind] = input;
    byId('move-names').append(el('label', el('span', label), input), el('button', { 'aria-label': `Copy ${label}`, onclick: () => copy(input.value, label) }, icon('copy')));
  }
  byId('move-names').addEventListener('submit', (e) => e.preventDefault());
  fen.addEventListener('change', () => place(fen.value));
  byId('move-reset').onclick = () => place(start);
  byId('move-play').onclick = () => {
    if (now?.after) place(now.after);
    else say('The move is not legal here', true);
  };

  // The eleven bits: each is a button that changes it, and each part of them lights what it says on the board and on the map.
  const bits = [...Array(11)].map((_, i) => el('button', { onclick: () => { if (now) ask('index', String(now.index ^ 1 << (10 - i))); } }));
  byId('move-bits').append(...bits);
  for (const id of /** @type {const} */ (['move-bits', 'move-fields', 'tour'])) {
    const part = (e) => e.target.closest('[data-part]')?.dataset.part ?? null;
    for (const type of ['pointerover', 'focusin']) byId(id).addEventListener(type, (e) => { under = part(e); light(); });
    for (const type of ['pointerleave', 'focusout']) byId(id).addEventListener(type, () => { under = null; light(); });
  }
  byId('move-board').addEventListener('pointerover', (e) => map.light('field', board.at(e.target)));
  byId('move-board').addEventListener('pointerleave', light);

  let under = null; // the part of the bits that is under the pointer, or has the focus; it stays so when another move comes
  /** light lights a part of the bits, and what it says: squares of the board, and words of the map. */
  function light() {
    const line = now && 'rbk'.includes(codes.classes[now.index]), part = line ? under : null;
    byId('move-bits').dataset.light = part ?? '';
    if (!part) {
      board.mark(now?.from >= 0 ? [`G${squareName(now.from)}${squareName(now.to)}`] : []);
      map.light(null);
      return;
    }
    map.light(part, now.index & 63);
    const [dx, dy] = [[1, 0], [1, 1], [0, 1], [-1, 1]][now.index >> 6 & 3], file = now.index & 7, rank = now.index >> 3 & 7;
    const steps = part === 'field' ? 0 : part === 'axis' ? 7 : (now.index >> 8) + 1;
    board.mark([...Array(steps + 1)].map((_, n) => `${n === 0 ? 'G' : 'B'}${squareName((rank + n * dy & 7) << 3 | file + n * dx & 7)}`));
  }

  /** drawBits shows the bits of a word. */
  function drawBits(index) {
    const text = index.toString(2).padStart(11, '0'), line = 'rbk'.includes(codes.classes[index]);
    bits.forEach((b, i) => {
      const part = !line ? 'class' : i < 3 ? 'steps' : i < 5 ? 'axis' : 'field';
      b.textContent = text[i];
      b.className = b.dataset.part = part;
      b.setAttribute('aria-label', `bit ${10 - i}${line ? `, ${part}` : ''}: ${text[i]}`);
    });
  }

  async function onMove(from, to) {
    const uci = squareName(from) + squareName(to), becomes = legal.some((m) => m.uci.length === 5 && m.uci.startsWith(uci));
    const name = becomes ? (await moveOf(legal, uci))?.uci : uci;
    if (name) await ask('uci', name);
  }

  /** place sets up a position. */
  async function place(text) {
    try {
      const p = await rules.position(text);
      wrong.textContent = '';
      here = p.fen;
      legal = p.legal;
      fen.value = here;
      now = null;
      board.set(here, { legal });
      fill('move-state', p.state ? `${p.turn}: ${p.state}` : `${p.turn} to move, ${counted(legal.length, 'move')}`);
      return true;
    } catch (error) {
      wrong.textContent = error.message;
      return false;
    }
  }

  /** ask asks for all names of a move, and tells whether it shows them: not if they are wrong, or if something else was asked meanwhile. */
  async function ask(kind, text) {
    const mine = ++turn;
    if (inputs[kind]) delete inputs[kind].dataset.typed;
    if (text.trim() === '') return false;
    try {
      const named = await askServer('move', { fen: here, kind, text });
      if (mine !== turn) return false;
      show(named);
      return true;
    } catch (error) {
      if (mine !== turn) return false;
      wrong.textContent = error.message;
      inputs[kind]?.setAttribute('aria-invalid', 'true');
      return false;
    }
  }

  function show(m) {
    now = m;
    wrong.textContent = m.why ? `Not legal here: ${m.why}` : '';
    const values = { san: m.san ?? '', uci: m.uci ?? '', index: m.index, bits: m.bits, rom: m.rom, halfmove: m.halfmove < 0 ? '' : m.halfmove };
    for (const l of m.labels) values[l.name] = l.label < 0 ? '' : l.label;
    for (const [kind] of kinds) {
      if (inputs[kind].dataset.typed) continue;
      inputs[kind].value = values[kind] ?? '';
      inputs[kind].removeAttribute('aria-invalid');
      inputs[kind].title = m.labels.find((l) => l.name === kind)?.text ?? (kind === 'halfmove' ? m.halfmove_name ?? '' : '');
    }
    board.set(here, { legal, from: m.from, to: m.to });
    const move = m.class === 'rook' || m.class === 'bishop' || m.class === 'knight';
    drawBits(m.index);
    fill('h-move', [m.san, m.uci, m.index].filter((t) => t !== undefined && t !== '').join(' · '), el('small', ` ${m.class}`));
    const part = (name, text) => el('span', { 'data-part': name, class: name }, text);
    fill('move-fields', move ? [part('steps', `steps ${m.steps}`), part('axis', `axis ${m.axis}`), part('field', `from square ${m.field}`)]
      : m.class === 'promotion' ? 'a promotion has no fields of a line' : m.meaning);
    byId('move-mirrors').textContent = m.uci && m.class !== 'control'
      ? `Ranks exchanged: ${m.mirror_ranks.uci}, ${m.mirror_ranks.index}. Files exchanged: ${m.mirror_files.uci}, ${m.mirror_files.index}.`
      : 'It stays as it is.';
    fill('move-steps', m.decoder.map((s) => el('li', el('b', s.name), s.text)));
    map.mark(m.index);
    light();
    const name = m.uci && m.class !== 'control' ? m.uci : String(m.index);
    app.here(`#/move/${name}`);
    app.title(name);
  }

  const map = new WordMap(codes, (index, take) => {
    fill('map-tell', map.tell(index));
    if (take) ask('index', String(index));
    else preview(index);
  });

  function preview(index) {
    drawBits(index);
    const uci = map.codes.moves[index];
    if (!uci) { board.set(here, { legal }); return; }
    board.set(here, { legal, from: squareFrom(uci), to: squareFrom(uci.slice(2)) });
  }

  await place(start);
  return {
    async enter([name]) {
      if (name && !(now && (now.uci === name || String(now.index) === name))) await ask(/^\d+$/.test(name) ? 'index' : 'uci', name);
      else if (!now) await ask('uci', 'g1f3');
      else if (name) app.title(name);
    },
    key(e) { if (e.key === 'f') board.flip(); },
  };
}

function squareFrom(uci) { return 'abcdefgh'.indexOf(uci[0]) + 8 * (Number(uci[1]) - 1); }

/** WordMap draws the 2,048 words: a plane of 8 by 8 for each number of steps and each axis. */
class WordMap {
  constructor(codes, tell) {
    this.codes = codes;
    this.callback = tell;
    this.at = 0;
    this.marked = -1;
    this.lit = null;
    this.box = byId('move-map');
    this.canvas = byId('map-canvas');
    this.cell = 14;
    this.plane = 8 * this.cell + 6;
    this.canvas.width = 8 * this.plane;
    this.canvas.height = 4 * this.plane;
    this.words = document.createElement('canvas'); // the map without its marks
    this.words.width = this.canvas.width;
    this.words.height = this.canvas.height;
    this.canvas.addEventListener('pointermove', (e) => this.point(e, false));
    this.canvas.addEventListener('click', (e) => this.point(e, true));
    this.canvas.addEventListener('pointerleave', () => { byId('map-tell').textContent = ''; if (this.marked >= 0) this.callback(this.marked, false); });
    this.box.addEventListener('keydown', (e) => this.key(e));
    window.addEventListener('themechange', () => { this.paint(); this.draw(); });
    this.paint();
    this.draw();
  }

  tell(index) {
    const names = { r: 'rook', b: 'bishop', k: 'knight', p: 'promotion', c: 'control code', '-': 'reserved' };
    return `${index}: ${names[this.codes.classes[index]]} ${this.codes.moves[index] ?? ''}`;
  }

  /** corner returns where a word is drawn. */
  corner(index) {
    const steps = index >> 8, axis = index >> 6 & 3, square = index & 63;
    return [steps * this.plane + 3 + this.cell * (square & 7), axis * this.plane + 3 + this.cell * (7 - (square >> 3))];
  }

  /** paint draws the words in the colours of the theme. */
  paint() {
    const colours = getComputedStyle(document.documentElement);
    const color = this.color = (name) => colours.getPropertyValue(`--${name}`).trim();
    const colors = { r: color('rook'), b: color('bishop'), k: color('knight'), p: color('promotion'), c: color('control'), '-': color('reserved') };
    const g = this.words.getContext('2d');
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.strokeStyle = color('line');
    g.lineWidth = 0.5;
    for (let i = 0; i < 2048; i++) {
      const [x, y] = this.corner(i);
      g.fillStyle = colors[this.codes.classes[i]];
      g.fillRect(x, y, this.cell, this.cell);
      g.strokeRect(x + 0.5, y + 0.5, this.cell, this.cell);
    }
  }

  /** draw draws the map: the words and what is marked. */
  draw() {
    const g = this.canvas.getContext('2d');
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.globalAlpha = this.lit ? .25 : 1;
    g.drawImage(this.words, 0, 0);
    g.globalAlpha = 1;
    if (this.lit) {
      const { part, square } = this.lit, p = this.plane, copy = (x, y, w, h) => g.drawImage(this.words, x, y, w, h, x, y, w, h);
      if (part === 'steps') copy((this.marked >> 8) * p, 0, p, 4 * p);
      else if (part === 'axis') copy(0, (this.marked >> 6 & 3) * p, 8 * p, p);
      else for (let plane = 0; plane < 32; plane++) copy(...this.corner(plane << 6 | square), this.cell + 1, this.cell + 1);
    }
    for (const [index, name] of /** @type {[number, string][]} */ ([[this.marked, 'wrong'], [this.at, 'accent']])) {
      if (index < 0) continue;
      const [x, y] = this.corner(index);
      g.strokeStyle = this.color(name);
      g.lineWidth = 3;
      g.strokeRect(x + 1, y + 1, this.cell - 1, this.cell - 1);
    }
  }

  /** light lights the words that have a part of the bits in common: the steps or the axis of the marked one, or a from-square. */
  light(part, square = 0) {
    this.lit = part && square >= 0 ? { part, square } : null;
    this.draw();
  }

  mark(index) {
    this.marked = this.at = index;
    this.draw();
  }

  point(e, take) {
    const r = this.canvas.getBoundingClientRect();
    const x = (e.clientX - r.left) * this.canvas.width / r.width, y = (e.clientY - r.top) * this.canvas.height / r.height;
    const steps = Math.floor(x / this.plane), axis = Math.floor(y / this.plane);
    const file = Math.floor((x - steps * this.plane - 3) / this.cell), row = Math.floor((y - axis * this.plane - 3) / this.cell);
    if (steps < 0 || steps > 7 || axis < 0 || axis > 3 || file < 0 || file > 7 || row < 0 || row > 7) return;
    const index = steps << 8 | axis << 6 | 7 - row << 3 | file;
    if (index === this.at && !take) return;
    this.at = index;
    this.draw();
    this.callback(index, take);
  }

  key(e) {
    let x = 8 * (this.at >> 8) + (this.at & 7), y = 8 * (this.at >> 6 & 3) + 7 - (this.at >> 3 & 7);
    switch (e.key) {
      case 'ArrowLeft': x--; break;
      case 'ArrowRight': x++; break;
      case 'ArrowUp': y--; break;
      case 'ArrowDown': y++; break;
      case 'Enter': this.callback(this.at, true); return;
      default: return;
    }
    e.preventDefault();
    x = Math.min(63, Math.max(0, x));
    y = Math.min(31, Math.max(0, y));
    this.at = x >> 3 << 8 | y >> 3 << 6 | 7 - (y & 7) << 3 | x & 7;
    this.draw();
    this.callback(this.at, false);
  }
}
