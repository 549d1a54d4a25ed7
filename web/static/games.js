// SPDX-License-Identifier: Apache-2.0
// Room 3: the games of an archive, in a list and one by one.
import { Board, squareOf } from './board.js';
import { busy, byId, copy, count, el, head, named, say, size, startsAs, svg } from './dom.js';
import { Canceled } from './engine.js';

const rowHeight = 32;
// A browser gives up on elements that are taller than some 16 million pixels: a longer list is scrolled by its share.
const tallest = 8_000_000;
const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const longest = 20_000; // characters of the text of a game that is not valid
const partSize = 4000; // of the text of the moves that is laid out at once: characters, and ten for each thing
const glyphs = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** @typedef {{url?: string, files?: File[]}} Source what is opened: the address of an archive or a PGN file; or files, which are one of these, and its index */

export async function gamesRoom(app) {
  const engine = app.engine('explorer');
  const list = new List(engine, (n) => app.go(`#/games/${n}`));
  const replay = new Replay(app);

  let served = [];
  /** serve asks which archives the server has: an index may have come, or games. */
  async function serve() {
    try {
      const response = await fetch('archives.json', { cache: 'no-store' });
      if (!response.ok) return;
      served = await response.json();
      byId('games-served').replaceChildren(...served.map((a) => el('li', {}, el('button', { type: 'button', onclick: () => app.open({ url: a.url }) }, a.name))));
    } catch { /* a host without a list */ }
  }
  await serve();

  const chosen = byId('games-file');
  chosen.onchange = () => {
    const files = [...chosen.files];
    if (files.length === 1 && /\.p11x$/i.test(files[0].name)) beside(files[0]).catch((error) => say(error.message, true));
    else if (files.length > 0) app.open({ files });
  };
  byId('games-url-form').onsubmit = (e) => {
    e.preventDefault();
    const url = byId('games-url').value;
    if (url) app.open({ url });
  };
  const filter = byId('games-filter');
  filter.onsubmit = (e) => { e.preventDefault(); search(); };
  filter.onreset = () => {
    searching?.cancel();
    searching = null;
    list.show(app.archive?.games ?? 0);
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
    /** step does a part of it, which ends with the opening. */
    const step = async (text, begin) => {
      const result = await long(text, (progress) => opening = begin(progress));
      if (mine !== openings) throw new Error(Canceled);
      return result;
    };
    if (!source) {
      opened(null);
      return true;
    }
    let name = source.url ?? '';
    try {
      const archive = source.url ? await openURL(source.url, step) : await openFiles(source.files, step, (n) => { name = n; });
      opened({ ...archive, url: source.url ?? null });
      return true;
    } catch (error) {
      if (mine !== openings) return false;
      if (source.url) byId('games-url').value = new URL(source.url, location.href).href; // to try again
      say([named(name), `: ${error.message}`], true);
      return false;
    }
  }

  async function openURL(url, step) {
    const address = new URL(url, location.href).href;
    const name = decodeURIComponent(address.split(/[?#]/)[0].split('/').pop());
    if (/\.pgn$/i.test(name)) return pack(name, await step(`Fetching ${name}`, () => fetched(address)), step);
    await serve();
    return { name, ...await step(`Opening ${name}`, () => engine.call('openURL', { url: address, index: indexOf(address) })) };
  }

  /** indexOf returns the address of the index that may stand beside an archive. It is asked for when it is first wanted. */
  function indexOf(address) {
    const a = served.find((s) => new URL(s.url, location.href).href === address);
    if (a) return a.index ? new URL(a.index, location.href).href : null;
    const url = new URL(address);
    if (!/\.p11$/i.test(url.pathname)) return null;
    url.pathname += 'x';
    return url.href;
  }

  /** openFiles opens a file of games, with the index of an archive if it is among them. tell is told the name of the file. */
  async function openFiles(files, step, tell) {
    const index = files.find((f) => /\.p11x$/i.test(f.name));
    const file = files.find((f) => f !== index) ?? files[0];
    const { name } = file;
    tell(name);
    if (/\.pgn$/i.test(name) && startsAs(await head(file)) !== 'p11') return pack(name, file, step);
    return { name, files, ...await step(`Opening ${name}`, () => engine.call('open', { index: index !== file && index || null }, file)) };
  }

  /** beside takes a file for the index of the archive that is open. */
  async function beside(index) {
    if (!app.archive) throw new Error(`${index.name} is an index: open its archive first, or both together`);
    await engine.call('setIndex', {}, index);
    app.archive.files?.push(index);
    say([named(index.name), ' is looked up for ', named(app.archive.name)]);
    app.opened(app.archive);
  }

  /** pack makes an archive of a file of PGN, and opens it. */
  async function pack(name, file, step) {
    const packed = await step(`Packing ${name}`, (progress) => app.engine('archiver').call('pack', {}, file, progress));
    return { name, packed: true, ...await step(`Opening ${name}`, () => engine.call('open', {}, packed)) };
  }

  /** long does a call that may take long: it shows how far it is, and lets it be given up. */
  async function long(text, begin) {
    const wait = busy(text);
    try {
      const call = begin(wait.set);
      wait.of(call);
      return await call;
    } finally { wait.end(); }
  }

  /** opened shows what is open now, or that nothing is. */
  function opened(archive) {
    filter.reset();
    replay.hide();
    app.opened(archive);
    const about = byId('games-about');
    if (archive) {
      about.replaceChildren(named(archive.name), `: ${count(archive.games)} games, ${count(archive.plies)} plies, ${count(archive.bytes)} bytes`
        + (costly(archive) ? `. A search reads up to ${size(archive.bytes)} from its server.` : ''));
      say([named(archive.name), ' is open']);
    } else about.textContent = '';
    list.show(archive?.games ?? 0);
  }

  let searching = null; // the search that goes on: the next one ends it
  async function search() {
    if (!app.archive) { say('Open an archive first', true); return; }
    const terms = [...new FormData(filter)].filter(([, v]) => v !== '').map(([name, value]) => ({ name, value: name === 'result' ? value : String(value) }));
    searching?.cancel();
    searching = null;
    if (terms.length === 0) { list.show(app.archive.games); return; }
    let mine;
    try {
      const games = new Found(await long('Searching', (progress) => mine = searching = engine.call('search', { terms }, null, progress)));
      if (mine !== searching) return;
      list.show(games.length, games);
      say(`${count(games.length)} games found${games.error ? `; then: ${games.error}` : ''}`, Boolean(games.error));
    } catch (error) {
      if (mine === searching) say(error.message === Canceled ? 'The search was given up' : error.message, true);
    }
  }

  return {
    open,
    beside,
    async enter([game, ply]) {
      if (!game) { replay.hide(); list.draw(); return; }
      if (!app.archive) throw new Error(`Game ${game} of which archive? Open it first: a link cannot name a file that was dropped or chosen.`);
      list.mark(Number(game));
      await replay.show(Number(game), ply === undefined ? null : Number(ply));
    },
    leave() { replay.run(false); },
  };
}

/** costly tells whether it is worth a word that all of an archive comes from a server. */
export function costly(archive) { return Boolean(archive.url && !archive.packed && archive.bytes > 100_000); }

/** fetched fetches the whole of a file. What it returns has a method cancel. */
function fetched(url) {
  const control = new AbortController();
  const get = async () => {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer', signal: control.signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.blob();
  };
  return Object.assign(get(), { cancel: () => control.abort(new Error(Canceled)) });
}

/** Found is what a search gives: numbers of games in their order, the plies of their first hits, and an error. It is read where it lies: it may be millions. */
export class Found {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    this.length = this.words[0];
    this.error = new TextDecoder().decode(bytes.subarray(4 + 8 * this.length));
  }

  game(place) { return this.words[1 + 2 * place]; }

  ply(place) { return this.words[2 + 2 * place]; }

  /** place returns where a game is, -1 if it was not found. */
  place(game) {
    let low = 0, high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.game(middle) < game) low = middle + 1;
      else high = middle;
    }
    return low < this.length && this.game(low) === game ? low : -1;
  }
}

