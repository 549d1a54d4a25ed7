// SPDX-License-Identifier: Apache-2.0
// The board: a grid of 64 squares that can be used with a mouse, a finger, the keys and a screen reader.
import { byId, el, fill, say, svg } from './page.js';

export const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

const names = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

/** squareName returns the name of a square, 0 to 63. */
export function squareName(s) { return 'abcdefgh'[s & 7] + ((s >> 3) + 1); }

/** squareOf returns the square of a name, -1 for none. */
export function squareOf(name) {
  const file = 'abcdefgh'.indexOf(name[0]), rank = '12345678'.indexOf(name[1]);
  return file < 0 || rank < 0 ? -1 : 8 * rank + file;
}

/** piecesOf returns the pieces of a FEN by square. */
export function piecesOf(fen) {
  const pieces = new Array(64).fill('');
  let s = 56;
  for (const c of fen.split(' ')[0]) {
    if (c === '/') s -= 16;
    else if (c >= '1' && c <= '8') s += Number(c);
    else pieces[s++] = c;
  }
  return pieces;
}

const signs = { '.': 'empty', '!': 'any piece', A: 'any white piece', a: 'any black piece' };

/** pieceName names a piece by its letter in FEN, or what a pattern has in its place: signs['.'], and so on. */
export function pieceName(c) { return signs[c] ?? `${c === c.toUpperCase() ? 'white' : 'black'} ${names[c.toLowerCase()]}`; }

/** piece draws a piece, by its letter in FEN; or the sign of a pattern. */
export function piece(letter) {
  if (letter in signs) return el('span.sign', { 'aria-hidden': 'true' }, { '.': '·', '!': '◐', A: '○', a: '●' }[letter]);
  const white = letter === letter.toUpperCase();
  return svg('svg', { class: `piece ${white ? 'white' : 'black'}`, viewBox: '0 0 40 40', 'aria-hidden': 'true' },
    svg('use', { href: `#piece-${letter.toLowerCase()}` }));
}

/** bitsOf shows a move's eleven bits behind a text: by their fields, if it is a move along a line. Without a text it shows nothing. */
export function bitsOf(box, text, uci = '', index = 0) {
  if (!text) { fill(box); return; }
  const bits = index.toString(2).padStart(11, '0'), line = uci.length === 4 && uci !== '0000';
  fill(box, el('span', text),
    el('a', { href: `#/move/${uci}`, 'aria-label': `${bits}: the move's bits` }, [...bits].map((b, i) => el('span', { class: line ? (i < 3 ? 'steps' : i < 5 ? 'axis' : 'field') : '' }, b))),
    el('span', line ? 'steps · axis · square' : uci === '0000' ? 'a control code' : 'a promotion'));
}

/** becomes asks what a pawn becomes, by its letter in FEN, and gives the letter, or nothing. @returns {Promise<string>} */
function becomes(pawn) {
  return new Promise((resolve) => {
    const box = byId('promotion');
    fill(box, [...'qrbn'].map((letter) => el('button', { value: letter, 'aria-label': names[letter] }, piece(pawn === 'P' ? letter.toUpperCase() : letter))));
    box.returnValue = '';
    box.onclick = (e) => box.close(/** @type {Element} */ (e.target).closest('button')?.value);
    box.onclose = () => resolve(box.returnValue);
    box.showModal();
  });
}

/**
 * moveOf returns the legal move of a text in UCI, in which what a pawn becomes may be left out: that is asked.
 * It is undefined if there is none, which the page says, or if it was given up.
 * @template {{uci: string}} Move
 * @param {Move[]} legal
 * @param {string} uci
 * @returns {Promise<Move|undefined>}
 */
export async function moveOf(legal, uci) {
  const moves = legal.filter((m) => m.uci.startsWith(uci));
  if (moves.length === 0) say(`${uci} is not legal here`, true);
  if (moves.length < 2) return moves[0];
  const letter = await becomes(uci[1] === '7' ? 'P' : 'p');
  return moves.find((m) => m.uci.endsWith(letter || ' '));
}

