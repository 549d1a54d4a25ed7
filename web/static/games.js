// SPDX-License-Identifier: Apache-2.0
// The games of an archive, in a list and one by one.
import { bitsOf, boardOf, moveOf, squareName, squareOf, start } from './board.js';
import { archives, ask, byId, Canceled, copy, count, counted, el, fill, Gone, icon, named, of, positionLink, queryOf, say, size, svg, tab } from './page.js';

const rowHeight = 52, atOnce = 100; // rows that a list asks for
const most = 100_000; // rows of a page: a browser gives up on elements that are taller than some 16 million pixels
const longest = 20_000; // characters of the text of a game that is not valid
const deepest = 8; // how far variations are indented
const blunder = 2; // pawns that a move loses
const filters = ['player', 'event', 'date', 'rating', 'eco', 'result', 'speed', 'fen', 'pattern', 'material', 'stm', 'variations', 'mirror', 'swap', 'sort'];
const chipNames = { eco: 'ECO', fen: 'Position', stm: 'To move' };
const nags = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '⩲', 15: '⩱', 16: '±', 17: '∓', 18: '+−', 19: '−+', 22: '⨀', 23: '⨀', 32: '⟳', 33: '⟳', 36: '↑', 37: '↑', 40: '→', 41: '→', 44: '=∞', 45: '=∞', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N' };

/** @typedef {{name?: string, files?: File[]}} Source what is opened: an archive of the server, or files that go to it */
/** @typedef {import('./page.js').Archive} Archive */

