// SPDX-License-Identifier: Apache-2.0
// Which move is meant by two squares, and what a pawn becomes.
import { piece } from './board.js';
import { byId, el, fill, say } from './page.js';

const names = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight' };

/** choosePromotion asks what a pawn becomes, by its letter in FEN, and gives the letter, or nothing. @returns {Promise<string>} */
function choosePromotion(pawn) {
  return new Promise((resolve) => {
    const box = byId('promotion');
    fill(box, Object.entries(names).map(([letter, name]) => el('button', { value: letter, 'aria-label': name },
      piece(pawn === 'P' ? letter.toUpperCase() : letter))));
    box.returnValue = '';
    box.onclick = (e) => box.close(/** @type {Element} */ (e.target).closest('button')?.value);
    box.onclose = () => resolve(box.returnValue);
    box.showModal();
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
  return moves.find((m) => m.uci.endsWith(becomes || ' '));
}