/** List shows rows of a list of any length: those that are in sight. */
class List {
  constructor(engine, take) {
    this.engine = engine;
    this.take = take;
    this.box = byId('games-list');
    this.space = byId('games-space');
    this.n = 0;
    this.games = null;
    this.rows = new Map(); // by number of the game
    this.drawn = new Map(); // by place: what is in sight
    this.chosen = 0; // the place in the list, from 0
    this.box.addEventListener('scroll', () => this.draw());
    this.box.addEventListener('keydown', (e) => this.key(e));
    this.space.addEventListener('click', (e) => {
      const row = /** @type {HTMLElement|null} */ (/** @type {Element} */ (e.target).closest('.game-row'));
      if (row) { this.chosen = Number(row.dataset.place); this.draw(); this.take(this.number(this.chosen)); }
    });
    new ResizeObserver(() => {
      byId('games-head').style.marginRight = `${this.box.offsetWidth - this.box.clientWidth}px`; // as wide as the scroll bar
      this.draw();
    }).observe(this.box);
  }

  number(place) { return this.games ? this.games.game(place) : place + 1; }

  /** @param {number} n how many @param {Found|null} [games] which; null for all */
  show(n, games = null) {
    this.n = n;
    this.games = games;
    this.rows = new Map(); // rows that are asked for yet are of what was shown before
    this.chosen = 0;
    this.box.scrollTop = 0;
    this.height = Math.min(n * rowHeight, tallest);
    this.space.style.height = `${this.height}px`;
    this.draw();
  }

