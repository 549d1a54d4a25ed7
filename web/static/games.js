// SPDX-License-Identifier: Apache-2.0
// The games of an archive, in a list and one by one.
import { bitsOf, Board, squareName, squareOf } from './board.js';
import { archives, ask, byId, Canceled, copy, count, counted, el, fill, Gone, icon, named, of, positionLink, queryOf, say, size, svg, tabs } from './page.js';

const rowHeight = 52, atOnce = 100; // rows that a list asks for
const most = 100_000; // rows of a page: a browser gives up on elements that are taller than some 16 million pixels
const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const longest = 20_000; // characters of the text of a game that is not valid
const deepest = 8; // how far variations are indented
const blunder = 2; // pawns that a move loses
const filters = ['player', 'event', 'date', 'rating', 'eco', 'result', 'speed', 'fen', 'pattern', 'material', 'stm', 'variations', 'mirror', 'swap'];
const chipNames = { eco: 'ECO', fen: 'Position', stm: 'To move' };
const nags = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀', 32: '⟳', 33: '⟳', 36: '↑', 37: '↑', 40: '→', 41: '→', 44: '=∞', 45: '=∞', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N' };

/** @typedef {{name?: string, files?: File[]}} Source what is opened: an archive of the server, or files that go to it */
/** @typedef {import('./page.js').Archive} Archive */

