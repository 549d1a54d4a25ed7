// SPDX-License-Identifier: Apache-2.0
// The room of openings: what was played in a position, and which games have one, a pattern or a material.
import { bitsOf, Board, drag, piece, pieceName, piecesOf, squareName, squareOf } from './board.js';
import { gameLink, List, rowOf } from './games.js';
import { movesTable, statistics } from './played.js';
import { moveOf } from './promotion.js';
import { ask, byId, Canceled, count, counted, el, fill, of, positionLink, queryOf, say, tabs } from './page.js';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export async function openingsRoom(app) {
  const rules = await import('./rules.js'); // without the rules there is no room
  const wrong = byId('openings-wrong'), fen = byId('openings-fen'), form = byId('openings-form');
  let here = start, legal = [];
  let draft = null; // what was set up, and is not a position yet
  /** path is the positions that were shown, with the move that led to each, if one did, and the last opening that has a name. @type {{fen: string, move?: any, name?: any}[]} */
  let path = [{ fen: start }];
  let at = 0; // the one that is shown
  const board = new Board(byId('openings-board'), { label: 'Board: play the moves that lead to the position', onMove: (from, to) => play(squareName(from) + squareName(to)) });

  let placing = Promise.resolve(); // what is asked of the board comes after it
  let turn = 0; // of what is asked; what comes later is in force
  /** place shows a position, as the next one of the path, unless it is of the path. */
  function place(text, keep = true, move = undefined) {
    const mine = ++turn;
    return placing = placing.then(() => mine === turn && set(text, keep, move, mine));
  }

  async function set(text, keep, move, mine) {
    try {
      const p = await rules.position(text);
      if (mine !== turn) return;
      wrong.textContent = '';
      if (keep && p.fen !== here) {
        path = [...path.slice(0, at + 1), { fen: p.fen, move, name: move && path[at].name }];
        at = path.length - 1;
      }
      here = p.fen;
      legal = p.legal;
      fen.value = here;
      draft = null;
      address();
      const last = path[at].move?.uci;
      if (setup.open) setup.take(here);
      else board.set(here, { legal, ...last && { from: squareOf(last), to: squareOf(last.slice(2)) } });
      line();
      preview();
      stale();
    } catch (error) {
      if (mine !== turn) return;
      wrong.textContent = error.message;
      if (draft === text) fen.value = text;
      stale();
    }
  }

  /** address makes the address and the title those of the position. */
  function address() {
    if (!location.hash.startsWith('#/openings')) return;
    app.here(here === start ? '#/openings' : positionLink(here));
    app.title(...here === start ? [] : [here.split(' ')[0]]);
  }

  /** numberOf is the number of the move that is made in a position: 2. or 2… */
  function numberOf(text) {
    const [, side, , , , number] = text.split(' ');
    return `${number}${side === 'b' ? '…' : '.'}`;
  }

  /** line writes the moves that led to the position, and those that were taken back. */
  function line() {
    let first = at;
    while (path[first].move) first--;
    const parts = [];
    for (let i = first + 1; path[i]?.move; i++) {
      const number = numberOf(path[i - 1].fen);
      if (number.endsWith('.') || i === first + 1) parts.push(`${number} `);
      parts.push(el('button', { 'aria-current': i === at ? 'true' : undefined, onclick: () => step(i) }, path[i].move.san), ' ');
    }
    fill('openings-line', parts.length > 0 ? parts : 'Play on the board, or in the table.');
  }

  /** step goes to a position of the path. */
  function step(i) {
    if (i < 0 || i >= path.length) return;
    at = i;
    go(path[at].fen, false);
  }

  async function play(uci) {
    const move = await moveOf(legal, uci);
    if (move) await place(move.after, true, move);
  }

  /** preview shows a move that could be made, by an arrow and by its bits; or the bits of the move that was made. */
  function preview(uci = '') {
    const move = legal.find((m) => m.uci === uci), made = path[at].move;
    board.mark(move ? [`G${uci.slice(0, 4)}`] : []);
    if (move) bitsOf(byId('openings-bits'), `${numberOf(here)} ${move.san} would be`, uci, move.index);
    else if (made) bitsOf(byId('openings-bits'), `${numberOf(path[at - 1].fen)} ${made.san} is`, made.uci, made.index);
    else fill('openings-bits', 'Point at a move in the table to see its eleven bits.');
  }

  /** go leads to a position, whatever was set up. */
  function go(text, keep = true) {
    draft = null;
    what('position');
    place(text, keep);
  }

  fen.onchange = () => go(fen.value);
  form.onsubmit = (e) => {
    e.preventDefault();
    if (byId('search-box').hidden) stale();
    else find();
  };
  const tab = tabs(byId('tab-tree').parentElement, (id) => { if (id === 'tab-tree') what('position'); });

  const setup = new Setup(board, form.elements.pattern, (text) => {
    draft = text;
    place(text);
  }, () => stale());
  form.addEventListener('input', (e) => { if (!(e.target instanceof HTMLInputElement && /^(player|rating)$/.test(e.target.name)) || foundOf !== null) stale(); });
  form.addEventListener('change', () => stale());
  byId('openings-setup').onclick = () => show();
  for (const input of form.elements.what) input.onchange = () => what(input.value);
  form.elements.pattern.oninput = () => { what('pattern'); setup.read(form.elements.pattern.value); };
  form.elements.material.oninput = () => { if (form.elements.what.value === 'position') what('other'); };

  /** what tells what is looked for, and shows it on the board. */
  function what(kind) {
    form.elements.what.value = kind;
    if (kind !== 'position') tab('tab-search');
    if ((kind === 'pattern') === setup.pattern) return;
    setup.pattern = kind === 'pattern';
    if (setup.pattern) setup.begin(form.elements.pattern.value, here === start ? '8/8/8/8/8/8/8/8' : draft ?? here);
    show(setup.pattern || setup.open);
    stale();
  }

  /** show opens and closes what sets the board up. A pattern is always set up. */
  function show(open = !setup.open) {
    setup.open = open || setup.pattern;
    byId('openings-setup').setAttribute('aria-expanded', String(setup.open));
    if (!setup.pattern) setup.take(draft ?? here);
    setup.draw();
    if (!setup.open) place(draft ?? here, false);
  }

  // What is in sight is the answer to a question. Once the question is another one, it goes.
  let running = null; // the search that goes on
  let treeOf = null, foundOf = null; // the questions of the two answers
  let drawn = false; // the first of these
  const tree = byId('tree'), played = statistics(app, tree, () => terms(filters), draw);
  const list = new List(app, byId('found'), gameLink);
  const filters = ['player', 'rating', 'speed'];

  /** stale takes away what is no answer any more, and looks up what was played. */
  function stale() {
    if (foundOf !== null && foundOf !== JSON.stringify(question())) clear();
    const asked = setup.pattern || draft !== null || !app.archive ? '' : JSON.stringify([here, terms(filters)]);
    if (asked === treeOf || !location.hash.startsWith('#/openings')) return;
    treeOf = asked;
    drawn = false;
    if (asked !== '') { played.look(here); return; }
    played.leave();
    blank();
  }

  /** blank takes away what was played. */
  function blank() { for (const id of /** @type {const} */ (['tree-name', 'tree-about', 'tree'])) fill(id); }

  /** clear takes away what was found. */
  function clear() {
    running?.cancel();
    running = foundOf = null;
    list.show(0, {}, []);
    fill('found-about', '');
    byId('found-all').hidden = true;
  }

  /** question returns what is looked for, by the form and the board: the parameters of a search. */
  function question() {
    const kind = form.elements.what.value, checked = (/** @type {string} */ name) => /** @type {any} */ (form.elements)[name].checked;
    return { ...terms(kind === 'pattern' ? ['pattern', 'material', ...filters] : ['material', ...filters]),
      fen: kind === 'position' ? (draft ?? here).split(' ').slice(0, 4).join(' ') : undefined, stm: kind === 'pattern' ? setup.turn() : undefined,
      variations: checked('variations'), mirror: checked('mirror'), swap: checked('swap') };
  }

  /** @param {string[]} names */
  function terms(names) { return Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value !== '')); }

  async function find() {
    await placing;
    const asked = question();
    if (!app.archive) { wrong.textContent = 'Open an archive in the room of games first'; return; }
    if (asked.fen && draft !== null) { wrong.textContent ||= 'The board has no position yet'; return; }
    if (setup.pattern && !asked.pattern) { wrong.textContent = 'The pattern is empty: put a piece down'; return; }
    clear();
    wrong.textContent = '';
    const mine = foundOf = JSON.stringify(asked);
    try {
      const games = await (running = ask(of(app.archive, '/games'), asked, { wait: 'Searching' }));
      if (mine !== foundOf) return;
      list.show(games.found, asked, games.rows);
      fill('found-about', counted(games.found, 'game'));
      byId('found-all').href = `#/games${queryOf(asked)}`;
      byId('found-all').hidden = games.found === 0;
      wrong.textContent = games.error ?? '';
    } catch (error) {
      if (mine === foundOf) wrong.textContent = error.message === Canceled ? 'It was given up' : error.message;
    }
  }

  /** draw shows what was played in the position. */
  function draw(t) {
    const { name } = path[at] = { ...path[at], name: t.opening ?? path[at].name }, all = t.all.games;
    drawn = true;
    const had = tree.contains(document.activeElement);
    blank();
    fill('tree-name', name?.name ?? (here === start ? 'Start position' : 'A position'), el('small', name && ` ${name.eco}`));
    fill('tree-about', `${counted(all, 'game')} ${all === 1 ? 'reaches' : 'reach'} this position`);
    if (t.moves.length) tree.append(movesTable(t, name, play, preview));
    if (had) tree.querySelector('tbody a')?.focus({ preventScroll: true }); // who plays by the keyboard goes on
    const best = t.best.filter((row) => !row.error), place = here.split(' ').slice(0, 3).join('_');
    if (best.length) {
      tree.append(el('div.tree-head', el('h3', 'Games from here'), el('a', { href: `#/games${queryOf({ ...terms(filters), fen: here.split(' ').slice(0, 4).join(' '), sort: '-rating' })}` }, 'Open all in Games ›')),
        el('div.best', best.map((row) => rowOf(row, `#/games/${row.game}/${place}`))));
    }
    fill('openings-about', `${about} ${t.index ? `Looked up in the index${t.read ? `, ${counted(t.read, 'game')} read` : ''}.` : `All games were read${t.why ? `, for ${t.why}` : ''}.`}`);
  }

  let about = ''; // what the room tells of the archive
  /** open takes over the archive that is open. */
  async function open() {
    const a = app.archive, box = byId('openings-about');
    if (a === opened) return;
    opened = a;
    treeOf = null;
    clear();
    if (!a) {
      fill(box, 'No archive is open. ', el('a', { href: '#/games' }, 'Open one in Games'), ' first.');
      return;
    }
    const { index } = await ask(of(a));
    if (app.archive !== a) return;
    about = `In ${a.label}: ${counted(a.games, 'game')}. ${index.there ? `Its index has ${count(index.positions)} positions.`
      : index.why ? `Its index cannot be used (${index.why}).` : 'There is no index beside it: ply11 index makes one.'}`;
    box.textContent = about;
  }
  /** @type {any} */
  let opened = 'none yet';
  app.listeners.push(() => {
    clear();
    treeOf = null;
    played.leave();
    blank();
    if (location.hash.startsWith('#/openings')) open().then(stale).catch((error) => say(error.message, true));
  });
  await place(start, false);
  return {
    async enter(rest) {
      await open();
      const asked = rest.join('/').replaceAll('_', ' ');
      if (asked && asked !== here) {
        go(asked);
        await placing;
      } else address();
      stale();
    },
    key(e) {
      if (e.key === 'f') board.flip();
      else if (e.key === 'ArrowLeft' || e.key === 'Backspace') step(at - 1);
      else if (e.key === 'ArrowRight') step(at + 1);
      else if (e.key === 'Home') go(start);
    },
    leave() {
      played.leave();
      if (!drawn) treeOf = null;
    },
  };
}

