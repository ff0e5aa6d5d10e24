import { WhereforeError } from "./errors.js";

/** A value as JSON text for the Wasm module; throws an error with this name and code if it has none. */
export function json(value: unknown, name: string, code: string): string {
  try {
    const text = stringify(value) ?? "null";
    // Half a surrogate pair is no text elsewhere.
    return /\\ud[89a-f]/i.test(text) ? (JSON.stringify(value, wellFormed) ?? "null") : text;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new WhereforeError(name, code, message, { cause });
  }
}

function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Drivers return integers as BigInt; all else fails again.
    return JSON.stringify(value, exact);
  }
}

/** An integer as a number if that is exact, else as text. */
function exact(_name: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function wellFormed(name: string, value: unknown): unknown {
  if (typeof value !== "string") return exact(name, value);
  return value.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** Reads the module's JSON: a field without a value is absent, and only cells of rows are null. */
export function plain<T>(text: string): T {
  const value: unknown = JSON.parse(text);
  strip(value);
  return value as T;
}

function strip(value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) strip(item);
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      if (fields[name] === null) delete fields[name];
      else if (name !== "rows") strip(fields[name]);
    }
  }
}