export async function gamesRoom(app) {
  const addressOf = (row) => gameLink(row, queryOf(list.asks()));
  const list = listOf(app, byId('games-list'), addressOf);
  const replay = replayOf(app, addressOf, (step) => list.step(step), () => ({ ...list.asks(), sort: undefined }));

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
  const filter = byId('games-filter'), text = byId('games-text');
  for (const name of filters) if (!filter.elements[name]) filter.append(el('input', { type: 'hidden', name })); // what Openings looks for
  filter.onsubmit = (e) => { e.preventDefault(); search(); };
  byId('games-sort').onchange = () => put(typed());
  byId('games-clear').onclick = () => { write({}); put({}); };

  const about = byId('games-about');
  /** unfold shows or hides what can be opened. */
  const unfold = (open) => {
    byId('games-open').hidden = !open;
    about.ariaExpanded = String(open);
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
    write({});
    replay.hide();
    if (tell) app.opened(archive);
    unfold(!archive);
    filter.hidden = byId('games-head').hidden = !archive;
    byId('game-asks').hidden = Boolean(archive);
    fill(about, archive ? [named(archive.label), ` · ${counted(archive.games, 'game')} · ${size(archive.bytes)}`] : 'Open games');
    if (archive) say([named(archive.label), ' is open']);
    show(whole());
  }

  /** termsOf takes what the server is asked for from an address, or from the form. @param {URLSearchParams|FormData} asks */
  function termsOf(asks) { return Object.fromEntries(filters.map((name) => [name, String(asks.get(name) ?? '').trim()])); }

  function typed() { return termsOf(new FormData(filter)); }

  /** search lists the games of the form and of what its one field has: an ECO code, years, a player, or else an event. */
  async function search() {
    const word = text.value.trim(), kind = /^[a-e]\d\d(-[a-e]\d\d)?$/i.test(word) ? 'eco' : /^\d{4}(-(\d{4})?)?$/.test(word) ? 'date' : 'player';
    let done = await put({ ...typed(), ...word && { [kind]: kind === 'eco' ? word.toUpperCase() : word } });
    if (done && done.found === 0 && word && kind === 'player') {
      const event = { ...typed(), event: `~(?i)${word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}` };
      const { found } = await ask(of(app.archive, '/games'), { ...event, count: 0 }).catch(() => done);
      if (found > 0) done = await put(event, true);
    }
    if (!done) return;
    write(list.asks());
    byId('games-more').open = false;
  }

  /** write shows terms in the form. */
  function write(terms) {
    for (const name of filters) filter.elements[name].value = terms[name] ?? '';
    text.value = '';
  }

  /** show lists the games that were found by terms, and shows these as buttons that take them away. @param {Found} found */
  function show({ found, rows }, terms = {}) {
    const { archive } = app, all = archive?.games ?? 0;
    list.show(found, terms, rows);
    byId('games-none').hidden = found > 0 || !queryOf(terms);
    fill('games-found', found < all && `${count(found)} of `, counted(all, 'game'));
    fill('games-chips', Object.entries(terms).filter(([name, value]) => value && name !== 'sort').map(([name, value]) => {
      const title = chipNames[name] ?? name[0].toUpperCase() + name.slice(1), plain = value.replace(/^~\(\?i\)/, '').replace(/\\(.)/g, '$1');
      const clear = () => {
        filter.elements[name].value = '';
        put(typed());
        text.focus();
      };
      return el('button.chip', { 'aria-label': `Take away the filter ${title} ${value}`, onclick: clear },
        value === '1' || name === 'fen' ? title : [`${title}: `, named(plain, 24)], ' ', icon('close'));
    }));
    if (!archive) return;
    for (const kind of /** @type {const} */ (['pgn', 'p11', 'csv'])) byId(`save-${kind}`).href = `api/${of(archive, `/games.${kind}`)}${queryOf(terms)}`;
  }

  /** whole is all that is open. @returns {Found} */
  function whole() { return { found: app.archive?.games ?? 0, rows: app.archive?.rows ?? [] }; }

  /** put lists the games that are asked for, and makes that the address. If it fails, what is listed stays so, and so does what the form has. */
  async function put(terms, instead = false) {
    say('');
    const done = await look(terms);
    if (done === null) return done;
    app.here(app.hash().split('?')[0] + queryOf(list.asks()), done && !instead); // it may be the address of a search whose place this one took
    return done;
  }

  /** settle lists what an address asks for. If it fails, the address becomes that of what is listed. */
  async function settle(query) {
    const terms = termsOf(new URLSearchParams(query)), hash = app.hash();
    if (queryOf(terms) === queryOf(list.asks())) return;
    write(terms);
    if (await look(terms) !== false || app.hash() !== hash) return;
    write(list.asks());
    app.here(hash.split('?')[0] + queryOf(list.asks()));
  }

  let searching = null; // the search that goes on: the next one ends it
  /** look lists the games that terms find, and returns them; null if another search took its place; false if it failed, of which it told. */
  async function look(terms) {
    const { archive } = app;
    if (!archive) return false;
    searching?.cancel();
    const mine = searching = queryOf(terms) ? ask(of(archive, '/games'), terms, { wait: 'Searching' }) : null;
    let found = whole();
    try {
      if (mine) found = await mine;
    } catch (error) {
      if (mine !== searching) return null;
      say(error.message === Canceled ? 'The search was given up' : error.message, true, error instanceof Gone ? () => put(terms) : null);
      return false;
    }
    if (mine !== searching) return null;
    show(found, terms); // in the form something else may stand by now
    if (found.error) say(`${counted(found.found, 'game')} found; then: ${found.error}`, true);
    return found;
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
    key: replay.key,
    leave: replay.leave,
  };
}

/** @typedef {{found: number, rows: any[], error?: string}} Found what the server tells of games that were found: how many, and some of them */

/** gameLink is the address of a game, and of a ply of it. @param {{game: number, ply?: number}} row */
function gameLink({ game, ply }, query = '') { return `#/games/${game}${ply === undefined ? '' : `/${ply}`}${query}`; }

/** dateText writes what is known of a date. */
function dateText(date) { return date.split('.??')[0].replace(/^\?+.*/, ''); }

/** rowOf makes a row of a game: the players, the result, the opening, the date and the speed. */
export function rowOf(row, href, attributes = {}) {
  const title = `Game ${row.game}`, about = { title, href, 'data-game': row.game, ...attributes };
  if (row.error) return el('a', { ...about, href: undefined, class: 'game-row wrong' }, `${row.game}. ${row.error}`);
  const player = (name, elo) => el('span', named(name || '?', 300), elo && el('small', ` ${elo}`));
  const score = { '1-0': ['1', '0'], '0-1': ['0', '1'], '1/2-1/2': ['½', '½'] }[row.result] ?? ['*', '*'];
  const opening = [row.eco, row.opening.split(':')[0].replace(/ Defense$/, '')].filter((t) => t && t !== '?').join(' ') || row.event.replace(/^\?$/, '');
  return el('a', { ...about, class: 'game-row' },
    el('span.players', player(row.white, row.white_elo), player(row.black, row.black_elo)),
    el('span.score', score.map((t) => el('span', t))),
    el('span', el('span.opening', { title: row.opening || row.event }, opening || '–'),
      el('small', [dateText(row.date), row.speed].filter(Boolean).join(' · '))));
}

