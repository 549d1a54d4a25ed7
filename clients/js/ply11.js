// SPDX-License-Identifier: Apache-2.0

// The comments become those of types/, which tsc makes of these files: go generate ./clients.

export * from "./archive.js";
export * from "./board.js";
export { Ply11Error } from "./core.js";
