/** The entry of `wherefore/sql` for Node, which reads the Wasm module from its file. */
import "./node-files.js";
export * from "./sql.js";
