// SPDX-License-Identifier: Apache-2.0
// Room 5: the netlists of the hardware play bytes, clock by clock. All clocks that have run can be looked at again.
import { bold, cells, hex, press, runs, shownOn, strip, styled, told } from './bits.js';
import { boardOf } from './board.js';
import { ask as askServer, byId, count, counted, el, fill, fromHex } from './page.js';

const most = 1 << 20; // bytes
const history = 4096; // clocks that the server keeps
const letter = 7.3; // the width of a letter in the waveform
/** phases are what the player does in a clock: the class of its band, its text, and a sign. */
const phases = {
  i: ['field', 'bytes go in', '↓'], o: ['out', 'out', '↑'], b: ['out', 'in and out', '↑'],
  e: ['bad', 'error', '!'], s: ['bad', 'held by m_ready', '!'], '(': ['steps', 'a variation begins'],
  ')': ['steps', 'a variation ends'], w: ['mark', 'at work'], d: ['dry', 'no byte left'],
};
/** presets are what to look at first: a mode, a game, at which beat, and what comes instead of the game's bytes. */
const game = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2';
const presets = {
  game: ['words', game, 4], variation: ['words', '1. e4 (1. d4 d5) e5 1-0', 2], stall: ['words', game],
  illegal: ['words-legal', '1. e4 e5 2. Ra5 *', 2, '8c a1 2d e0 f2 34 fb ff ff ff ff'],
};

