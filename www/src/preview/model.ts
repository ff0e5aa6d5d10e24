import {
  type Ask,
  type AskState,
  type Catalog,
  type ClarificationAnswer,
  createAsk,
  type Dialect,
  Engine,
  init,
  type Preview,
  type ResultSet,
  type Settings,
} from "wherefore";
import { today } from "../day.js";
import { sqlModule } from "../schema/ddl.js";
import { SchemaError } from "../schema/error.js";
import { applyNotes, changeNotes } from "../schema/notes.js";
import { type Read, readText } from "../schema/read.js";
import { withoutValues } from "../schema/catalog.js";
import { fragmentOf, savedOfFragment } from "../share/link.js";
import { catalogOfSource, NOTHING, type Saved, type Source } from "../share/saved.js";
import * as storage from "../share/storage.js";
import { TabData } from "../tab/client.js";

/** Pause after a change of dictionary or settings before the engine is built again, in milliseconds. */
const PAUSE = 150;
/** Longest draft that is shown in the schema field, in characters. */
const LONGEST_DRAFT = 1_000_000;

export interface Fault {
  message: string;
  line?: number | undefined;
}

/** What the page shows; an object is never changed. */
export interface State {
  engine: "loading" | "ready" | "failed";
  /** Why the engine could not be loaded, or accepts no catalog. */
  engineFault?: string | undefined;
  saved: Saved;
  /** Whether the browser keeps what is entered. */
  kept: boolean;
  linkFault?: string | undefined;
  /** Whether something was set aside for a link. */
  hasAside: boolean;
  /** What is being read, in words. */
  reading?: string | undefined;
  schemaFault?: Fault | undefined;
  /** What a reader should know about the schema. */
  notes: readonly string[];
  /** Catalog with the dictionary. */
  catalog?: Catalog | undefined;
  /** Whether the rows of the schema are open in this tab. */
  hasRows: boolean;
  ask?: AskState | undefined;
  /** Preview with neither dictionary nor settings, if there are any. */
  before?: Preview | undefined;
  /** The module that translates SQL, once loaded. */
  sql?: typeof import("wherefore/sql") | undefined;
  /** Why it could not be loaded. */
  sqlFault?: string | undefined;
}

/** The state of the page, and what can be done. */
export class Model {
  #state: State = { engine: "loading", saved: NOTHING, kept: true, hasAside: false, notes: [], hasRows: false };
  #listeners = new Set<() => void>();
  #data = new TabData();
  #ask: Ask | undefined;
  #engine: Engine | undefined;
  #baseline: Engine | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  getState = (): State => this.#state;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  #set(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  #save(changes: Partial<Saved>): void {
    const saved = { ...this.#state.saved, ...changes };
    // Rows are never kept, and listed values of a file are only kept in this tab.
    this.#set({ saved, kept: storage.keep(saved) });
  }

  /** Loads what was kept, or what a link contains, and the engine. */
  async start(): Promise<void> {
    const saved = storage.load();
    this.#set({ saved, hasAside: storage.takeBack() !== undefined });
    await this.openLink(location.hash);
    await this.loadEngine();
  }

  /** Loads the engine; can be repeated after a failure. */
  async loadEngine(): Promise<void> {
    this.#set({ engine: "loading", engineFault: undefined });
    try {
      await init();
    } catch (thrown) {
      return this.#set({ engine: "failed", engineFault: messageOf(thrown) });
    }
    this.#set({ engine: "ready" });
    this.#build();
    void this.loadSql();
  }

  /** Loads the module that translates SQL, which the first preview does not need. */
  async loadSql(): Promise<void> {
    this.#set({ sqlFault: undefined });
    try {
      this.#set({ sql: await sqlModule() });
    } catch (thrown) {
      this.#set({ sqlFault: messageOf(thrown) });
    }
  }

  async openLink(fragment: string): Promise<void> {
    try {
      const linked = await savedOfFragment(fragment);
      if (!linked) return;
      const hasAside = storage.setAside() || this.#state.hasAside;
      this.#set({ hasAside, linkFault: undefined, notes: [], hasRows: false });
      this.#save(linked);
      history.replaceState(null, "", location.pathname + location.search);
      if (this.#state.engine === "ready") this.#build();
    } catch (thrown) {
      this.#set({ linkFault: messageOf(thrown) });
    }
  }

  dismissLinkFault(): void {
    history.replaceState(null, "", location.pathname + location.search);
    this.#set({ linkFault: undefined });
  }

  dismissSchemaFault(): void {
    this.#set({ schemaFault: undefined });
  }

  /** Returns to what was there before a link was opened. */
  takeBack(): void {
    const own = storage.takeBack();
    if (!own) return;
    this.#data.close();
    this.#set({ hasAside: false, notes: [], hasRows: false });
    this.#save(own);
    this.#build();
  }

  /** A link that contains everything; without listed values unless they are wanted. */
  async link(includeValues: boolean): Promise<string> {
    const { source, ...rest } = this.#state.saved;
    const shared = source && source.origin !== "sample" && !includeValues ? { ...source, catalog: withoutValues(source.catalog) } : source;
    // The draft repeats the schema.
    const draft = source ? "" : rest.draft;
    const fragment = await fragmentOf({ ...rest, draft, ...(shared ? { source: shared } : {}) });
    return location.origin + location.pathname + fragment;
  }

  setDraft(draft: string): void {
    this.#save({ draft });
    if (this.#state.schemaFault) this.#set({ schemaFault: undefined });
  }

  setDialect(dialect: Dialect | undefined): void {
    const { dialect: _dialect, ...rest } = this.#state.saved;
    const saved: Saved = dialect ? { ...rest, dialect } : rest;
    this.#set({ saved, kept: storage.keep(saved) });
  }

  async readDraft(): Promise<void> {
    const { draft, dialect } = this.#state.saved;
    await this.#read("Reading the schema…", async () => readText(draft, "Pasted schema", dialect));
  }

  useSample(): void {
    this.#data.close();
    this.#use({ origin: "sample" }, [], false);
  }

  /** Opens dropped or chosen files: text as a schema, others with their rows. */
  async openFiles(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (!first) return;
    const hasRows = (await Promise.all(files.map(isData))).every(Boolean);
    if (!hasRows && files.length > 1) {
      return this.#set({ schemaFault: { message: "several files can be opened together only if all are CSV or Parquet" } });
    }
    if (hasRows) {
      const progress = (reading: string) => this.#set({ reading });
      return this.#read("Opening…", async () => this.#data.open(files, progress), true);
    }
    await this.#read(`Reading ${first.name}…`, async () => {
      const text = await first.text();
      if (text.length <= LONGEST_DRAFT) this.#save({ draft: text });
      return readText(text, first.name.replace(/\.\w+$/, ""), this.#state.saved.dialect);
    });
  }

  async #read(reading: string, read: () => Promise<Read>, hasRows = false): Promise<void> {
    this.#set({ reading, schemaFault: undefined });
    try {
      const { origin, catalog, notes } = await read();
      if (!hasRows) this.#data.close();
      const source = { origin, name: catalog.name, catalog } as Source;
      this.#use(source, notes, hasRows);
    } catch (thrown) {
      const line = thrown instanceof SchemaError ? thrown.line : undefined;
      this.#set({ reading: undefined, schemaFault: { message: messageOf(thrown), line } });
    }
  }