export async function gamesRoom(app) {
  let asked = ''; // the filters and the order in force, as the address has them
  const addressOf = (row) => gameLink(row, asked);
  const list = new List(app, byId('games-list'), addressOf);
  const replay = new Replay(app, addressOf, (step) => list.step(step), () => ({ ...list.params, sort: undefined }));

  /** serve lists the archives of the server. */
  async function serve(fresh = false) {
    const served = await archives(fresh);
    fill('games-served', served.map((a) => el('li', el('button', { disabled: Boolean(a.error), onclick: () => app.open({ name: a.name }) },
      named(a.label), el('small', a.error ?? [counted(a.games, 'game'), size(a.bytes), a.indexed ? 'index of positions' : ''].filter(Boolean).join(' · '))))));
    return served;
  }
  serve().catch(() => {}); // it is told of where something is opened

  const chosen = byId('games-file');
  chosen.onclick = () => { chosen.value = ''; }; // or the same file, chosen again, would change nothing
  chosen.onchange = () => {
    if (chosen.files.length > 0) app.open({ files: [...chosen.files] });
  };
  byId('games-sample').onclick = async () => app.open({ files: [new File([await (await fetch('sample.pgn')).text()], 'famous.pgn')] });
  const filter = byId('games-filter'), sort = byId('games-sort'), text = byId('games-text');
  for (const name of filters) if (!filter.elements[name]) filter.append(el('input', { type: 'hidden', name })); // what Openings looks for
  filter.onsubmit = (e) => { e.preventDefault(); search(text.value.trim()); };
  sort.onchange = () => put(questionOf());
  byId('games-clear').onclick = () => { write(''); put(''); };
  byId('games-chips').onclick = (e) => {
    const name = /** @type {HTMLElement} */ (e.target).closest('button')?.dataset.name;
    if (name === undefined) return;
    filter.elements[name].value = '';
    put(questionOf());
    text.focus();
  };

  const about = byId('games-about');
  /** unfold shows or hides what can be opened. */
  const unfold = (open) => {
    byId('games-open').hidden = !open;
    about.setAttribute('aria-expanded', String(open));
  };
  about.onclick = async () => {
    const open = byId('games-open').offsetParent === null;
    if (open && (document.body.dataset.room !== 'games' || byId('games-pane').offsetParent === null)) await app.go('#/games');
    unfold(open);
  };

  let openings = 0; // the last of them is in force
  let opening = null; // its call
  /**
   * open opens something, or nothing, in place of what is open and of what is being opened, and tells whether it did. If it did not, it said why, unless another opening
   * took its place; and what was open stays so.
   * @param {Source|null} source
   */
  async function open(source) {
    const mine = ++openings;
    opening?.cancel();
    opening = null;
    /** step asks for a part of it, which ends with the opening. @param {Parameters<typeof ask>} asks */
    const step = async (...asks) => {
      const result = await (opening = ask(...asks));
      if (mine !== openings) throw new Error(Canceled);
      return result;
    };
    try {
      const archive = source && await (source.files ? bring(source.files, step) : find(source.name));
      if (mine === openings) opened(archive);
      return mine === openings;
    } catch (error) {
      if (mine === openings) say([named(source.name ?? source.files[0].name), `: ${error.message}`], true, error instanceof Gone ? () => app.open(source) : null);
      return false;
    }
  }

  /** find finds an archive of the server. @returns {Promise<Archive>} */
  async function find(name) {
    const archive = (await serve()).find((a) => a.name === name);
    if (!archive) throw new Error('the server has no such archive any more: files that were dropped go with it');
    if (archive.error) throw new Error(archive.error);
    return archive;
  }

  /** bring brings files to the server: archives and files of games, each with its index if that is among them; an index alone is for the archive that is open. @returns {Promise<Archive>} */
  async function bring(files, step) {
    const isIndex = (f) => /\.p11x$/i.test(f.name);
    let first = null;
    const index = async (archive, f) => {
      const told = await step(of(archive, '/index'), {}, { body: f, wait: `Opening ${f.name}` });
      say([named(f.name), ' is looked up for ', named(archive.label)]);
      return told;
    };
    for (const f of files.filter((g) => !isIndex(g))) {
      let archive = await step('archives', { name: f.name }, { body: f, wait: `Opening ${f.name}` });
      const beside = files.find((g) => isIndex(g) && g.name.toLowerCase() === `${f.name}x`.toLowerCase()) ?? (files.length === 2 ? files.find(isIndex) : undefined);
      if (beside) archive = await index(archive, beside);
      first ??= archive;
    }
    if (!first && !app.archive) throw new Error('it is an index: open its archive first, or both together');
    first ??= await index(app.archive, files[0]);
    await serve(true);
    return first;
  }

  /** opened shows what is open now, or that nothing is, and tells the other rooms. */
  function opened(archive, tell = true) {
    searching?.cancel();
    searching = null;
    asked = '';
    write('');
    chip();
    replay.hide();
    if (tell) app.opened(archive);
    unfold(!archive);
    filter.hidden = byId('games-head').hidden = !archive;
    byId('game-asks').hidden = Boolean(archive);
    fill(about, archive ? [named(archive.label), ` · ${counted(archive.games, 'game')} · ${size(archive.bytes)}`] : 'Open games');
    if (archive) say([named(archive.label), ' is open']);
    show(null);
  }

  /** questionOf is what the form asks for, as an address has it, and a term. */
  function questionOf(term = {}) {
    const asks = Object.entries({ ...Object.fromEntries(new FormData(filter)), sort: sort.value, ...term }).map(([name, value]) => [name, String(value).trim()]).filter(([, value]) => value !== '');
    return asks.length > 0 ? `?${new URLSearchParams(asks)}` : '';
  }

  /** search lists the games of the form and of what its one field has: an ECO code, years, a player, or else an event. */
  async function search(typed) {
    const kind = /^[a-e]\d\d(-[a-e]\d\d)?$/i.test(typed) ? 'eco' : /^\d{4}(-(\d{4})?)?$/.test(typed) ? 'date' : 'player';
    let done = await put(questionOf(typed === '' ? {} : { [kind]: kind === 'eco' ? typed.toUpperCase() : typed }));
    if (done?.found === 0 && typed !== '' && kind === 'player') {
      const event = questionOf({ event: `~(?i)${typed.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` });
      const { found } = await ask(of(app.archive, '/games'), { ...paramsOf(event), count: 0 }).catch(() => done);
      if (found > 0) done = await put(event, true);
    }
    if (!done) return;
    write(asked);
    byId('games-more').open = false;
  }

  /** write shows in the form what an address asks for. */
  function write(query) {
    const asks = new URLSearchParams(query);
    for (const name of filters) filter.elements[name].value = asks.get(name) ?? '';
    text.value = '';
    sort.value = asks.get('sort') ?? '';
  }

  /** chip shows the filters in force, as buttons that take them away. */
  function chip() {
    fill('games-chips', Object.entries(paramsOf(asked)).filter(([name]) => name !== 'sort').map(([name, value]) => {
      const title = chipNames[name] ?? name[0].toUpperCase() + name.slice(1), plain = value.replace(/^~\(\?i\)/, '').replace(/\\(.)/g, '$1');
      return el('button.chip', { 'data-name': name, 'aria-label': `Take away the filter ${title} ${value}` },
        value === '1' || name === 'fen' ? title : [`${title}: `, named(plain, 24)], ' ', icon('close'));
    }));
  }

  /** show lists the games that were found, or all. @param {Found|null} found */
  function show(found, params = {}) {
    const { archive } = app, all = archive?.games ?? 0, n = found?.found ?? all;
    list.show(n, params, found?.rows ?? archive?.rows ?? []);
    byId('games-none').hidden = n > 0 || !queryOf(params);
    fill('games-found', n === all ? counted(all, 'game') : `${count(n)} of ${counted(all, 'game')}`);
    if (!archive) return;
    for (const kind of /** @type {const} */ (['pgn', 'p11', 'csv'])) byId(`save-${kind}`).href = `api/${of(archive, `/games.${kind}`)}${queryOf(params)}`;
  }

  /** put lists the games that are asked for, and makes that the address. If it fails, what is listed stays so, and so does what the form has. */
  async function put(query, instead = false) {
    const done = await look(query);
    if (done === null) return done;
    const hash = app.hash().split('?')[0] + asked;
    if (!done || instead) app.here(hash); // it may be the address of a search whose place this one took
    else app.add(hash);
    if (done) tell(done);
    return done;
  }

  /** paramsOf takes what the server is asked for from an address. */
  function paramsOf(query) {
    const asks = new URLSearchParams(query);
    return Object.fromEntries([...filters, 'sort'].filter((name) => asks.get(name)).map((name) => [name, asks.get(name)]));
  }

  /** tell tells that a search ended before the end. */
  function tell({ found, error }) { if (error) say(`${counted(found, 'game')} found; then: ${error}`, true); }

  /** settle lists what an address asks for. If it fails, the address becomes that of what is listed. */
  async function settle(query) {
    if (query === asked) return;
    const hash = app.hash();
    write(query);
    const done = await look(query);
    if (done) tell(done);
    if (done !== false || app.hash() !== hash) return;
    write(asked);
    app.here(hash.split('?')[0] + asked);
  }

  let searching = null; // the search that goes on: the next one ends it
  /** look lists the games that a query finds, and returns them; null if another one took its place; false if it failed, of which it told. */
  async function look(query) {
    const { archive } = app, params = paramsOf(query);
    if (!archive) return false;
    searching?.cancel();
    searching = null;
    let mine, found = null;
    if (queryOf(params)) {
      try {
        found = await (mine = searching = ask(of(archive, '/games'), params, { wait: 'Searching' }));
      } catch (error) {
        if (mine !== searching) return null;
        say(error.message === Canceled ? 'The search was given up' : error.message, true, error instanceof Gone ? () => put(query) : null);
        return false;
      }
      if (mine !== searching) return null;
    }
    asked = query; // in the form something else may stand by now
    chip();
    show(found, params);
    return found ?? { found: 0, error: '' };
  }

  opened(null, false);
  return {
    open,
    async enter([game, ...at], query) {
      byId('room-games').dataset.screen = game ? 'game' : 'list';
      const had = /** @type {HTMLElement} */ (document.activeElement);
      if (had.closest('#board-pane, #game-pane') && had.offsetParent === null) byId('games-list').focus({ preventScroll: true }); // on a phone it went with the game
      if (game && !app.archive) throw new Error(`Game ${game} of which archive? Open it first.`);
      const settled = settle(query).then(() => (game ? list.find(Number(game)) : undefined));
      if (game) await replay.show(Number(game), at.length > 1 ? at.join('/').replaceAll('_', ' ') : at.length ? Number(at[0]) : null);
      else replay.hide();
      replay.look();
      replay.title();
      await settled;
    },
    key: (e) => replay.key(e),
    leave() {
      replay.run(false);
      replay.played?.leave();
    },
  };
}