export class Board {
  /**
   * @param {HTMLElement} root
   * @param {{label: string, onMove?: (from: number, to: number) => void}} options
   * onMove is called with what is dragged or chosen by two squares.
   *
   * While a board is edited (edit), squares are given to put down pieces; one may have several, any of which may stand there.
   */
  constructor(root, options) {
    this.options = options;
    this.pieces = new Array(64).fill('');
    this.marks = {};
    this.marked = /** @type {string[]} */ ([]);
    this.flipped = false;
    this.blank = 'empty'; // what a square without a piece is called
    this.editing = null;
    this.from = -1;
    this.focus = 0;
    this.squares = [];
    this.drawn = []; // what each place shows
    this.grid = el('div.board', { role: 'grid', 'aria-label': options.label });
    for (let row = 0; row < 8; row++) {
      const line = el('div', { role: 'row' });
      for (let file = 0; file < 8; file++) {
        const square = el('button', { role: 'gridcell', tabindex: -1, class: (row + file) % 2 ? 'dark' : 'light' });
        this.squares.push(square);
        line.append(square);
      }
      this.grid.append(line);
    }
    this.grid.addEventListener('keydown', (e) => this.key(e));
    this.grid.addEventListener('click', (e) => {
      const s = this.at(e.target);
      if (s >= 0 && !this.dragged) this.choose(s);
      this.dragged = false;
    });
    this.grid.addEventListener('focusin', (e) => {
      const s = this.at(e.target);
      if (s < 0 || s === this.focus) return;
      this.focus = s;
      this.squares.forEach((square) => { square.tabIndex = square === e.target ? 0 : -1; });
    });
    this.grid.addEventListener('pointerdown', (e) => this.press(e));
    this.grid.addEventListener('mousedown', (e) => {
      e.preventDefault(); // squares take the keys from who comes by Tab: else these are the room's
      /** @type {HTMLElement|null} */ (document.activeElement)?.blur();
    });
    this.shapes = svg('svg', { class: 'shapes', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
    this.grid.append(this.shapes);
    this.files = el('div.files', { 'aria-hidden': 'true' });
    this.ranks = el('div.ranks', { 'aria-hidden': 'true' });
    root.append(el('div.board-box', this.ranks, this.grid, this.files));
    this.around();
    this.draw();
  }

  /** around writes the coordinates beside the board. */
  around() {
    const each = (names) => [...names].map((name) => el('span', name));
    fill(this.files, each(this.flipped ? 'hgfedcba' : 'abcdefgh'));
    fill(this.ranks, each(this.flipped ? '12345678' : '87654321'));
  }

  /**
   * mark draws arrows and circles, over those of before.
   * @param {string[]} shapes as the commands %cal and %csl have them: a letter for the colour, and one square or two
   */
  mark(shapes) {
    const middle = (name) => {
      const place = this.place(squareOf(name));
      return [(place & 7) + .5, (place >> 3) + .5];
    };
    this.marked = shapes;
    fill(this.shapes, shapes.map((shape) => {
      const [x, y] = middle(shape.slice(1, 3)), c = shape[0];
      if (shape.length < 5) return svg('circle', { class: c, cx: x, cy: y, r: .44, 'stroke-width': .08 });
      const [u, v] = middle(shape.slice(3, 5)), length = Math.hypot(u - x, v - y) || 1, dx = (u - x) / length, dy = (v - y) / length;
      return svg('path', { class: c, 'stroke-width': .14,
        d: `M${x} ${y}L${u - .1 * dx} ${v - .1 * dy}M${u - .4 * dx - .22 * dy} ${v - .4 * dy + .22 * dx}L${u - .1 * dx} ${v - .1 * dy}L${u - .4 * dx + .22 * dy} ${v - .4 * dy - .22 * dx}` });
    }));
  }

  /** at returns the square that an element is in, -1 for none. */
  at(element) {
    const i = this.squares.indexOf(element?.closest?.('button'));
    return i < 0 ? -1 : this.place(i);
  }

  /** place changes the number of a square and its place on the screen into each other: files or ranks are turned around. */
  place(square) { return square ^ (this.flipped ? 7 : 56); }

  /**
   * set shows a position, and a move by its two squares.
   * @param {string} fen
   * @param {{from?: number, to?: number, legal?: {uci: string}[]}} [marks]
   */
  set(fen, marks = {}) { this.show(piecesOf(fen), marks); }

  /** show shows pieces by their squares: a letter each, or several. */
  show(pieces, marks = {}) {
    const before = this.pieces;
    if (pieces.join() !== before.join()) this.from = -1; // else what is chosen stays so
    this.pieces = pieces;
    this.marks = marks;
    this.draw();
    this.glide(before);
  }

  /** glide lets the pieces of a step, one or two, come from where they stood, unless that is not wanted. */
  glide(before) {
    const changed = [...before.keys()].filter((s) => before[s] !== this.pieces[s]), { dropped } = this;
    this.dropped = false;
    if (changed.length > 4 || dropped || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const to of changed.filter((s) => this.pieces[s] !== '')) {
      const from = changed.find((s) => before[s] === this.pieces[to] && this.pieces[s] !== before[s]);
      if (from === undefined) continue;
      const [a, b] = [this.place(from), this.place(to)];
      this.squares[b].firstElementChild?.animate([{ transform: `translate(${100 / .92 * ((a & 7) - (b & 7))}%, ${100 / .92 * ((a >> 3) - (b >> 3))}%)`, zIndex: 3 }, { transform: 'none', zIndex: 3 }], { duration: 150, easing: 'ease-out' });
    }
  }

  /** allow tells which moves are legal: where a chosen piece can go. */
  allow(legal) {
    this.marks = { ...this.marks, legal };
    this.draw();
  }

  /**
   * edit lets pieces be put down.
   * @param {{put: (square: number) => void, drag: (from: number, to: number) => void, key: (square: number, key: string) => boolean}|null} handlers
   * put is called with a square that is chosen, drag with two, of which the second is -1 off the board, key with a key that no square knows.
   */
  edit(handlers) {
    this.editing = handlers;
    this.from = -1;
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.around();
    this.mark(this.marked);
    this.draw();
  }

  draw() {
    const targets = new Set();
    if (this.from >= 0) {
      for (const m of this.marks?.legal ?? []) if (squareOf(m.uci) === this.from) targets.add(squareOf(m.uci.slice(2)));
    }
    this.squares.forEach((e, place) => {
      const s = this.place(place);
      const letter = this.pieces[s];
      const tab = s === this.focus ? 0 : -1;
      if (e.tabIndex !== tab) e.tabIndex = tab;
      // A move changes few squares, and what does not change costs nothing.
      const state = [s, letter, this.blank, s === this.from, s === this.marks?.from, s === this.marks?.to, targets.has(s)].join();
      if (state === this.drawn[place]) return;
      this.drawn[place] = state;
      if (e.dataset.piece !== letter) {
        e.dataset.piece = letter;
        fill(e, [...letter].map(piece));
        e.classList.toggle('several', letter.length > 1);
      }
      const name = e.dataset.square = squareName(s);
      let label = `${name}, ${letter === '' ? this.blank : [...letter].map(pieceName).join(' or ')}`;
      if (s === this.marks?.from) label += ', the move comes from here';
      if (s === this.marks?.to) label += ', the move goes here';
      if (targets.has(s)) label += ', can be reached';
      e.setAttribute('aria-label', label);
      e.setAttribute('aria-selected', String(s === this.from));
      e.classList.toggle('from', s === this.marks?.from);
      e.classList.toggle('to', s === this.marks?.to);
      e.classList.toggle('target', targets.has(s));
    });
  }

  key(e) {
    const at = this.place(this.focus), row = at >> 3, file = at & 7;
    const to = { ArrowLeft: at - (file > 0 ? 1 : 0), ArrowRight: at + (file < 7 ? 1 : 0), ArrowUp: at - (row > 0 ? 8 : 0), ArrowDown: at + (row < 7 ? 8 : 0),
      Home: at - file, End: at - file + 7 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      e.stopPropagation();
      this.focus = this.place(to);
      this.draw();
      this.squares[to].focus();
    } else if (e.key === 'Escape') {
      this.from = -1;
      this.draw();
    } else if (!e.ctrlKey && !e.altKey && !e.metaKey && this.editing?.key(this.focus, e.key)) e.preventDefault();
  }

  choose(s) {
    this.focus = s;
    if (this.editing) {
      this.draw();
      this.editing.put(s);
      return;
    }
    if (!this.options.onMove) return;
    if (this.from < 0 || this.from === s) {
      this.from = this.from === s || this.pieces[s] === '' ? -1 : s;
      this.draw();
      return;
    }
    const from = this.from;
    this.from = -1;
    this.draw();
    this.options.onMove(from, s);
  }

  press(e) {
    const from = this.at(e.target);
    if (!(this.options.onMove || this.editing) || from < 0 || this.pieces[from] === '') return;
    const picture = /** @type {SVGElement|HTMLElement} */ (this.squares[this.place(from)].firstElementChild);
    drag(e, (m) => {
      this.grid.classList.add('dragging');
      picture.style.transform = `translate(${m.clientX - e.clientX}px, ${m.clientY - e.clientY}px)`;
    }, (on) => {
      picture.style.transform = '';
      this.grid.classList.remove('dragging');
      this.dragged = true; // the click that follows is none
      setTimeout(() => { this.dragged = false; });
      if (on === undefined) return;
      const to = this.at(on);
      if (this.editing) {
        if (to !== from) this.editing.drag(from, to);
      } else if (to >= 0 && to !== from) {
        this.from = -1;
        this.dropped = true; // it is there already
        this.options.onMove(from, to);
      }
    });
  }
}

/**
 * drag follows a press that becomes a drag.
 * @param {PointerEvent} e
 * @param {(m: PointerEvent) => void} move
 * @param {(on?: Element|null) => void} end is called after a drag, with the element that it ended on, or with nothing if it was given up
 */
export function drag(e, move, end) {
  if (e.button !== 0) return;
  const target = /** @type {Element} */ (e.target), stop = new AbortController(), { signal } = stop;
  let moving = false;
  target.releasePointerCapture?.(e.pointerId);
  window.addEventListener('pointermove', (m) => {
    moving ||= Math.hypot(m.clientX - e.clientX, m.clientY - e.clientY) > 5;
    if (moving) move(m);
  }, { signal });
  for (const type of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    window.addEventListener(type, (m) => {
      stop.abort();
      if (moving) end(...type === 'pointerup' ? [document.elementFromPoint(m.clientX, m.clientY)] : []);
    }, { signal });
  }
}
