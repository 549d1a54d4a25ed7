// SPDX-License-Identifier: Apache-2.0
// What was played in a position: the results as bars, and the list beside a game, which goes with its board.
import { ask, byId, Canceled, count, counted, el, of, positionLink, queryOf } from './page.js';

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

export class Played {
  /**
   * @param {any} app
   * @param {() => object} filter what the games that are counted meet
   * @param {(uci: string) => void} move makes a move on the board
   */
  constructor(app, filter, move) {
    this.app = app;
    this.filter = filter;
    this.move = move;
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
    const call = this.call = ask(of(archive, '/moves'), { fen, quick: !wanted, ...this.filter() });
    const t = await call;
    if (mine !== this.turn) return;
    const name = t.opening ?? opening, filtered = queryOf(this.filter());
    this.box.replaceChildren(el('p', { class: 'played-head' }, el('span', {}, el('b', {}, 'Played here'), name ? el('small', {}, ` ${name.name} ${name.eco}`) : ''),
      el('a', { href: positionLink(fen) }, t.slow ? 'Open' : `${counted(t.all.games, 'game')}${filtered ? ' of those listed' : ''}`)));
    if (t.slow) {
      this.box.append(el('p', {}, el('button', { type: 'button', onclick: () => this.ask(mine, fen, opening, true) }, 'Count the moves played here'),
        el('small', {}, ` reads all ${counted(archive.games, 'game')}: there is no index that serves`)));
      return;
    }
    if (t.moves.length === 0) {
      this.box.append(el('p', { class: 'hint' }, t.all.games ? 'No game goes on from here.' : filtered ? 'None of the listed games has this position.' : 'No game has this position.'));
      return;
    }
    const row = (first, m) => el('li', {}, first, el('span', {}, count(m.games)), el('span', {}, percent(m.games, t.all.games, 0)), bar(m, .22), el('small', {}, m.rating ? Math.round(m.rating) : ''));
    this.box.append(el('ol', { class: 'played' }, ...t.moves.slice(0, shown).map((m) => row(el('a', { href: positionLink(m.after), onclick: (e) => {
      e.preventDefault();
      this.move(m.uci);
    } }, m.san), m)), row(el('b', { title: 'All' }, 'Σ'), t.all)));
  }
}