/** @typedef {{found: number, rows: any[], place?: number, error?: string}} Found what the server tells of games that were found: how many, and some of them */

/** gameLink is the address of a game, and of a ply of it. @param {{game: number, ply?: number}} row */
export function gameLink({ game, ply }, query = '') { return `#/games/${game}${ply === undefined ? '' : `/${ply}`}${query}`; }

/** dateText writes what is known of a date. */
function dateText(date) { return date.split('.??')[0].replace(/^\?+.*/, ''); }

/** rowOf makes a row of a game: the players, the result, the opening, the date and the speed. */
export function rowOf(row, href, attributes = {}) {
  const title = `Game ${row.game}`, about = { title, href, 'data-game': row.game, ...attributes };
  if (row.error) return el('a', { ...about, href: undefined, class: 'game-row wrong' }, `${row.game}. ${row.error}`);
  const player = (name, elo) => el('span', named(name || '?', 300), elo && el('small', ` ${elo}`));
  const score = { '1-0': ['1', '0'], '0-1': ['0', '1'], '1/2-1/2': ['½', '½'] }[row.result] ?? ['*', '*'];
  const opening = [row.eco, row.opening.split(':')[0].replace(/ Defense$/, '')].filter((t) => t && t !== '?').join(' ') || row.event.replace(/^\?$/, '');
  return el('a', { ...about, class: 'game-row' }, el('span.players', player(row.white, row.white_elo), player(row.black, row.black_elo)), el('span.score', score.map((t) => el('span', t))),
    el('span', el('span.opening', { title: row.opening || row.event }, opening || '–'), el('small', [dateText(row.date), row.speed].filter(Boolean).join(' · '))));
}

/** List shows the rows of a list of any length, by parts: those that were in sight have rows. */
export class List {
  /** @param {any} app @param {HTMLElement} box @param {(row: any) => string} link is the address of a row's game */
  constructor(app, box, link) {
    this.app = app;
    this.box = box;
    this.link = link;
    this.n = 0;
    this.params = {}; // what the list's games were asked for by
    this.chosen = this.base = 0; // places in the list, from 0: the chosen one, and the first of the page that is shown
    this.page = el('select', { 'aria-label': 'Page of the list', hidden: true, onchange: () => this.choose(Number(this.page.value)) });
    box.before(this.page);
    box.addEventListener('keydown', (e) => this.key(e));
    box.addEventListener('click', (e) => {
      const row = /** @type {Element} */ (e.target).closest('.game-row');
      if (row) this.choose(Number(row.ariaPosInSet) - 1);
    });
    box.addEventListener('scroll', () => {
      clearTimeout(this.scrolling);
      this.scrolling = setTimeout(() => this.fill(), 50);
    });
    new ResizeObserver(() => {
      if (this.late) this.scroll();
      this.fill();
    }).observe(box);
  }

  /** @param {number} n how many @param {object} params which @param {any[]} first rows that are known */
  show(n, params, first) {
    this.n = n;
    this.params = params;
    this.box.hidden = n === 0;
    this.page.hidden = n <= most;
    const pages = Array.from({ length: Math.ceil(n / most) }, (_, i) => i * most);
    fill(this.page, pages.map((base) => el('option', { value: base }, `${count(base + 1)} to ${count(Math.min(n, base + most))}`)));
    this.turn(0);
    this.box.firstElementChild?.append(...first.map((row, i) => this.row(row, i)));
    this.choose(0);
  }

