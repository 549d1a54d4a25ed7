#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Runs the program ply11, which is in a package of its own for each system.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const name = `@ply11/${process.platform}-${process.arch}`;
let program;
try {
  program = createRequire(import.meta.url).resolve(`${name}/ply11${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`ply11: the package ${name}, which has the program for this system, is not installed`);
  process.exit(1);
}
const { status, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) throw error;
process.exitCode = status ?? 1;
