// Made from ply11.js by go generate ./clients.
export * from "./archive.js";
export * from "./board.js";
export { Ply11Error } from "./core.js";