  /** turn turns to the page that begins at a place. */
  turn(base) {
    this.base = base;
    this.page.value = String(base);
    this.parts = new Map(); // what loads them, by their first places
    fill(this.box, Array.from({ length: Math.ceil(Math.min(most, this.n - base) / atOnce) }, (_, i) => {
      const part = el('div.part', { role: 'group' });
      part.style.height = `${rowHeight * Math.min(atOnce, this.n - base - i * atOnce)}px`;
      return part;
    }));
  }

  row(row, place) { return rowOf(row, this.link(row), { role: 'option', tabindex: -1, id: this.idOf(place), 'aria-setsize': this.n, 'aria-posinset': place + 1 }); }

  idOf(place) { return `${this.box.id}-${place}`; }

  /** fill loads the parts in sight. */
  fill() {
    for (const at of [0, this.box.clientHeight - 1]) {
      const place = this.base + Math.floor((this.box.scrollTop + at) / rowHeight);
      if (place < this.n && this.box.clientHeight > 0) this.load(place);
    }
  }

  /** load loads the part that has a place. */
  load(place) {
    const first = place - place % atOnce;
    if (!this.parts.has(first)) this.parts.set(first, this.fetch(first));
    return this.parts.get(first);
  }

  async fetch(first) {
    const { parts } = this, part = this.box.children[(first - this.base) / atOnce];
    try {
      const { rows } = await ask(of(this.app.archive, '/games'), { ...this.params, from: first + 1, count: atOnce });
      if (rows.length === 0) throw new Error('The list has changed: open the archive again');
      fill(part, rows.map((row, i) => this.row(row, first + i)));
      this.mark();
    } catch (error) {
      parts.delete(first);
      if (parts === this.parts) say(error.message, true, () => this.fill());
    }
  }

  /** choose chooses a place, and brings it into sight. */
  choose(place) {
    this.chosen = Math.max(0, Math.min(this.n - 1, place));
    const base = this.chosen - this.chosen % most;
    if (base !== this.base) this.turn(base);
    this.mark();
    this.scroll();
  }

  /** mark shows which row is the chosen one. */
  mark() {
    const row = document.getElementById(this.idOf(this.chosen));
    this.box.querySelector('[aria-selected]')?.removeAttribute('aria-selected');
    row?.setAttribute('aria-selected', 'true');
    this.box.setAttribute('aria-activedescendant', row?.id ?? '');
  }

  /** scroll brings the chosen row into sight, of a folded list when it unfolds. */
  scroll() {
    const { scrollTop, clientHeight } = this.box, top = (this.chosen - this.base) * rowHeight;
    this.late = clientHeight === 0;
    this.box.scrollTop = Math.min(top, Math.max(scrollTop, top + rowHeight - clientHeight));
    this.fill();
  }

  /** open opens the game that is chosen. */
  async open() {
    const id = this.idOf(this.chosen), { params } = this;
    await this.load(this.chosen);
    if (params === this.params) document.getElementById(id)?.click();
  }

  /** step opens a game before or after the chosen one. */
  step(step) {
    if (this.chosen + step < 0 || this.chosen + step >= this.n) return;
    this.choose(this.chosen + step);
    this.open();
  }

  /** find chooses a game, if it is in the list. */
  async find(game) {
    const { params } = this;
    let place = game;
    if (queryOf(params)) place = (await ask(of(this.app.archive, '/games'), { ...params, place: game, count: 0 })).place ?? 0;
    if (params === this.params && place > 0 && place <= this.n) this.choose(place - 1);
  }

  key(e) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page, PageUp: this.chosen - page, Home: 0, End: this.n - 1 }[e.key];
    if (to === undefined && e.key !== 'Enter') return;
    e.preventDefault();
    if (to === undefined) this.open();
    else this.choose(to);
  }
}

/** evalText writes an evaluation: pawns, or that there is a mate. */
function evalText(e) { return Math.abs(e) >= 100 ? (e > 0 ? '#' : '−#') : `${e < 0 ? '−' : '+'}${Math.abs(e).toFixed(1)}`; }