/** Setup puts pieces down on a board: for a position, or for a pattern, whose squares may hold any of several pieces, or must be empty. */
class Setup {
  /**
   * @param {Board} board
   * @param {HTMLInputElement} field of the pattern
   * @param {(fen: string) => void} changed is called with each position that is set up
   * @param {() => void} drawn is called when a pattern was changed
   */
  constructor(board, field, changed, drawn) {
    this.drawn = drawn;
    this.board = board;
    this.field = field;
    this.changed = changed;
    this.open = this.pattern = false;
    this.pieces = new Array(64).fill(''); // of a pattern: letters of all that may stand there; none for anything
    this.places = []; // of each right its king and its rook: it goes when they do
    this.tool = 'P';
    const box = byId('setup-pieces');
    for (const letter of 'KQRBNPkqrbnp.!Aa?') {
      const name = letter === '?' ? 'nothing' : pieceName(letter);
      const input = el('input', { type: 'radio', name: 'setup-piece', value: letter, 'aria-label': name, checked: letter === this.tool });
      input.onchange = () => { this.tool = letter; };
      const label = el('label', { title: name, class: '.!Aa'.includes(letter) ? 'of-pattern' : '' }, letter === '?' ? '✕' : piece(letter), input);
      label.addEventListener('pointerdown', (e) => this.press(e, letter));
      box.append(label);
    }
    byId('setup-clear').onclick = () => { this.pieces.fill(''); this.told(); };
    byId('setup-turn').onchange = () => this.told();
    byId('setup-passant').onchange = () => this.told();
    byId('setup-castling').onchange = () => this.told();
  }

