// SPDX-License-Identifier: Apache-2.0

// Prints what the driver of the core in C prints of archives, whose names are on the standard input: all games, or, by
// "trees" or "counts", what their indexes or tree files have. "links" reads games, as moves in UCI, and prints their
// links. It is not in the package.
import { openAsBlob, readFileSync } from "node:fs";
import * as ply11 from "./ply11.js";

// A lone surrogate is a byte that is no UTF-8.
const encoder = new TextEncoder();
const hex = (text) =>
  Array.from(text, (c) => {
    const n = c.codePointAt(0);
    return Buffer.from(n >= 0xdc80 && n <= 0xdcff ? [n & 255] : encoder.encode(c)).toString("hex");
  }).join("");

const start = new ply11.Board().fen;
const list = (a) => Array.from(a, (x) => `${x},`).join("");
const line = (g) => {
  const result = 1968 + ["0-1", "1/2-1/2", "1-0", "*"].indexOf(g.result), fen = g.start === null ? "?" : g.start.fen;
  const tags = g.allTags.map(([k, v]) => `${hex(k)}=${hex(v)} `).join("");
  return [g.number, result, Number(g.valid), fen === start ? "-" : fen,
    list(g.moves), list(g.clocks), list(g.evals), g.startEval, tags].join("\t") + "\n";
};
const text = (c) => ` ${c.games} ${c.white} ${c.draws} ${c.black}`
  + ` ${c.whiteRatings}/${c.whiteRated} ${c.blackRatings}/${c.blackRated}`;

async function games(name) {
  const a = await ply11.open(await openAsBlob(name));
  await a.verify();
  let out = `games ${a.length}, plies ${a.plies}\n`;
  for await (const g of a) out += line(g);
  await a.close();
  return out;
}

async function trees(name) {
  const a = await ply11.open(readFileSync(name));
  if (what === "trees") await a.useIndex(readFileSync(name + "x"));
  const x = what === "trees" ? a : await ply11.openTree(await openAsBlob(name + "t"));
  let out = `games ${a.length}\n`;
  for await (const g of a) {
    const b = g.start ?? new ply11.Board();
    for (let ply = 0; ply <= g.moves.length; ply++) {
      if (ply % 7 < 2) {
        const t = await x.tree(b);
        out += text(t.all) + Array.from(t.moves, ([code, c]) => `, ${code}:${text(c)}`).join("") + "\n";
      }
      if (ply < g.moves.length) b.push(g.moves[ply]);
    }
  }
  await a.close();
  return out;
}

const what = process.argv[2];
for (const name of readFileSync(0, "utf8").split("\n")) {
  if (name === "") continue;
  let out;
  try {
    if (what === "links") out = `${await ply11.encodeGame(name.split(" "))}\n`;
    else out = await (what === "games" ? games : trees)(name);
  } catch (e) {
    if (!(e instanceof ply11.ArchiveError)) throw e;
    out = `error ${e.message}\n`;
  }
  process.stdout.write(out);
}
