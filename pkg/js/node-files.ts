import { readFile } from "node:fs/promises";
import { files } from "./load.js";

files.read = (address) => readFile(address);
