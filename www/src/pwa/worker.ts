import { Workbox } from "workbox-window";

/** How far the page is available without a network. */
export type Offline = "unknown" | "ready" | "update" | "unavailable";

const HOUR = 3_600_000;

let state: Offline = "unknown";
let workbox: Workbox | undefined;
/** Reloads the page, once this tab asked for the new version. */
let accepted: (() => void) | undefined;
/** Whether another tab has already put the new version in charge. */
let replaced = false;
const listeners = new Set<() => void>();

function set(next: Offline): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The state, for `useSyncExternalStore`. */
export const offline = {
  getState: () => state,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

/** Registers the service worker, and looks for a new version when the page is shown again, and every hour. */
export async function register(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return set("unavailable");
  workbox = new Workbox("./sw.js");
  workbox.addEventListener("waiting", () => set("update"));
  workbox.addEventListener("controlling", ({ isUpdate }) => {
    if (accepted) return accepted();
    replaced = isUpdate === true;
    if (replaced) set("update");
  });
  try {
    await workbox.register();
    await navigator.serviceWorker.ready;
    if (state === "unknown") set("ready");
  } catch {
    return set("unavailable");
  }
  const look = () => void workbox?.update().catch(() => {});
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());
  setInterval(look, HOUR);
}

/** Lets the new version take over, and reloads, at the address if one is given. */
export function update(address?: string): void {
  accepted = () => {
    // Changed only now: Chromium keeps the new version waiting if the address changes before.
    if (address !== undefined) history.replaceState(null, "", address);
    location.reload();
  };
  if (replaced) return accepted();
  workbox?.messageSkipWaiting();
}
