// SPDX-License-Identifier: Apache-2.0
// Room 2: what bytes say, each with its fields, and the move on the board.
import { bold, cells, hex, press, runs, shownOn, strip, styled, told } from './bits.js';
import { boardOf } from './board.js';
import { ask, byId, counted, each, el, fill, fromHex } from './page.js';

const most = 1 << 20; // bytes that are looked at
const shown = 512; // bytes of the grid

export async function bytesRoom() {
  const [formats] = await Promise.all([ask('formats'), styled]);
  const select = byId('bytes-format'), text = byId('bytes-text'), wrong = byId('bytes-wrong');
  const list = byId('bytes-lines'), grid = byId('bytes-grid'), box = byId('bytes-box'), file = byId('bytes-file');
  const samples = byId('bytes-samples');
  const board = boardOf(byId('bytes-board'), { label: 'Board after the chosen line' });
  fill(select, formats.map((f) => el('option', f.name)));
  let bytes = new Uint8Array(), path = '', lines = [], rows = [], played = [], chosen = -1;
  let at = 0, low = false, page = 0; // the byte of the keys, whether its second digit is next, the first shown
  let steps = {}; // the lines to which keys go
  let turn = 0, soon = 0; // the last explanation is in force; the timer of what is typed
  const format = () => formats.find((f) => f.name === select.value);
  const isText = () => ['pgn', 'uci'].includes(select.value);
  const looksAsPGN = (s) => { if (/^\ufeff?\s*(\[[A-Za-z]|1\.)/.test(s)) select.value = 'pgn'; };
  const later = (what) => { clearTimeout(soon); soon = setTimeout(what, 150); };

  /** show explains other bytes, of a file or a sample. */
  function show(data, name = '', sample = null) {
    bytes = data;
    path = name;
    at = page = 0;
    fill('bytes-note', sample?.title || name || format().description);
    press(samples, sample?.value);
    return explain();
  }

  samples.onclick = (e) => {
    const b = /** @type {any} */ (e.target);
    if (!b.value) return;
    select.value = b.value;
    show(fromHex(format().sample, most), '', b);
  };
  select.onchange = () => explain();
  file.onclick = () => { file.value = ''; }; // or the same file, chosen again, would change nothing
  file.onchange = () => { if (file.files[0]) open(file.files[0]); };
  box.ontoggle = () => {
    if (!box.open) return;
    text.value = isText() ? new TextDecoder().decode(bytes) : [...bytes.slice(0, 4096)].map((b) => hex(b)).join(' ');
    text.select();
  };
  text.oninput = () => later(typed);
  /** typed explains what stands in the box: text if it looks so or the format is one of texts, else digits. */
  function typed() {
    looksAsPGN(text.value);
    try {
      show(isText() ? new TextEncoder().encode(text.value.slice(0, most + 1)) : fromHex(text.value, most + 1));
    } catch (error) {
      turn++;
      wrong.textContent = error.message;
    }
  }

  async function open(from) {
    const name = from.name.toLowerCase(), own = formats.find((f) => f.extensions.some((x) => name.endsWith(x)));
    const data = new Uint8Array(await from.slice(0, most + 1).arrayBuffer());
    if (own) select.value = own.name;
    else looksAsPGN(new TextDecoder().decode(data.slice(0, 64)));
    await show(data, from.name);
  }

  /** explain explains the bytes, and then looks at one of them. An archive is one, whatever was chosen. */
  async function explain(byte = -1) {
    const mine = ++turn;
    if (new TextDecoder().decode(bytes.slice(1, 4)) === 'P11') select.value = 'p11';
    let e = { lines: [] }, games = 0;
    try {
      e = await ask('explain', { format: select.value, name: path }, { body: bytes });
    } catch (error) { e.error = error.message; }
    if (mine !== turn) return;
    wrong.textContent = e.error ?? '';
    lines = e.lines;
    played = lines.filter((l) => l.fen);
    rows = [];
    chosen = -1;
    lines.forEach((line, i) => {
      line.i = i;
      line.game = games += Number(line.text.startsWith('game '));
      for (const f of line.fields ?? []) f.name ||= ['field', 'axis', 'steps', 'count'][i % 4]; // one after the other
    });
    drawForms();
    fill(list);
    each(lines, (line, i) => {
      if (line.fields || line.fen) list.append(el('li', rows[i] = row(line, i)));
      else if (line.text && !/^ *(offset|word|byte|bits)\b/.test(line.text) && (games > 1 || line.text !== 'game 1')) {
        list.append(el('li', { class: line.text.startsWith('error') && 'wrong' }, line.text));
      }
    }, () => mine === turn);
    const size = counted(bytes.length, 'byte'), more = e.more ? ', and more than is shown' : '';
    const state = e.error ? 'an error' : 'no errors';
    fill('bytes-about', bold(`${size} · ${counted(games, 'game')} · ${state}`));
    fill('bytes-sum', `${counted(played.length, 'move')} in ${size}${more}. ${e.notes ?? ''}`);
    byId('bytes-position').hidden = !played.length;
    const sample = samples.querySelector('[aria-pressed=true]'); // its fifth move shows most
    const first = byte >= 0 ? lineAt(byte) : select.value === 'p11' ? -1 : played[sample ? 4 : 0]?.i ?? -1;
    choose(first >= 0 ? first : lines.findIndex((l) => l.bits), byte >= 0);
  }

  /** drawForms draws how the bytes or words of the format are cut. */
  function drawForms() {
    const { forms } = format(), names = new Set(forms.flatMap((f) => f.fields.map((p) => p.name)));
    fill('bytes-key', [...names].map((name) => el(`span.${name}`, name)));
    byId('bytes-cut').hidden = !forms.length;
    fill('bytes-unit', names.has('steps') ? 'word' : 'byte');
    byId('bytes-compass').hidden = !names.has('direction');
    fill('bytes-forms', forms.map((f) => el('li', f.name, cells(f.fields))));
  }

  /** row is the button of a line. */
  function row(line, i) {
    const [, what, squares] = line.meaning.match(/^(.*), (\w\d to \w\d)$/) ?? ['', line.meaning, ''];
    const number = !line.bits ? '' : line.bits === 11 && line.bit % 11 === 0 ? line.bit / 11 : line.bit >> 3;
    return el('button.read', { tabindex: -1, onclick: () => choose(i) },
      line.fields ? [el('small', number), el('code', line.code), cells(line.fields),
        el('span.mean', what, el('small', squares)), el('b', line.move)] : el('span.mean', line.text));
  }

  const covers = (l, byte) => l?.bits && l.bit < 8 * byte + 8 && l.bit + l.bits > 8 * byte;
  const lineAt = (byte) => lines.findLastIndex((l) => covers(l, byte)), sanOf = (line) => line.move.replace(/.* /, '');

  /** choose shows a line: its bytes, its form, its fields and the position after it. */
  function choose(i, quiet = false) {
    const line = lines[i], last = rows[chosen], now = rows[i];
    last?.removeAttribute('aria-current');
    if (last) last.tabIndex = -1;
    chosen = i;
    now?.setAttribute('aria-current', 'true');
    if (now) now.tabIndex = 0;
    if (list.scrollHeight > list.clientHeight) now?.scrollIntoView({ block: 'nearest' }); // not the page
    if (line?.bits && !quiet) at = line.bit >> 3;
    [...byId('bytes-forms').children].forEach((f, k) => {
      f.classList.toggle('now', k + 1 === line?.form);
      f.toggleAttribute('hidden', f.textContent.startsWith('next') && k + 1 !== line?.form); // what is rare
    });
    const way = line?.form && line.fields.find((f) => f.name === 'direction')?.text.split(',')[0];
    for (const c of byId('bytes-compass').querySelectorAll('li')) c.classList.toggle('now', c.firstChild?.data === way);
    drawGrid();
    position(line);
    one(line);
  }

  /** position shows the position after a line, and the moves around it. */
  function position(line) {
    const game = line?.game, moves = played.filter((l) => l.game === game);
    const k = moves.findLastIndex((l) => l.i <= chosen), now = moves[k];
    shownOn(board, byId('bytes-turn'), now?.fen, now?.uci);
    fill('bytes-game', game ? `Game ${game}` : 'Before the games');
    fill('bytes-move', now ? `After ${now.move}` : 'The start');
    const from = Math.max(0, Math.min(k - 8, moves.length - 18));
    fill('bytes-moves', moves.slice(from, from + 18).map((l, n) => el('button', { tabindex: -1,
      'aria-current': l === now && 'true', onclick: () => choose(l.i) },
    n > 0 && l.move.includes('...') ? sanOf(l) : l.move)));
    steps = { Home: moves[0], ArrowLeft: moves[k - 1], ArrowRight: moves[k + 1], End: moves.at(-1),
      ArrowUp: lines.findLast((l) => l.i < chosen && rows[l.i]),
      ArrowDown: lines.find((l) => l.i > chosen && rows[l.i]) };
  }

  /** one takes the chosen bits apart, in large. */
  function one(line) {
    byId('bytes-one').hidden = !line;
    if (!line) return;
    const { bit, bits, fields } = line, first = bit >> 3, last = bit + bits - 1 >> 3;
    const title = !bits ? fields ? 'Word ' : 'Line' : bits === 11 ? `Bits ${bit} to ${bit + 10}, `
      : first === last ? `Byte ${first}, ` : `Bytes ${first} to ${last}`;
    fill('bytes-one', el('div.head', el('h3', title, el('code', line.code)),
      el('small', line.word && line.code?.length === 2 ? `${sanOf(line)} as a word: ${line.word}` : '')),
    fields && cells(fields), line.form ? told(fields) : el('p', bits ? line.meaning : line.text));
  }

  /** drawGrid draws the bytes, under each a stripe for each field, and marks those of the chosen line. */
  function drawGrid() {
    if (at < page || at >= page + shown) page = at - at % shown;
    const end = Math.min(bytes.length, page + shown), names = [], focused = grid.contains(document.activeElement);
    for (const { bit, bits, fields } of lines) {
      if (!bits || bit >= 8 * end || bit + bits <= 8 * page) continue;
      const own = fields.flatMap((f) => [...f.bits].fill(f.name));
      for (let k = Math.max(0, 8 * page - bit); k < bits && bit + k < 8 * end; k++) {
        names[bit + k] = own[bits === 11 ? 10 - k : k ^ 7] ?? own[0]; // words have their lowest bit first
      }
    }
    fill(grid, [...bytes.slice(page, end)].map((b, i) => {
      const n = page + i, stripe = runs([7, 6, 5, 4, 3, 2, 1, 0].map((k) => names[8 * n + k] ?? ''));
      return [i % 8 === 0 && el('small', { 'aria-hidden': 'true' }, hex(n, 4)),
        el('button', { tabindex: n === at ? 0 : -1, 'aria-label': `byte ${n}: ${hex(b)}`, onclick: () => goTo(n),
          'aria-pressed': String(Boolean(covers(lines[chosen], n))) }, hex(b), names.length > 0 && strip(stripe))];
    }));
    if (focused) focusByte();
  }
  function focusByte() { grid.querySelectorAll('button')[at - page]?.focus(); }

  /** goTo goes to a byte, and to the line that says what it is. */
  function goTo(n) {
    at = n;
    low = false;
    const i = lineAt(n);
    if (i >= 0) choose(i, true);
    else drawGrid();
    focusByte();
  }
  grid.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[e.key];
    const digit = e.key.length === 1 ? parseInt(e.key, 16) : NaN, here = at;
    if (!step && !(digit >= 0)) return;
    e.preventDefault();
    e.stopPropagation();
    if (step) {
      if (at + step >= 0 && at + step < bytes.length) goTo(at + step);
      return;
    }
    bytes[at] = low ? bytes[at] & 0xf0 | digit : digit << 4 | bytes[at] & 15;
    if (low && at < bytes.length - 1) at++;
    low = !low;
    press(samples);
    drawGrid();
    later(() => explain(here));
  });

  samples.querySelector('button').click();
  return {
    open,
    key(e) {
      if (e.key === 'f') board.flip();
      if (!steps[e.key]) return;
      const inside = list.contains(document.activeElement);
      e.preventDefault();
      choose(steps[e.key].i);
      if (inside) rows[chosen].focus();
    },
  };
}