  #use(source: Source, notes: readonly string[], hasRows: boolean): void {
    const { catalog: _catalog, ...rest } = this.#state;
    this.#state = rest;
    this.#set({ reading: undefined, schemaFault: undefined, notes, hasRows });
    this.#save({ source, notes: [] });
    this.#build();
  }

  /** Leaves the schema; its text stays in the field. */
  closeSchema(): void {
    this.#data.close();
    this.#free();
    const { source: _source, ...rest } = this.#state.saved;
    this.#set({ saved: rest, kept: storage.keep(rest), catalog: undefined, ask: undefined, before: undefined, hasRows: false, notes: [] });
  }

  describe(table: string, column: string | undefined, change: { description?: string; synonyms?: string[]; unit?: string }): void {
    const notes = changeNotes(this.#state.saved.notes, table, column, change);
    this.#save({ notes });
    const { source } = this.#state.saved;
    if (source) this.#set({ catalog: applyNotes(catalogOfSource(source), notes) });
    this.#rebuild();
  }

  configure(settings: Settings): void {
    this.#save({ settings });
    this.#rebuild();
  }

  /** Takes back all changes of dictionary and settings. */
  resetChanges(): void {
    this.#save({ notes: [], settings: {} });
    this.#build();
  }

  type(question: string): void {
    this.#save({ question });
    this.#preview();
  }

  async submit(): Promise<void> {
    if (this.#state.saved.question.trim() !== "") await this.#ask?.ask();
  }

  /** Answers clarifications, also those that were only previewed. */
  async answer(answers: readonly ClarificationAnswer[]): Promise<void> {
    const ask = this.#ask;
    if (!ask) return;
    if (ask.state.status !== "waiting") await ask.ask();
    if (ask.state.status === "waiting") await ask.answer(answers);
  }

  /** Stops what is running. */
  cancel(): void {
    this.#ask?.cancel();
  }

  /** Returns to the preview of the question. */
  startOver(): void {
    this.#preview();
  }

  /** Runs a statement on the rows of this tab, if the guard accepts it. */
  run(sql: string, signal: AbortSignal): Promise<ResultSet> {
    return this.#data.run(sql, this.#state.saved.settings.row_limit ?? 1_000, signal);
  }

  #rebuild(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#build(), PAUSE);
  }

  #free(): void {
    clearTimeout(this.#timer);
    this.#ask?.free();
    this.#engine?.free();
    this.#baseline?.free();
    this.#ask = this.#engine = this.#baseline = undefined;
  }

  /** Builds the engine, and previews the question again. */
  #build(): void {
    const { engine, hasRows, saved } = this.#state;
    this.#free();
    if (engine !== "ready" || !saved.source) return;
    const original = { ...catalogOfSource(saved.source), can_execute: hasRows };
    const catalog = applyNotes(original, saved.notes);
    try {
      this.#engine = Engine.create({ catalog, settings: saved.settings });
      const isChanged = saved.notes.length > 0 || Object.keys(saved.settings).length > 0;
      if (isChanged) this.#baseline = Engine.create({ catalog: original });
    } catch (thrown) {
      return this.#set({ engineFault: messageOf(thrown), catalog, ask: undefined, before: undefined });
    }
    const ask = createAsk({ engine: this.#engine, host: hasRows ? this.#data.host() : {} });
    ask.subscribe(() => this.#set({ ask: ask.state }));
    this.#ask = ask;
    this.#set({ engineFault: undefined, catalog, ask: ask.state });
    this.#preview();
  }

  #preview(): void {
    const { question } = this.#state.saved;
    const ask = this.#ask;
    if (!ask) return;
    ask.reset();
    ask.type(question);
    const before = question.trim() === "" ? undefined : this.#baseline?.preview(question, today());
    this.#set({ ask: ask.state, before });
  }
}

async function isData(file: File): Promise<boolean> {
  if (/\.(csv|tsv)$/i.test(file.name)) return true;
  const start = await file.slice(0, 16).text();
  return start.startsWith("SQLite format 3") || start.startsWith("PAR1");
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

