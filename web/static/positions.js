// SPDX-License-Identifier: Apache-2.0
// Room 4: which games have a position, and what was played in it.
import { Board, squareName, squareOf } from './board.js';
import { busy, byId, el, say } from './dom.js';
import { Canceled } from './engine.js';
import { found } from './games.js';
import { choosePromotion } from './promotion.js';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const shown = 200; // games in the list

export async function positionsRoom(app) {
  const engine = app.engine('explorer');
  const wrong = byId('positions-wrong'), fen = byId('positions-fen'), form = byId('positions-form');
  let here = start, legal = [];
  const trail = [];
  const board = new Board(byId('positions-board'), { label: 'Board: play the moves that lead to the position', onMove });

  let placing = Promise.resolve(); // what is asked of the board comes after it
  function place(text, keep = true) { return placing = placing.then(() => set(text, keep)); }

  async function set(text, keep) {
    try {
      const p = await engine.call('position', { fen: text });
      wrong.textContent = '';
      if (keep && p.fen !== here) trail.push(here);
      here = p.fen;
      legal = p.legal;
      fen.value = here;
      board.set(here, { legal });
    } catch (error) { wrong.textContent = error.message; }
  }

  async function onMove(from, to) {
    const uci = squareName(from) + squareName(to);
    let moves = legal.filter((m) => m.uci.startsWith(uci));
    if (moves.length > 1) {
      const letter = await choosePromotion(board.men[from]);
      moves = moves.filter((m) => m.uci.endsWith(letter ?? ' '));
    }
    if (moves.length === 0) { wrong.textContent = `${uci} is not legal here`; return; }
    await play(moves[0]);
  }

  async function play(move) {
    await place(move.after);
    board.set(here, { legal, from: squareOf(move.uci), to: squareOf(move.uci.slice(2)) });
  }

  fen.onchange = () => place(fen.value);
  byId('positions-flip').onclick = () => board.flip();
  byId('positions-start').onclick = () => place(start);
  byId('positions-back').onclick = () => { if (trail.length > 0) place(trail.pop(), false); };
  form.onsubmit = (e) => { e.preventDefault(); find(); };
  byId('positions-tree').onclick = tree;

  /** run does a call that takes long, and tells what went wrong. */
  async function run(text, call) {
    if (!app.archive) { wrong.textContent = 'Open an archive in the room of games first'; return null; }
    wrong.textContent = '';
    const wait = busy(text);
    try {
      const c = call(wait.set);
      wait.of(c);
      return await c;
    } catch (error) {
      wrong.textContent = error.message === Canceled ? 'It was given up' : error.message;
      return null;
    } finally { wait.end(); }
  }

  function terms(names) {
    return names.map((name) => ({ name, value: form.elements[name].value.trim() })).filter((t) => t.value !== '');
  }

  async function find() {
    await placing;
    const list = terms(['pattern', 'material', 'player']);
    if (form.elements.exact.checked) list.push({ name: 'fen', value: here.split(' ').slice(0, 4).join(' ') });
    const options = { variations: form.elements.variations.checked, mirror: form.elements.mirror.checked, swap: form.elements.swap.checked };
    const bytes = await run('Searching', (progress) => engine.call('search', { terms: list, ...options }, null, progress));
    if (!bytes) return;
    const { games, plies, error } = found(bytes);
    const rows = await engine.call('list', { games: [...games.slice(0, shown)] });
    byId('found').replaceChildren(...rows.map((row, i) => el('li', { value: row.game },
      el('a', { href: `#/games/${row.game}/${plies[i]}` }, row.error ?? `${row.white || '?'} – ${row.black || '?'}`), ` ${row.result} ${row.date}, ply ${plies[i]}`)));
    byId('found-about').textContent = `${games.length.toLocaleString('en')} games${games.length > shown ? `, of which the first ${shown} are shown` : ''}`;
    wrong.textContent = error;
  }

  async function tree() {
    await placing;
    const t = await run('Counting', (progress) => engine.call('tree', { fen: here, terms: terms(['player']) }, null, progress));
    if (!t) return;
    const percent = (n, of) => `${(100 * n / (of || 1)).toFixed(1)} %`;
    const bar = (m) => {
      const known = m.white + m.draws + m.black;
      const e = el('div', { class: 'bar', role: 'img', 'aria-label': `White ${percent(m.white, known)}, drawn ${percent(m.draws, known)}, Black ${percent(m.black, known)}` });
      for (const [name, n] of [['w', m.white], ['d', m.draws], ['b', m.black]]) {
        const part = el('span', { class: name });
        part.style.width = `${100 * n / (known || 1)}%`;
        e.append(part);
      }
      return e;
    };
    byId('tree').replaceChildren(el('table', {},
      el('caption', {}, `${t.all.games.toLocaleString('en')} games reach the position`),
      el('thead', {}, el('tr', {}, ...['Move', 'Games', 'White, drawn, Black', 'Rating', 'Years', 'Games'].map((h) => el('th', { scope: 'col' }, h)))),
      el('tbody', {}, ...t.moves.map((m) => el('tr', {},
        el('td', {}, el('button', { type: 'button', onclick: async () => { const move = legal.find((x) => x.uci === m.uci); if (move) { await play(move); tree(); } } }, m.san)),
        el('td', {}, m.games.toLocaleString('en')), el('td', {}, bar(m)), el('td', {}, m.rating ? Math.round(m.rating) : '–'),
        el('td', {}, m.first ? (m.last > m.first ? `${m.first}–${m.last}` : m.first) : '–'),
        el('td', {}, ...m.best.slice(0, 3).flatMap((n) => [el('a', { href: `#/games/${n}` }, n), ' '])))))));
    const how = t.index ? `looked up in the index${t.read ? `, ${t.read.toLocaleString('en')} games read` : ''}` : `all games were read${t.why ? `, for ${t.why}` : ''}`;
    say(`${t.moves.length} moves were played here: ${how}`, Boolean(t.why));
  }

  let told = null; // the archive of which the room tells
  async function about() {
    const a = app.archive;
    if (a === told) return;
    told = a;
    const box = byId('positions-about');
    box.textContent = a ? `In ${a.name}: ${a.games.toLocaleString('en')} games.` : 'Open an archive in the room of games first.';
    if (!a) return;
    const index = await engine.call('index');
    if (app.archive !== a) return;
    box.textContent += index.there ? ` Its index has ${index.positions.toLocaleString('en')} positions: the moves are looked up there.`
      : index.why ? ` Its index cannot be used (${index.why}): all games are read.`
        : ' There is no index beside it: all games are read. ply11 index makes one.';
  }
  app.listeners.push(() => { told = null; if (location.hash.startsWith('#/positions')) about().catch((error) => say(error.message, true)); });
  await place(start, false);
  byId('positions-about').textContent = 'Open an archive in the room of games first.';
  return { enter: about };
}