export async function hardwareRoom() {
  const ask = (path, params = {}, body = undefined) => askServer(`hardware/${path}`, params, { body });
  const [modes] = await Promise.all([ask('modes'), styled]); // without the program there is no room
  const board = boardOf(byId('hw-board'), { label: 'Board of the hardware' });
  const bytes = byId('hw-bytes'), wrong = byId('hw-wrong'), mode = byId('hw-mode'), find = byId('hw-find');
  const pgn = byId('hw-pgn'), box = byId('hw-wave'), ready = byId('hw-ready'), all = byId('hw-all');
  fill(mode, modes.map((m) => el('option', { value: m.name }, m.title)));
  let player = '', parts = [], signals = []; // of what was loaded
  let past = '', begin = 0, clock = 0; // a letter for each of the last clocks, the first of them, and the next
  let beats = [], over = false;
  let chosen = ['s_valid', 's_ready', 's_data', 'u_words.var_q', 'u_stack.depth_q', 'u_board.w_valid', 'm_valid',
    'm_ready', 'm_index']; // signals of the waveform, by the ends of their names
  let wave = { signals: [], values: [], boards: [] };
  let cursor = 0, left = 0, px = 16, row = 'm_index'; // left is the first clock in sight, px how wide each is
  let working = Promise.resolve(); // one call at a time

  /** act does one thing after the other, and tells what went wrong. */
  function act(what) {
    working = working.then(async () => {
      wrong.textContent = '';
      try { await what(); } catch (error) { wrong.textContent = error.message; }
    });
    return working;
  }

  async function encode() { bytes.value = await ask('bytes', { mode: mode.value }, pgn.value); }

  async function preset(name) {
    const [form, text, at, data] = presets[name];
    mode.value = form;
    pgn.value = text;
    ready.checked = name !== 'stall';
    if (data) bytes.value = data;
    else await encode();
    await load();
    await run(ready.checked ? 1000 : 32, 'error');
    left = 0;
    await go(beats[at]?.clock ?? clock - 1);
    press(byId('hw-presets'), name);
  }

  async function load() {
    const loaded = await ask('players', { mode: mode.value }, fromHex(bytes.value, most + 1));
    ({ player, signals, parts } = loaded);
    past = '';
    beats = [];
    left = clock = 0;
    // In another mode a register may be in another module.
    const last = (name, n) => `.${name.split('.').slice(n).join('.')}`;
    const like = (name, n) => signals.find((s) => `.${s.name}`.endsWith(last(name, n)))?.name;
    chosen = [...new Set(chosen.flatMap((name) => like(name, -2) ?? like(name, -1) ?? []))];
    found();
    take(loaded.state);
    await go(-1);
  }

  function take(state) {
    past = (past + state.phases).slice(-history);
    clock = state.clock;
    begin = clock - past.length;
    beats.push(...state.beats);
    over = state.bytes === state.of && Boolean(state.ended?.startsWith('the end'));
  }

  async function run(clocks, until) {
    if (!(until && over)) take(await ask(`players/${player}/run`, { clocks, until, ready: ready.checked }, ''));
  }

  /** fits is how many clocks are in sight. */
  const fits = () => Math.max(1, Math.ceil(all.clientWidth / px));

  /** go looks at a clock; those that have not run yet run first. */
  async function go(to) {
    if (to >= clock) await run(to + 1 - clock, '');
    cursor = Math.max(begin, Math.min(to, clock - 1), 0);
    if (cursor < left || cursor >= left + fits() - 2) left = cursor - (fits() >> 1);
    await look();
  }

  /** look asks for the values of what is in sight, and draws it. Lines stand at each fourth clock. */
  async function look() {
    left = Math.max(Math.ceil(begin / 4) * 4, Math.min(left, clock - fits() + 4) & ~3);
    wave = await ask(`players/${player}/wave`, { first: left, count: fits(), signal: chosen });
    draw(Math.min(clock - left, fits()));
    tell();
  }

  const phase = (at) => past[at - begin] ?? '-';
  const spot = (name, value) => box.style.setProperty(`--${name}`, `${value}px`);

  /** bands draws the phases of clocks that are so wide each. What has no room for its text has a sign, or none. */
  function bands(from, to, each) {
    return strip(runs(past.slice(from - begin, to - begin)).map(([n, p]) => {
      const [kind, full, sign = ''] = phases[p], wide = n * each;
      return [n, kind, wide > full.length * 6.8 + 2 ? full : wide > 11 ? sign : ''];
    }), 'bands');
  }

  function lane(kind, names, ...inside) {
    return el(`div.lane.${kind}`, el('span.name', names), inside);
  }

  /** draw draws n clocks, in a lane for each thing. */
  function draw(n) {
    const seen = cursor >= left && cursor < left + n, every = px > 8 ? 4 : 16, clocks = [];
    for (let i = 0; i < n; i += every) {
      clocks.push([Math.min(every, n - i), '', Math.abs(left + i - cursor) * px > 28 ? left + i : '']);
    }
    spot('px', px);
    spot('wide', n * px);
    spot('x', seen ? (cursor - left) * px : -9999);
    fill(box, lane('band', ['phase'], bands(left, left + n, px)),
      lane('clocks', ['clock'], strip(clocks), el('b', cursor)), ['In', 'Inside', 'Out'].map((group) => {
        const own = wave.signals.filter((s) => group === ({ s_: 'In', m_: 'Out' }[s.name.slice(0, 2)] ?? 'Inside'));
        const some = `${own.length} of ${signals.length} signals`;
        const note = { In: '8 bits a clock', Inside: some, Out: 'a beat a ply' }[group];
        const head = lane('group', [el('b', group), el('small', note)]);
        return own.length > 0 && [head, own.map((s) => signal(s, seen ? cursor - left : -1))];
      }), lane('beats', [el('code', 'beat')], strip(beatsOf(n))));
    point(row);
  }

  /** signal draws a signal, with its value in a clock. */
  function signal(s, at) {
    const { name, width } = s, values = (of) => wave.values[wave.signals.findIndex((x) => x.name === of)];
    const offered = name === 's_data' && values('s_valid'), path = name.split('.');
    const taking = name === 'm_valid' ? 'obe' : name[0] === 's' ? 'ib' : '';
    const all = values(name).map((value, i) => {
      const p = phase(left + i);
      if (offered?.[i] === '0') return '–';
      return taking.includes(p) ? `${value} taken ${offered ? i : p === 'e' ? 'bad' : ''}` : value; // bytes one by one
    });
    const now = all[at]?.split(' ')[0].slice(0, 16) ?? '';
    const e = lane(width === 1 ? 'level' : 'bus', [el('code', path.at(-1)),
      el('small', path.at(-2)?.replace('u_', '') ?? rangeOf(s).slice(name.length))],
    strip(runs(all).map(([n, text]) => {
      const [value, ...how] = text.split(' '), room = n * px;
      if (width === 1) return [n, value === '1' ? `up ${how.join(' ')}` : ''];
      if (value === '–') return [n, 'idle'];
      const small = room < value.length * letter + 6 ? 'small' : '';
      return [n, `hex ${small}`, room < Math.min(36, 6 * value.length + 2) ? '' : value];
    })), el('b', { class: at * px > box.clientWidth - 340 ? 'tag flip' : 'tag' }, now));
    e.dataset.signal = name;
    return e;
  }

  /** beatsOf places what came in n clocks, below its clock. Those that are close go apart. */
  function beatsOf(n) {
    const list = [];
    let free = 0;
    for (const [i, b] of beats.entries()) {
      const half = b.label.length * letter / 2 + 10, room = ((beats[i + 1]?.clock ?? Infinity) - b.clock) * px / 2 - 1;
      if (b.clock < left || b.clock >= left + n) continue;
      const from = Math.max(free, (b.clock - left + .5) * px - half - Math.min(half, Math.max(0, half - room)));
      const kind = `hex ${b.error ? 'bad' : ''} ${b.clock === cursor ? 'now' : ''}`;
      list.push([from - free], [2 * half, kind, b.label]);
      free = from + 2 * half;
    }
    return [...list, [Math.max(0, n * px - free), '']];
  }

  /** point explains another signal by what the source says of it. */
  function point(name) {
    row = name;
    for (const r of box.querySelectorAll('[data-signal]')) r.classList.toggle('now', r.dataset.signal === name);
    const s = wave.signals.find((x) => x.name === name) ?? wave.signals[0];
    fill('hw-signal', s && [el('code', rangeOf(s)), el('span', s.text), el('small', `${s.module}.v`)]);
  }

  /** tell shows all clocks, and what is at the cursor: the board, the word, and in a sentence what happens. */
  function tell() {
    const word = byId('hw-word'), story = byId('hw-story'), split = byId('hw-split');
    const sight = Math.min(fits(), clock - left), at = el('b', `Clock ${cursor}`);
    const b = beats.findLast((o) => o.clock <= cursor);
    fill(all, bands(begin, clock, 0), strip([[left - begin], [sight, 'sight'], [clock - left - sight]]));
    fill('hw-clocks-all', `all ${counted(clock, 'clock')}`);
    fill('hw-state', bold(`clock ${count(clock)}, ${counted(beats.length, 'beat')} out`));
    fill('hw-at', `At clock ${cursor}`);
    shownOn(board, byId('hw-turn'), wave.boards.findLast((x) => x.clock <= cursor)?.fen, b?.index >= 0 ? b.label : '');
    fill(word);
    if (b?.index >= 0) {
      word.append(el('div.head', el('h3', 'The word ', el('code', hex(b.index, 3))),
        el('small', `${b.label}${b.depth ? `, depth ${b.depth}` : ''}`)), cells(b.fields), told(b.fields),
      el('p.hint', b.fields.length < 3 ? ''
        : `${b.index >> 8} × 256 + ${b.index >> 6 & 3} × 64 + ${b.index & 63} = ${b.index}`));
    }
    line(b);
    fill(split);
    if (b?.clock !== cursor) {
      fill(story, at, `: ${clock ? phases[phase(cursor)][1] : 'nothing has run yet'}.`);
      return;
    }
    fill(story, at, ': ', el('b', b.error ? `error ${b.error}` : b.label), ' came out',
      b.taken >= 0 && [', ', el('b', counted(cursor - b.taken, 'clock')), ' after its last byte went in'],
      b.why && `: ${b.why.replaceAll('`', '')}`, '.');
    if (b.spent) {
      split.append(strip(b.spent.map((x) => [x.clocks, x.kind, x.clocks]), 'bands'),
        el('p.legend', b.spent.map((x) => el(`span.${x.kind}`, x.text))));
    }
  }

  /** line shows the first bytes, and the words or codes that they are. */
  function line(b) {
    const data = fromHex(bytes.value, 512), own = parts.find((p) => p.bit === b?.bit), to = b?.bit + (own?.bits ?? 8);
    const whole = parts.filter((p) => p.bit + p.bits <= 8 * data.length);
    fill('hw-line',
      strip([...data].map((v, i) => [8, 8 * i < to && 8 * i + 8 > b.bit ? 'now' : '', hex(v)])),
      strip(whole.map((p) => {
        const said = beats.find((o) => o.bit === p.bit), short = p.meaning.replace(/.*(\w\d) to (\w\d)$/, '$1$2');
        const text = p.move?.replace(/.* /, '') || short.replace(/^(result|text) /, '').split(/[ ,:]/)[0];
        return [p.bits, p === own ? 'now' : '', el('button', { title: p.meaning, disabled: !said,
          onclick: () => act(() => go(said.clock)) }, text, el('small', p.bits === 11 ? p.code : ''))];
      })));
  }

  /** toggle puts a signal into the waveform, or takes it out. */
  async function toggle(name) {
    const there = chosen.includes(name);
    chosen = there ? chosen.filter((other) => other !== name) : [...chosen, name];
    if (!there) row = name;
    found();
    await look();
  }

  /** found lists the ports and registers whose names have all parts of what is looked for. */
  function found() {
    const words = find.value.trim().toLowerCase();
    const some = words ? signals.filter((s) => words.split(/\s+/).every((part) => s.name.toLowerCase().includes(part)))
      : ['m_depth', 'ply', 'u_stack.n_q', 'x_valid'].flatMap((end) => signals.find((s) => s.name.endsWith(end)
        && !chosen.includes(s.name)) ?? []);
    fill('hw-count', words ? `${some.length} found` : `${signals.length} in this player`);
    fill('hw-found', some.slice(0, 40).map(({ name }) => el('li', el('button', {
      class: 'chip', 'aria-pressed': String(chosen.includes(name)), onclick: () => act(() => toggle(name)),
    }, `${chosen.includes(name) ? '✓' : '+'} ${name.split('.').slice(-2).join('.')}`))));
  }

  box.addEventListener('pointerover', (e) => {
    const name = /** @type {Element} */ (e.target).closest('[data-signal]')?.getAttribute('data-signal');
    if (name && name !== row) point(name);
  });
  /** drag calls a function with where something is pressed or dragged, in parts of the width of all clocks. */
  const drag = (e, to) => {
    for (const kind of ['pointerdown', 'pointermove']) e.addEventListener(kind, (m) => {
      const r = all.getBoundingClientRect(), part = (m.clientX - r.left) / r.width;
      if (part >= 0 && (kind === 'pointerdown' || m.buttons & 1)) act(() => to(part));
    });
  };
  drag(box, (part) => go(Math.max(0, Math.min(clock - 1, left + Math.floor(part * all.clientWidth / px)))));
  drag(all, (part) => {
    left = Math.round(begin + part * past.length - all.clientWidth / px / 2);
    return look();
  });
  find.oninput = found;
  pgn.onchange = mode.onchange = () => act(async () => { press(byId('hw-presets')); await encode(); await load(); });
  bytes.onchange = () => act(() => { press(byId('hw-presets')); return load(); });
  byId('hw-presets').onclick = (e) => {
    const { value } = /** @type {any} */ (e.target);
    if (value) act(() => preset(value));
  };
  new ResizeObserver(() => { if (player) act(look); }).observe(all);
  const other = (by) => { // signal
    const rows = [...box.querySelectorAll('[data-signal]')].map((r) => r.dataset.signal);
    point(rows[rows.indexOf(row) + by] ?? row);
  };
  const wider = (by) => { // the clocks
    px = Math.max(4, Math.min(px * by, 32));
    return go(cursor);
  };
  /** keys are what they and the buttons for them do. */
  const keys = {
    f: () => board.flip(), '/': () => find.focus(), '+': () => wider(2), '-': () => wider(.5), r: load,
    ArrowUp: () => other(-1), ArrowDown: () => other(1),
    ArrowLeft: () => go(cursor - 1), ArrowRight: () => go(clock && cursor + 1), 0: () => go(clock ? cursor + 10 : 9),
    e: async () => { await run(1_000_000, 'error'); await go(beats.at(-1)?.clock ?? clock - 1); },
    ' ': async () => {
      const b = beats.find((o) => o.clock > cursor);
      if (!b) await run(100_000, 'ply');
      await go(b?.clock ?? beats.at(-1)?.clock ?? clock - 1);
    },
  };
  return {
    async enter() { if (!player) await act(() => preset('variation')); },
    key(e) {
      if (!keys[e.key]) return;
      e.preventDefault();
      act(keys[e.key]);
    },
  };
}

/** rangeOf is the name of a signal, with its bits. */
function rangeOf(signal) { return signal.width > 1 ? `${signal.name}[${signal.width - 1}:0]` : signal.name; }