/**
 * listOf shows the rows of a list of any length, by parts: those that were in sight have rows.
 * @param {any} app @param {HTMLElement} box @param {(row: any) => string} link is the address of a row's game
 */
function listOf(app, box, link) {
  let n = 0, params = {}; // how many games, and what they were asked for by
  let chosen = 0, base = 0; // places in the list, from 0: the chosen one, and the first of the page that is shown
  let parts = new Map(); // what loads them, by their first places
  let scrolling = 0, late = false; // a folded list scrolls when it unfolds
  const page = el('select', { 'aria-label': 'Page of the list', hidden: true, onchange: () => choose(Number(page.value)) });
  box.before(page);
  box.addEventListener('keydown', key);
  box.addEventListener('click', (e) => {
    const row = /** @type {Element} */ (e.target).closest('.game-row');
    if (row) choose(Number(row.ariaPosInSet) - 1);
  });
  box.addEventListener('scroll', () => {
    clearTimeout(scrolling);
    scrolling = setTimeout(look, 50);
  });
  new ResizeObserver(() => (late ? scroll() : look())).observe(box);

  /** show shows another list. @param {number} length @param {object} asks what its games were asked for by @param {any[]} first rows that are known */
  function show(length, asks, first) {
    n = length;
    params = asks;
    box.hidden = n === 0;
    page.hidden = n <= most;
    fill(page, Array.from({ length: Math.ceil(n / most) }, (_, i) => i * most)
      .map((from) => el('option', { value: from }, `${count(from + 1)} to ${count(Math.min(n, from + most))}`)));
    turn(0);
    box.firstElementChild?.append(...first.map(rowAt));
    choose(0);
  }

  /** turn turns to the page that begins at a place. */
  function turn(to) {
    base = to;
    page.value = String(base);
    parts = new Map();
    fill(box, Array.from({ length: Math.ceil(Math.min(most, n - base) / atOnce) }, (_, i) => {
      const part = el('div.part', { role: 'group' });
      part.style.height = `${rowHeight * Math.min(atOnce, n - base - i * atOnce)}px`;
      return part;
    }));
  }

  function idOf(place) { return `${box.id}-${place}`; }

  function rowAt(row, place) { return rowOf(row, link(row), { role: 'option', tabindex: -1, id: idOf(place), 'aria-setsize': n, 'aria-posinset': place + 1 }); }

  /** look loads the parts in sight. */
  function look() {
    for (const at of box.clientHeight > 0 ? [0, box.clientHeight - 1] : []) {
      const place = base + Math.floor((box.scrollTop + at) / rowHeight);
      if (place < n) load(place);
    }
  }

  /** load loads the part that has a place. */
  function load(place) {
    const first = place - place % atOnce;
    if (!parts.has(first)) parts.set(first, fetchPart(first));
    return parts.get(first);
  }

  async function fetchPart(first) {
    const mine = parts, part = box.children[(first - base) / atOnce];
    try {
      const { rows } = await ask(of(app.archive, '/games'), { ...params, from: first + 1, count: atOnce });
      if (rows.length === 0) throw new Error('The list has changed: open the archive again');
      fill(part, rows.map((row, i) => rowAt(row, first + i)));
      mark();
    } catch (error) {
      mine.delete(first);
      if (mine === parts) say(error.message, true, look);
    }
  }

  /** choose chooses a place, and brings it into sight. */
  function choose(place) {
    chosen = Math.max(0, Math.min(n - 1, place));
    const to = chosen - chosen % most;
    if (to !== base) turn(to);
    mark();
    scroll();
  }

  /** mark shows which row is the chosen one. */
  function mark() {
    const row = document.getElementById(idOf(chosen));
    for (const r of box.querySelectorAll('[aria-selected]')) r.ariaSelected = null;
    if (row) row.ariaSelected = 'true';
    box.setAttribute('aria-activedescendant', row?.id ?? '');
  }

  /** scroll brings the chosen row into sight. */
  function scroll() {
    const { scrollTop, clientHeight } = box, top = (chosen - base) * rowHeight;
    late = clientHeight === 0;
    box.scrollTop = Math.min(top, Math.max(scrollTop, top + rowHeight - clientHeight));
    look();
  }

  /** open opens the game that is chosen. */
  async function open() {
    const id = idOf(chosen), asks = params;
    await load(chosen);
    if (asks === params) document.getElementById(id)?.click();
  }

  /** step opens a game before or after the chosen one. */
  function step(steps) {
    if (chosen + steps < 0 || chosen + steps >= n) return;
    choose(chosen + steps);
    open();
  }

  /** find chooses a game, if it is in the list. */
  async function find(game) {
    const asks = params;
    let place = game;
    if (queryOf(asks)) place = (await ask(of(app.archive, '/games'), { ...asks, place: game, count: 0 })).place ?? 0;
    if (asks === params && place > 0 && place <= n) choose(place - 1);
  }

  function key(e) {
    const rows = Math.max(1, Math.floor(box.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: chosen + 1, ArrowUp: chosen - 1, PageDown: chosen + rows, PageUp: chosen - rows, Home: 0, End: n - 1 }[e.key];
    if (to === undefined && e.key !== 'Enter') return;
    e.preventDefault();
    if (to === undefined) open();
    else choose(to);
  }

  return { show, step, find, asks: () => params };
}

/** evalText writes an evaluation: pawns, or that there is a mate. */
function evalText(e) { return Math.abs(e) >= 100 ? (e > 0 ? '#' : '−#') : `${e < 0 ? '−' : '+'}${Math.abs(e).toFixed(1)}`; }

/** clockText writes seconds as a clock shows them. */
function clockText(c) {
  const s = Math.floor(c), two = (n) => String(n).padStart(2, '0');
  return s < 3600 ? `${Math.floor(s / 60)}:${two(s % 60)}` : `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
}

/**
 * replayOf shows a game. A step is a move of it, as the server tells of it, or the start, with the step before it,
 * the next one of its line, the first ones of the variations that begin after it, what is drawn after it, and, of the
 * main line, an evaluation and a clock, if there are any.
 * @param {any} app
 * @param {(at: {game: number, ply: number}) => string} addressOf
 * @param {(step: number) => void} another shows another game of the list
 * @param {() => object} filter what the list's games meet
 */
function replayOf(app, addressOf, another, filter) {
  const box = byId('game-moves'), evalBar = byId('eval-bar');
  const board = boardOf(byId('game-board'), { label: 'Board of the game', onMove: (from, to) => move(squareName(from) + squareName(to)) });
  let game = null, archive = null; // what is shown
  let turn = 0; // of what is shown; what comes later is in force
  /** @type {any} */
  let first = startOf(start), at = first; // the start, and the step that was made last
  let main = [first]; // the steps of the main line, by their plies
  let players = [];
  let tabbed = null; // the button of the moves that Tab leads to
  let point = (ply) => {}; // marks a ply in the graph
  let played = null; // what was played in the position of the board; it comes behind the list, as the rules do
  let coming = null, linking = 0, ruling = 0, timer = 0;

  byId('copy-pgn').onclick = () => {
    if (game?.cut) say('The PGN is too long for the page: ply11 show writes it', true);
    else if (game) copy(game.text, 'PGN');
  };
  byId('copy-fen').onclick = () => copy(at.f, 'FEN');
  byId('copy-link').onclick = () => copy(location.href, 'Link');
  box.addEventListener('click', (e) => {
    const on = /** @type {Element} */ (e.target), item = (on.closest('button') ?? on.closest('.cell')?.querySelector('button'))?.dataset.item;
    if (item !== undefined) to(game.items[item]);
  });
  // The moves have less room when more is told below them: the move that was in sight stays so.
  let tall = 0; // what was in sight of the moves, in pixels
  new ResizeObserver(() => {
    const below = at.button ? at.button.getBoundingClientRect().top - box.getBoundingClientRect().top : -1;
    if (below >= 0 && (below < tall || tall === 0)) mark();
    tall = box.clientHeight;
  }).observe(box);
  byId('game-board').addEventListener('wheel', (e) => {
    if (!game || e.ctrlKey) return;
    e.preventDefault();
    if (e.deltaY > 0) next();
    else if (e.deltaY < 0) back();
  }, { passive: false });
  hide();

  function startOf(fen) { return { f: fen, m: true, p: 0, sides: [], shapes: [] }; }

  function hide() {
    turn++;
    clearTimeout(linking);
    run(false);
    for (const id of ['who-top', 'who-bottom', 'game-bits']) fill(id);
    game = null;
    at = startOf(start);
    board.set(at.f);
    board.mark([]);
    shown();
  }

  /** shown shows whether there is a game. */
  function shown() {
    byId('game').hidden = !game;
    byId('game-none').hidden = Boolean(game);
    evalBar.hidden = !game || main.every((s) => s.eval === undefined);
  }

  /** show shows a game, at a ply, or at the first part of the FEN of one of its positions. */
  async function show(n, ply) {
    clearTimeout(linking);
    const mine = ++turn, from = app.archive;
    if (game?.game !== n || archive !== from) {
      const other = await ask(of(from, `/games/${n}`)).catch((error) => {
        if (mine === turn && !(error instanceof Gone && game)) hide(); // what is shown would be another game
        throw error;
      });
      if (mine !== turn || from !== app.archive) return;
      run(false);
      archive = from;
      game = other;
      draw();
      shown();
      if (ply === null) byId('game-title').focus({ preventScroll: true });
    }
    const step = (typeof ply === 'string' ? main.find((s) => s.f.startsWith(`${ply} `)) : main[Math.min(ply, main.length - 1)]) ?? first;
    if (ply !== null && !(at !== first && at.p === step.p)) to(step);
  }

  /** draw shows a game: its tags, the text of the moves, and the graph. */
  function draw() {
    const tag = (name) => game.tags.find(([k]) => k === name)?.[1] ?? '';
    fill('game-title', `${game.game}. `, named(tag('White') || '?'), ' – ', named(tag('Black') || '?'), `, ${game.result}`);
    const last = game.openings?.at(-1), base = /^(\d+)(?:\+(\d+))?$/.exec(tag('TimeControl'));
    fill('game-about', el('b', named(tag('Opening') || (last?.name ?? ''))), el('small', ` ${tag('ECO').replace('?', '') || (last?.eco ?? '')}`),
      el('small', [`Game ${count(game.game)}`, tag('Event'), dateText(tag('Date')), base && `${Number(base[1]) / 60}+${base[2] ?? 0}`].filter((t) => t && t !== '?')
        .map((t, i) => [i > 0 && ' · ', named(t)])));
    fill('game-tags', game.tags.map(([k, v]) => [el('dt', k), el('dd', v)]));
    fill('game-wrong', game.wrong && `This game is not valid: ${game.wrong}`);
    fill('game-text', game.text.length > longest ? `${game.text.slice(0, longest)} …` : game.text);
    tab(game.wrong ? 'game-text' : 'game-moves');
    players = ['White', 'Black'].map((side) => ({ name: tag(side) || '?', elo: tag(`${side}Elo`) }));
    at = first = startOf(game.start || start);
    main = [first];
    tabbed = null;
    layout();
    graph();
    to(first, false);
  }

  /** follow makes an item of the game, by its number, a step after another one. */
  function follow(i, before) {
    const item = game.items[i];
    Object.assign(item, { before, sides: [], shapes: [], button: el('button', { class: item.m ? 'main' : 'side', 'data-item': i, tabindex: -1 }, item.t) });
    if (before.next) before.sides.push(item);
    else before.next = item;
    return item;
  }

  /** layout makes the text of the moves: the main line by two moves a row, and comments and variations between the rows, these indented. */
  function layout() {
    const text = el('div');
    /** @type {HTMLElement[]} the variations that are open, each in the one around it */
    const lines = [];
    /** @type {HTMLElement|null} */
    let pair = null, cell = null, button = null;
    const around = []; // the step after which each open variation goes on
    let last = first, numbered = false;
    /** add adds to the innermost variation, or between the rows. @param {...(Node|string)} what */
    const add = (...what) => (lines.at(-1) ?? text).append(...what);
    for (const [i, item] of game.items.entries()) {
      switch (item.k) {
        case 'm': {
          follow(i, last);
          const black = item.n.endsWith('...');
          ({ button } = item);
          if (item.m) {
            main.push(item);
            cell = el('span.cell', button);
            if (!black || !pair) {
              pair = el('div.pair', el('span', item.n.replace(/\.+$/, '')), black && el('span.cell', '…'));
              text.append(pair);
            }
            pair.append(cell);
            if (black) pair = null;
          } else {
            add(...black && numbered ? [] : [`${item.n} `], button, ' ');
            numbered = true;
          }
          last = item;
          break;
        }
        case 'n': {
          const sign = nags[item.t] ?? ` $${item.t}`, e = el('span', { class: { '!': 'nag-good', '?': 'nag-bad' }[sign[0]], title: `$${item.t}` }, sign);
          if (button) button.append(e);
          else add(e);
          break;
        }
        case 't':
          if (item.s) last.shapes.push(...item.s);
          if (lines.length === 0 && cell) {
            if (item.e !== undefined) { last.eval = item.e; cell.append(el('small', evalText(item.e))); }
            if (item.c !== undefined) { last.clock = item.c; cell.append(el('small.clock', clockText(item.c))); }
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
          last = last.before ?? first;
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
    }
    text.append(el('p.end', game.result, game.more && el('em', ' … the game is longer than the page shows')));
    fill(box, text);
  }

  /** nameOf writes a step with its number. */
  function nameOf(step) { return `${step.n} ${step.t}`; }

  function to(step, tell = true) {
    if (!game) return;
    at = step;
    mark();
    board.set(at.f, at.u && { from: squareOf(at.u), to: squareOf(at.u.slice(2)) });
    board.mark(at.shapes);
    who();
    const name = at.u && nameOf(at).replace('...', '…'), first = at.u ? at : at.next; // at the start the first move
    bitsOf(byId('game-bits'), first && `${name || nameOf(first)} is`, first?.u, first?.i);
    point(ply());
    look();
    if (!tell) return;
    const mate = Math.abs(at.eval) >= 100 && `mate for ${at.eval > 0 ? 'White' : 'Black'}`;
    fill('game-said', name ? [name, at.eval !== undefined && `evaluation ${mate || at.eval.toFixed(1)}`,
      at.clock !== undefined && `clock ${clockText(at.clock)}`].filter(Boolean).join(', ') : 'Start of the game');
    if (!at.m) return;
    // The address becomes that of the ply, unless somebody chose another one meanwhile. Browsers let a page do so some
    // 200 times in half a minute: it waits a little.
    clearTimeout(linking);
    const address = addressOf({ game: game.game, ply: at.p }), before = location.hash;
    linking = setTimeout(() => { if (location.hash === before) app.here(address); }, 200);
  }

  /** look shows what was played in the position of the board, and what can be, if the room is in sight. */
  async function look() {
    await (coming ??= import('./played.js').then(({ besideGame, statistics }) => {
      const below = byId('played'), opening = () => game?.openings?.findLast((o) => o.ply <= ply()) ?? null;
      played = statistics(app, below, filter, (t, fen) => besideGame(below, t, fen, opening(), queryOf(filter()) !== '', move));
    }));
    const fen = at.f;
    if (byId('room-games').hidden) { played.leave(); return; }
    played.look(fen);
    if (!app.archive) return;
    clearTimeout(ruling);
    ruling = setTimeout(async () => {
      const moves = await legal();
      if (fen === at.f) board.allow(moves);
    }, 100); // not of a move that is passed
  }

  /** legal returns the moves of the position of the board: none, if it is not known. */
  async function legal() {
    try { return (await (await import('./rules.js')).position(at.f)).legal; } catch { return []; }
  }

  /**
   * move makes a move on the board: the next one of the game, if it is that; else it becomes a variation, which this page alone has. Without a game, it opens the position.
   * @param {string} uci what a pawn becomes is asked, if it is left out
   */
  async function move(uci) {
    const m = await moveOf(await legal(), uci);
    if (!m) return;
    if (!game) { app.go(positionLink(m.after)); return; }
    const same = [at.next, ...at.sides].find((s) => s?.u === m.uci);
    if (same) { to(same); return; }
    const [, side, , , , number] = at.f.split(' '), step = { t: m.san, u: m.uci, i: m.index, f: m.after, n: `${number}${side === 'b' ? '...' : '.'}` };
    const near = (at.next ?? at).button, goesOn = !at.next && !at.m;
    const { button } = follow(game.items.push(step) - 1, at);
    if (goesOn) near.parentElement.append(...side === 'w' ? [`${step.n} `] : [], button, ' ');
    else {
      const line = el('div.line', `${step.n} `, button, ' ');
      if (near) (near.closest('.pair') ?? near).after(line);
      else box.append(line);
    }
    to(step);
  }

  /** ply is that of the main line from which what is shown goes on. */
  function ply() {
    let step = at;
    while (!step.m) step = step.before;
    return step.p;
  }

  /** latest returns what the steps of the main line have at a ply, or the last one before it, if that is of the same side. */
  function latest(name, ply, step = 1) {
    for (let p = ply; p > 0; p -= step) if (main[p][name] !== undefined) return main[p][name];
    return undefined;
  }

  /** title makes the title of the page that of the game, or of the archive. */
  function title() { app.title(...game ? [`${players[0].name} – ${players[1].name}`] : [], ...app.archive ? [app.archive.label] : []); }

  function blackBegan() { return first.f.split(' ')[1] === 'b'; }

  /** who tells the players beside the board, with their clocks, and how the game stands. */
  function who() {
    const now = ply(), { flipped } = board;
    players.forEach(({ name, elo }, side) => {
      const own = (now + side + Number(blackBegan())) % 2 ? now : now - 1; // the last ply of the side
      const clock = latest('clock', own, 2);
      const won = game.result === ['1-0', '0-1'][side] ? 'won' : game.result === '1/2-1/2' ? 'drew' : '';
      fill((side === 0) === flipped ? 'who-top' : 'who-bottom', el('i', { class: side ? 'black' : '' }), named(name), el('small', [elo, won].filter(Boolean).join(' · ')),
        clock !== undefined && el('time', clockText(clock)));
    });
    evalBar.classList.toggle('turned', flipped);
    /** @type {HTMLElement} */ (evalBar.firstElementChild).style.height = `${100 - yOf(latest('eval', now) ?? 0)}%`;
  }

  /** mark marks the move in the text, and brings it into sight. What it reads of the layout, it reads before it changes anything: so a step lays the page out once. */
  function mark() {
    let scroll = null;
    if (at.button) {
      const of = box.getBoundingClientRect(), is = at.button.getBoundingClientRect();
      if (is.top < of.top || is.bottom > of.bottom) scroll = box.scrollTop + is.top - of.top - of.height / 2;
    } else if (at === first) scroll = 0;
    if (tabbed) Object.assign(tabbed, { ariaCurrent: null, tabIndex: -1 });
    tabbed = at.button ?? first.next?.button;
    if (tabbed) Object.assign(tabbed, { ariaCurrent: at.button ? 'true' : null, tabIndex: 0 });
    if (scroll !== null) box.scrollTop = scroll;
  }

  function next() {
    if (at.next) to(at.next);
    else run(false);
  }

  function back() { if (at.before) to(at.before); }

  function run(on) {
    clearInterval(timer);
    timer = on ? setInterval(next, 800) : 0;
    document.querySelector('[data-key=" "]').ariaPressed = String(on);
  }

  function key(e) {
    if (!game && !'npf'.includes(e.key)) return;
    switch (e.key) {
      case 'n': another(1); break;
      case 'p': another(-1); break;
      case ' ': run(!timer); break;
      case 'ArrowRight': next(); break;
      case 'ArrowLeft': back(); break;
      case 'ArrowDown': { // into the next variation of those that could be played in place of the next move, or of this one
        const { sides } = at.before ?? at, side = at.sides[0] ?? sides[sides.indexOf(at) + 1];
        if (!side) return;
        to(side);
        break;
      }
      case 'ArrowUp': { // out of a variation, to the move that it replaces
        let step = at;
        while (step.before?.next === step) step = step.before;
        if (!step.before) return;
        to(step.before.next);
        break;
      }
      case 'Home': to(first); break;
      case 'End': to(main.at(-1)); break;
      case 'f':
        board.flip();
        if (game) who();
        break;
      default: return;
    }
    e.preventDefault();
    if (document.activeElement?.closest?.('#game-moves')) at.button?.focus();
  }

  /** pawns is an evaluation within what is drawn, and yOf how far down that is, in percent. */
  function pawns(e) { return Math.max(-8, Math.min(8, e)); }

  function yOf(e) { return 50 - 50 * pawns(e) / 8; }

  /** graph draws the evaluations of the main line, and behind them the clocks. A click goes to a ply, and moves that lose much are marked. */
  function graph() {
    fill('game-graph');
    point = () => {};
    const plies = Math.max(1, main.length - 1), evals = main.filter((s) => s.eval !== undefined), ticks = main.filter((s) => s.clock !== undefined);
    if (evals.length < 2 && ticks.length < 2) return;
    const slowest = Math.max(1, ...ticks.map((s) => s.clock));
    const line = (name, steps, y) => steps.length > 1 && svg('polyline', { class: name, points: steps.map((s) => `${s.p},${y(s).toFixed(2)}`).join(' ') });
    const height = (s) => yOf(s.eval), left = (s) => 100 - 100 * s.clock / slowest, drawn = line('eval-line', evals, height);
    const what = [drawn && 'Evaluation', ticks.length > 1 && `Clocks (┄ ${blackBegan() ? 'White' : 'Black'})`].filter(Boolean).join(' · ');
    const now = svg('line', { class: 'now', x1: 0, x2: 0, y1: 0, y2: 100 }), told = el('span');
    const label = what.replace('┄', 'dashed:');
    const area = el('div.graph', svg('svg', { viewBox: `0 0 ${plies} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
      drawn && [svg('polygon', { points: `${evals[0].p},100 ${drawn.getAttribute('points')} ${evals.at(-1).p},100` }),
        svg('line', { x1: 0, x2: plies, y1: 50, y2: 50 }), drawn],
      line('clock', ticks.filter((s) => s.p % 2), left), line('clock black', ticks.filter((s) => s.p % 2 === 0), left), now));
    evals.forEach((step, i) => {
      const loss = ((step.p % 2 === 1) !== blackBegan() ? 1 : -1) * (pawns(evals[i - 1]?.eval) - pawns(step.eval));
      if (evals[i - 1] !== step.before || !(loss >= blunder)) return;
      const dot = el('i', { title: `${nameOf(step)} loses ${loss.toFixed(1)}` });
      dot.style.left = `${100 * step.p / plies}%`;
      dot.style.top = `${height(step)}%`;
      area.append(dot);
    });
    const tell = (step) => {
      const known = [step.eval !== undefined && evalText(step.eval), step.clock !== undefined && clockText(step.clock)];
      fill(told, step !== first && `${nameOf(step)}: ${known.filter(Boolean).join(' · ') || '–'}`);
    };
    const under = (e) => {
      const r = area.getBoundingClientRect();
      return main[Math.max(0, Math.min(main.length - 1, Math.round((e.clientX - r.left) / r.width * plies)))];
    };
    point = (ply) => {
      for (const x of ['x1', 'x2']) now.setAttribute(x, String(ply));
      tell(main[ply]);
    };
    area.addEventListener('pointermove', (e) => tell(under(e)));
    area.addEventListener('pointerleave', () => tell(main[ply()]));
    area.addEventListener('click', (e) => to(under(e)));
    fill('game-graph', el('div.graph-box', el('p', el('span', what), told), area));
  }

  return {
    show, hide, look, title, key,
    leave() {
      run(false);
      played?.leave();
    },
  };
}
