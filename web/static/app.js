// SPDX-License-Identifier: Apache-2.0
// The page: which room is shown, its colours, and the archive that is open.
import { Engine } from './engine.js';
import { byId, say } from './dom.js';
import { moveRoom } from './move.js';
import { bytesRoom } from './bytes.js';
import { gamesRoom } from './games.js';
import { positionsRoom } from './positions.js';
import { hardwareRoom } from './hardware.js';

const engines = new Map();

/** engine returns the worker with a program, which is fetched when it is first wanted. */
function engine(program) {
  let e = engines.get(program);
  if (!e) engines.set(program, e = new Engine(program));
  return e;
}

const app = {
  engine,
  /** archive is what is open: its name, what the engine tells of it, and its address, if it has one. */
  archive: null,
  listeners: [],
  opened(archive) {
    app.archive = archive;
    for (const f of app.listeners) f(archive);
  },
  go(hash) { location.hash = hash; },
};

const rooms = { move: moveRoom, bytes: bytesRoom, games: gamesRoom, positions: positionsRoom, hardware: hardwareRoom };
const entered = new Map();

async function enter() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, '').split('/').map(decode);
  const room = Object.hasOwn(rooms, name) ? name : 'move';
  for (const link of document.querySelectorAll('nav a')) {
    if (link.dataset.room === room) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== `room-${room}`;
  document.title = `${room[0].toUpperCase()}${room.slice(1)} – ply11 explorer`;
  try {
    await (await roomOf(room)).enter?.(rest);
  } catch (error) {
    say(error.message, true);
  }
}

/** roomOf returns a room, which is set up when it is first entered. */
function roomOf(name) {
  if (!entered.has(name)) {
    entered.set(name, rooms[name](app).catch((error) => {
      entered.delete(name);
      throw error;
    }));
  }
  return entered.get(name);
}

function decode(s) {
  try { return decodeURIComponent(s); } catch { return s; }
}

// The theme: that of the system, until one is chosen.
const dark = byId('theme');
const system = matchMedia('(prefers-color-scheme: dark)');
let chosen = null;
function paint() {
  const night = chosen ?? system.matches;
  document.documentElement.classList.toggle('night', night);
  dark.setAttribute('aria-pressed', String(night));
  window.dispatchEvent(new Event('themechange'));
}
system.addEventListener('change', paint);
dark.addEventListener('click', () => { chosen = !(chosen ?? system.matches); paint(); });
paint();

// A file that is dropped anywhere goes to the room of games if it is one of games, else to that of bytes.
window.addEventListener('dragover', (e) => e.preventDefault());
window.addEventListener('drop', async (e) => {
  e.preventDefault();
  const files = [...e.dataTransfer?.files ?? []];
  if (files.length === 0) return;
  const games = files.some((f) => /\.(p11|p11x|pgn)$/i.test(f.name)) && !location.hash.startsWith('#/bytes');
  const index = files.every((f) => /\.p11x$/i.test(f.name));
  if (!(index && location.hash.startsWith('#/positions'))) {
    const hash = games ? '#/games' : '#/bytes';
    if (location.hash !== hash) app.go(hash);
  }
  if (games) (await roomOf('games')).open(files);
  else (await roomOf('bytes')).open(files[0]);
});

window.addEventListener('hashchange', enter);

(async () => {
  // The page is painted before the worker compiles its program, which takes all cores.
  // A page that is not in sight is not painted.
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  if (new URLSearchParams(location.search).has('archive') && !location.hash) history.replaceState(null, '', '#/games');
  const opening = new URLSearchParams(location.search).get('archive');
  if (opening) {
    try {
      await (await roomOf('games')).openURL(opening);
    } catch (error) {
      say(`${opening}: ${error.message}`, true);
      await enter();
      document.body.dataset.ready = 'true';
      return;
    }
  }
  await enter();
  if (byId('status').textContent === 'Loading …') say('');
  document.body.dataset.ready = 'true';
})();