  mark(game) {
    const place = this.games ? this.games.place(game) : game - 1;
    if (place >= 0 && place < this.n) { this.chosen = place; this.sight(); }
  }

  /** first returns the first row in sight: by pixels, or by the share of a list that is too long for that. */
  first() {
    const hidden = this.n * rowHeight - this.box.clientHeight;
    if (hidden <= 0) return 0;
    if (this.n * rowHeight <= tallest) return Math.floor(this.box.scrollTop / rowHeight);
    return Math.round(this.box.scrollTop / (this.height - this.box.clientHeight) * hidden / rowHeight);
  }

  /** sight scrolls so that the chosen row is in sight. */
  sight() {
    const rows = Math.floor(this.box.clientHeight / rowHeight), first = this.first();
    let want = first;
    if (this.chosen < first) want = this.chosen;
    if (this.chosen >= first + rows) want = this.chosen - rows + 1;
    if (want !== first) {
      const hidden = this.n * rowHeight - this.box.clientHeight;
      this.box.scrollTop = this.n * rowHeight <= tallest ? want * rowHeight : Math.min(1, want * rowHeight / hidden) * (this.height - this.box.clientHeight);
    }
    this.draw();
  }

  draw() {
    const first = this.first(), count = Math.ceil(this.box.clientHeight / rowHeight) + 1;
    const last = Math.min(this.n, first + count);
    const missing = [];
    const before = this.drawn, scrolled = this.n * rowHeight <= tallest ? 0 : this.box.scrollTop;
    this.drawn = new Map();
    for (let place = first; place < last; place++) {
      const n = this.number(place);
      const row = this.rows.get(n);
      if (!row) missing.push(n);
      const state = [n, this.n, place === this.chosen, scrolled].join();
      const old = before.get(place);
      this.drawn.set(place, old && old.row === row && old.state === state ? old : { row, state, e: this.row(place, n, row, first) });
    }
    const elements = [...this.drawn.values()].map((d) => d.e);
    if (elements.length !== this.space.children.length || elements.some((e, i) => e !== this.space.children[i])) this.space.replaceChildren(...elements);
    const active = this.space.querySelector('[aria-selected=true]');
    if (active) this.box.setAttribute('aria-activedescendant', active.id);
    else this.box.removeAttribute('aria-activedescendant');
    if (missing.length > 0) this.fetch(missing);
  }

