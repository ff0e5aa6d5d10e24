/** The entry for Node, which reads the Wasm module from its file. */
import "./node-files.js";
export * from "./index.js";
