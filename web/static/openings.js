// SPDX-License-Identifier: Apache-2.0
// The room of openings: what was played in a position, and which games have one, a pattern or a material.
import { bitsOf, boardOf, drag, moveOf, piece, pieceName, piecesOf, squareName, squareOf, start } from './board.js';
import { rowOf } from './games.js';
import { movesTable, statistics } from './played.js';
import { ask, byId, Canceled, count, counted, el, fill, of, positionLink, queryOf, say, tab } from './page.js';

export async function openingsRoom(app) {
  const rules = await import('./rules.js'); // without the rules there is no room
  const wrong = byId('openings-wrong'), fen = byId('openings-fen'), form = byId('openings-form');
  let here = start, legal = [];
  let draft = null; // what was set up, and is not a position yet
  /** path is the positions that were shown, with the move that led to each, if one did, and the last opening that has a name. @type {{fen: string, move?: any, name?: any}[]} */
  let path = [{ fen: start }];
  let at = 0; // the one that is shown
  const board = boardOf(byId('openings-board'), { label: 'Board: play the moves that lead to the position', onMove: (from, to) => play(squareName(from) + squareName(to)) });

  let placing = null; // what is asked of the board comes after it
  let turn = 0; // of what is asked; what comes later is in force
  /** place shows a position, as the next one of the path, unless it is of the path. */
  function place(text, keep = true, move = undefined) { return placing = set(text, keep, move); }

  async function set(text, keep, move) {
    const mine = ++turn;
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
  const setup = setupOf(board, form.elements.pattern, (text) => {
    draft = text;
    place(text);
  });
  form.addEventListener('change', () => stale());
  byId('openings-setup').onclick = () => show();
  form.querySelector('[value=tree-box]').onchange = () => what('position');
  for (const input of form.elements.what) input.onchange = () => what(input.value);
  form.elements.pattern.oninput = () => { what('pattern'); setup.read(form.elements.pattern.value); };
  form.elements.material.oninput = () => { if (form.elements.what.value === 'position') what('other'); };

  /** what tells what is looked for, and shows it on the board. */
  function what(kind) {
    form.elements.what.value = kind;
    if (kind !== 'position') tab('search-box');
    if ((kind === 'pattern') === setup.pattern) return;
    setup.pattern = kind === 'pattern';
    if (setup.pattern) setup.begin(form.elements.pattern.value, here === start ? '8/8/8/8/8/8/8/8' : draft ?? here);
    show(setup.pattern || setup.open);
    stale();
  }

  /** show opens and closes what sets the board up. A pattern is always set up. */
  function show(open = !setup.open) {
    setup.open = open || setup.pattern;
    byId('openings-setup').ariaExpanded = String(setup.open);
    if (!setup.pattern) setup.take(draft ?? here);
    setup.draw();
    if (!setup.open) place(draft ?? here, false);
  }

  // What is in sight is the answer to a question. Once the question is another one, it goes.
  let treeOf = null, drawn = false; // the question, and whether it was answered
  const tree = byId('tree'), played = statistics(app, tree, () => terms(filters), draw);
  const filters = ['player', 'rating', 'speed'];

  /** stale takes away what is no answer any more, and looks up what was played. */
  function stale() {
    const asked = setup.pattern || draft !== null || !app.archive ? '' : JSON.stringify([here, terms(filters)]);
    if (asked === treeOf || !location.hash.startsWith('#/openings')) return;
    treeOf = asked;
    drawn = false;
    if (asked !== '') { played.look(here); return; }
    played.leave();
    blank();
  }

  /** blank takes away what was played. */
  function blank() { for (const id of ['tree-name', 'tree-about', 'tree']) fill(id); }

  /** question returns what is looked for, by the form and the board: the parameters of a search. */
  function question() {
    const kind = form.elements.what.value, checked = (/** @type {string} */ name) => /** @type {any} */ (form.elements)[name].checked;
    return { ...terms(kind === 'pattern' ? ['pattern', 'material', ...filters] : ['material', ...filters]),
      fen: kind === 'position' ? (draft ?? here).split(' ').slice(0, 4).join(' ') : undefined, stm: kind === 'pattern' ? setup.turn() : undefined,
      variations: checked('variations'), mirror: checked('mirror'), swap: checked('swap') };
  }

  /** @param {string[]} names */
  function terms(names) { return Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value !== '')); }

  /** find goes to the games that are looked for, if there are any. */
  async function find() {
    await placing;
    const asked = question();
    if (!app.archive) { wrong.textContent = 'Open an archive in the room of games first'; return; }
    if (asked.fen && draft !== null) { wrong.textContent ||= 'The board has no position yet'; return; }
    if (setup.pattern && !asked.pattern) { wrong.textContent = 'The pattern is empty: put a piece down'; return; }
    wrong.textContent = '';
    try {
      const { found } = await ask(of(app.archive, '/games'), { ...asked, count: 0 }, { wait: 'Searching' });
      if (!location.hash.startsWith('#/openings') || queryOf(question()) !== queryOf(asked)) return; // something else is asked by now
      if (found > 0) app.go(`#/games${queryOf(asked)}`);
      else wrong.textContent = 'No game matches';
    } catch (error) { wrong.textContent = error.message === Canceled ? 'It was given up' : error.message; }
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

/**
 * setupOf puts pieces down on a board: for a position, or for a pattern, whose squares may hold any of several pieces, or must be empty.
 * @param {ReturnType<typeof boardOf>} board
 * @param {HTMLInputElement} field of the pattern
 * @param {(fen: string) => void} changed is called with each position that is set up
 */
function setupOf(board, field, changed) {
  const box = byId('setup'), palette = byId('setup-pieces'), turn = byId('setup-turn'), passing = byId('setup-passant');
  const castling = [...byId('setup-castling').querySelectorAll('input')], nothing = '8/8/8/8/8/8/8/8';
  const setup = { open: false, pattern: false, take, begin, read, draw, turn: () => ({ w: 'white', b: 'black' }[turn.value]) };
  let pieces = piecesOf(nothing); // of a pattern: letters of all that may stand there; none for anything
  let rights = '', passant = '';
  let places = []; // of each right its king and its rook: it goes when they do
  for (const letter of 'KQRBNPkqrbnp.!Aa?') {
    const name = letter === '?' ? 'nothing' : pieceName(letter);
    palette.append(el('label', { title: name, class: '.!Aa'.includes(letter) && 'of-pattern', onpointerdown: (e) => press(e, letter) },
      letter === '?' ? '✕' : piece(letter), el('input', { type: 'radio', name: 'setup-piece', value: letter, 'aria-label': name, checked: letter === 'P' })));
  }
  byId('setup-clear').onclick = () => { pieces.fill(''); told(); };
  for (const id of ['setup-turn', 'setup-passant', 'setup-castling']) byId(id).onchange = told;

  function tool() { return palette.querySelector(':checked').value; }

  /** take takes over a position; of a pattern the pieces alone. */
  function take(fen) {
    pieces = piecesOf(fen);
    [, turn.value, rights, passant] = fen.split(' ');
    places = [];
    draw();
  }

  /** begin begins a pattern: with its text, or else with the pieces of a board. */
  function begin(text, fen) {
    pieces = piecesOf(text.trim() === '' ? fen : nothing);
    turn.value = '';
    if (text.trim() === '') told();
    else read(text);
  }

  /** read takes over a pattern, unless it is one that squares alone do not show. */
  function read(text) {
    const words = text.split(/[\s,]+/).filter((w) => w !== '');
    const squares = words.map((w) => /^(?:\[([KQRBNPkqrbnp.!Aa]+)\]|([KQRBNPkqrbnp.!Aa]))([a-h][1-8])$/.exec(w));
    if (words.length > 0 && !squares.includes(null)) {
      pieces.fill('');
      for (const [, several, one, name] of squares) pieces[squareOf(name)] = several ?? one;
    }
    draw();
  }

  /** put puts a letter on a square, '?' for nothing. */
  function put(square, letter) {
    const there = pieces[square];
    if (letter === '?') pieces[square] = '';
    else if (!setup.pattern || !byId('setup-add').checked) pieces[square] = letter;
    else pieces[square] = there.includes(letter) ? there.replace(letter, '') : there + letter;
    told();
  }

  /** told draws what was set up, and tells of it. */
  function told() {
    chosen();
    draw();
    chosen(); // what the pieces leave of it
    if (setup.pattern) {
      field.value = pieces.map((m, s) => m && (m.length > 1 ? `[${m}]` : m) + squareName(s)).filter(Boolean).join(' ');
      return;
    }
    const rows = [7, 6, 5, 4, 3, 2, 1, 0].map((rank) => pieces.slice(8 * rank, 8 * rank + 8).map((m) => m || '1').join(''));
    changed(`${rows.join('/').replace(/1+/g, (run) => String(run.length))} ${turn.value || 'w'} ${rights || '-'} ${passant || '-'} 0 1`);
  }

  /** chosen takes over the rights and the square that are chosen. */
  function chosen() {
    rights = castling.filter((i) => i.checked).map((i) => i.value).join('');
    passant = passing.value;
  }

  /** draw shows the board, and what can be chosen for it: the rights whose pieces stand on the first row, in Chess960 anywhere on it, and the files where a pawn may have come by two. */
  function draw() {
    const { open, pattern } = setup;
    box.hidden = !open;
    if (!open) {
      board.edit(null);
      return;
    }
    box.dataset.kind = pattern ? 'pattern' : 'position';
    if (!pattern && turn.value === '') turn.value = 'w';
    if (!pattern && '.!Aa'.includes(tool())) palette.querySelector('[value=P]').checked = true;
    const stands = (name) => pieces[squareOf(name)];
    castling.forEach((input, i) => {
      const letter = 'KQkq'[i], own = (text) => (i < 2 ? text.toUpperCase() : text);
      const row = [...'abcdefgh'].map((f) => stands(f + (i < 2 ? 1 : 8))), king = row.indexOf(own('k'));
      const rooks = [...own('abcdefgh')].filter((_, file) => king >= 0 && row[file] === own('r') && (i % 2 ? file < king : file > king));
      const right = [letter, ...rooks].find((r) => rights?.includes(r)) ?? letter;
      const place = king + (right === letter ? rooks.at(i % 2 ? 0 : -1) ?? '' : right); // of the king and the rook
      input.value = right;
      input.disabled = rooks.length === 0;
      input.checked = !input.disabled && rights?.includes(right) && (places[i] ?? place) === place;
      places[i] = place;
    });
    const [pawn, other, on, over, from] = turn.value === 'b' ? ['P', 'p', 4, 3, 2] : ['p', 'P', 5, 6, 7];
    const files = [...'abcdefgh'].filter((f, i) => stands(f + on) === pawn && stands(f + over) === '' && stands(f + from) === ''
      && ['abcdefgh'[i - 1], 'abcdefgh'[i + 1]].some((g) => g && stands(g + on) === other));
    fill(passing, el('option', { value: '' }, 'none'), files.map((f) => el('option', { selected: f + over === passant }, f + over)));
    board.show(pieces.slice());
    board.edit({
      put: (s) => put(s, tool()),
      drag: (from, to) => {
        if (to >= 0) pieces[to] = pieces[from];
        pieces[from] = '';
        told();
      },
      key: (s, key) => {
        if (key === 'Delete' || key === 'Backspace') put(s, '?');
        else if (key.length === 1 && (pattern ? 'KQRBNPkqrbnp.!Aa?' : 'KQRBNPkqrbnp?').includes(key)) put(s, key);
        else return false;
        return true;
      },
    }, pattern ? 'anything' : 'empty');
  }

  /** press drags a piece from the palette to the board. */
  function press(e, letter) {
    const ghost = el('div.ghost', letter === '?' ? '✕' : piece(letter));
    drag(e, (m) => {
      document.body.append(ghost);
      ghost.style.left = `${m.clientX}px`;
      ghost.style.top = `${m.clientY}px`;
    }, (on) => {
      ghost.remove();
      const s = board.at(on);
      if (s >= 0) put(s, letter);
    });
  }

  return setup;
}
