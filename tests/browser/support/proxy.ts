import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Value of a required environment variable. */
function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests by \`cargo xtask test browser\``);
  return value;
}

/** A running proxy on the sample database, or on another. */
export class Proxy {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /**
   * Starts a proxy on a free or the given port, with additional options, and waits until it listens. It serves the sample
   * database, unless the options name another.
   */
  static async start(port = 0, more: string[] = [], pack = true): Promise<Proxy> {
    const folder = await mkdtemp(join(tmpdir(), "wherefore-browser-"));
    const arguments_ = [
      more.includes("--database") ? [] : ["--database", required("WHEREFORE_DATABASE")],
      ["--static", required("WHEREFORE_DIST")],
      ["--listen", `127.0.0.1:${port}`],
      ["--store", join(folder, "store.sqlite")],
      more,
    ].flat();
    const { WHEREFORE_PACK: file, ...env } = process.env;
    if (pack && file) arguments_.push("--pack", file);
    const child = spawn(required("WHEREFORE_PROXY"), arguments_, { env, stdio: ["ignore", "pipe", "pipe"] });
    const url = await listeningAt(child);
    return new Proxy(child, folder, url);
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Creates an API key for a user. */
  addKey(user: string): string {
    const arguments_ = ["key", "add", "--user", user, "--store", join(this.folder, "store.sqlite")];
    return execFileSync(required("WHEREFORE_PROXY"), arguments_).toString().split("\n")[0];
  }

  /** Stops the process and waits until its port is free. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const ended = new Promise((resolve) => this.process.once("exit", resolve));
      this.process.kill("SIGTERM");
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

function listeningAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    let complaints = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      const address = /listening on (http:\/\/\S+)/.exec(output)?.[1];
      if (address) resolve(address);
    });
    child.stderr?.on("data", (chunk) => (complaints += chunk));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`proxy ended with ${code}:\n${complaints}`)));
  });
}
