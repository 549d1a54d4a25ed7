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

/**
 * boardOf makes a board.
 * @param {HTMLElement} root
 * @param {{label: string, onMove?: (from: number, to: number) => void}} options
 * onMove is called with what is dragged or chosen by two squares.
 *
 * While a board is edited (edit), squares are given to put down pieces; one may have several, any of which may stand there.
 */
export function boardOf(root, { label, onMove }) {
  let pieces = new Array(64).fill('');
  /** @type {{from?: number, to?: number, legal?: {uci: string}[]}} */
  let marks = {};
  let marked = []; // the shapes that are drawn
  let flipped = false, dragged = false, dropped = false;
  let editing = null, blank = 'empty'; // what puts down pieces, and what a square without one is called
  let chosen = -1, focus = 0; // squares
  const squares = [], drawn = []; // and what each place shows
  const shapes = svg('svg', { class: 'shapes', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
  const grid = el('div.board', { role: 'grid', 'aria-label': label, onkeydown: key, onpointerdown: press });
  for (let row = 0; row < 8; row++) {
    const line = el('div', { role: 'row' });
    for (let file = 0; file < 8; file++) {
      const square = el('button', { role: 'gridcell', tabindex: -1, class: (row + file) % 2 ? 'dark' : 'light' });
      squares.push(square);
      line.append(square);
    }
    grid.append(line);
  }
  grid.append(shapes);
  grid.addEventListener('click', (e) => {
    const s = at(e.target);
    if (s >= 0 && !dragged) choose(s);
    dragged = false;
  });
  grid.addEventListener('focusin', (e) => {
    const s = at(e.target);
    if (s < 0 || s === focus) return;
    focus = s;
    squares.forEach((square) => { square.tabIndex = square === e.target ? 0 : -1; });
  });
  grid.addEventListener('mousedown', (e) => {
    e.preventDefault(); // squares take the keys from who comes by Tab: else these are the room's
    /** @type {HTMLElement|null} */ (document.activeElement)?.blur();
  });
  const files = el('div.files', { 'aria-hidden': 'true' }), ranks = el('div.ranks', { 'aria-hidden': 'true' });
  root.append(el('div.board-box', ranks, grid, files));
  around();
  draw();

  /** around writes the coordinates beside the board. */
  function around() {
    const each = (names) => [...names].map((name) => el('span', name));
    fill(files, each(flipped ? 'hgfedcba' : 'abcdefgh'));
    fill(ranks, each(flipped ? '12345678' : '87654321'));
  }

  /**
   * mark draws arrows and circles, over those of before.
   * @param {string[]} list as the commands %cal and %csl have them: a letter for the colour, and one square or two
   */
  function mark(list) {
    const middle = (name) => {
      const i = place(squareOf(name));
      return [(i & 7) + .5, (i >> 3) + .5];
    };
    marked = list;
    fill(shapes, list.map((shape) => {
      const [x, y] = middle(shape.slice(1, 3)), c = shape[0];
      if (shape.length < 5) return svg('circle', { class: c, cx: x, cy: y, r: .44, 'stroke-width': .08 });
      const [u, v] = middle(shape.slice(3, 5)), length = Math.hypot(u - x, v - y) || 1, dx = (u - x) / length, dy = (v - y) / length;
      return svg('path', { class: c, 'stroke-width': .14,
        d: `M${x} ${y}L${u - .1 * dx} ${v - .1 * dy}M${u - .4 * dx - .22 * dy} ${v - .4 * dy + .22 * dx}L${u - .1 * dx} ${v - .1 * dy}L${u - .4 * dx + .22 * dy} ${v - .4 * dy - .22 * dx}` });
    }));
  }

  /** at returns the square that an element is in, -1 for none. */
  function at(element) {
    const i = squares.indexOf(element?.closest?.('button'));
    return i < 0 ? -1 : place(i);
  }

  /** place changes the number of a square and its place on the screen into each other: files or ranks are turned around. */
  function place(square) { return square ^ (flipped ? 7 : 56); }

  /**
   * set shows a position, and a move by its two squares.
   * @param {string} fen
   * @param {typeof marks} [more]
   */
  function set(fen, more = {}) { show(piecesOf(fen), more); }

  /** show shows pieces by their squares: a letter each, or several. */
  function show(letters, more = {}) {
    const before = pieces;
    if (letters.join() !== before.join()) chosen = -1; // else what is chosen stays so
    pieces = letters;
    marks = more;
    draw();
    glide(before);
  }

  /** glide lets the pieces of a step, one or two, come from where they stood, unless that is not wanted. */
  function glide(before) {
    const changed = [...before.keys()].filter((s) => before[s] !== pieces[s]), there = dropped;
    dropped = false;
    if (changed.length > 4 || there || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const to of changed.filter((s) => pieces[s] !== '')) {
      const from = changed.find((s) => before[s] === pieces[to] && pieces[s] !== before[s]);
      if (from === undefined) continue;
      const [a, b] = [place(from), place(to)];
      squares[b].firstElementChild?.animate([{ transform: `translate(${100 / .92 * ((a & 7) - (b & 7))}%, ${100 / .92 * ((a >> 3) - (b >> 3))}%)`, zIndex: 3 }, { transform: 'none', zIndex: 3 }], { duration: 150, easing: 'ease-out' });
    }
  }

  /** allow tells which moves are legal: where a chosen piece can go. */
  function allow(legal) {
    marks = { ...marks, legal };
    draw();
  }

  /**
   * edit lets pieces be put down, on squares that are called empty, or otherwise.
   * @param {{put: (square: number) => void, drag: (from: number, to: number) => void, key: (square: number, key: string) => boolean}|null} handlers
   * put is called with a square that is chosen, drag with two, of which the second is -1 off the board, key with a key that no square knows.
   */
  function edit(handlers, empty = 'empty') {
    editing = handlers;
    blank = empty;
    chosen = -1;
    draw();
  }

  function flip() {
    flipped = !flipped;
    around();
    mark(marked);
    draw();
  }

  function draw() {
    const targets = new Set();
    if (chosen >= 0) {
      for (const m of marks.legal ?? []) if (squareOf(m.uci) === chosen) targets.add(squareOf(m.uci.slice(2)));
    }
    squares.forEach((e, i) => {
      const s = place(i), letter = pieces[s], tab = s === focus ? 0 : -1;
      if (e.tabIndex !== tab) e.tabIndex = tab;
      // A move changes few squares, and what does not change costs nothing.
      const state = [s, letter, blank, s === chosen, s === marks.from, s === marks.to, targets.has(s)].join();
      if (state === drawn[i]) return;
      drawn[i] = state;
      if (e.dataset.piece !== letter) {
        e.dataset.piece = letter;
        fill(e, [...letter].map(piece));
        e.classList.toggle('several', letter.length > 1);
      }
      const name = e.dataset.square = squareName(s);
      let about = `${name}, ${letter === '' ? blank : [...letter].map(pieceName).join(' or ')}`;
      if (s === marks.from) about += ', the move comes from here';
      if (s === marks.to) about += ', the move goes here';
      if (targets.has(s)) about += ', can be reached';
      e.ariaLabel = about;
      e.ariaSelected = String(s === chosen);
      e.classList.toggle('from', s === marks.from);
      e.classList.toggle('to', s === marks.to);
      e.classList.toggle('target', targets.has(s));
    });
  }

  function key(e) {
    const on = place(focus), row = on >> 3, file = on & 7;
    const to = { ArrowLeft: on - Number(file > 0), ArrowRight: on + Number(file < 7), ArrowUp: on - (row > 0 ? 8 : 0), ArrowDown: on + (row < 7 ? 8 : 0),
      Home: on - file, End: on - file + 7 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      e.stopPropagation();
      focus = place(to);
      draw();
      squares[to].focus();
    } else if (e.key === 'Escape') {
      chosen = -1;
      draw();
    } else if (!e.ctrlKey && !e.altKey && !e.metaKey && editing?.key(focus, e.key)) e.preventDefault();
  }

  function choose(s) {
    focus = s;
    if (editing) {
      draw();
      editing.put(s);
      return;
    }
    if (!onMove) return;
    if (chosen < 0 || chosen === s) {
      chosen = chosen === s || pieces[s] === '' ? -1 : s;
      draw();
      return;
    }
    const from = chosen;
    chosen = -1;
    draw();
    onMove(from, s);
  }

  function press(e) {
    const from = at(e.target);
    if (!(onMove || editing) || from < 0 || pieces[from] === '') return;
    const picture = /** @type {SVGElement|HTMLElement} */ (squares[place(from)].firstElementChild);
    drag(e, (m) => {
      grid.classList.add('dragging');
      picture.style.transform = `translate(${m.clientX - e.clientX}px, ${m.clientY - e.clientY}px)`;
    }, (on) => {
      picture.style.transform = '';
      grid.classList.remove('dragging');
      dragged = true; // the click that follows is none
      setTimeout(() => { dragged = false; });
      if (on === undefined) return;
      const to = at(on);
      if (editing) {
        if (to !== from) editing.drag(from, to);
      } else if (to >= 0 && to !== from) {
        chosen = -1;
        dropped = true; // it is there already
        onMove(from, to);
      }
    });
  }
  return { get flipped() { return flipped; }, mark, at, set, show, allow, edit, flip };
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