  /** take takes over a position; of a pattern the pieces alone. */
  take(fen) {
    const [, turn, castling, passant] = fen.split(' ');
    this.pieces = piecesOf(fen);
    this.rights = castling;
    this.places = [];
    this.passant = passant;
    byId('setup-turn').value = turn;
    this.draw();
  }

  /** begin begins a pattern: with its text, or else with the pieces of a board. */
  begin(text, fen) {
    this.pieces = piecesOf(text.trim() === '' ? fen : '8/8/8/8/8/8/8/8');
    byId('setup-turn').value = '';
    if (text.trim() === '') this.told();
    else this.read(text);
  }

  /** read takes over a pattern, unless it is one that squares alone do not show. */
  read(text) {
    const words = text.split(/[\s,]+/).filter((w) => w !== '');
    const places = words.map((w) => /^(?:\[([KQRBNPkqrbnp.!Aa]+)\]|([KQRBNPkqrbnp.!Aa]))([a-h][1-8])$/.exec(w));
    if (words.length === 0 || places.includes(null)) { this.draw(); return; }
    this.pieces.fill('');
    for (const [, several, one, name] of places) this.pieces[squareOf(name)] = several ?? one;
    this.draw();
  }

  /** turn is the side to move of a pattern, if it matters. */
  turn() { return { w: 'white', b: 'black' }[byId('setup-turn').value]; }