/** clockText writes seconds as a clock shows them. */
function clockText(c) {
  const s = Math.floor(c), two = (n) => String(n).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/** Replay shows a game. */
class Replay {
  /**
   * @param {any} app
   * @param {(at: {game: number, ply: number}) => string} addressOf
   * @param {(step: number) => void} another shows another game of the list
   * @param {() => object} filter what the list's games meet
   */
  constructor(app, addressOf, another, filter) {
    this.app = app;
    this.addressOf = addressOf;
    this.another = another;
    this.box = byId('game');
    this.game = null;
    this.at = -1; // the item of the move that was made last, -1 for the start
    this.board = new Board(byId('game-board'), { label: 'Board of the game', onMove: (from, to) => this.move(squareName(from) + squareName(to)) });
    this.board.set(start);
    byId('copy-pgn').onclick = () => {
      if (this.game?.cut) say('The PGN is too long for the page: ply11 show writes it', true);
      else if (this.game) copy(this.game.text, 'PGN');
    };
    byId('copy-fen').onclick = () => copy(this.fen(), 'FEN');
    byId('copy-link').onclick = () => copy(location.href, 'Link');
    this.turn = 0; // of what is shown; what comes later is in force
    this.tab = tabs(byId('tab-moves').parentElement);
    this.played = null; // what was played in the position of the board; it comes behind the list, as the rules do
    let coming = null;
    this.beside = () => coming ??= import('./played.js').then(({ besideGame, statistics }) => {
      const box = byId('played');
      this.played = statistics(app, box, filter, (t, fen) => besideGame(box, t, fen, this.opening, queryOf(filter()) !== '', (uci) => this.move(uci)));
    });
    this.after = new Map();
    this.sides = new Map();
    byId('game-moves').addEventListener('click', (e) => {
      const at = /** @type {Element} */ (e.target);
      const item = (at.closest('button') ?? at.closest('.cell')?.querySelector('button'))?.dataset.item;
      if (item !== undefined) this.to(Number(item));
    });
    // The moves have less room when more is told below them: the move that was in sight stays so.
    this.tall = 0; // what was in sight of the moves, in pixels
    new ResizeObserver(() => {
      const box = byId('game-moves'), below = this.current ? this.current.getBoundingClientRect().top - box.getBoundingClientRect().top : -1;
      if (below >= 0 && (below < this.tall || this.tall === 0)) this.mark();
      this.tall = box.clientHeight;
    }).observe(byId('game-moves'));
    byId('game-board').addEventListener('wheel', (e) => {
      if (!this.game || e.ctrlKey) return;
      e.preventDefault();
      if (e.deltaY > 0) this.next();
      else if (e.deltaY < 0) this.back();
    }, { passive: false });
    this.hide();
  }

  hide() {
    this.turn++;
    clearTimeout(this.linking);
    this.run(false);
    this.box.hidden = true;
    byId('game-none').hidden = false;
    byId('eval-bar').hidden = true;
    for (const id of ['who-top', 'who-bottom', 'game-bits']) fill(id);
    this.game = null;
    this.at = -1;
    this.board.set(start);
    this.board.mark([]);
  }

  /** show shows a game, at a ply, or at the first part of the FEN of one of its positions. */
  async show(n, ply) {
    clearTimeout(this.linking);
    const mine = ++this.turn, archive = this.app.archive;
    if (this.game?.game !== n || this.archive !== archive) {
      const game = await ask(of(archive, `/games/${n}`)).catch((error) => {
        if (mine === this.turn && !(error instanceof Gone && this.game)) this.hide(); // what is shown would be another game
        throw error;
      });
      if (mine !== this.turn || archive !== this.app.archive) return;
      this.run(false);
      this.archive = archive;
      this.set(game);
      this.box.hidden = false;
      byId('game-none').hidden = true;
      if (ply === null) byId('game-title').focus({ preventScroll: true });
    }
    if (typeof ply === 'string') ply = this.game.items[this.main.find((i) => this.game.items[i].f.startsWith(`${ply} `)) ?? -1]?.p ?? 0;
    const item = ply > 0 ? this.main[Math.min(ply, this.main.length) - 1] ?? -1 : -1;
    if (ply !== null && !(this.at >= 0 && this.game.items[this.at].p === ply)) this.to(item);
  }

  /** set takes over a game: its tags, the text of the moves, and for each move the one before it. */
  set(game) {
    this.game = game;
    this.main = [];
    this.before = []; // for each item that is a move the item of the move before it, -1 for the start
    this.after = new Map(); // of a move the next one of its line
    this.sides = new Map(); // of a move the first moves of variations that begin after it
    this.evals = []; // by the ply of the main line, of those that have one
    this.clocks = []; // likewise
    this.shapes = new Map(); // what is drawn after a move
    const tag = (name) => game.tags.find(([k]) => k === name)?.[1] ?? '';
    fill('game-title', `${game.game}. `, named(tag('White') || '?'), ' – ', named(tag('Black') || '?'), `, ${game.result}`);
    const last = game.openings?.at(-1), base = /^(\d+)(?:\+(\d+))?$/.exec(tag('TimeControl'));
    fill('game-about', el('b', named(tag('Opening') || (last?.name ?? ''))), el('small', ` ${tag('ECO').replace('?', '') || (last?.eco ?? '')}`),
      el('small', [`Game ${count(game.game)}`, tag('Event'), dateText(tag('Date')), base && `${Number(base[1]) / 60}+${base[2] ?? 0}`].filter((t) => t && t !== '?')
        .map((t, i) => [i > 0 && ' · ', named(t)])));
    fill('game-tags', game.tags.map(([k, v]) => [el('dt', k), el('dd', v)]));
    fill('game-wrong', game.wrong ? `This game is not valid: ${game.wrong}` : '');
    fill('game-text', game.text.length > longest ? `${game.text.slice(0, longest)} …` : game.text);
    this.tab(game.wrong ? 'tab-text' : 'tab-moves');
    this.players = ['White', 'Black'].map((side) => ({ name: tag(side) || '?', elo: tag(`${side}Elo`) }));
    this.buttons = new Map();
    this.current = this.tabbed = null;
    this.at = -1;
    this.layout(game);
    this.graph();
    byId('eval-bar').hidden = !this.evals.some((e) => e !== undefined);
    this.to(-1, false);
  }

  /** layout makes the text of the moves: the main line by two moves a row, and comments and variations between the rows, these indented. */
  layout(game) {
    const box = el('div');
    /** @type {HTMLElement[]} the variations that are open, each in the one around it */
    const lines = [];
    /** @type {HTMLElement|null} */
    let pair = null, cell = null, button = null;
    const around = []; // the move after which each open variation goes on
    let last = -1, numbered = false;
    /** add adds to the innermost variation, or between the rows. @param {...(Node|string)} what */
    const add = (...what) => (lines.at(-1) ?? box).append(...what);
    game.items.forEach((item, i) => {
      switch (item.k) {
        case 'm': {
          this.before[i] = last;
          if (this.after.has(last)) this.sides.set(last, [...(this.sides.get(last) ?? []), i]);
          else this.after.set(last, i);
          const black = item.n.endsWith('...');
          button = el('button', { 'data-item': i, tabindex: -1, class: item.m ? 'main' : 'side' }, item.t);
          this.buttons.set(i, button);
          if (item.m) {
            this.main.push(i);
            cell = el('span.cell', button);
            if (!black || !pair) {
              pair = el('div.pair', el('span', item.n.replace(/\.+$/, '')), black && el('span.cell', '…'));
              box.append(pair);
            }
            pair.append(cell);
            if (black) pair = null;
          } else {
            add(...black && numbered ? [] : [`${item.n} `], button, ' ');
            numbered = true;
          }
          last = i;
          break;
        }
        case 'n': {
          const sign = nags[item.t] ?? ` $${item.t}`, e = el('span', { class: { '!': 'nag-good', '?': 'nag-bad' }[sign[0]] ?? '', title: `$${item.t}` }, sign);
          if (button) button.append(e);
          else add(e);
          break;
        }
        case 't':
          if (item.s) this.shapes.set(last, [...(this.shapes.get(last) ?? []), ...item.s]);
          if (lines.length === 0 && last >= 0) {
            const { p } = game.items[last];
            if (item.e !== undefined) { this.evals[p] = item.e; cell?.append(el('small', evalText(item.e))); }
            if (item.c !== undefined) { this.clocks[p] = item.c; cell?.append(el('small.clock', clockText(item.c))); }
          }
          if (item.t) {
            if (lines.length > 0) add(el('span.comment', item.t), ' ');
            else add(el('p.note.comment', item.t));
            pair = null;
            numbered = false;
          }
          break;
        case '(':
          around.push(last);
          last = this.before[last] ?? -1;
          if (around.length <= deepest) {
            const line = el('div.line');
            add(line);
            lines.push(line);
          } else add('( ');
          pair = null;
          numbered = false;
          break;
        case ')':
          last = around.pop();
          if (around.length < deepest) lines.pop();
          else add(') ');
          button = null;
          numbered = false;
          break;
      }
    });
    box.append(el('p.end', game.result, game.more && el('em', ' … the game is longer than the page shows')));
    fill('game-moves', box);
  }

  fen() { return this.at < 0 ? this.game?.start || start : this.game.items[this.at].f; }

  to(i, link = true) {
    if (!this.game) return;
    this.at = i;
    const item = this.game.items[i];
    this.mark();
    this.board.set(this.fen(), item ? { from: squareOf(item.u), to: squareOf(item.u.slice(2)) } : {});
    this.board.mark(this.shapes.get(i) ?? []);
    this.who();
    this.bits(item);
    this.point(this.ply());
    this.look();
    if (!link) return;
    const e = item?.m && this.evals[item.p], c = item?.m && this.clocks[item.p];
    byId('game-said').textContent = !item ? 'Start of the game' : [`${item.n.replace('...', '…')} ${item.t}`,
      ...typeof e === 'number' ? [`evaluation ${Math.abs(e) >= 100 ? `mate for ${e > 0 ? 'White' : 'Black'}` : e.toFixed(1)}`] : [], ...typeof c === 'number' ? [`clock ${clockText(c)}`] : []].join(', ');
    if (!item || item.m) this.link(item?.p ?? 0);
  }

  /** look shows what was played in the position of the board, and what can be, if the room is in sight. */
  async look() {
    await this.beside();
    const ply = this.game ? this.ply() : 0, fen = this.fen();
    if (byId('room-games').hidden) { this.played.leave(); return; }
    this.opening = this.game?.openings?.findLast((o) => o.ply <= ply) ?? null;
    this.played.look(fen);
    if (!this.app.archive) return;
    clearTimeout(this.ruling);
    this.ruling = setTimeout(async () => {
      const legal = await this.legal();
      if (fen === this.fen()) this.board.allow(legal);
    }, 100); // not of a move that is passed
  }

  /** legal returns the moves of the position of the board: none, if it is not known. */
  async legal() {
    try { return (await (await import('./rules.js')).position(this.fen())).legal; } catch { return []; }
  }

  /**
   * move makes a move on the board: the next one of the game, if it is that; else it becomes a variation, which this page alone has. Without a game, it opens the position.
   * @param {string} uci what a pawn becomes is asked, if it is left out
   */
  async move(uci) {
    const { moveOf } = await import('./promotion.js'), m = await moveOf(await this.legal(), uci);
    if (!m) return;
    if (!this.game) { this.app.go(positionLink(m.after)); return; }
    const { items } = this.game, { at } = this, instead = this.after.get(at);
    const same = [instead, ...this.sides.get(at) ?? []].find((i) => i !== undefined && items[i].u === m.uci);
    if (same !== undefined) { this.to(same); return; }
    const i = items.length, [, turn, , , , number] = this.fen().split(' '), n = `${number}${turn === 'b' ? '...' : '.'}`;
    items.push({ k: 'm', t: m.san, u: m.uci, i: m.index, f: m.after, n });
    this.before[i] = at;
    if (instead === undefined) this.after.set(at, i);
    else this.sides.set(at, [...this.sides.get(at) ?? [], i]);
    const button = el('button', { 'data-item': i, tabindex: -1, class: 'side' }, m.san), near = this.buttons.get(instead ?? at);
    this.buttons.set(i, button);
    if (instead === undefined && items[at]?.m === undefined && near) near.parentElement.append(...turn === 'w' ? [`${n} `] : [], button, ' ');
    else {
      const line = el('div.line', `${n} `, button, ' ');
      if (near) (near.closest('.pair') ?? near).after(line);
      else byId('game-moves').append(line);
    }
    this.to(i);
  }

  /** ply is that of the main line from which what is shown goes on. */
  ply() {
    let i = this.at;
    while (i >= 0 && !this.game.items[i].m) i = this.before[i];
    return i < 0 ? 0 : this.game.items[i].p;
  }

  flip() {
    this.board.flip();
    if (this.game) this.who();
  }

  /** latest returns the value of a list by plies at a ply, or the last one before it, if that is of the same side. */
  latest(list, ply, step = 1) {
    for (let p = ply; p > 0; p -= step) if (list[p] !== undefined) return list[p];
    return undefined;
  }

  /** title makes the title of the page that of the game, or of the archive. */
  title() {
    const { archive } = this.app;
    this.app.title(...this.game ? [`${this.players[0].name} – ${this.players[1].name}`] : [], ...archive ? [archive.label] : []);
  }

  /** who tells the players beside the board, with their clocks, and how the game stands. */
  who() {
    const ply = this.ply(), flipped = this.board.flipped;
    const blackBegan = this.game.start.split(' ')[1] === 'b';
    [0, 1].forEach((side) => {
      const { name, elo } = this.players[side];
      const own = (ply + side + (blackBegan ? 1 : 0)) % 2 ? ply : ply - 1; // the last ply of the side
      const clock = this.latest(this.clocks, own, 2);
      const won = this.game.result === ['1-0', '0-1'][side] ? 'won' : this.game.result === '1/2-1/2' ? 'drew' : '';
      fill((side === 0) === flipped ? 'who-top' : 'who-bottom', el('i', { class: side ? 'black' : '' }), named(name), el('small', [elo, won].filter(Boolean).join(' · ')),
        clock !== undefined && el('time', clockText(clock)));
    });
    const e = Math.max(-8, Math.min(8, this.latest(this.evals, ply) ?? 0)), bar = byId('eval-bar');
    bar.classList.toggle('turned', flipped);
    /** @type {HTMLElement} */ (bar.firstElementChild).style.height = `${50 + 50 * e / 8}%`;
  }

  /** bits tells the eleven bits of the move. */
  bits(item) { bitsOf(byId('game-bits'), item && `${item.n.replace('...', '…')} ${item.t} is`, item?.u, item?.i); }

  /** mark marks the move in the text, and brings it into sight. What it reads of the layout, it reads before it changes anything: so a step lays the page out once. */
  mark() {
    const box = byId('game-moves'), b = this.buttons.get(this.at) ?? null;
    const focusable = b ?? this.buttons.values().next().value;
    let scroll = null;
    if (b) {
      const of = box.getBoundingClientRect(), is = b.getBoundingClientRect();
      if (is.top < of.top || is.bottom > of.bottom) scroll = box.scrollTop + is.top - of.top - of.height / 2;
    } else if (this.at < 0) scroll = 0;
    this.current?.removeAttribute('aria-current');
    if (this.tabbed) this.tabbed.tabIndex = -1;
    this.current = b;
    this.tabbed = focusable;
    if (focusable) focusable.tabIndex = 0;
    b?.setAttribute('aria-current', 'true');
    if (scroll !== null) box.scrollTop = scroll;
  }

  /** link makes the address that of the ply. Browsers let a page do so some 200 times in half a minute: it waits a little. */
  link(ply) {
    clearTimeout(this.linking);
    const { game } = this.game, before = location.hash;
    // An address that somebody chose meanwhile stays.
    this.linking = setTimeout(() => { if (location.hash === before) this.app.here(this.addressOf({ game, ply })); }, 200);
  }

  next() {
    const i = this.after.get(this.at);
    if (i === undefined) { this.run(false); return; }
    this.to(i);
  }

  back() { if (this.at >= 0) this.to(this.before[this.at]); }

  run(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.next(), 800) : 0;
    byId('game-run').setAttribute('aria-pressed', String(on));
  }

  key(e) {
    if (!this.game && !'npf'.includes(e.key)) return;
    switch (e.key) {
      case 'n': this.another(1); break;
      case 'p': this.another(-1); break;
      case ' ': this.run(!this.timer); break;
      case 'ArrowRight': this.next(); break;
      case 'ArrowLeft': this.back(); break;
      case 'ArrowDown': { // into the next variation of those that could be played in place of the next move, or of this one
        const side = this.sides.get(this.at)?.[0] ?? this.sides.get(this.before[this.at])?.find((i) => i > this.at);
        if (side === undefined) return;
        this.to(side);
        break;
      }
      case 'ArrowUp': { // out of a variation, to the move that it replaces
        let i = this.at;
        while (i >= 0 && this.after.get(this.before[i]) === i) i = this.before[i];
        if (i < 0) return;
        this.to(this.after.get(this.before[i]));
        break;
      }
      case 'Home': this.to(-1); break;
      case 'End': this.to(this.main.at(-1) ?? -1); break;
      case 'f': this.flip(); break;
      default: return;
    }
    e.preventDefault();
    if (document.activeElement?.closest?.('#game-moves')) this.current?.focus();
  }

  /** graph draws the evaluations of the main line, and behind them the clocks. A click goes to a ply, and moves that lose much are marked. */
  graph() {
    const box = byId('game-graph'), plies = Math.max(1, this.main.length);
    fill(box);
    this.drawn = null;
    const points = (list, side = null) => list.flatMap((v, p) => (v === undefined || side !== null && p % 2 !== side ? [] : [[p, v]]));
    const evals = points(this.evals.map((e) => (e === undefined ? e : Math.max(-8, Math.min(8, e)))));
    const clocks = [points(this.clocks, 1), points(this.clocks, 0)], longest = Math.max(1, ...clocks.flat().map(([, v]) => v));
    if (evals.length < 2 && clocks.flat().length < 2) return;
    const blackBegan = this.game.start.split(' ')[1] === 'b', move = (p) => this.game.items[this.main[p - 1]];
    const y = (e) => 50 - 50 * e / 8, line = (name, list, y) => svg('polyline', { class: name, points: list.map(([x, v]) => `${x},${y(v).toFixed(2)}`).join(' ') });
    const what = [...evals.length > 1 ? ['Evaluation'] : [], ...clocks.flat().length > 1 ? [`Clocks (┄ ${blackBegan ? 'White' : 'Black'})`] : []].join(' · ');
    const s = svg('svg', { viewBox: `0 0 ${plies} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': what.replace('┄', 'dashed:') });
    if (evals.length > 1) {
      const drawn = line('eval-line', evals, y);
      s.append(svg('polygon', { points: `${evals[0][0]},100 ${drawn.getAttribute('points')} ${evals.at(-1)[0]},100` }), svg('line', { x1: 0, x2: plies, y1: 50, y2: 50 }), drawn);
    }
    clocks.forEach((list, i) => { if (list.length > 1) s.append(line(i ? 'clock black' : 'clock', list, (c) => 100 - 100 * c / longest)); });
    const now = svg('line', { class: 'now', x1: 0, x2: 0, y1: 0, y2: 100 }), area = el('div.graph', s), tell = el('span');
    s.append(now);
    for (const p of this.blunders(evals, blackBegan)) {
      const dot = el('i', { title: `${move(p.ply).n} ${move(p.ply).t} loses ${p.loss.toFixed(1)}` });
      dot.style.left = `${100 * p.ply / plies}%`;
      dot.style.top = `${y(p.value)}%`;
      area.append(dot);
    }
    const under = (e) => {
      const r = area.getBoundingClientRect();
      return Math.max(0, Math.min(this.main.length, Math.round((e.clientX - r.left) / r.width * plies)));
    };
    this.drawn = { now, tell: (p) => {
      const texts = [this.evals[p] === undefined ? '' : evalText(this.evals[p]), this.clocks[p] === undefined ? '' : clockText(this.clocks[p])].filter(Boolean);
      tell.textContent = p > 0 && p <= this.main.length ? `${move(p).n} ${move(p).t}: ${texts.join(' · ') || '–'}` : '';
    } };
    area.addEventListener('pointermove', (e) => this.drawn.tell(under(e)));
    area.addEventListener('pointerleave', () => this.drawn.tell(this.ply()));
    area.addEventListener('click', (e) => this.to(this.main[under(e) - 1] ?? -1));
    box.append(el('div.graph-box', el('p', el('span', what), tell), area));
  }

  /** blunders returns the moves that lose much, by the evaluations before and after them. */
  blunders(evals, blackBegan) {
    const list = [];
    for (let i = 1; i < evals.length; i++) {
      const [p, value] = evals[i], [before, was] = evals[i - 1];
      const loss = ((p % 2 === 1) !== blackBegan ? 1 : -1) * (was - value);
      if (p === before + 1 && loss >= blunder) list.push({ ply: p, loss, value });
    }
    return list;
  }

  /** point marks a ply in the graph. */
  point(ply) {
    for (const x of ['x1', 'x2']) this.drawn?.now.setAttribute(x, String(ply));
    this.drawn?.tell(ply);
  }
}
