import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, defineConfig, type Plugin } from "vite";

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Files that the pages never load: parts of SQLite for other uses, and the service worker itself. */
const NOT_CACHED = /^(sw\.js|assets\/sqlite3-(worker1|opfs)-.*)$/;

/** Writes the service worker, which lists every file of the build with the hash of its content. */
function serviceWorker(): Plugin {
  let folder = "";
  return {
    name: "service-worker",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    writeBundle: {
      order: "post",
      async handler() {
        const files = readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
          .filter((url) => !NOT_CACHED.test(url))
          .sort()
          .map((url) => ({ url, revision: revisionOf(url, join(folder, url)) }));
        await build({
          configFile: false,
          publicDir: false,
          logLevel: "warn",
          define: { __FILES__: JSON.stringify(files), "process.env.NODE_ENV": JSON.stringify("production") },
          build: {
            outDir: folder,
            emptyOutDir: false,
            target: "es2022",
            rollupOptions: {
              input: page("src/pwa/service-worker.ts"),
              output: { format: "iife", entryFileNames: "sw.js" },
            },
          },
        });
      },
    },
  };
}

/** The hash of a file, or null if its name contains one. */
function revisionOf(url: string, path: string): string | null {
  if (url.startsWith("assets/")) return null;
  return createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16);
}

export default defineConfig({
  base: "./",
  plugins: [react(), serviceWorker()],
  worker: { format: "es" },
  // The package loads its files from the folder they lie in.
  optimizeDeps: { exclude: ["wherefore", "@sqlite.org/sqlite-wasm"] },
  define: { __VERSION__: JSON.stringify(process.env.WHEREFORE_WWW_VERSION ?? process.env.npm_package_version ?? "dev") },
  build: {
    outDir: fileURLToPath(new URL("../target/www", import.meta.url)),
    emptyOutDir: true,
    // The content security policy allows no data: address for scripts and modules.
    assetsInlineLimit: 0,
    target: "es2022",
    rollupOptions: {
      input: { preview: page("index.html"), plain: page("plain/index.html"), react: page("react/index.html"), element: page("element/index.html") },
    },
  },
});
