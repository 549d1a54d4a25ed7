// SPDX-License-Identifier: Apache-2.0
// Makes modules of the core and of the model of dense moves.
import { readFileSync, writeFileSync } from "node:fs";

for (const [from, to] of [["ply11.wasm", "wasm.js"], ["../../bitstream/dense/model1.bin.zst", "model.js"]]) {
  writeFileSync(to, `// Made by build.mjs from ${from.split("/").pop()}.\nexport default "${readFileSync(from, "base64")}";\n`);
}
