// SPDX-License-Identifier: Apache-2.0
// Room 5: the netlists of the hardware play bytes, clock by clock.
import { Board } from './board.js';
import { ask as askServer, byId, count, el, fromHex, icon, say, svg } from './page.js';

const most = 1 << 20; // bytes
const width = 30, height = 24, letter = 7.3; // of a clock, of a signal, of a letter in the waveform
const listed = 40; // of the ports and registers that are found
/** phases are what the player does in a clock: a name that has room in one, and what it means. */
const phases = {
  takes: ['in', 'a byte goes in'], gives: ['out', 'a beat comes out'], both: ['both', 'a byte goes in, and a beat comes out'], error: ['err', 'an error comes out'],
  works: ['work', 'the player works, and takes no byte'], stalls: ['held', 'the output waits for m_ready'], starved: ['dry', 'no byte is offered'],
};
/** presets are what to look at first: a mode, a game, and how far it goes. */
const presets = {
  game: { mode: 'words', pgn: '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2', until: 'ply', times: 6, clocks: 1000 },
  variation: { mode: 'words', pgn: '1. e4 (1. d4 d5) e5 1-0', until: 'ply', times: 3, clocks: 1000 },
  illegal: { mode: 'words-legal', pgn: '1. e4 e5 2. Nf3 Nc6 *', word: [2, 896], until: 'error', clocks: 1000 }, // in place of the third move a1a5
  stall: { mode: 'words', pgn: '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2', clocks: 8, stalled: 16 },
};

