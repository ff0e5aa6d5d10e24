/// <reference lib="webworker" />
import { addRoute, cleanupOutdatedCaches, precache } from "workbox-precaching";

/** Every file of the build, with its hash unless its name contains one. */
declare const __FILES__: { url: string; revision: string | null }[];

const worker = self as unknown as ServiceWorkerGlobalScope;

cleanupOutdatedCaches();
precache(__FILES__);
addRoute({ ignoreURLParametersMatching: [/./] });

// The first visit is served from the cache at once; a new version waits until a page asks for it.
worker.addEventListener("activate", () => void worker.clients.claim());
worker.addEventListener("message", ({ data }) => {
  if (Object(data).type === "SKIP_WAITING") void worker.skipWaiting();
});
