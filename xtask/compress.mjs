// Compresses files: `size FILE` prints the brotli size in bytes, `write FILE…` writes FILE.br and FILE.gz.
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

const [mode, ...files] = process.argv.slice(2);
for (const file of files) {
  const bytes = readFileSync(file);
  if (mode === "size") {
    console.log(brotli(bytes).length);
  } else {
    writeFileSync(`${file}.br`, brotli(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