  /** put puts a letter on a square, '?' for nothing. */
  put(square, letter) {
    const add = this.pattern && byId('setup-add').checked && letter !== '?';
    const there = this.pieces[square];
    if (letter === '?') this.pieces[square] = '';
    else if (!add) this.pieces[square] = letter;
    else this.pieces[square] = there.includes(letter) ? there.replace(letter, '') : there + letter;
    this.told();
  }

  /** told draws what was set up, and tells of it. */
  told() {
    this.rights = this.checked();
    this.passant = byId('setup-passant').value;
    this.draw();
    this.rights = this.checked(); // those that the pieces leave
    this.passant = byId('setup-passant').value;
    if (!this.pattern) {
      this.changed(this.fen());
      return;
    }
    this.field.value = this.pieces.map((m, s) => (m === '' ? '' : (m.length > 1 ? `[${m}]` : m) + squareName(s))).filter((w) => w !== '').join(' ');
    this.drawn();
  }

  checked() { return [...byId('setup-castling').querySelectorAll('input:checked')].map((i) => i.value).join(''); }

  fen() {
    let rows = '';
    for (let rank = 7; rank >= 0; rank--) {
      rows += this.pieces.slice(8 * rank, 8 * rank + 8).map((m) => m || '1').join('').replace(/1+/g, (run) => String(run.length)) + (rank > 0 ? '/' : '');
    }
    return `${rows} ${byId('setup-turn').value || 'w'} ${this.rights || '-'} ${this.passant || '-'} 0 1`;
  }

