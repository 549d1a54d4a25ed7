// SPDX-License-Identifier: Apache-2.0
// The page: which room is shown, its colours, and the archive that is open.
import { archives, byId, el, Gone, icons, queryOf, say, tab } from './page.js';

/** archiveOf is the name of the archive that the address of the page names, or null. */
function archiveOf() { return new URLSearchParams(location.search).get('archive'); }

/** address is that of a part of the page, with the archive that is open. */
function address(hash) { return location.pathname + queryOf({ archive: app.archive?.name }) + hash; }

/** push makes an address the next one of the history, unless it is the present one. */
function push(to) { if (new URL(to, location.href).href !== location.href) history.pushState(null, '', to); }

const app = {
  /** archive is what is open, as the server tells of it. @type {import('./page.js').Archive|null} */
  archive: null,
  listeners: [],
  /** opened tells all rooms of what is open now, or null. */
  opened(archive) {
    if (archive !== app.archive) linkTo('games').href = '#/games'; // what it led to is of another archive
    app.archive = archive;
    for (const f of app.listeners) f(archive);
  },
  /** open opens a source, and goes to the room of games. What is shown, and the address, stay as they are if that fails. */
  async open(source) {
    const games = await roomOf('games');
    if (!await games.open(source)) return;
    push(address('#/games'));
    await arrive(false);
  },
  /** here makes a part of the page that is shown already that of the present address, or another entry of the history. */
  here(hash, another = false) {
    if (another) push(hash);
    else history.replaceState(null, '', hash);
    remember();
  },
  /** title makes the page's title of what is shown, the smallest thing first. @param {...string} texts */
  title(...texts) { document.title = [...texts, linkTo(document.body.dataset.room).textContent, 'ply11'].join(' – '); },
  /** go goes to a part of the page. */
  go(hash) {
    push(hash);
    return arrive();
  },
};

/** appOf returns the app as a room has it. What a room shows after somebody went to another one, as by an answer that comes late, changes the link of the room alone. */
function appOf(room) {
  const here = () => asked().room === room;
  return Object.assign(Object.create(app), {
    /** hash returns the part of the page that the room shows, or showed. */
    hash: () => linkTo(room).hash,
    here(hash, another) {
      if (here()) app.here(hash, another);
      else linkTo(room).href = hash;
    },
    title(...texts) { if (here()) app.title(...texts); },
  });
}

/** rooms are those of this page. Their scripts are fetched when they are first entered. */
/** @type {HTMLAnchorElement[]} */
const links = [...document.querySelectorAll('nav a')];
const rooms = links.map((a) => a.dataset.room), hasGames = rooms.includes('games');
const entered = new Map();
let inside = null; // the room that was entered
let arrivals = 0;

/** arrive shows what the address says: the archive, the room, and what is in it. */
async function arrive(quiet = true) {
  const mine = ++arrivals;
  if (quiet) say('');
  present(); // before what takes long
  const wanted = archiveOf();
  if (hasGames && wanted !== (app.archive?.name ?? null)) {
    const done = await roomOf('games').then((games) => games.open(wanted === null ? null : { name: wanted }));
    if (mine !== arrivals) return;
    if (!done) history.replaceState(null, '', address('#/games'));
  }
  await enter(mine);
}

/** linkTo returns the link of a room. */
function linkTo(room) { return links[rooms.indexOf(room)]; }

/** remember makes the link of the room lead to what is shown in it. */
function remember() { linkTo(document.body.dataset.room).href = location.hash; }

/** asked takes the address apart: what it names, the room, and its query. */
function asked() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split(/(?=\?)/);
  const [name, ...rest] = path.split('/').map(decode);
  return { name, rest, query, room: rooms.includes(name) ? name : 'move' };
}

const made = new Set(['games']); // rooms that can be used, or look as if they could before: in the room of games the board is there at once

/** present shows the room of the address, once it is made. */
function present() {
  const { name, room } = asked();
  for (const link of links) link.ariaCurrent = link.dataset.room === room ? 'page' : null;
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== `room-${room}` || !made.has(room);
  document.body.dataset.room = room;
  app.title();
  if (name === room) remember();
  if (inside && inside.name !== room) {
    inside.leave?.();
    inside = null;
  }
}

async function enter(mine) {
  present();
  const { rest, query, room } = asked();
  let there;
  try {
    there = await roomOf(room);
  } catch (error) {
    if (mine === arrivals) say(`The room cannot be shown: ${error.message}`, true, () => arrive());
    return;
  }
  if (mine !== arrivals) return;
  made.add(room);
  present();
  inside = { name: room, ...there };
  try {
    await there.enter?.(rest, query ?? '');
  } catch (error) {
    if (mine === arrivals) say(error.message, true, error instanceof Gone ? () => arrive() : null);
  }
}

/** begin returns the address of what a page shows that was asked for nothing in particular: the games of the server. */
async function begin() {
  if (!hasGames) return '#/hardware';
  if (archiveOf() !== null) return '#/games';
  const served = await archives().catch(() => []);
  return `${queryOf({ archive: served.length === 1 && served[0].name })}#/games`;
}

