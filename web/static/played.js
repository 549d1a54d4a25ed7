// SPDX-License-Identifier: Apache-2.0
// What was played in a position: it is asked for by the board of a game and by the room of openings, and each of them draws it by one table.
import { ask, Canceled, count, counted, el, fill, Gone, of, positionLink } from './page.js';

/** percent writes a share. */
const percent = (n, of, digits = 1) => `${(100 * n / (of || 1)).toFixed(digits)} %`.replace(/^0 /, n ? '<1 ' : '0 ');

/**
 * bar draws results: White's games, drawn ones and Black's, with their percents where there is room.
 * @param {{white: number, draws: number, black: number}} results
 */
function bar({ white, draws, black }) {
  const known = white + draws + black;
  const e = el('div.bar', { role: 'img', 'aria-label': `White ${percent(white, known)}, drawn ${percent(draws, known)}, Black ${percent(black, known)}` });
  for (const [name, n] of /** @type {[string, number][]} */ ([['w', white], ['d', draws], ['b', black]])) {
    const part = el('span', { class: name }, n >= .2 * known && known > 0 ? percent(n, known, 0).replace(' ', '\u202f') : '');
    part.style.width = `${100 * n / (known || 1)}%`;
    e.append(part);
  }
  return e;
}

/**
 * movesTable is a table of what was played. Where it is narrow, it shows less of it.
 * @param {any} t what the server tells
 * @param {{name: string}|undefined} opening that of the position
 * @param {(uci: string) => void} play makes a move
 * @param {(uci?: string) => void} point is called with the move that is pointed at, or with none
 */
export function movesTable(t, opening, play, point = () => {}) {
  const rated = t.moves.some((m) => m.rating);
  const years = (m) => (m.first ? (m.last > m.first ? `${m.first}–${m.last}` : m.first) : '–');
  const nameOf = (m) => m.opening?.name.replace(`${opening?.name}: `, '').replace(`${opening?.name}, `, '');
  const row = (m, first) => {
    const i = el('i');
    i.style.width = `${Math.max(2, 72 * m.games / t.all.games)}px`;
    return [el('td', first), el('td', count(m.games)), el('td.share', i, el('small', ` ${percent(m.games, t.all.games, 0)}`)),
      el('td.opening', nameOf(m)), el('td', bar(m)), rated && el('td.rating', m.rating ? Math.round(m.rating) : '–'), el('td.years', years(m))];
  };
  return el('table', { 'aria-label': 'Moves played here' },
    el('thead', el('tr', ['Move', 'Games', 'Share', 'Opening', 'White · drawn · Black', rated && 'Rating', 'Years']
      .map((name) => name && el('th', { scope: 'col' }, name)))),
    el('tbody', t.moves.map((m) => el('tr', {
      onmouseenter: () => point(m.uci), onmouseleave: () => point(), onfocusin: () => point(m.uci), onfocusout: () => point(),
      onclick: (e) => { e.preventDefault(); play(m.uci); },
    }, row(m, el('a', { href: positionLink(m.after) }, m.san))))),
    el('tfoot', el('tr', row(t.all, 'Σ'))));
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
    el('a', { href: positionLink(fen) }, `${counted(t.all.games, 'game')}${filtered ? ' of those listed' : ''}`)),
  t.moves.length > 0 ? movesTable({ ...t, moves: t.moves.slice(0, 8) }, name, move)
    : el('p.hint', t.all.games ? 'No game goes on from here.' : filtered ? 'None of the listed games has this position.' : 'No game has this position.'));
}

/**
 * statistics asks what was played in positions: look of one, a moment later, as nobody reads it of a move that is passed; leave gives it up.
 * @param {any} app
 * @param {HTMLElement} box
 * @param {() => object} filter what the games that are counted meet
 * @param {(answer: any, fen: string) => void} draw shows an answer in the box
 */
export function statistics(app, box, filter, draw) {
  let turn = 0, waiting = 0, call = null;
  function leave() {
    turn++;
    clearTimeout(waiting);
    call?.cancel();
  }
  function look(fen) {
    leave();
    if (app.archive) waiting = setTimeout(() => counts(fen), 120);
    else fill(box);
  }
  /** counts asks for a position; wanted tells that it may take long. */
  async function counts(fen, wanted = false) {
    const mine = turn, { archive } = app;
    try {
      const t = await (call = ask(of(archive, '/moves'), { fen, quick: !wanted, ...filter() }, { wait: wanted && 'Counting' }));
      if (mine !== turn) return;
      if (!t.slow) draw(t, fen);
      else {
        fill(box, el('p', el('button', { onclick: () => counts(fen, true) }, 'Count the moves played here'),
          el('small', ` reads all ${counted(archive.games, 'game')}: there is no index that serves`)));
      }
    } catch (error) {
      if (mine !== turn || error.message === Canceled) return;
      fill(box, el('p.wrong', `${error.message} `, error instanceof Gone && el('button', { onclick: () => look(fen) }, 'Try again')));
    }
  }
  return { look, leave };
}
