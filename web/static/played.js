// SPDX-License-Identifier: Apache-2.0
// What was played in a position: the results as bars, and the list beside a game, which goes with its board.
import { ask, byId, Canceled, count, counted, el, named, of, queryOf } from './page.js';

const shown = 8; // moves

const percent = (n, of, digits = 1) => `${(100 * n / (of || 1)).toFixed(digits)} %`;

/**
 * bar draws results: White's games, drawn ones and Black's, with their percents where there is room: where a part is not less than a share of the bar.
 * @param {{white: number, draws: number, black: number}} results
 */
export function bar({ white, draws, black }, share = .15) {
  const known = white + draws + black;
  const e = el('div', { class: 'bar', role: 'img', 'aria-label': `White ${percent(white, known)}, drawn ${percent(draws, known)}, Black ${percent(black, known)}` });
  for (const [name, n] of /** @type {[string, number][]} */ ([['w', white], ['d', draws], ['b', black]])) {
    const part = el('span', { class: name }, n >= share * known && known > 0 ? percent(n, known, 0).replace(' ', '\u202f') : '');
    part.style.width = `${100 * n / (known || 1)}%`;
    e.append(part);
  }
  return e;
}

/** positionLink is the address of a position in its room. */
export function positionLink(fen) { return `#/openings/${fen.replaceAll(' ', '_')}`; }

/** plyOf is the ply of a position, as its counters tell. */
function plyOf(fen) {
  const [, turn, , , , number] = fen.split(' ');
  return Math.max(0, 2 * (Number(number) - 1) + (turn === 'b' ? 1 : 0));
}

export class Played {
  /**
   * @param {any} app
   * @param {{next: (uci: string) => boolean, address: (game: number, ply: number) => string, seek: (game: number, fen: string) => void, filter: () => object}} page
   * next makes the move that is played in the game, if it is that; address is that of a ply; seek opens a game where it has a position; filter is what the list's games meet.
   */
  constructor(app, page) {
    this.app = app;
    this.page = page;
    this.box = byId('played');
    this.turn = 0;
  }

  /** look shows what was played in a position, a moment later: nobody reads it of a move that is passed. */
  look(fen, opening = null) {
    const mine = ++this.turn;
    clearTimeout(this.waiting);
    this.call?.cancel();
    this.call = null;
    if (!this.app.archive) { this.box.replaceChildren(); return; }
    this.waiting = setTimeout(() => this.ask(mine, fen, opening).catch((error) => {
      if (mine === this.turn && error.message !== Canceled) this.box.replaceChildren(el('p', { class: 'wrong' }, error.message));
    }), 120);
  }

  /** leave gives up what is asked. */
  leave() {
    this.turn++;
    clearTimeout(this.waiting);
    this.call?.cancel();
    this.call = null;
  }

  async ask(mine, fen, opening, wanted = false) {
    const { archive } = this.app;
    const call = this.call = ask(of(archive, '/moves'), { fen, quick: !wanted, ...this.page.filter() });
    const t = await call;
    if (mine !== this.turn) return;
    if (t.slow) {
      this.box.replaceChildren(this.head(null, fen, opening), el('p', {}, el('button', { type: 'button', onclick: () => this.ask(mine, fen, opening, true) }, 'Count the moves played here'),
        el('small', {}, ` reads all ${counted(archive.games, 'game')}: there is no index that serves`)));
      return;
    }
    const narrow = this.box.clientWidth < 260; // a percent takes a quarter of such a bar
    this.box.replaceChildren(this.head(t, fen, t.opening ?? opening),
      el('ol', { class: 'played' }, ...t.moves.slice(0, shown).map((m) => el('li', {},
        el('a', { href: positionLink(m.after), onclick: (e) => { if (this.page.next(m.uci)) e.preventDefault(); } }, m.san), el('span', {}, count(m.games)), bar(m, narrow ? .3 : .22), el('small', {}, m.rating ? Math.round(m.rating) : '')))),
      el('ul', { class: 'best', 'aria-label': 'Games of the highest ratings' }, ...t.best.filter((row) => !row.error).map((row) => el('li', {},
        el('a', { href: this.page.address(row.game, plyOf(fen)), onclick: () => this.page.seek(row.game, fen) }, named(row.white || '?', 24), ' – ', named(row.black || '?', 24)), el('small', {}, ` ${row.result} ${row.date.slice(0, 4)}`)))));
  }

  head(t, fen, opening) {
    return el('p', { class: 'played-head' }, el('span', {}, opening ? el('b', {}, opening.name) : el('b', {}, 'Played here'), opening ? el('small', {}, ` ${opening.eco}`) : ''),
      el('a', { href: positionLink(fen) }, t ? `${counted(t.all.games, 'game')} from here${queryOf(this.page.filter()) ? ', of those listed' : ''}` : 'Games from here'));
  }
}
