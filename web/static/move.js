// SPDX-License-Identifier: Apache-2.0
// One move, by all its names.
import { boardOf, moveOf, squareName, squareOf, start } from './board.js';
import { ask as askServer, byId, copy, counted, el, fill, icon, say } from './page.js';

const kinds = [
  ['san', 'SAN'], ['uci', 'UCI'], ['index', 'Index'], ['bits', 'Bits'], ['rom', 'ROM word'], ['halfmove', 'Halfmove number'],
  ['lc0', 'lc0 label'], ['alphazero', 'AlphaZero label'], ['zeta36', 'Zeta36 label'], ['searchless-chess', 'Searchless chess'],
];

const lines = ['rook', 'bishop', 'knight']; // the classes of words that have the fields of a line

export async function moveRoom(app) {
  const rules = await import('./rules.js'); // before anything is made: without the rules there is no room
  const codes = rules.codes();
  const inputs = {};
  const fen = byId('move-fen');
  const wrong = byId('move-wrong');
  let here = start, legal = [], now = null, turn = 0;
  const board = boardOf(byId('move-board'), { label: 'Board: choose a piece, then where it goes', onMove });

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
    const line = now && lines.includes(codes.classes[now.index]), part = line ? under : null;
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
    const text = index.toString(2).padStart(11, '0'), line = lines.includes(codes.classes[index]);
    bits.forEach((b, i) => {
      const part = !line ? 'class' : i < 3 ? 'steps' : i < 5 ? 'axis' : 'field';
      b.textContent = text[i];
      b.className = b.dataset.part = part;
      b.ariaLabel = `bit ${10 - i}${line ? `, ${part}` : ''}: ${text[i]}`;
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
    drawBits(m.index);
    fill('h-move', [m.san, m.uci, m.index].filter((t) => t !== undefined && t !== '').join(' · '), el('small', ` ${m.class}`));
    const part = (name, text) => el('span', { 'data-part': name, class: name }, text);
    fill('move-fields', lines.includes(m.class) ? [part('steps', `steps ${m.steps}`), part('axis', `axis ${m.axis}`), part('field', `from square ${m.field}`)]
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

  const map = wordMap(codes, (index, take) => {
    const uci = codes.moves[index] ?? '';
    fill('map-tell', `${index}: ${codes.classes[index]} ${uci}`);
    if (take) { ask('index', String(index)); return; }
    drawBits(index);
    board.set(here, { legal, ...uci && { from: squareOf(uci), to: squareOf(uci.slice(2)) } });
  });

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

/**
 * wordMap draws the 2,048 words: a plane of 8 by 8 for each number of steps and each axis.
 * @param {{classes: string[], moves: string[]}} codes
 * @param {(index: number, take: boolean) => void} tell is called with the word that is pointed at, and whether it is taken
 */
function wordMap(codes, tell) {
  const box = byId('move-map'), words = [];
  let at = 0, marked = -1;
  const planes = el('div.planes', { 'aria-hidden': 'true', onpointerover: (e) => point(e, false), onclick: (e) => point(e, true),
    onpointerleave: () => {
      fill('map-tell');
      if (marked >= 0) tell(marked, false);
    } }, [...Array(32).keys()].map((plane) => el('div', [...Array(64).keys()].map((place) => {
    const index = (plane & 7) << 8 | plane >> 3 << 6 | place ^ 56;
    return words[index] = el('i', { class: codes.classes[index], 'data-word': index });
  }))));
  box.append(planes);
  box.addEventListener('keydown', (e) => {
    const x = 8 * (at >> 8) + (at & 7), y = 8 * (at >> 6 & 3) + 7 - (at >> 3 & 7);
    const [u, v] = { ArrowLeft: [x - 1, y], ArrowRight: [x + 1, y], ArrowUp: [x, y - 1], ArrowDown: [x, y + 1], Enter: [x, y] }[e.key] ?? [-1, -1];
    if (e.key.startsWith('Arrow')) e.preventDefault();
    if (u >= 0 && u < 64 && v >= 0 && v < 32) go(u >> 3 << 8 | v >> 3 << 6 | 7 - (v & 7) << 3 | u & 7, e.key === 'Enter');
  });

  function point(e, take) { if (e.target.dataset.word) go(Number(e.target.dataset.word), take); }

  function go(index, take) {
    at = index;
    show();
    tell(index, take);
  }

  /** show shows the word that is pointed at, and the marked one. */
  function show() {
    for (const e of planes.querySelectorAll('.at, .marked')) e.classList.remove('at', 'marked');
    words[at].classList.add('at');
    words[marked]?.classList.add('marked');
  }

  return {
    /** mark marks a word. */
    mark(index) {
      marked = at = index;
      show();
    },
    /** light lights the words that have a part of the bits in common: the steps or the axis of the marked one, or a from-square. */
    light(part, square = 0) {
      const same = {
        steps: (w) => w >> 8 === marked >> 8,
        axis: (w) => (w >> 6 & 3) === (marked >> 6 & 3),
        field: (w) => square < 0 || (w & 63) === square,
      }[part] ?? (() => true);
      words.forEach((e, w) => e.classList.toggle('dim', !same(w)));
    },
  };
}
