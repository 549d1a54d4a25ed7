// SPDX-License-Identifier: Apache-2.0
// Room 5: the model of the hardware plays bytes, clock by clock.
import { Board } from './board.js';
import { byId, el, fromHex, say, svg } from './dom.js';

const signals = ['s_valid', 's_ready', 'm_valid', 'm_ready', 'in_game', 'text_valid'];
const shown = 32; // clocks in the waveform
const most = 1 << 20; // bytes
const width = 34, height = 24, left = 90; // of a clock, of a signal, of the names

export async function hardwareRoom(app) {
  const engine = app.engine('hardware');
  await engine.call('ready'); // without the program there is no room
  const board = new Board(byId('hw-board'), { label: 'Board of the hardware' });
  const bytes = byId('hw-bytes'), wrong = byId('hw-wrong'), mode = byId('hw-mode');
  let clocks = [];
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
    const made = await engine.call('encode', { mode: mode.value, pgn: byId('hw-pgn').value });
    bytes.value = [...made].map((b) => b.toString(16).padStart(2, '0')).join(' ');
  }

  async function load() {
    const data = fromHex(bytes.value, most + 1);
    clocks = [];
    byId('hw-beats').replaceChildren();
    show(await engine.call('load', { mode: mode.value }, data));
  }

  async function run(clocks, until) {
    show(await engine.call('run', { clocks, until, ready: byId('hw-ready').checked }));
  }

  function show(state) {
    clocks = [...clocks, ...state.rows].slice(-shown);
    board.set(state.fen, state.from < 0 ? {} : { from: state.from, to: state.to });
    byId('hw-state').textContent = `clock ${state.clock}, ${state.bytes} of ${state.of} bytes taken, ply ${state.ply}: ${state.fen}`;
    if (state.ended) say(`Stopped: ${state.ended}`);
    for (const row of state.rows) {
      if (row.beat && row.m_ready) byId('hw-beats').append(el('li', row.error ? { class: 'wrong' } : {}, `clock ${String(row.clock).padStart(6)}  ${row.beat} ${row.move ?? ''} ${row.why ?? ''}`));
    }
    const beats = byId('hw-beats');
    while (beats.children.length > 500) beats.firstChild.remove();
    beats.scrollTop = beats.scrollHeight;
    wave();
  }

  function wave() {
    const n = clocks.length;
    const tall = (signals.length + 3) * height;
    const names = svg('svg', { class: 'names-of', width: left, height: tall, 'aria-hidden': 'true' }); // they stay in sight
    const s = svg('svg', { width: Math.max(n, 1) * width + 10, height: tall, role: 'img', 'aria-label': `Signals ${signals.join(', ')} of ${n} clocks` });
    signals.forEach((name, k) => {
      const low = (k + 1) * height + 18, high = low - 14;
      names.append(svg('text', { x: 4, y: low }, name));
      if (n === 0) return;
      let path = '';
      clocks.forEach((row, i) => {
        const x = i * width, y = row[name] ? high : low;
        path += `${i ? 'L' : 'M'}${x} ${y}L${x + width} ${y}`;
        if (name === 's_valid' && row.s_valid && row.s_ready || name === 'm_valid' && row.m_valid && row.m_ready) {
          s.append(svg('rect', { class: row.error && name === 'm_valid' ? 'fault' : 'taken', x, y: high, width, height: 14 }));
        }
      });
      s.append(svg('path', { d: path }));
    });
    names.append(svg('text', { x: 4, y: 14 }, 'clock'), svg('text', { x: 4, y: (signals.length + 1) * height + 18 }, 's_data'), svg('text', { x: 4, y: (signals.length + 2) * height + 14 }, 'move'));
    clocks.forEach((row, i) => {
      const x = i * width + 2;
      if (row.clock % 4 === 0) s.append(svg('text', { x, y: 14 }, row.clock));
      if (row.s_data) s.append(svg('text', { x, y: (signals.length + 1) * height + 18 }, row.s_data));
      if (row.move || row.error) s.append(svg('text', { x, y: (signals.length + 2) * height + 14 }, row.error ? `E${row.error}` : row.move));
    });
    const box = byId('hw-wave');
    box.replaceChildren(names, s);
    box.scrollLeft = box.scrollWidth;
  }

  byId('hw-encode').onclick = () => act(async () => { await encode(); await load(); });
  byId('hw-load').onclick = () => act(load);
  byId('hw-clock').onclick = () => act(() => run(1, ''));
  byId('hw-clocks').onclick = () => act(() => run(10, ''));
  byId('hw-ply').onclick = () => act(() => run(100_000, 'ply'));
  byId('hw-error').onclick = () => act(() => run(1_000_000, 'error'));
  mode.onchange = () => act(async () => { await encode(); await load(); });
  await act(async () => { await encode(); await load(); });
  return {};
}
