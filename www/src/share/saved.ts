import type { Catalog, Dialect, Settings } from "wherefore";
import { catalogOf } from "../schema/json.js";
import type { Notes } from "../schema/notes.js";
import type { Origin } from "../schema/read.js";
import { SAMPLE } from "../schema/sample.js";

/** Version of the shape of `Saved`. */
const VERSION = 1;

/** Where the schema comes from: the sample, or one that was read. */
export type Source = { origin: "sample" } | { origin: Exclude<Origin, "sample">; name: string; catalog: Catalog };

/** All that a user entered; it is kept in the browser, and is what a link contains. */
export interface Saved {
  version: typeof VERSION;
  /** Text in the schema field, whether it can be read or not. */
  draft: string;
  /** Dialect chosen for the draft; detected if absent. */
  dialect?: Dialect;
  source?: Source;
  notes: Notes;
  settings: Settings;
  question: string;
}

export const NOTHING: Saved = { version: VERSION, draft: "", notes: [], settings: {}, question: "" };

/** The catalog of a source. */
export function catalogOfSource(source: Source): Catalog {
  return source.origin === "sample" ? SAMPLE : source.catalog;
}

/** Checks parsed JSON; throws if it has another shape. */
export function savedOf(value: unknown): Saved {
  const { version, draft, dialect, source, notes, settings, question } = Object(value) as Partial<Record<string, unknown>>;
  if (version !== VERSION) throw new Error(`version ${String(version)} is not ${VERSION}`);
  if (typeof draft !== "string" || typeof question !== "string") throw new Error("a text is missing");
  return {
    ...NOTHING,
    draft,
    question,
    ...(dialect === "postgres" || dialect === "sqlite" ? { dialect } : {}),
    ...(source ? { source: sourceOf(source) } : {}),
    notes: notesOf(notes),
    settings: settingsOf(settings),
  };
}

const ORIGINS = ["sql", "json", "dbt", "sqlite", "csv", "parquet"] as const;

function sourceOf(value: unknown): Source {
  const { origin, name, catalog } = Object(value) as Record<string, unknown>;
  if (origin === "sample") return { origin };
  const known = ORIGINS.find((it) => it === origin);
  if (!known) throw new Error("the kind of schema is not known");
  return { origin: known, name: String(name), catalog: catalogOf(catalog, String(name)) };
}

function notesOf(value: unknown): Notes {
  if (!Array.isArray(value)) return [];
  return value.filter((note) => typeof Object(note).name === "string").map((note) => ({
    ...textsOf(note),
    columns: notesOf(Object(note).columns ?? []),
  }));
}

function textsOf(note: Record<string, unknown>) {
  const { name, description, synonyms, unit } = note;
  return {
    name: String(name),
    ...(typeof description === "string" ? { description } : {}),
    ...(Array.isArray(synonyms) ? { synonyms: synonyms.map(String) } : {}),
    ...(typeof unit === "string" ? { unit } : {}),
  };
}

function settingsOf(value: unknown): Settings {
  const entries = Object.entries(Object(value) as object);
  return Object.fromEntries(entries.filter(([, it]) => typeof it === "number" || typeof it === "boolean"));
}
