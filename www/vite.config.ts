import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { generateSW } from "workbox-build";

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

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
        await generateSW({
          globDirectory: folder,
          globPatterns: ["**/*"],
          // Parts of SQLite that this page never starts.
          globIgnores: ["sw.js", "assets/sqlite3-worker1-*", "assets/sqlite3-opfs-*"],
          swDest: `${folder}/sw.js`,
          // A file with a hash in its name never changes.
          dontCacheBustURLsMatching: /^assets\//,
          maximumFileSizeToCacheInBytes: 32 * 1024 * 1024,
          ignoreURLParametersMatching: [/./],
          clientsClaim: true,
          skipWaiting: false,
          cleanupOutdatedCaches: true,
          inlineWorkboxRuntime: true,
          sourcemap: false,
        });
      },
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [react(), serviceWorker()],
  worker: { format: "es" },
  // The package loads its Wasm file from the folder it lies in.
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
