// SPDX-License-Identifier: Apache-2.0
// Which move is meant by two squares, and what a pawn becomes.
import { piece } from './board.js';
import { byId, el, say } from './page.js';

const names = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

/** choosePromotion asks what a pawn becomes, by its letter in FEN, and gives the letter, or nothing. @returns {Promise<string|undefined>} */
function choosePromotion(pawn) {
  return new Promise((resolve) => {
    const box = byId('promotion');
    const before = /** @type {HTMLElement|null} */ (document.activeElement);
    const end = (letter) => {
      box.hidden = true;
      box.onkeydown = box.onclick = null;
      before?.focus?.();
      resolve(letter);
    };
    const list = Object.entries(names).map(([letter, name]) => el('button', { type: 'button', 'aria-label': name, onclick: () => end(letter) },
      piece(pawn === 'P' ? letter.toUpperCase() : letter)));
    box.replaceChildren(...list);
    box.onclick = (e) => { if (e.target === box) end(undefined); };
    box.onkeydown = (e) => {
      if (e.key === 'Escape') end(undefined);
      if (e.key === 'Tab') { // it stays in the box
        e.preventDefault();
        list[(list.findIndex((b) => b === document.activeElement) + (e.shiftKey ? 3 : 1)) % 4].focus();
      }
    };
    box.hidden = false;
    list[0].focus();
  });
}

/**
 * moveOf returns the legal move of a text in UCI, in which what a pawn becomes may be left out: that is asked. It is undefined if there is none, which the page says, or if it was given up.
 * @template {{uci: string}} Move
 * @param {Move[]} legal
 * @param {string} uci
 * @returns {Promise<Move|undefined>}
 */
export async function moveOf(legal, uci) {
  const moves = legal.filter((m) => m.uci.startsWith(uci));
  if (moves.length === 0) say(`${uci} is not legal here`, true);
  if (moves.length < 2) return moves[0];
  const becomes = await choosePromotion(uci[1] === '7' ? 'P' : 'p');
  return moves.find((m) => m.uci.endsWith(becomes ?? ' '));
}
