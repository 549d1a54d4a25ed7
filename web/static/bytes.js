// SPDX-License-Identifier: Apache-2.0
// Room 2: what bytes say, each with its move on the board.
import { Board, squareOf } from './board.js';
import { ask, byId, counted, each, el, fromHex, say, startsAs } from './page.js';

const most = 1 << 20; // that are looked at

export async function bytesRoom(app) {
  const formats = await ask('formats');
  const select = byId('bytes-format'), text = byId('bytes-text'), hex = byId('bytes-hex'), wrong = byId('bytes-wrong'), note = byId('bytes-note');
  const board = new Board(byId('bytes-board'), { label: 'Board after the move of the line that is chosen' });
  const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
  board.set(start);
  select.replaceChildren(...formats.map((f) => el('option', { value: f.name }, `${f.name}: ${f.description}`)));
  select.value = 'brenner';
  text.value = '2c 2c 1b 17';
  let path = '';
  let turn = 0; // of what is explained; what comes later is in force

  select.onchange = () => { hex.checked = !['pgn', 'uci'].includes(select.value); };
  byId('bytes-explain').onclick = () => explain(read());
  const chosen = byId('bytes-file');
  chosen.onclick = () => { chosen.value = ''; }; // or the same file, chosen again, would change nothing
  chosen.onchange = () => { if (chosen.files[0]) open(chosen.files[0]); };

  /** read returns the bytes that the text is, null if it is none. */
  function read() {
    if (!hex.checked) return new TextEncoder().encode(text.value.slice(0, most + 1));
    try {
      return fromHex(text.value, most + 1);
    } catch (error) {
      wrong.textContent = error.message;
      return null;
    }
  }

  async function open(file) {
    path = file.name;
    const name = path.toLowerCase();
    const format = formats.find((f) => f.extensions.some((x) => name.endsWith(x)));
    const bytes = new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
    if (format) select.value = format.name;
    else if (/^\ufeff?\s*\[[A-Za-z]/.test(new TextDecoder().decode(bytes.slice(0, 64)))) select.value = 'pgn';
    hex.checked = true;
    text.value = [...bytes.slice(0, 4096)].map((b) => b.toString(16).padStart(2, '0')).join(' ') + (bytes.length > 4096 ? ' …' : '');
    await explain(bytes, !format);
  }

  /**
   * explain explains bytes. What begins with a mark of eight bytes is what that says, whatever was chosen; a shorter mark of a compression counts where nothing else tells
   * what the bytes are.
   */
  async function explain(bytes, unknown = false) {
    if (!bytes) return;
    const mine = ++turn;
    wrong.textContent = note.textContent = '';
    const list = byId('bytes-lines');
    const mark = startsAs(bytes);
    if (mark === 'p11') select.value = 'p11';
    try {
      if (mark?.startsWith('the index')) throw new Error('This is the index of an archive (.p11x). The page looks positions up in it, in the room Openings, and explains the archive alone.');
      if (unknown && mark && mark !== 'p11') throw new Error(`The file is compressed by ${mark}: decompress it first`);
      const e = await ask('explain', { format: select.value, name: path }, { body: bytes });
      if (mine !== turn) return;
      list.replaceChildren();
      pressed = null;
      let first = true;
      each(e.lines, (line) => {
        if (!line.fen) { list.append(el('li', {}, line.text)); return; }
        list.append(el('li', {}, el('button', { type: 'button', 'aria-pressed': 'false', tabindex: first ? 0 : -1, onclick: (event) => choose(event.currentTarget, line) }, line.text)));
        first = false;
      }, () => mine === turn).then(() => { // the error stands where it is: behind what could be read
        if (e.error && mine === turn) list.append(el('li', { class: 'wrong' }, e.error));
      });
      wrong.textContent = e.error ?? '';
      note.textContent = (e.notes ?? '') + (e.more ? 'There is more than is shown.' : '');
      board.set(start);
      byId('bytes-move').textContent = '';
      say(counted(e.lines.length, 'line'));
    } catch (error) {
      if (mine !== turn) return;
      list.replaceChildren();
      wrong.textContent = error.message;
    }
  }

  let pressed = null; // the line that is chosen
  function choose(button, line) {
    const before = pressed ?? byId('bytes-lines').querySelector('button');
    before.setAttribute('aria-pressed', 'false');
    before.tabIndex = -1;
    button.setAttribute('aria-pressed', 'true');
    button.tabIndex = 0;
    pressed = button;
    board.set(line.fen, { from: squareOf(line.uci), to: squareOf(line.uci.slice(2)) });
    byId('bytes-move').textContent = line.text.trim();
  }

  byId('bytes-lines').addEventListener('keydown', (e) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    let line = /** @type {Element|null|undefined} */ (document.activeElement?.closest('li'));
    do line = step > 0 ? line?.nextElementSibling : line?.previousElementSibling; while (line && !line.querySelector('button'));
    const next = line?.querySelector('button');
    if (next) { next.focus(); next.click(); }
  });

  await explain(read());
  return {
    open,
    key(e) { if (e.key === 'f') board.flip(); },
  };
}
