// SPDX-License-Identifier: Apache-2.0
// Room 2: what bytes say, each with its move on the board.
import { Board, squareOf } from './board.js';
import { byId, el, say } from './dom.js';

const most = 1 << 20; // that are looked at

export async function bytesRoom(app) {
  const engine = app.engine('bytes');
  const formats = await engine.call('formats');
  const select = byId('bytes-format'), text = byId('bytes-text'), hex = byId('bytes-hex'), wrong = byId('bytes-wrong'), note = byId('bytes-note');
  const board = new Board(byId('bytes-board'), { label: 'Board after the move of the line that is chosen' });
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  board.set(start);
  select.replaceChildren(...formats.map((f) => el('option', { value: f.name }, `${f.name}: ${f.description}`)));
  select.value = 'brenner';
  text.value = '2c 2c 1b 17';
  let path = '';

  select.onchange = () => { hex.checked = !['pgn', 'uci'].includes(select.value); };
  byId('bytes-explain').onclick = () => explain(read());
  const chosen = byId('bytes-file');
  chosen.onchange = () => { if (chosen.files[0]) open(chosen.files[0]); };

  /** read returns the bytes that the text is, null if it is none. */
  function read() {
    if (!hex.checked) return new TextEncoder().encode(text.value);
    const digits = text.value.replace(/0x|[\s,:]/gi, '');
    if (/[^0-9a-f]/i.test(digits)) {
      wrong.textContent = `"${digits.match(/[^0-9a-f]/i)[0]}" is no hexadecimal digit`;
      return null;
    }
    if (digits.length % 2) {
      wrong.textContent = 'The number of hexadecimal digits is odd';
      return null;
    }
    return Uint8Array.from(digits.match(/../g) ?? [], (d) => parseInt(d, 16));
  }

  async function open(file) {
    path = file.name;
    const name = path.toLowerCase();
    const format = formats.find((f) => f.extensions.some((x) => name.endsWith(x)));
    if (format) select.value = format.name;
    const bytes = new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
    hex.checked = true;
    text.value = [...bytes.slice(0, 4096)].map((b) => b.toString(16).padStart(2, '0')).join(' ') + (bytes.length > 4096 ? ' …' : '');
    await explain(bytes);
  }

  async function explain(bytes) {
    if (!bytes) return;
    wrong.textContent = note.textContent = '';
    const list = byId('bytes-lines');
    try {
      const format = select.value;
      const e = format === 'p11' ? await app.engine('explorer').call('layout', {}, bytes) : await engine.call('explain', { format, path }, bytes);
      list.replaceChildren(...e.lines.map((line, i) => (line.fen
        ? el('li', {}, el('button', { type: 'button', 'aria-pressed': 'false', tabindex: -1, onclick: (event) => choose(event.currentTarget, line) }, line.text))
        : el('li', {}, line.text))));
      const first = list.querySelector('button');
      if (first) first.tabIndex = 0;
      wrong.textContent = e.error ?? '';
      note.textContent = (e.notes ?? '') + (e.more ? 'There is more than is shown.' : '');
      board.set(start);
      byId('bytes-move').textContent = '';
      say(`${e.lines.length} lines`);
    } catch (error) {
      list.replaceChildren();
      wrong.textContent = error.message;
    }
  }

  function choose(button, line) {
    for (const b of byId('bytes-lines').querySelectorAll('button')) {
      b.setAttribute('aria-pressed', String(b === button));
      b.tabIndex = b === button ? 0 : -1;
    }
    board.set(line.fen, { from: squareOf(line.uci), to: squareOf(line.uci.slice(2)) });
    byId('bytes-move').textContent = line.text.trim();
  }

  byId('bytes-lines').addEventListener('keydown', (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const buttons = [...byId('bytes-lines').querySelectorAll('button')];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (next) { next.focus(); next.click(); }
  });

  await explain(read());
  return { open };
}
