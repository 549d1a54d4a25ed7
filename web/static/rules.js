// SPDX-License-Identifier: Apache-2.0
// The rules of chess for the boards that take moves: those of the JavaScript package, whose core comes with this file. @ts-check
// @ts-ignore what clients/js has is served beside the page
import { Board, codeClass, toUCI } from './ply11/board.js';
import { ask } from './page.js';

/**
 * position reads a FEN, and tells which moves are legal there. What is not quite one, the server reads, or tells what is wrong.
 * @param {string} fen
 * @returns {Promise<{fen: string, turn: string, state: string, legal: {uci: string, san: string, index: number, after: string}[]}>}
 */
export async function position(fen) {
  let board;
  try { board = new Board(fen); } catch { board = new Board((await ask('position', { fen })).fen); }
  const legal = [...board.legal()].map((index) => {
    const after = board.copy();
    after.push(index);
    return { uci: toUCI(index), san: board.san(index), index, after: after.fen };
  });
  return { fen: board.fen, turn: board.black ? 'black' : 'white', state: { check: 'check', stalemate: 'stalemate', mate: 'checkmate' }[board.outcome] ?? '', legal };
}

/** codes tells of all 2,048 words: the class of each, and the moves. */
export function codes() {
  const all = [...Array(2048).keys()];
  return { classes: all.map((i) => codeClass(i)), moves: all.map((i) => (i < 1968 ? toUCI(i) : undefined)) };
}
