import { NOTHING, type Saved, savedOf } from "./saved.js";

const KEY = "wherefore-preview-1";
/** What was there before a link was opened. */
const BEFORE = "wherefore-preview-1-before";
/** Suffix of the key of the schema, which is large and seldom changes. */
const SOURCE = "-source";

/** The schema that was written last by this tab; null if another one may have written since. */
let written: Saved["source"] | null = null;

window.addEventListener("storage", ({ key }) => {
  if (key === null || key === KEY + SOURCE) written = null;
});

/** Reads what is kept; nothing if the browser keeps nothing, or it cannot be read. */
export function load(): Saved {
  return read(KEY) ?? NOTHING;
}

/** Keeps what was entered; false if the browser refuses, or has no room. */
export function keep(saved: Saved): boolean {
  const { source, ...rest } = saved;
  const isWritten = written === source || write(KEY + SOURCE, JSON.stringify(source ?? null));
  if (isWritten) written = source;
  return write(KEY, JSON.stringify(rest)) && isWritten;
}

/** Sets aside what is kept, so that a link does not replace it. */
export function setAside(): boolean {
  const own = read(KEY);
  if (!own?.source) return false;
  const { source, ...rest } = own;
  return write(BEFORE + SOURCE, JSON.stringify(source)) && write(BEFORE, JSON.stringify(rest));
}

/** Returns what was set aside. */
export function takeBack(): Saved | undefined {
  return read(BEFORE);
}

function read(key: string): Saved | undefined {
  try {
    const text = localStorage.getItem(key);
    if (text === null) return undefined;
    const source: unknown = JSON.parse(localStorage.getItem(key + SOURCE) ?? "null");
    return savedOf({ ...(JSON.parse(text) as object), source: source ?? undefined });
  } catch {
    return undefined;
  }
}

function write(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