  row(place, n, row, first) {
    const top = this.n * rowHeight <= tallest ? place * rowHeight : this.box.scrollTop + (place - first) * rowHeight;
    const rated = (name, elo) => el('span', {}, named(name || '?', 300), elo ? ` (${elo})` : '');
    const cells = !row ? [n, '…'] : row.error ? [n, row.error]
      : [n, rated(row.white, row.white_elo), rated(row.black, row.black_elo), row.result, row.date, row.eco, row.event];
    const e = el('div', { class: row?.error ? 'game-row wrong' : 'game-row', role: 'option', id: `row-${place}`, 'data-place': place, 'data-game': n,
      'aria-selected': String(place === this.chosen), 'aria-setsize': this.n, 'aria-posinset': place + 1 },
      ...cells.map((c, i) => (c instanceof Node ? c : el('span', i > 3 ? { class: 'wide-only' } : {}, c))));
    e.style.top = `${top}px`;
    if (row?.error) /** @type {HTMLElement} */ (e.children[1]).style.gridColumn = '2 / -1';
    return e;
  }

  async fetch(missing) {
    if (this.fetching) return; // and draws again when it is done
    this.fetching = true;
    const rows = this.rows;
    try {
      if (rows.size > 5000) rows.clear();
      for (const row of await this.engine.call('list', { games: missing })) rows.set(row.game, row);
    } catch (error) {
      say(error.message, true);
      for (const n of missing) rows.set(n, { game: n, error: error.message });
    }
    this.fetching = false;
    this.draw();
  }

  key(e) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 1);
    const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page, PageUp: this.chosen - page, Home: 0, End: this.n - 1 }[e.key];
    if (e.key === 'Enter' && this.n > 0) { this.take(this.number(this.chosen)); return; }
    if (to === undefined) return;
    e.preventDefault();
    this.chosen = Math.max(0, Math.min(this.n - 1, to));
    this.sight();
  }
}

/** @typedef {['button'|'span'|'em', Record<string, any>, string]} Made what an element of the moves' text is made of */

/** Replay shows a game. */
class Replay {
  constructor(app) {
    this.app = app;
    this.engine = app.engine('explorer');
    this.box = byId('game');
    this.game = null;
    this.at = -1; // the item of the move that was made last, -1 for the start
    this.board = new Board(byId('game-board'), { label: 'Board of the game' });
    byId('game-first').onclick = () => this.to(-1);
    byId('game-back').onclick = () => this.back();
    byId('game-next').onclick = () => this.next();
    byId('game-last').onclick = () => this.to(this.main.at(-1) ?? -1);
    byId('game-flip').onclick = () => this.board.flip();
    byId('game-run').onclick = () => this.run(!this.timer);
    byId('copy-pgn').onclick = () => {
      if (this.game?.cut) say('The PGN is too long for the page: ply11 show writes it', true);
      else if (this.game) copy(this.game.text, 'PGN');
    };
    byId('copy-fen').onclick = () => copy(this.fen(), 'FEN');
    byId('copy-link').onclick = () => copy(location.href, 'Link');
    this.turn = 0; // of what is shown; what comes later is in force
    byId('game-moves').addEventListener('click', (e) => {
      const item = /** @type {Element} */ (e.target).closest('button')?.dataset.item;
      if (item !== undefined) this.to(Number(item));
    });
    // Wherever something was clicked, the keys are the game's while it is in sight.
    document.addEventListener('keydown', (e) => { if (this.game && !byId('room-games').hidden && byId('promotion').hidden) this.key(e); });
  }

  hide() {
    this.turn++;
    clearTimeout(this.linking);
    this.run(false);
    this.box.hidden = true;
    this.game = null;
  }

