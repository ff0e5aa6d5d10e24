import { NOTHING, type Saved, savedOf } from "./saved.js";

const KEY = "wherefore-preview-1";
/** What was there before a link was opened. */
const BEFORE = "wherefore-preview-1-before";

/** Reads what is kept; nothing if the browser keeps nothing, or it cannot be read. */
export function load(): Saved {
  return read(KEY) ?? NOTHING;
}

/** Keeps what was entered; false if the browser refuses, or has no room. */
export function keep(saved: Saved): boolean {
  return write(KEY, JSON.stringify(saved));
}

/** Sets aside what is kept, so that a link does not replace it. */
export function setAside(): boolean {
  const own = read(KEY);
  return own !== undefined && own.source !== undefined && write(BEFORE, JSON.stringify(own));
}

/** Returns what was set aside. */
export function takeBack(): Saved | undefined {
  return read(BEFORE);
}

function read(key: string): Saved | undefined {
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : savedOf(JSON.parse(text));
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
