// SPDX-License-Identifier: Apache-2.0
// Compiles the core, of which the package has what its modules call, and makes modules of it and of the model of dense
// moves.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const source = ["core.js", "board.js", "archive.js"].map((name) => readFileSync(name, "utf8")).join("");
const called = Array.from(source.matchAll(/\bc\.(?!memory)(\w+)/g), ([, name]) => `-Wl,--export=${name}`);
const line = [...process.argv.slice(2), ...new Set(called), "-o", "ply11.wasm", "wasm.c"];
execFileSync("clang", line, { stdio: "inherit" });
for (const [from, to] of [["ply11.wasm", "wasm.js"], ["../../bitstream/dense/model1.bin.zst", "model.js"]]) {
  const text = readFileSync(from, "base64");
  writeFileSync(to, `// Made by build.mjs from ${from.split("/").pop()}.\nexport default "${text}";\n`);
}
