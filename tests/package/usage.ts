// Uses every export of the package; compiled by tsc, never run.
import {
  createAsk,
  drive,
  Engine,
  init,
  ProxyError,
  proxyHost,
  Session,
  WhereforeError,
  type AnswerOptions,
  type Ask,
  type AskError,
  type AskOptions,
  type AskState,
  type Catalog,
  type Clarification,
  type ClarificationAnswer,
  type Completion,
  type CompletionKind,
  type Context,
  type DriveOptions,
  type Effect,
  type ErrorDetails,
  type Host,
  type InitOptions,
  type Knowledge,
  type Memory,
  type Preview,
  type ProxyHost,
  type ProxyOptions,
  type ResultSet,
  type StatementToRun,
  type View,
  type WasmSource,
} from "wherefore";
import { define, type Clarified, type ClarifyElement, type ClarifyEvents, type ClarifyLabels } from "wherefore/clarify";
import * as sql from "wherefore/sql";

const source: WasmSource = new URL("https://cdn.example.com/engine.wasm");
const options: InitOptions = { wasm: source };
await init();
await init(options);
await init({ wasm: fetch("/engine.wasm") });
await init({ wasm: await WebAssembly.compile(new Uint8Array()) });

const knowledge: Knowledge = {
  catalog: {
    name: "shop",
    dialect: "postgres",
    can_execute: true,
    tables: [{ name: "orders", columns: [{ name: "id", data_type: "integer" }], primary_key: ["id"] }],
  },
  settings: { row_limit: 100 },
};
const engine: Engine = Engine.create(knowledge);
const preview: Preview = engine.preview("orders", "2026-11-20");
const words: string[] = preview.understanding.mentions.map((mention) => mention.phrase);

const result: ResultSet = { columns: [{ name: "id" }], rows: [[1, null, "x", true]] };
const host: Host = {
  values: async (search, signal) => (signal.aborted ? [] : [search.column.table, search.text]),
  run: (statement: StatementToRun) => ({ ...result, truncated: statement.row_limit < 1 }),
  write: async (brief) => ({ out_of_scope: brief.question }),
  clarify: (clarifications: readonly Clarification[]) =>
    clarifications.map(({ id }): ClarificationAnswer => ({ clarification_id: id, answer: { type: "best_guess" } })),
};
const session: Session = Session.create(engine);
const effects: readonly Effect[] = session.step({ type: "ask", text: "orders", today: "2026-11-20" });
const driving: DriveOptions = { signal: AbortSignal.timeout(1000), onView: (view) => void view.state };
const view: View = await drive(session, host, driving);
const context: Context | undefined = session.context();
const memory: Memory = session.remembered({ version: 1 }, "2026-11-20");
const other = Session.create(engine, { memory, ...(context && { context }) });
const restored = Session.restore(engine, session.snapshot());
const [completion]: Completion[] = engine.completions("how many boo", "2026-11-20", 12, context);
const kind: CompletionKind | undefined = completion?.kind;
if (context) engine.previewAfter("only this week", "2026-11-20", context);

const proxyOptions: ProxyOptions = { url: "https://data.example.com", getToken: async () => "token" };
const proxy: ProxyHost = proxyHost(proxyOptions);
const both: Host = { ...proxy, clarify: () => undefined };
const known: Knowledge = await proxy.knowledge();

const asking: AskOptions = { engine, host: both, memory, onMemory: (memory) => void memory.version };
const ask: Ask = createAsk(asking);
const stop: () => void = ask.subscribe(() => void ask.getState());
ask.type("orders");
const state: AskState = await ask.ask();
await ask.answer({ clarification_id: "x", answer: { type: "text", text: "open" } });
const answering: AnswerOptions = { remember: ["x"] };
await ask.answer([{ clarification_id: "x", answer: { type: "best_guess" } }], answering);
await ask.change({ clarification_id: "x", answer: { type: "number", value: 1 } });
await ask.correct({ type: "table", selected_table: "orders" });
await ask.retry();
ask.cancel();
ask.reset();
stop();
const problem: AskError | undefined = state.error;

define();
const cards: ClarifyElement = document.createElement("wherefore-clarify");
const labels: Partial<ClarifyLabels> = { submit: "Weiter" };
Object.assign(cards, { ask, labels });
cards.clarifications = preview.clarifications;
cards.addEventListener("answer", ({ detail }) => void ask.answer((detail satisfies Clarified).answers));
cards.addEventListener("error", (event: ClarifyEvents["error"]) => void event.detail.code);

const details: ErrorDetails = { span: { start: 0, end: 1 } };
try {
  throw new WhereforeError("StepError", "question_empty", "question is empty", details);
} catch (error) {
  if (error instanceof ProxyError) error.retryable satisfies boolean;
  if (error instanceof WhereforeError) [error.code, error.span?.start, error.diagnostics[0]?.hint] satisfies unknown[];
}

await sql.init({ wasm: new Uint8Array() });
const statements = sql.Statements.create(knowledge.catalog);
const findings: sql.Finding[] = statements.lint("SELECT 1", { aggregate: "count" });
const severity: sql.FindingSeverity | undefined = findings[0]?.severity;
const corrected: sql.Corrected = statements.autocorrect("SELECT 1");
const fixes: sql.AppliedFix[] = corrected.made;
const explained: sql.Explained = statements.explain("SELECT 1");
const checked: string = statements.check("SELECT 1");
const dialects: [sql.ReadDialect, sql.Target] = ["mysql", "postgres"];
const schema: Catalog = sql.readSchema("CREATE TABLE t (id integer)", "sqlite");
const translated: sql.Translated = sql.translate("SELECT 1", ...dialects, schema);
const doubts: sql.Diagnostic[] = sql.translate("SELECT 1", ...dialects).doubts;
const transpiled: string = sql.transpile("SELECT 1", ...dialects);
const same: typeof WhereforeError = sql.WhereforeError;

for (const handle of [engine, session, other, restored, statements, ask]) handle.free();
export { checked, doubts, effects, explained, fixes, known, problem, same, severity, translated, transpiled, view, words };