  async show(n, ply) {
    clearTimeout(this.linking);
    const mine = ++this.turn, archive = this.app.archive;
    if (this.game?.game !== n || this.archive !== archive) {
      this.hide();
      this.turn = mine;
      const game = await this.engine.call('game', { game: n });
      if (mine !== this.turn || archive !== this.app.archive) return;
      this.archive = archive;
      this.set(game);
      this.box.hidden = false;
      byId('copy-link').hidden = !archive.url; // an address says nothing of a file that is here
      if (ply === null) byId('game-title').focus({ preventScroll: false });
    }
    const item = ply > 0 ? this.main[Math.min(ply, this.main.length) - 1] ?? -1 : -1;
    if (ply !== null && !(this.at >= 0 && this.game.items[this.at].p === ply)) this.to(item);
  }

  /** set makes the text of the moves, and finds for each move the one before it. */
  set(game) {
    this.game = game;
    this.main = [];
    this.before = []; // for each item that is a move the item of the move before it, -1 for the start
    this.after = new Map(); // of a move the next one of its line
    this.sides = new Map(); // of a move the first moves of variations that begin after it
    const tag = (name) => game.tags.find(([k]) => k === name)?.[1] ?? '?';
    byId('game-title').replaceChildren(`${game.game}. `, named(tag('White')), ' – ', named(tag('Black')), `, ${game.result}`);
    byId('game-tags').replaceChildren(...game.tags.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)]));
    byId('game-wrong').textContent = game.wrong ? `This game is not valid: ${game.wrong}` : '';
    const text = byId('game-text');
    text.hidden = !game.wrong;
    text.textContent = !game.wrong ? '' : game.text.length > longest ? `${game.text.slice(0, longest)} …` : game.text;
    let out = /** @type {(string|Made)[]} */ ([]), size = 0; // a part of the text
    const parts = [out];
    const stack = [];
    let last = -1, first = true, tight = false;
    game.items.forEach((item, i) => {
      if (size > partSize && (item.k === 'm' && item.m || size > 4 * partSize)) {
        parts.push(out = []);
        size = 0;
      }
      size += 10 + (item.t?.length ?? 0);
      switch (item.k) {
        case 'm': {
          this.before[i] = last;
          if (this.after.has(last)) this.sides.set(last, [...(this.sides.get(last) ?? []), i]);
          else this.after.set(last, i);
          if (item.m) this.main.push(i);
          const number = item.n.endsWith('...') ? (first ? item.n : '') : item.n;
          if (number) out.push(`${tight ? '' : ' '}${number}`);
          tight = false;
          out.push(' ', ['button', { type: 'button', 'data-item': i, tabindex: -1, class: item.m ? 'main' : 'side' }, item.t]);
          last = i;
          first = false;
          break;
        }
        case 'n': out.push(glyphs[item.t] ?? ` $${item.t}`); break;
        case 't':
          if (item.t) { out.push(' ', ['span', { class: 'comment' }, `{${item.t}}`]); first = true; }
          break;
        case '(':
          stack.push(last);
          last = this.before[last] ?? -1;
          out.push(' (');
          first = tight = true;
          break;
        case ')':
          last = stack.pop();
          out.push(')');
          first = true;
          break;
      }
    });
    out.push(` ${game.result}`);
    if (game.more) out.push(['em', {}, ' … the game is longer than the page shows']);
    byId('game-moves').replaceChildren();
    this.buttons = new Map();
    this.current = this.tabbed = null;
    this.at = -1;
    this.text(parts);
    this.graph();
    this.to(-1, false);
  }

  /**
   * text draws the parts of the moves' text: the first at once, and of a long game each one that follows in a task of its own, so that the page goes on.
   * @param {(string|Made)[][]} parts
   */
  text([part, ...rest]) {
    const box = el('div', {}, ...part.map((p) => (typeof p === 'string' ? p : el(...p))));
    byId('game-moves').append(box);
    for (const b of box.querySelectorAll('button')) this.buttons.set(Number(b.dataset.item), b);
    if (!this.current && this.buttons.has(this.at)) this.mark();
    if (rest.length === 0) return;
    const game = this.game;
    setTimeout(() => { if (this.game === game) this.text(rest); });
  }

  fen() { return this.at < 0 ? this.game?.start || start : this.game.items[this.at].f; }

  to(i, link = true) {
    if (!this.game) return;
    this.at = i;
    const item = this.game.items[i];
    this.mark();
    this.board.set(this.fen(), item ? { from: squareOf(item.u), to: squareOf(item.u.slice(2)) } : {});
    for (const mark of byId('game-graph').querySelectorAll('line.now')) {
      for (const x of ['x1', 'x2']) mark.setAttribute(x, String(item?.p ?? 0));
    }
    if (link && !(item && !item.m)) this.link(item?.p ?? 0);
  }

  /** mark marks the move in the text, and brings it into sight. What it reads of the layout, it reads before it changes anything: so a step lays the page out once. */
  mark() {
    const box = byId('game-moves'), b = this.buttons.get(this.at) ?? null;
    const focusable = b ?? this.buttons.values().next().value;
    let scroll = null;
    if (b) {
      const top = b.offsetTop - box.offsetTop, height = box.clientHeight;
      if (top < box.scrollTop || top + b.offsetHeight > box.scrollTop + height) scroll = top - height / 2;
    }
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
    const hash = `#/games/${this.game.game}/${ply}`, before = location.hash;
    // An address that somebody chose meanwhile stays.
    this.linking = setTimeout(() => { if (location.hash === before) history.replaceState(history.state, '', hash); }, 200);
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
    if (e.target.closest?.('.board, .list, input, select, textarea') || e.ctrlKey || e.altKey || e.metaKey) return;
    switch (e.key) {
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
      case 'f': this.board.flip(); break;
      default: return;
    }
    e.preventDefault();
    if (document.activeElement?.closest?.('#game-moves')) this.current?.focus();
  }

  /** graph draws the evaluations and the clocks that are in the comments of the main line. */
  graph() {
    const evals = [], clocks = [[], []];
    let ply = 0, depth = 0;
    for (const item of this.game.items) {
      if (item.k === '(') depth++;
      else if (item.k === ')') depth--;
      else if (depth > 0) continue;
      else if (item.k === 'm') ply = item.p;
      else if (item.k === 't') {
        if (item.e !== undefined) evals.push([ply, Math.max(-8, Math.min(8, item.e))]);
        if (item.c !== undefined) clocks[(ply + 1) % 2].push([ply, item.c]);
      }
    }
    const box = byId('game-graph'), tell = byId('game-graph-tell');
    box.replaceChildren();
    tell.textContent = '';
    const plies = Math.max(1, this.main.length);
    const draw = (what, lines, low, high) => {
      const y = (v) => 100 - 100 * (v - low) / (high - low || 1);
      const s = svg('svg', { class: 'graph', viewBox: `0 0 ${plies} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': what });
      if (low < 0) s.append(svg('line', { x1: 0, x2: plies, y1: y(0), y2: y(0) }));
      lines.forEach((points, i) => s.append(svg('polyline', { class: i ? 'black' : 'white', points: points.map(([x, v]) => `${x},${y(v).toFixed(2)}`).join(' ') })));
      s.append(svg('line', { class: 'now', x1: 0, x2: 0, y1: 0, y2: 100 }));
      box.append(s);
    };
    const told = [];
    if (evals.length > 1) { draw('Evaluations, White above', [evals], -8, 8); told.push('evaluations, −8 to 8 pawns'); }
    if (clocks[0].length + clocks[1].length > 1) {
      draw('Clocks of both players', clocks, 0, Math.max(...clocks.flat().map(([, v]) => v)));
      told.push('clocks, White drawn through, Black dashed');
    }
    if (told.length > 0) tell.textContent = `Graph: ${told.join('; ')}`;
  }
}
