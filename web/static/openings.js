// SPDX-License-Identifier: Apache-2.0
// Room 4: which games have a position, and what was played in it.
import { Board, piece, pieceName, piecesOf, squareName, squareOf } from './board.js';
import { bar } from './played.js';
import { choosePromotion } from './promotion.js';
import { ask, busy, byId, Canceled, count, counted, el, named, of, positionLink, say } from './page.js';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const shown = 200; // games in the list

/** closed tells that no archive is open, and where one is opened. @param {HTMLElement} box */
function closed(box) { box.replaceChildren('No archive is open. ', el('a', { href: '#/games' }, 'Open one in Games'), ' first.'); }

export async function openingsRoom(app) {
  const rules = await import('./rules.js'); // without the rules there is no room
  const wrong = byId('openings-wrong'), fen = byId('openings-fen'), form = byId('openings-form');
  let here = start, legal = [];
  let draft = null; // what was set up, and is not a position yet
  const trail = [];
  const board = new Board(byId('openings-board'), { label: 'Board: play the moves that lead to the position', onMove });

  let placing = Promise.resolve(); // what is asked of the board comes after it
  let turn = 0; // of what is asked; what comes later is in force
  function place(text, keep = true) {
    const mine = ++turn;
    return placing = placing.then(() => mine === turn && set(text, keep, mine));
  }

  async function set(text, keep, mine) {
    try {
      const p = await rules.position(text);
      if (mine !== turn) return;
      wrong.textContent = '';
      if (keep && p.fen !== here) trail.push(here);
      here = p.fen;
      legal = p.legal;
      fen.value = here;
      draft = null;
      address();
      if (setup.open) setup.take(here);
      else board.set(here, { legal });
      stale(true);
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

  async function onMove(from, to) {
    const uci = squareName(from) + squareName(to);
    let moves = legal.filter((m) => m.uci.startsWith(uci));
    if (moves.length > 1) {
      const letter = await choosePromotion(board.pieces[from]);
      moves = moves.filter((m) => m.uci.endsWith(letter ?? ' '));
    }
    if (moves.length === 0) { wrong.textContent = `${uci} is not legal here`; return; }
    await play(moves[0]);
  }

  async function play(move) {
    await place(move.after);
    board.set(here, { legal, from: squareOf(move.uci), to: squareOf(move.uci.slice(2)) });
  }

  /** go leads to a position, whatever was set up. */
  function go(text, keep = true) {
    draft = null;
    what('position');
    place(text, keep);
  }

  fen.onchange = () => go(fen.value);
  byId('openings-flip').onclick = () => board.flip();
  byId('openings-start').onclick = () => go(start);
  const back = () => { if (trail.length > 0) go(trail.pop(), false); };
  byId('openings-back').onclick = back;
  form.onsubmit = (e) => { e.preventDefault(); find(); };
  byId('openings-tree').onclick = tree;

  const setup = new Setup(board, form.elements.pattern, (text) => {
    draft = text;
    place(text);
  }, () => stale());
  form.addEventListener('input', () => stale());
  byId('openings-setup').onclick = () => show();
  for (const input of form.elements.what) input.onchange = () => what(input.value);
  form.elements.pattern.oninput = () => { what('pattern'); setup.read(form.elements.pattern.value); };

  /** what tells what is looked for, and shows it on the board. */
  function what(kind) {
    form.elements.what.value = kind;
    if ((kind === 'pattern') === setup.pattern) return;
    setup.pattern = kind === 'pattern';
    byId('openings-tree').disabled = setup.pattern;
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

  /** run does a call that takes long, in place of the one before, and tells what went wrong. */
  let running = null, runs = null; // the call, and the question that it is to answer
  async function run(text, question, call) {
    if (!app.archive) { wrong.textContent = 'Open an archive in the room of games first'; return null; }
    wrong.textContent = '';
    running?.cancel();
    const wait = busy(text);
    const mine = running = call(wait.set);
    runs = question;
    wait.of(mine);
    try {
      const result = await mine;
      return mine === running ? result : null;
    } catch (error) {
      if (mine === running) wrong.textContent = error.message === Canceled ? 'It was given up' : error.message;
      return null;
    } finally { wait.end(); }
  }

  // What is in sight is the answer to a question. Once the question is another one, it goes.
  let treeOf = null, foundOf = null; // the questions of the two answers
  let follows = false; // the tree was looked up, which costs little: it goes with the board

  const treeQuestion = () => JSON.stringify([setup.pattern, draft ?? here, terms(['player'])]);
  const findQuestion = () => JSON.stringify(question());

  /** end gives up the call that is to answer a question, if it is under way. */
  function end(question) {
    if (runs !== question) return;
    running?.cancel();
    running = runs = null;
  }

  /** stale takes away what is no answer any more. moved tells that the position is another one. */
  function stale(moved = false) {
    if (foundOf !== null && foundOf !== findQuestion()) {
      end(foundOf);
      foundOf = null;
      byId('found').replaceChildren();
      byId('found-about').textContent = '';
    }
    if (treeOf !== null && treeOf !== treeQuestion()) {
      end(treeOf);
      treeOf = null;
      byId('tree').replaceChildren();
      if (moved && follows && app.archive) tree();
    }
  }

  /** question returns what is looked for, by the form and the board: the parameters of a search, and its kind. */
  function question() {
    const kind = form.elements.what.value, checked = (/** @type {string} */ name) => /** @type {any} */ (form.elements)[name].checked;
    return { kind, ...terms(kind === 'pattern' ? ['pattern', 'material', 'player'] : ['material', 'player']),
      fen: kind === 'position' ? (draft ?? here).split(' ').slice(0, 4).join(' ') : undefined, stm: kind === 'pattern' ? setup.turn() : undefined,
      variations: checked('variations'), mirror: checked('mirror'), swap: checked('swap') };
  }

  /** @param {string[]} names */
  function terms(names) { return Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value !== '')); }

  async function find() {
    await placing;
    const { kind, ...asked } = question();
    if (kind === 'position' && !legalDraft()) return;
    if (kind === 'pattern' && !asked.pattern) { wrong.textContent = 'The pattern is empty: put a piece down'; return; }
    const mine = foundOf = findQuestion();
    byId('found').replaceChildren();
    byId('found-about').textContent = '';
    const games = await run('Searching', mine, (progress) => ask(of(app.archive, '/games'), { ...asked, count: shown }, { progress }));
    if (!games || mine !== foundOf) return;
    const ply = (row, text) => (row.ply === undefined ? '' : `${text}${row.ply}`);
    byId('found').replaceChildren(...games.rows.map((row) => el('li', { value: row.game },
      el('a', { href: `#/games/${row.game}${ply(row, '/')}` }, ...row.error ? [row.error] : [named(row.white || '?'), ' – ', named(row.black || '?')]), ' ', el('span', { class: 'whole' }, row.result), ` ${row.date}${ply(row, ', ply ')}`)));
    byId('found-about').textContent = `${counted(games.found, 'game')}${games.found > shown ? `, of which the first ${shown} are shown` : ''}`;
    wrong.textContent = games.error ?? '';
  }

  /** legalDraft tells whether what is set up is a position, and says what is wrong if it is not. */
  function legalDraft() {
    if (draft !== null && wrong.textContent === '') wrong.textContent = 'The board has no position yet';
    return draft === null;
  }

  async function tree() {
    await placing;
    if (!legalDraft()) return;
    const mine = treeOf = treeQuestion();
    const t = await run('Counting', mine, (progress) => ask(of(app.archive, '/moves'), { fen: here, ...terms(['player']) }, { progress }));
    if (!t || mine !== treeOf) return;
    follows = t.index;
    const rated = t.moves.some((m) => m.rating);
    byId('tree').replaceChildren(el('div', { class: 'scroll', role: 'region', 'aria-label': 'Moves played here', tabindex: 0 }, el('table', {},
      el('caption', {}, `${counted(t.all.games, 'game')} ${t.all.games === 1 ? 'reaches' : 'reach'} the position`, ...t.opening ? [': ', el('b', {}, t.opening.name), ` ${t.opening.eco}`] : []),
      el('thead', {}, el('tr', {}, ...['Move', 'Games', 'White, drawn, Black', ...rated ? ['Rating', 'Years', 'Highest rated'] : ['Years', 'Some of them']].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, ...t.moves.map((m) => el('tr', {},
        el('td', {}, el('button', { type: 'button', onclick: async () => { const move = legal.find((x) => x.uci === m.uci); if (move) { await play(move); if (!follows) tree(); } } }, m.san)),
        el('td', {}, count(m.games)), el('td', {}, bar(m)), ...rated ? [el('td', {}, m.rating ? Math.round(m.rating) : '–')] : [],
        el('td', { class: 'whole' }, m.first ? (m.last > m.first ? `${m.first}–${m.last}` : m.first) : '–'),
        el('td', {}, ...m.best.slice(0, 3).flatMap((n) => [el('a', { href: `#/games/${n}` }, n), ' ']))))))));
    const how = t.index ? `looked up in the index${t.read ? `, ${counted(t.read, 'game')} read` : ''}` : `all games were read${t.why ? `, for ${t.why}` : ''}`;
    say(`${t.moves.length === 1 ? '1 move was' : `${t.moves.length} moves were`} played here: ${how}`, Boolean(t.why));
  }

  let told = null; // the archive of which the room tells
  async function about() {
    const a = app.archive;
    if (a === told) return;
    told = a;
    const box = byId('openings-about');
    if (!a) {
      closed(box);
      return;
    }
    box.replaceChildren('In ', named(a.label), `: ${counted(a.games, 'game')}.`);
    const { index } = await ask(of(a));
    if (app.archive !== a) return;
    const all = 'all games are read';
    box.append(index.there ? ` Its index has ${count(index.positions)} positions: moves and games of a position are looked up there. For anything else ${all}.`
      : index.why ? ` Its index cannot be used (${index.why}): ${all}.`
        : ` There is no index beside it: ${all}. ply11 index makes one.`);
  }
  app.listeners.push(() => {
    end(runs);
    treeOf = foundOf = null;
    for (const id of /** @type {const} */ (['tree', 'found'])) byId(id).replaceChildren();
    byId('found-about').textContent = '';
    told = null;
    if (location.hash.startsWith('#/openings')) about().catch((error) => say(error.message, true));
  });
  await place(start, false);
  closed(byId('openings-about'));
  return {
    async enter(rest) {
      await about();
      const asked = rest.join('/').replaceAll('_', ' ');
      if (asked && asked !== here) {
        go(asked);
        await placing;
      } else address();
      if (asked && app.archive) await tree();
    },
    key(e) {
      if (e.key === 'f') board.flip();
      if (e.key === 'ArrowLeft' || e.key === 'Backspace') back();
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
    byId('setup-passant').replaceChildren(el('option', { value: '' }, 'none'), ...files.map((f) => el('option', { value: f + over }, f + over)));
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
    if (e.button !== 0) return;
    const x = e.clientX, y = e.clientY;
    let ghost = null;
    e.target.releasePointerCapture?.(e.pointerId);
    const move = (m) => {
      if (!ghost && Math.hypot(m.clientX - x, m.clientY - y) > 5) document.body.append(ghost = el('div', { class: 'ghost' }, letter === '?' ? '✕' : piece(letter)));
      if (ghost) { ghost.style.left = `${m.clientX}px`; ghost.style.top = `${m.clientY}px`; }
    };
    const end = (m) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      ghost?.remove();
      const s = ghost && m.type === 'pointerup' ? this.board.at(document.elementFromPoint(m.clientX, m.clientY)) : -1;
      if (s >= 0) this.put(s, letter);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  }
}