export async function hardwareRoom(app) {
  const ask = (path, params = {}, body = undefined) => askServer(`hardware/${path}`, params, { body });
  const modes = await ask('modes'); // without the program there is no room
  let player = ''; // the one that was loaded
  const board = new Board(byId('hw-board'), { label: 'Board of the hardware' });
  const bytes = byId('hw-bytes'), wrong = byId('hw-wrong'), mode = byId('hw-mode'), find = byId('hw-find');
  mode.replaceChildren(...modes.map((m) => el('option', { value: m.name }, m.title)));
  let chosen = ['s_valid', 's_ready', 's_data', 'm_valid', 'm_ready', 'm_index', 'in_game', 'text_valid']; // signals of the waveform
  let signals = []; // all that the player has
  let working = Promise.resolve(); // one call at a time

  /** act does one thing after the other, and tells what went wrong. */
  function act(what) {
    working = working.then(async () => {
      wrong.textContent = '';
      try { await what(); } catch (error) { wrong.textContent = error.message; }
    });
    return working;
  }

  async function encode() {
    const made = await ask('bytes', { mode: mode.value }, byId('hw-pgn').value);
    bytes.value = hex(made);
  }

  /** set puts another word at a place of a stream of words, whose lowest bit comes first. */
  function set(place, word) {
    const data = fromHex(bytes.value, most);
    for (let i = 0; i < 11; i++) {
      const at = 11 * place + i, bit = 1 << (at & 7);
      data[at >> 3] = word >> i & 1 ? data[at >> 3] | bit : data[at >> 3] & ~bit;
    }
    bytes.value = hex(data);
  }

  async function preset({ mode: name, pgn, word, clocks, until = '', times = 1, stalled = 0 }) {
    const ready = byId('hw-ready');
    mode.value = name;
    byId('hw-pgn').value = pgn;
    ready.checked = true;
    await encode();
    if (word) set(...word);
    await load();
    for (let i = 0; i < times; i++) await run(clocks, until);
    if (!stalled) return;
    ready.checked = false;
    await run(stalled, '');
  }

  async function load() {
    const data = fromHex(bytes.value, most + 1);
    const loaded = await ask('players', { mode: mode.value }, data);
    player = loaded.player;
    signals = loaded.signals;
    byId('hw-beats').replaceChildren();
    found();
    await show(loaded.state);
  }

  async function run(clocks, until) {
    await show(await ask(`players/${player}/run`, { clocks, until, ready: byId('hw-ready').checked }, ''));
  }

  async function show(state) {
    board.set(state.fen, state.from < 0 || state.ply === 0 ? {} : { from: state.from, to: state.to }); // after the end the board is that of the next game
    byId('hw-state').textContent = `clock ${state.clock}, ${state.bytes} of ${state.of} bytes taken, ply ${state.ply}: ${state.fen}`;
    if (state.ended) say(`Stopped: ${state.ended}`);
    const beats = byId('hw-beats');
    for (const beat of state.beats) {
      beats.append(el('li', beat.error ? { class: 'wrong' } : {}, `clock ${String(beat.clock).padStart(6)}  ${beat.text} ${beat.move ?? ''} ${beat.why ?? ''}`));
    }
    while (beats.children.length > 500) beats.firstChild.remove();
    beats.scrollTop = beats.scrollHeight;
    await wave();
  }

  /** wave draws the chosen signals in the last clocks. */
  async function wave() {
    const told = await ask(`players/${player}/wave`, { signal: chosen });
    const n = told.labels.length, last = (told.signals.length + 2) * height;
    const s = svg('svg', { width: Math.max(n, 1) * width + 30, height: last + height, role: 'img', 'aria-label': `${told.signals.length} signals in ${n} clocks` });
    told.signals.forEach((signal, k) => {
      const values = told.values[k], low = (k + 2) * height + 18, high = low - 14;
      const taken = { s_valid: told.in, m_valid: told.out }[signal.name];
      let path = '';
      for (let i = 0; i < n;) {
        let end = i + 1; // of the clocks with this value
        while (end < n && values[end] === values[i]) end++;
        const x = i * width, to = end * width;
        if (signal.width === 1) {
          const y = values[i] === '1' ? high : low;
          path += `${i ? 'L' : 'M'}${x} ${y}L${to} ${y}`;
        } else {
          path += `M${x} ${low - 7}l4 -7H${to - 4}l4 7l-4 7H${x + 4}z`;
          // The value stands in sight wherever the waveform is scrolled to: again and again where it is short.
          const step = values[i].length * letter < 4 * width - 8 ? 4 : n;
          for (let at = i; at < end; at += step) {
            const room = Math.floor(((Math.min(at + step, end) - at) * width - 8) / letter);
            const text = svg('text', { x: at * width + 5, y: low - 3 }, values[i]);
            if (values[i].length > room) text.replaceChildren(`${values[i].slice(0, Math.max(room - 1, 0))}…`, svg('title', {}, values[i]));
            if (at === i || values[i].length <= room) s.append(text);
          }
        }
        i = end;
      }
      taken?.forEach((yes, i) => {
        if (yes) s.append(svg('rect', { class: told.wrong[i] && signal.name === 'm_valid' ? 'fault' : 'taken', x: i * width, y: high, width, height: 14 }));
      });
      if (n > 0) s.append(svg('path', { d: path }));
    });
    for (let i = 0; i < n;) { // phases: one name for those that are the same
      let end = i + 1;
      while (end < n && told.phases[end] === told.phases[i]) end++;
      s.append(svg('rect', { class: `phase ${told.phases[i]}`, x: i * width, y: height + 4, width: (end - i) * width - 1, height: 16 }));
      s.append(svg('text', { x: i * width + 2, y: height + 16 }, phases[told.phases[i]][0]));
      i = end;
    }
    for (let i = 0; i < n; i++) {
      if ((told.first + i) % 4 === 0) s.append(svg('text', { x: i * width + 2, y: 14 }, told.first + i));
      if (told.labels[i]) s.append(svg('text', { x: i * width + 2, y: last + 16 }, told.labels[i]));
    }
    const line = svg('line', { class: 'now', y1: 0, y2: last + height });
    s.append(line);
    byId('hw-names').replaceChildren(el('li', {}, 'clock'), el('li', {}, 'phase'), ...told.signals.map((signal) => el('li', {},
      el('span', { title: nameOf(signal) }, tail(signal)), el('b', {}),
      el('button', { type: 'button', 'aria-label': `Take ${signal.name} out`, onclick: () => act(() => toggle(signal.name)) }, icon('close')))), el('li', {}, 'beat'));
    const box = byId('hw-wave');
    box.replaceChildren(s);
    box.scrollLeft = box.scrollWidth;
    /** point puts the cursor on a clock, and tells what the signals have then. */
    point = (i) => {
      cursor = Math.max(0, Math.min(n - 1, i));
      byId('hw-cursor').textContent = n === 0 ? '' : `Clock ${told.first + cursor}: ${phases[told.phases[cursor]][1]}${told.labels[cursor] ? `: ${told.labels[cursor]}` : ''}`;
      for (const x of ['x1', 'x2']) line.setAttribute(x, String(cursor * width + width / 2));
      byId('hw-names').querySelectorAll('b').forEach((b, k) => { b.textContent = told.values[k][cursor] ?? ''; });
    };
    point(n - 1);
  }

  let point = (_) => {}, cursor = 0;
  byId('hw-wave').addEventListener('pointermove', (e) => point(Math.floor((e.clientX - byId('hw-wave').getBoundingClientRect().left + byId('hw-wave').scrollLeft) / width)));
  byId('hw-wave').addEventListener('keydown', (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step) return;
    e.preventDefault();
    point(cursor + step);
    const box = byId('hw-wave'), x = cursor * width;
    box.scrollLeft = Math.max(Math.min(box.scrollLeft, x), x + width - box.clientWidth);
  });
  byId('hw-presets').onclick = (e) => {
    const name = /** @type {HTMLElement} */ (e.target).closest('button')?.dataset.preset;
    if (name) act(() => preset(presets[name]));
  };

  /** toggle puts a signal into the waveform, or takes it out. */
  async function toggle(name) {
    chosen = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
    await wave();
    found();
  }

  /** found lists the ports and registers whose names have all parts of what is looked for. */
  function found() {
    const parts = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = signals.filter((signal) => parts.every((part) => signal.name.toLowerCase().includes(part)));
    const some = parts.length === 0 ? [] : all.slice(0, listed);
    byId('hw-count').textContent = parts.length === 0 ? `${count(signals.length)} in this player` : `${count(all.length)} found${all.length > listed ? `, the first ${listed}` : ''}`;
    byId('hw-found').replaceChildren(...some.map((signal) => el('li', {}, el('button', {
      type: 'button', 'aria-pressed': String(chosen.includes(signal.name)), title: signal.kind, onclick: (event) => {
        event.currentTarget.setAttribute('aria-pressed', String(!chosen.includes(signal.name)));
        act(() => toggle(signal.name));
      },
    }, nameOf(signal)))));
  }

  find.oninput = found;
  byId('hw-encode').onclick = () => act(async () => { await encode(); await load(); });
  byId('hw-load').onclick = () => act(load);
  byId('hw-clock').onclick = () => act(() => run(1, ''));
  byId('hw-clocks').onclick = () => act(() => run(10, ''));
  byId('hw-ply').onclick = () => act(() => run(100_000, 'ply'));
  byId('hw-error').onclick = () => act(() => run(1_000_000, 'error'));
  mode.onchange = () => act(async () => { await encode(); await load(); });
  await act(async () => { await encode(); await load(); });
  return {
    key(e) {
      const button = { ArrowRight: 'hw-clock', ' ': 'hw-ply' }[e.key];
      if (e.key === 'f') board.flip();
      if (!button) return;
      e.preventDefault();
      byId(button).click();
    },
  };
}

/** hex writes bytes. */
function hex(bytes) { return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join(' '); }

/** nameOf is the name of a signal, with its bits. */
function nameOf(signal) { return signal.width > 1 ? `${signal.name}[${signal.width - 1}:0]` : signal.name; }

/** tail is the end of a name: what tells signals of a module apart. */
function tail(signal) { return signal.name.length > 18 ? `…${signal.name.slice(-17)}` : signal.name; }
