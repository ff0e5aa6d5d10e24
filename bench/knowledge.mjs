// Starts a proxy on the sample database and fetches `GET /api/v1/catalog`, from which the package builds its index.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { WHEREFORE_DATABASE, WHEREFORE_PACK, WHEREFORE_PROXY } = process.env;

export async function readKnowledge() {
  const folder = mkdtempSync(join(tmpdir(), "wherefore-bench-"));
  const proxy = spawn(
    WHEREFORE_PROXY,
    ["--database", WHEREFORE_DATABASE, "--pack", WHEREFORE_PACK, "--listen", "127.0.0.1:0", "--store", join(folder, "store.sqlite")],
    { env: { ...process.env, RUST_LOG: "warn" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    for await (const line of createInterface({ input: proxy.stdout })) {
      const address = /^listening on (\S+)/.exec(line)?.[1];
      if (address) return await (await fetch(`${address}/api/v1/catalog`)).text();
    }
    throw new Error("the proxy ended before it listened");
  } finally {
    proxy.kill();
    rmSync(folder, { recursive: true });
  }
}
