// What the tests of the npm package share: the installed package, the sample's proxy, and an app's own functions.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { createInterface } from "node:readline";

export const TODAY = "2026-11-20";

/** Folder of the app into which the tarball was installed; it contains copies of these files. */
export const app = import.meta.dirname;
export const installed = join(app, "node_modules/wherefore");

/** Value of a required environment variable. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by \`cargo xtask test --only package\``);
  return value;
}

/** The bookshop, whose statements can be run. */
export function bookshop() {
  const knowledge = JSON.parse(readFileSync(required("WHEREFORE_BOOKSHOP"), "utf8"));
  knowledge.catalog.can_execute = true;
  return knowledge;
}

/** An app's own functions, which record how they were called. */
export function ownHost() {
  const calls = [];
  const columns = [{ name: "n" }, { name: "missing" }];
  return {
    calls,
    values(search) {
      calls.push(["values", search.text]);
      return [];
    },
    async run(statement) {
      calls.push(["run", statement.sql]);
      return { columns, rows: [[1, null]] };
    },
  };
}

/** A proxy on the sample database; `stop` ends it. */
export async function startProxy() {
  const folder = mkdtempSync(join(tmpdir(), "wherefore-package-"));
  const child = spawn(
    required("WHEREFORE_PROXY"),
    [
      ["--database", required("WHEREFORE_DATABASE"), "--pack", required("WHEREFORE_PACK")],
      ["--listen", "127.0.0.1:0", "--store", join(folder, "store.sqlite")],
    ].flat(),
    { env: { ...process.env, RUST_LOG: "warn" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const stop = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)/.exec(line)?.[1];
    if (url) return { url, stop };
  }
  stop();
  throw new Error("the proxy ended before it listened");
}

const TYPES = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };

/** Serves the app's folder, and `extra` files by path; `handle` may answer a request first. */
export async function serveApp({ extra = {}, handle } = {}) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://127.0.0.1").pathname;
    if (await handle?.(request, response, path)) return;
    const file = resolve(app, `.${path}`);
    try {
      const body = extra[path] ?? readFileSync(file);
      response.writeHead(200, { "content-type": TYPES[extname(path) || ".html"] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