/** roomOf returns a room, which is set up when it is first entered. */
function roomOf(name) {
  if (!entered.has(name)) {
    entered.set(name, import(`./${name}.js`).then((script) => script[`${name}Room`](appOf(name))).catch((error) => {
      entered.delete(name);
      throw error;
    }));
  }
  return entered.get(name);
}

function decode(s) {
  try { return decodeURIComponent(s); } catch { return s; }
}

/** kept is what the browser keeps of a choice, and keep lets it do so, if it keeps anything. */
function kept(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}
function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* it keeps nothing */ }
}

// The theme: that of the system, until one is chosen.
const dark = byId('theme');
const system = matchMedia('(prefers-color-scheme: dark)');
let chosen = kept('theme');
function paint() {
  const night = chosen ? chosen === 'dark' : system.matches;
  document.documentElement.classList.toggle('night', night);
  dark.ariaPressed = String(night);
}
system.addEventListener('change', paint);
dark.addEventListener('click', () => {
  chosen = document.documentElement.classList.contains('night') ? 'light' : 'dark';
  keep('theme', chosen);
  paint();
});
paint();

/** ofGames tells whether a file is one of games, by its name or else by how it begins. */
async function ofGames(file) {
  return /\.(p11|p11x|pgn)(\.(zst|gz|bz2|xz))?$/i.test(file.name) || await file.slice(1, 8).text() === 'P11\r\n\x1a\n';
}

// A file that is dropped anywhere goes to the room of games if it is one of games, else to that of bytes.
window.addEventListener('dragover', (e) => e.preventDefault());
window.addEventListener('drop', async (e) => {
  e.preventDefault();
  const files = [...e.dataTransfer?.files ?? []];
  if (files.length === 0 || !hasGames) return;
  try {
    if (inside?.name !== 'bytes' && (await Promise.all(files.map(ofGames))).includes(true)) {
      await app.open({ files });
      return;
    }
    await app.go('#/bytes');
    await (await roomOf('bytes')).open(files[0]);
  } catch (error) {
    say(error.message, true);
  }
});

/** keys are those of a room that buttons stand for: the icon and the name of each. */
const keys = {
  Home: ['first', 'To the start'], ArrowLeft: ['back', 'One move back'], ArrowRight: ['next', 'One move on'],
  End: ['last', 'To the end'], ' ': ['run', 'Run'], f: ['flip', 'Turn the board'],
};
for (const box of document.querySelectorAll('[data-keys]')) {
  box.prepend(...box.dataset.keys.split(',').map((key) => el('button', { 'data-key': key, 'data-icon': keys[key][0], 'aria-label': keys[key][1] })));
}

// What is clicked: a button may do what a key of the room does. A menu is open until something else is used, or something in it.
document.addEventListener('click', (e) => {
  const on = /** @type {Element} */ (e.target), key = on.closest('button')?.dataset.key;
  if (key) inside?.key(new KeyboardEvent('keydown', { key }));
  for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(on) || on.closest('a, button')) menu.removeAttribute('open');
});

document.addEventListener('change', () => tab());

// Keys, wherever something was clicked, but for what takes keys itself.
document.addEventListener('keydown', async (e) => {
  const on = /** @type {Element} */ (e.target);
  if (e.defaultPrevented || e.ctrlKey || e.altKey || e.metaKey || document.querySelector('dialog[open]') || !document.body.dataset.room) return;
  if (e.key === 'Escape') {
    say('');
    const menu = /** @type {HTMLDetailsElement|null} */ (document.querySelector('details.menu[open]'));
    if (menu?.contains(on)) menu.querySelector('summary').focus(); // what has the focus goes with the menu
    menu?.removeAttribute('open');
  }
  if (on.closest('input:not([type=radio]), select, textarea') || e.key === ' ' && on.closest('button, a, summary')) return;
  if (e.key.length === 1 && e.key !== ' ' && !plain.checked) return;
  const link = links[Number(e.key) - 1];
  if (link) app.go(link.hash);
  else if (e.key === '?') byId('keys').showModal();
  else if (e.key === 't') dark.click();
  else if (e.key === '/' && hasGames) {
    e.preventDefault();
    const field = byId('games-text');
    if (field.offsetParent === null) await app.go(`#/games${linkTo('games').hash.match(/\?.*|$/)[0]}`);
    field.select();
  } else if (!on.closest('.list, .map, [type=radio]')) inside?.key?.(e);
});
byId('keys-open').onclick = () => byId('keys').showModal();

// The keys of one character can be switched off, for people who use speech input or press keys by accident. Then the button opens the list of keys.
const plain = byId('keys-plain');
plain.checked = kept('keys') !== 'off';
plain.onchange = () => keep('keys', plain.checked ? 'on' : 'off');

window.addEventListener('popstate', () => arrive());

(async () => {
  byId('unstarted').remove();
  icons(document);
  say('Loading …');
  if (!location.hash) history.replaceState(null, '', await begin());
  await arrive(false);
  if (byId('status').textContent === 'Loading …') say('');
  document.body.dataset.ready = 'true';
})();
