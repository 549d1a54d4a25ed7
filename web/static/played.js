// SPDX-License-Identifier: Apache-2.0
// What was played in a position: it is asked for by the board of a game and by the room of openings, and each of them draws it.
import { ask, busy, Canceled, count, counted, el, fill, Gone, of, positionLink } from './page.js';

const shown = 8; // moves

/** percent writes a share. */
export const percent = (n, of, digits = 1) => `${(100 * n / (of || 1)).toFixed(digits)} %`.replace(/^0 /, n ? '<1 ' : '0 ');

/**
 * bar draws results: White's games, drawn ones and Black's, with their percents where there is room: where a part is not less than a share of the bar.
 * @param {{white: number, draws: number, black: number}} results
 */
export function bar({ white, draws, black }, share = .15) {
  const known = white + draws + black;
  const e = el('div.bar', { role: 'img', 'aria-label': `White ${percent(white, known)}, drawn ${percent(draws, known)}, Black ${percent(black, known)}` });
  for (const [name, n] of /** @type {[string, number][]} */ ([['w', white], ['d', draws], ['b', black]])) {
    const part = el('span', { class: name }, n >= share * known && known > 0 ? percent(n, known, 0).replace(' ', '\u202f') : '');
    part.style.width = `${100 * n / (known || 1)}%`;
    e.append(part);
  }
  return e;
}

/** Played asks what was played in a position. */
export class Played {
  /**
   * @param {any} app
   * @param {HTMLElement} box
   * @param {() => object} filter what the games that are counted meet
   * @param {(answer: any, fen: string) => void} draw shows an answer in the box
   */
  constructor(app, box, filter, draw) {
    this.app = app;
    this.box = box;
    this.filter = filter;
    this.draw = draw;
    this.turn = 0;
  }

  /** look shows what was played in a position, a moment later: nobody reads it of a move that is passed. */
  look(fen) {
    this.leave();
    const mine = this.turn;
    if (!this.app.archive) { fill(this.box); return; }
    this.waiting = setTimeout(() => this.ask(mine, fen), 120);
  }

  /** leave gives up what is asked. */
  leave() {
    this.turn++;
    clearTimeout(this.waiting);
    this.call?.cancel();
    this.call = null;
  }

  /** ask asks for a position; wanted tells that it may take long. */
  async ask(mine, fen, wanted = false) {
    const { archive } = this.app, wait = wanted ? busy('Counting') : null;
    try {
      this.call = ask(of(archive, '/moves'), { fen, quick: !wanted, ...this.filter() }, wait ? { progress: wait.set } : {});
      wait?.of(this.call);
      const t = await this.call;
      if (mine !== this.turn) return;
      if (t.slow) {
        fill(this.box, el('p', el('button', { onclick: () => this.ask(mine, fen, true) }, 'Count the moves played here'),
          el('small', ` reads all ${counted(archive.games, 'game')}: there is no index that serves`)));
      } else this.draw(t, fen);
    } catch (error) {
      if (mine !== this.turn || error.message === Canceled) return;
      fill(this.box, el('p.wrong', `${error.message} `, error instanceof Gone && el('button', { onclick: () => this.look(fen) }, 'Try again')));
    } finally { wait?.end(); }
  }
}

/**
 * besideGame draws what was played beside the moves of a game.
 * @param {HTMLElement} box
 * @param {any} t
 * @param {string} fen
 * @param {{name: string, eco: string}|null} opening
 * @param {boolean} filtered whether games of a list alone were counted
 * @param {(uci: string) => void} move makes a move on the board
 */
export function besideGame(box, t, fen, opening, filtered, move) {
  const name = t.opening ?? opening;
  fill(box, el('p.played-head', el('span', el('b', 'Played here'), name && el('small', ` ${name.name} ${name.eco}`)),
    el('a', { href: positionLink(fen) }, `${counted(t.all.games, 'game')}${filtered ? ' of those listed' : ''}`)));
  if (t.moves.length === 0) {
    box.append(el('p.hint', t.all.games ? 'No game goes on from here.' : filtered ? 'None of the listed games has this position.' : 'No game has this position.'));
    return;
  }
  const row = (first, m) => el('li', first, el('span', count(m.games)), el('span', percent(m.games, t.all.games, 0)), bar(m, .22), el('small', m.rating ? Math.round(m.rating) : ''));
  box.append(el('ol.played', t.moves.slice(0, shown).map((m) => row(el('a', { href: positionLink(m.after), onclick: (e) => {
    e.preventDefault();
    move(m.uci);
  } }, m.san), m)), row(el('b', { title: 'All' }, 'Σ'), t.all)));
}