  /** draw shows the board, and what can be chosen for it: the rights whose pieces stand on the first row, in Chess960 anywhere on it, and the files where a pawn may have come by two. */
  draw() {
    const box = byId('setup');
    box.hidden = !this.open;
    this.board.blank = this.pattern ? 'anything' : 'empty';
    if (!this.open) {
      this.board.edit(null);
      return;
    }
    for (const e of [byId('setup-patterns'), byId('setup-keys'), ...box.querySelectorAll('.of-pattern')]) e.hidden = !this.pattern;
    for (const e of [byId('setup-castling'), byId('setup-passant').parentElement]) e.hidden = this.pattern;
    const turn = byId('setup-turn');
    turn.querySelector('[value=""]').hidden = !this.pattern;
    if (!this.pattern && turn.value === '') turn.value = 'w';
    if (!this.pattern && '.!Aa'.includes(this.tool)) {
      this.tool = 'P';
      byId('setup-pieces').querySelector('[value=P]').checked = true;
    }
    const stands = (name) => this.pieces[squareOf(name)];
    [...byId('setup-castling').querySelectorAll('input')].forEach((input, i) => {
      const letter = 'KQkq'[i], own = (text) => (i < 2 ? text.toUpperCase() : text);
      const row = [...'abcdefgh'].map((f) => stands(f + (i < 2 ? 1 : 8))), king = row.indexOf(own('k'));
      const rooks = [...own('abcdefgh')].filter((_, file) => king >= 0 && row[file] === own('r') && (i % 2 ? file < king : file > king));
      const right = [letter, ...rooks].find((r) => this.rights?.includes(r)) ?? letter;
      const place = king + (right === letter ? rooks.at(i % 2 ? 0 : -1) ?? '' : right); // of the king and the rook
      input.value = right;
      input.disabled = rooks.length === 0;
      input.checked = !input.disabled && this.rights?.includes(right) && (this.places[i] ?? place) === place;
      this.places[i] = place;
    });
    const [pawn, other, on, over, from] = turn.value === 'b' ? ['P', 'p', 4, 3, 2] : ['p', 'P', 5, 6, 7];
    const files = [...'abcdefgh'].filter((f, i) => stands(f + on) === pawn && stands(f + over) === '' && stands(f + from) === ''
      && ['abcdefgh'[i - 1], 'abcdefgh'[i + 1]].some((g) => g && stands(g + on) === other));
    fill('setup-passant', el('option', { value: '' }, 'none'), files.map((f) => el('option', { value: f + over }, f + over)));
    if (files.some((f) => f + over === this.passant)) byId('setup-passant').value = this.passant;
    this.board.show(this.pieces.slice());
    this.board.edit({
      put: (s) => this.put(s, this.tool),
      drag: (from, to) => {
        if (to >= 0) this.pieces[to] = this.pieces[from];
        this.pieces[from] = '';
        this.told();
      },
      key: (s, key) => {
        if (key === 'Delete' || key === 'Backspace') this.put(s, '?');
        else if (key.length === 1 && (this.pattern ? 'KQRBNPkqrbnp.!Aa?' : 'KQRBNPkqrbnp?').includes(key)) this.put(s, key);
        else return false;
        return true;
      },
    });
  }

  /** press drags a piece from the palette to the board. */
  press(e, letter) {
    const ghost = el('div.ghost', letter === '?' ? '✕' : piece(letter));
    drag(e, (m) => {
      document.body.append(ghost);
      ghost.style.left = `${m.clientX}px`;
      ghost.style.top = `${m.clientY}px`;
    }, (on) => {
      ghost.remove();
      const s = this.board.at(on);
      if (s >= 0) this.put(s, letter);
    });
  }
}
