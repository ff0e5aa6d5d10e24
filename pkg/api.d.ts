/* tslint:disable */
/* eslint-disable */
/**
 * A cell; whole numbers beyond ±2^53 and exact decimals come as text, with the column's type telling so.
 */
export type Cell = undefined | boolean | number | number | string;

/**
 * A change of the text.
 */
export interface Fix {
    /**
     * What it does, such as `replace "emial" by "email"`.
     */
    title: string;
    /**
     * Whether nothing else can be meant. In an error such a fix is made without asking; in a statement that runs even
     * this one changes the answer, and is offered.
     */
    is_safe: boolean;
    /**
     * Edits of one text; they do not overlap.
     */
    edits: Edit[];
}

/**
 * A choice that a person made.
 */
export interface Choice {
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * Words that were ambiguous.
     */
    phrase: string;
    /**
     * What was answered.
     */
    answer: Answer;
    /**
     * What that means, in words.
     */
    meaning: string;
    /**
     * Stems of the words of the question, in order of the alphabet.
     */
    context: string[];
    /**
     * Whether it is to be remembered at once.
     */
    remember?: boolean;
}

/**
 * A choice that was made, once or several times.
 */
export interface Pattern {
    /**
     * Id, the same for the same choice in the same context.
     */
    id: string;
    /**
     * Whom it holds for.
     */
    scope?: Scope;
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * Words that were ambiguous, folded.
     */
    phrase: string;
    /**
     * What was answered.
     */
    answer: Answer;
    /**
     * What that means, in words.
     */
    meaning: string;
    /**
     * Stems of the words of the question, in order of the alphabet.
     */
    context: string[];
    /**
     * Times it was chosen.
     */
    frequency: number;
    /**
     * Whether it was to be remembered at once.
     */
    fixed?: boolean;
    /**
     * Date it was last chosen, `yyyy-mm-dd`.
     */
    last_used: string;
}

/**
 * A column named by its table's key and its own name.
 */
export interface ColumnRef {
    /**
     * Key of the table.
     */
    table: string;
    /**
     * Name of the column.
     */
    column: string;
}

/**
 * A column of a result.
 */
export interface ResultColumn {
    /**
     * Name.
     */
    name: string;
    /**
     * Type family.
     */
    data_type?: DataType;
}

/**
 * A column of a table.
 */
export interface Column {
    /**
     * Name as stored.
     */
    name: string;
    /**
     * Type family, from the declared type and, on SQLite, from stored values.
     */
    data_type?: DataType;
    /**
     * Type as declared in the data source.
     */
    declared_type?: string;
    /**
     * Whether NULL is allowed.
     */
    nullable?: boolean;
    /**
     * Whether every value occurs once (a single-column primary key or unique constraint).
     */
    unique?: boolean;
    /**
     * One sentence on what a value means.
     */
    description?: string;
    /**
     * Other words people use for it.
     */
    synonyms?: string[];
    /**
     * Unit of a number, such as `USD` or `cm²`.
     */
    unit?: string | undefined;
    /**
     * Roles that dictionary packs refer to, such as `amount` or `event_date`; inferred where empty.
     */
    roles?: string[];
    /**
     * Values are never listed nor sent anywhere.
     */
    sensitive?: boolean;
    /**
     * Stored values, where they were listed.
     */
    values?: ValueList | undefined;
    /**
     * Smallest stored value as text, where it was read (dates and numbers).
     */
    minimum?: string | undefined;
    /**
     * Largest stored value as text, where it was read (dates and numbers).
     */
    maximum?: string | undefined;
}

/**
 * A condition on a row or on a group.
 */
export type Predicate = { type: "all"; conditions: Predicate[] } | { type: "against_figure"; column: ColumnRef; operator: Comparison; function: Aggregate; conditions?: Predicate[] } | { type: "any"; conditions: Predicate[] } | { type: "compare"; left: Expression; operator: Comparison; right: Literal } | { type: "exists"; joins: JoinStep[]; conditions: Predicate[]; negated?: boolean } | { type: "extreme"; column: ColumnRef; percent: number; highest: boolean } | { type: "in_range"; column: ColumnRef; range: DateRange } | { type: "is_null"; column: ColumnRef; negated?: boolean } | { type: "one_of"; column: ColumnRef; values: string[] } | { type: "not"; condition: Predicate } | { type: "related_count"; joins: JoinStep[]; conditions: Predicate[]; operator: Comparison; value: string } | { type: "related_to_all"; joins: JoinStep[]; key: ColumnRef; conditions: Predicate[] } | { type: "text"; column: ColumnRef; matching: TextMatch; text: string };

/**
 * A constant.
 */
export type Literal = { type: "boolean"; value: boolean } | { type: "date"; value: string } | { type: "number"; value: string } | { type: "text"; value: string };

/**
 * A correction: hard constraints on what the question means.
 */
export type Correction = { type: "column"; selected_column?: ColumnRef | undefined; rejected_columns?: ColumnRef[] } | { type: "join"; left: ColumnRef; right: ColumnRef } | { type: "table"; selected_table?: string | undefined; rejected_tables?: string[] } | { type: "text"; text: string };

/**
 * A decision about a place of what was said.
 */
export interface Decided {
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * Words that were decided.
     */
    phrase: string;
    /**
     * Their first byte in all texts, a line each.
     */
    start: number;
    /**
     * What they were decided to mean.
     */
    binding: OptionBinding;
    /**
     * Who decided.
     */
    source: AssumptionSource;
}

/**
 * A fault found in a statement, with the place where it was found.
 */
export interface Diagnostic {
    /**
     * Stable code of the rule.
     */
    code: string;
    /**
     * What is wrong, in lower case without a full stop.
     */
    message: string;
    /**
     * What would help, where that is known.
     */
    hint: string | undefined;
    /**
     * Where in the SQL that was read; zero-length at 0 for composed SQL.
     */
    span: SqlSpan;
}

/**
 * A figure over rows.
 */
export type AskedAggregate = "average" | "count" | "maximum" | "minimum" | "sum";

/**
 * A fix that was made.
 */
export interface Correction {
    /**
     * Short form of the rule.
     */
    rule: string;
    /**
     * What was wrong.
     */
    message: string;
    /**
     * What was done.
     */
    title: string;
}

/**
 * A foreign key between two tables.
 */
export interface ForeignKey {
    /**
     * Key of the referencing table.
     */
    from_table: string;
    /**
     * Referencing columns, in order.
     */
    from_columns: string[];
    /**
     * Key of the referenced table.
     */
    to_table: string;
    /**
     * Referenced columns, in order.
     */
    to_columns: string[];
}

/**
 * A half-open calendar range: `start` is included, `end` is not; one of them may be absent.
 */
export interface DateRange {
    /**
     * First day, `yyyy-mm-dd`.
     */
    start?: string | undefined;
    /**
     * Day after the last, `yyyy-mm-dd`.
     */
    end?: string | undefined;
}

/**
 * A join along a foreign key.
 */
export interface JoinStep {
    /**
     * Key of the table that is already joined.
     */
    from_table: string;
    /**
     * Its columns.
     */
    from_columns: string[];
    /**
     * Key of the table that is added.
     */
    to_table: string;
    /**
     * Its columns.
     */
    to_columns: string[];
    /**
     * Whether rows without a partner stay.
     */
    outer?: boolean;
}

/**
 * A named group of tables, such as a schema or a module.
 */
export interface Area {
    /**
     * Key that tables refer to.
     */
    name: string;
    /**
     * Title shown to people.
     */
    title: string;
    /**
     * One sentence on what the area is about.
     */
    description?: string;
    /**
     * Words that route a question to this area.
     */
    keywords?: string[];
    /**
     * Questions offered for this area.
     */
    suggestions?: string[];
}

/**
 * A parameter of a query template.
 */
export interface TemplateParameter {
    /**
     * Name used as `:name`.
     */
    name: string;
    /**
     * Type of the value.
     */
    type: ParameterType;
    /**
     * What it means, shown when it is asked.
     */
    description?: string;
    /**
     * Values of a structural enum.
     */
    allowed_values?: string[];
    /**
     * Table whose column holds the allowed values.
     */
    table?: string | undefined;
    /**
     * Column that holds the allowed values.
     */
    column?: string | undefined;
    /**
     * Value used when the question names none.
     */
    default?: string | undefined;
    /**
     * Smallest value of a number.
     */
    minimum?: number | undefined;
    /**
     * Largest value of a number.
     */
    maximum?: number | undefined;
    /**
     * Weight in the confidence, 0.3 to 1.0 (`spec` §2.1).
     */
    weight?: number | undefined;
}

/**
 * A part of a question that is answered by itself.
 */
export interface SubQuestion {
    /**
     * Name of its common table expression.
     */
    name: string;
    /**
     * The part, in words.
     */
    question: string;
}

/**
 * A part of the rows of a table, such as the patients in care.
 */
export interface Cohort {
    /**
     * Key of the table.
     */
    table: string;
    /**
     * A few words, such as "patients in care".
     */
    label: string;
    /**
     * One sentence on who belongs to it.
     */
    description?: string;
    /**
     * Column of the table that decides.
     */
    column: string;
    /**
     * Whether the column is NULL, or is not.
     */
    missing?: boolean | undefined;
    /**
     * Values of which the column holds one.
     */
    values?: string[];
    /**
     * Days, today included, in which the date of the column lies.
     */
    within_days?: number | undefined;
}

/**
 * A pattern of memory that decided a place.
 */
export interface FromMemory {
    /**
     * Id of the pattern.
     */
    pattern_id: string;
    /**
     * Why it was taken, in words.
     */
    reason: string;
}

/**
 * A period of the question.
 */
export interface Said {
    /**
     * The words.
     */
    phrase: string;
    /**
     * Literals any of which shows that a statement keeps it.
     */
    literals: string[];
    /**
     * Whether it counts from today, so that a statement may do so too.
     */
    relative?: boolean;
}

/**
 * A place in a statement that a rule names.
 */
export interface Finding extends Rule {
    /**
     * How bad it is here; a dialect may make a rule's severity milder.
     */
    severity: Severity;
    /**
     * What is wrong, in lower case without a full stop.
     */
    message: string;
    /**
     * What to underline; zero-length at 0 where it is the whole statement.
     */
    span: SqlSpan;
    /**
     * What would mend it, best first.
     */
    fixes: Fix[];
}

/**
 * A place in the question that was tied to something.
 */
export interface MentionView {
    /**
     * Place in the question.
     */
    span: Span;
    /**
     * Words in that place.
     */
    phrase: string;
    /**
     * Kind of thing.
     */
    kind: MentionKind;
    /**
     * The thing in a few words, such as `Invoice.InvoiceDate`.
     */
    meaning: string;
    /**
     * How sure the tie is, 0 to 1.
     */
    confidence: number;
    /**
     * Why it was tied, in words.
     */
    reason: string;
    /**
     * Other things the words may mean, best first.
     */
    rivals: Rival[];
}

/**
 * A query template of a pack: SQL with named parameters for a known kind of question.
 */
export interface QueryTemplate {
    /**
     * Stable name.
     */
    name: string;
    /**
     * One sentence on what it answers.
     */
    description: string;
    /**
     * Area it belongs to.
     */
    area?: string | undefined;
    /**
     * Example questions; `{parameter}` marks where a parameter's words stand.
     */
    examples: string[];
    /**
     * Parameters, each used in the SQL as `:name`.
     */
    parameters?: TemplateParameter[];
    /**
     * One SELECT statement with `:name` parameters, in PostgreSQL's dialect.
     */
    sql: string;
}

/**
 * A question asked back.
 */
export interface Clarification {
    /**
     * Id, the same for the same question, catalog and place.
     */
    id: string;
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * How much hangs on it.
     */
    severity: Severity;
    /**
     * Place in the question; absent where the whole question is meant.
     */
    span?: Span | undefined;
    /**
     * Words in that place.
     */
    phrase?: string;
    /**
     * The question, hypothesis first.
     */
    question: string;
    /**
     * Why it is asked, in one sentence.
     */
    reason: string;
    /**
     * Options, most likely first.
     */
    options: ClarificationOption[];
    /**
     * What a person may enter instead of an option.
     */
    custom?: CustomInput | undefined;
    /**
     * Id of the recommended option.
     */
    recommended?: string | undefined;
    /**
     * What is already understood, in words.
     */
    understood?: string[];
    /**
     * The whole as text, for hosts without a screen.
     */
    plain_text: string;
}

/**
 * A question of a model, or about what its drafts differ in; its options are things of the catalog.
 */
export interface WrittenQuestion {
    /**
     * Words of the question that are open.
     */
    phrase: string;
    /**
     * Why it is asked: as a model puts it, or what drafts differ in.
     */
    reason?: string;
    /**
     * Two options or more.
     */
    options: WrittenOption[];
}

/**
 * A range of a question in UTF-8 bytes; hosts that count UTF-16 code units convert with [`Span::to_utf16`].
 */
export interface Span {
    /**
     * First byte.
     */
    start: number;
    /**
     * Byte after the last.
     */
    end: number;
}

/**
 * A range of the SQL that was read, in UTF-8 bytes, and in UTF-16 code units where the JavaScript package gives it;
 * zero-length at 0 for composed SQL.
 */
export interface SqlSpan {
    /**
     * First byte.
     */
    start: number;
    /**
     * Byte after the last.
     */
    end: number;
}

/**
 * A request to the host; its result comes back as an event with the same id.
 */
export interface Effect {
    /**
     * Id within the session.
     */
    id: number;
    /**
     * What to do.
     */
    request: EffectRequest;
}

/**
 * A rule: what it is called, how bad what it finds is, and how it looks.
 *
 * Its text and its examples are the documentation of its file.
 */
export interface Rule {
    /**
     * Stable short form, such as `N02`.
     */
    rule: string;
    /**
     * Name in words, such as `unknown-column`.
     */
    name: string;
}

/**
 * A search for a stored value.
 */
export interface ValueSearch {
    /**
     * Column searched.
     */
    column: ColumnRef;
    /**
     * Text looked for, ignoring case, anywhere in the value.
     */
    text: string;
}

/**
 * A state passed.
 */
export interface ProgressStep {
    /**
     * The state.
     */
    state: State;
    /**
     * What was done in it, in words.
     */
    detail: string;
}

/**
 * A statement after autocorrection.
 */
export interface Corrected {
    /**
     * The statement; as it was where nothing could be mended.
     */
    sql: string;
    /**
     * What was mended, in the order in which it was.
     */
    made: Correction[];
    /**
     * What is found in the statement now: errors that are left, warnings, and fixes to be offered.
     */
    left: Finding[];
}

/**
 * A statement in words.
 */
export interface Explained {
    /**
     * One sentence on the whole statement.
     */
    sentence: string;
    /**
     * What it does, in the order in which it is worked out.
     */
    steps: Step[];
}

/**
 * A statement that did not run.
 */
export interface FailedStatement {
    /**
     * The statement.
     */
    sql: string;
    /**
     * What the data source said.
     */
    message: string;
}

/**
 * A statement written by a model.
 */
export interface WrittenStatement {
    /**
     * The statement, printed from the tree that was checked.
     */
    sql: string;
    /**
     * What it does, in one sentence that is read off it; in the model's words, as such, where that cannot be.
     */
    explanation: string;
    /**
     * What the model took for granted.
     */
    assumptions?: StatedAssumption[];
    /**
     * What was mended in it before it ran.
     */
    corrected?: string[];
    /**
     * What is likely wrong with it, as far as it can be seen.
     */
    doubts?: string[];
    /**
     * Sub-questions, each answered by the common table expression of its name.
     */
    steps?: SubQuestion[];
    /**
     * How it was written.
     */
    mode: Mode;
    /**
     * Key of the first table it reads from.
     */
    table?: string | undefined;
}

/**
 * A step of what a statement does.
 */
export interface ExplainedStep {
    /**
     * It in words, in lower case without a full stop.
     */
    text: string;
    /**
     * The part of the statement that says it; zero-length at 0 where no part does.
     */
    span: Span;
    /**
     * How many steps it stands within: what a list is worked out by stands behind the list.
     */
    depth?: number;
}

/**
 * A table or a view.
 */
export interface Table {
    /**
     * Schema, where the data source has schemas that need naming.
     */
    schema?: string | undefined;
    /**
     * Name as stored.
     */
    name: string;
    /**
     * Table or view.
     */
    kind?: TableKind;
    /**
     * Name of the area it belongs to.
     */
    area?: string | undefined;
    /**
     * One sentence on what a row is.
     */
    description?: string;
    /**
     * Other words people use for its rows.
     */
    synonyms?: string[];
    /**
     * Estimated number of rows.
     */
    row_estimate?: number | undefined;
    /**
     * Columns in stored order.
     */
    columns: Column[];
    /**
     * Columns of the primary key, in order; empty where there is none.
     */
    primary_key?: string[];
    /**
     * Columns that name a row to a person; inferred where empty.
     */
    label_columns?: string[];
    /**
     * Column that a time expression without a column means; inferred where absent.
     */
    date_column?: string | undefined;
    /**
     * Column that "total" or "average" without a column means; inferred where absent.
     */
    measure_column?: string | undefined;
}

/**
 * A text of a conversation.
 */
export interface Said {
    /**
     * The text as typed.
     */
    text: string;
    /**
     * The asker's date then, `yyyy-mm-dd`.
     */
    today: string;
}

/**
 * A value computed from a row or from a group of rows.
 */
export type Expression = { type: "age"; column: ColumnRef; on: string } | { type: "aggregate"; function: Aggregate; argument: Expression | undefined; distinct?: boolean } | { type: "arithmetic"; operator: ArithmeticOperator; left: Expression; right: Expression } | { type: "column"; column: ColumnRef } | { type: "days"; from: ColumnRef; to: ColumnRef } | { type: "number"; value: string } | { type: "period"; column: ColumnRef; grain: TimeGrain };

/**
 * A word or phrase for a thing of the catalog.
 */
export interface Lesson {
    /**
     * The words.
     */
    term: string;
    /**
     * What they mean.
     */
    means: LessonTarget;
}

/**
 * A word such as "revenue" with its definition.
 */
export interface Metric {
    /**
     * The word.
     */
    name: string;
    /**
     * Other words for it.
     */
    synonyms?: string[];
    /**
     * One sentence on what it measures.
     */
    description?: string;
    /**
     * How values are put together.
     */
    aggregate: MetricAggregate;
    /**
     * Key of the table whose rows are aggregated.
     */
    table: string;
    /**
     * A column, or columns and numbers joined by `+ - * /` and brackets; empty for a count of rows.
     */
    expression?: string;
    /**
     * Unit of the result, such as `EUR`.
     */
    unit?: string | undefined;
    /**
     * Date column that a time expression means, as `table.column`.
     */
    date_column?: string | undefined;
}

/**
 * Aggregate functions.
 */
export type Aggregate = "average" | "count" | "maximum" | "minimum" | "sum";

/**
 * An answer to one clarification.
 */
export interface ClarificationAnswer {
    /**
     * Id of the clarification.
     */
    clarification_id: string;
    /**
     * What was answered.
     */
    answer: Answer;
}

/**
 * An event.
 */
export type Event = { type: "answer"; answers: ClarificationAnswer[] } | { type: "ask"; text: string; today: string; skip_clarification?: boolean } | { type: "cancel" } | { type: "change"; answer: ClarificationAnswer } | { type: "correct"; correction: Correction } | { type: "effect_result"; effect_id: number; result: EffectResult } | { type: "remember"; clarification_id: string } | { type: "retry" };

/**
 * An option of such a question: a table, a column, a column with a stored value, or a figure of a column.
 */
export interface WrittenOption {
    /**
     * A few words.
     */
    label: string;
    /**
     * Key of the table.
     */
    table: string;
    /**
     * Its column.
     */
    column?: string | undefined;
    /**
     * The stored value.
     */
    value?: string | undefined;
    /**
     * The figure of the column that is meant.
     */
    figure?: Aggregate | undefined;
}

/**
 * An ordering.
 */
export interface Ordering {
    /**
     * What orders.
     */
    expression: Expression;
    /**
     * Largest first.
     */
    descending?: boolean;
}

/**
 * An output column.
 */
export interface Selection {
    /**
     * What is shown.
     */
    expression: Expression;
    /**
     * Name of the output column, where the expression has none of its own.
     */
    alias?: string | undefined;
}

/**
 * Another thing that words may mean.
 */
export interface Rival {
    /**
     * The thing in a few words.
     */
    meaning: string;
    /**
     * How sure the tie would be, 0 to 1.
     */
    confidence: number;
}

/**
 * Comparison operators.
 */
export type Comparison = "equal" | "greater" | "greater_or_equal" | "less" | "less_or_equal" | "not_equal";

/**
 * Dialect of a data source.
 */
export type Dialect = "postgres" | "sqlite";

/**
 * Dialect of a text that is read.
 */
export type ReadDialect = "bigquery" | "duckdb" | "mssql" | "mysql" | "postgres" | "sqlite" | "oracle" | "redshift" | "snowflake";

/**
 * Dialect that a query is printed for: those of data sources, and two that are only written.
 */
export type Target = "postgres" | "sqlite" | "mssql" | "bigquery";

/**
 * Distinct stored values of a column.
 */
export interface ValueList {
    /**
     * Values in ascending order, each at most 256 characters.
     */
    values: string[];
    /**
     * How much of the column the list covers.
     */
    coverage: Coverage;
}

/**
 * Everything a screen needs.
 */
export interface View {
    /**
     * Where the session stands.
     */
    state: State;
    /**
     * The question as typed.
     */
    question: string;
    /**
     * What was understood.
     */
    understanding: Understanding;
    /**
     * Open clarifications, most severe first.
     */
    clarifications: Clarification[];
    /**
     * Rounds of clarification so far.
     */
    round: number;
    /**
     * What was decided without asking, or by an answer; each can be changed.
     */
    assumptions: Assumption[];
    /**
     * The statement, formatted, once written.
     */
    sql?: string | undefined;
    /**
     * One sentence that says how the question was read, once it was.
     */
    confirmation?: string | undefined;
    /**
     * Who wrote the statement.
     */
    writer?: Writer;
    /**
     * How it was written.
     */
    mode?: Mode;
    /**
     * What a model that wrote it took for granted.
     */
    stated?: StatedAssumption[];
    /**
     * Sub-questions that a model answered one by one.
     */
    sub_questions?: SubQuestion[];
    /**
     * What was kept of the question before and what changed, where this one goes on from it.
     */
    follow_up?: FollowUp | undefined;
    /**
     * Rows, once run.
     */
    result?: ResultSet | undefined;
    /**
     * What a person should know about the rows.
     */
    notes: Note[];
    /**
     * How it ended, once it did.
     */
    outcome?: Outcome | undefined;
    /**
     * What went wrong, where something did.
     */
    problem?: ProblemView | undefined;
    /**
     * Questions that may follow.
     */
    suggestions: string[];
    /**
     * States passed, in order.
     */
    steps: ProgressStep[];
}

/**
 * Family a column's type belongs to; what a question may do with the column depends on it.
 */
export type DataType = "binary" | "boolean" | "date" | "integer" | "json" | "number" | "other" | "text" | "time" | "timestamp" | "uuid";

/**
 * How a metric's values are put together.
 */
export type MetricAggregate = "average" | "count" | "count_distinct" | "maximum" | "minimum" | "sum";

/**
 * How a statement was written.
 */
export type Mode = "direct" | "funnel" | "template";

/**
 * How a text matches.
 */
export type TextMatch = "contains" | "ends_with" | "starts_with";

/**
 * How bad a finding is.
 */
export type Severity = "note" | "warning" | "error" | "refusal";

/**
 * How much hangs on an ambiguity.
 */
export type Severity = "critical" | "important" | "minor";

/**
 * How much of a column a value list covers.
 */
export type Coverage = "complete" | "partial";

/**
 * How sure a reading is, 0 to 1 (`spec` §2.3).
 */
export interface Confidence {
    /**
     * 0.4·intent + 0.3·retrieval + 0.2·terms + 0.1·join.
     */
    overall: number;
    /**
     * Whether it is clear what is asked for.
     */
    intent: number;
    /**
     * 1 where any table was found, else 0.
     */
    retrieval: number;
    /**
     * Mapped terms over 3, at most 1.
     */
    terms: number;
    /**
     * 1 where a join path exists or none is needed, else 0.5.
     */
    join: number;
}

/**
 * Kinds of ambiguity.
 */
export type AmbiguityKind = "aggregation" | "column" | "condition" | "cohort" | "intent" | "join" | "metric_definition" | "table" | "threshold" | "time_window" | "unknown_term" | "value" | "vague_term";

/**
 * Kinds of notes.
 */
export type NoteKind = "empty" | "model" | "not_run" | "tie" | "truncated";

/**
 * Kinds of things that words are tied to.
 */
export type MentionKind = "aggregate" | "column" | "comparison" | "grouping" | "limit" | "number" | "ordering" | "table" | "time" | "vague_term" | "value";

/**
 * Length of a period that rows are grouped by.
 */
export type TimeGrain = "day" | "week" | "month" | "quarter" | "year";

/**
 * One complete reading of a question.
 */
export interface QueryTree {
    /**
     * Key of the table whose rows are asked about.
     */
    from: string;
    /**
     * Joins in order; each starts at a table that is already joined.
     */
    joins?: JoinStep[];
    /**
     * Output columns.
     */
    select: Selection[];
    /**
     * Whether equal output rows are merged.
     */
    distinct?: boolean;
    /**
     * Conditions on rows, all of which hold.
     */
    filters?: Predicate[];
    /**
     * What rows are grouped by.
     */
    group_by?: Expression[];
    /**
     * Conditions on groups, all of which hold.
     */
    having?: Predicate[];
    /**
     * Ordering, most important first.
     */
    order_by?: Ordering[];
    /**
     * Number of rows asked for.
     */
    limit?: number | undefined;
    /**
     * Further trees of the same output columns, whose rows are added.
     */
    also?: QueryTree[];
}

/**
 * One possible answer.
 */
export interface ClarificationOption {
    /**
     * Id within its clarification.
     */
    id: string;
    /**
     * A few words.
     */
    label: string;
    /**
     * What choosing it does, in words.
     */
    description?: string;
    /**
     * What choosing it means exactly.
     */
    binding: OptionBinding;
}

/**
 * One step of what a statement does.
 */
export interface Step {
    /**
     * What it does.
     */
    kind: StepKind;
    /**
     * It in words, in lower case without a full stop.
     */
    text: string;
    /**
     * How it is said inside one sentence on the whole statement.
     */
    clause: string;
    /**
     * The part of the text that says it; zero-length at 0 where no part does.
     */
    span: SqlSpan;
    /**
     * Steps that are worked out for it, in order.
     */
    inner?: Step[];
}

/**
 * Operators of a metric's formula.
 */
export type ArithmeticOperator = "divide" | "minus" | "multiply" | "plus";

/**
 * Rows with their columns.
 */
export interface ResultSet {
    /**
     * Columns, in order.
     */
    columns: ResultColumn[];
    /**
     * Rows; each has one cell a column.
     */
    rows: Cell[][];
    /**
     * Whether rows were left out because of a cap on rows or bytes.
     */
    truncated?: boolean;
    /**
     * Time the data source took, in milliseconds.
     */
    elapsed_ms?: number;
    /**
     * What the statement does, in the order in which it is worked out; empty where the host does not say so.
     */
    explained?: ExplainedStep[];
}

/**
 * Settings of an engine.
 */
export interface Settings {
    /**
     * Ask nothing: every ambiguity takes its best option and is listed as an assumption.
     */
    enable_clarification?: boolean;
    /**
     * Statements are composed; without it, only templates and a model write.
     */
    composer?: boolean;
    /**
     * What cannot be composed is given to a model to write.
     */
    model?: boolean;
    /**
     * Overall confidence below which something is asked (`spec` §2.3).
     */
    ask_below?: number;
    /**
     * Overall confidence above which the assumptions stay folded (`spec` §2.3).
     */
    run_above?: number;
    /**
     * Intent confidence below which the intent is asked first (`spec` §2.3).
     */
    intent_below?: number;
    /**
     * Gap between the best binding and its rival below which both survive.
     */
    rival_gap?: number;
    /**
     * Most clarifications asked in one round (`spec` §2.4).
     */
    questions_per_round?: number;
    /**
     * Most rounds of clarification (`spec` §2.4).
     */
    rounds?: number;
    /**
     * Most rows of an answer.
     */
    row_limit?: number;
    /**
     * Times that a choice is made before it is taken from memory (`spec` §12).
     */
    memory_frequency?: number;
    /**
     * Share of choices that must be the same to be taken from memory, 0 to 1 (`spec` §12).
     */
    memory_confidence?: number;
    /**
     * Share of words that two questions share where memory holds for both, 0 to 1 (`spec` §12).
     */
    memory_similarity?: number;
    /**
     * Longest question, in bytes.
     */
    question_bytes?: number;
    /**
     * First month of the fiscal year, 1 to 12.
     */
    fiscal_year_start?: number;
}

/**
 * Shape of the rows that were asked for; what is absent is not known.
 */
export interface Asked {
    /**
     * A number of rows, a total, an average.
     */
    aggregate?: AskedAggregate | undefined;
    /**
     * Whether single rows are asked for, so that an aggregate would be wrong.
     */
    lists_rows?: boolean;
    /**
     * What there is to be one row for each of.
     */
    per?: ColumnRef[];
    /**
     * The first rows of an order.
     */
    top?: AskedTop | undefined;
    /**
     * Words of the question that are values of a column.
     */
    values?: AskedValue[];
    /**
     * Columns that are to be shown.
     */
    columns?: ColumnRef[];
    /**
     * Whether each is to be shown once ("different", "unique").
     */
    distinct?: boolean;
    /**
     * Key of the table whose rows are asked about.
     */
    entity?: string | undefined;
}

/**
 * Something a model took for granted.
 */
export interface StatedAssumption {
    /**
     * Words of the question.
     */
    term: string;
    /**
     * What they were taken to mean.
     */
    value: string;
    /**
     * Why.
     */
    reason?: string;
}

/**
 * Something a person should know about the rows.
 */
export interface Note {
    /**
     * Kind.
     */
    kind: NoteKind;
    /**
     * One sentence.
     */
    text: string;
}

/**
 * Something decided without asking, or by an answer.
 */
export interface Assumption {
    /**
     * Id to change it by.
     */
    id: string;
    /**
     * Words that were decided.
     */
    phrase: string;
    /**
     * Place in the question, where there is one.
     */
    span?: Span | undefined;
    /**
     * What they were taken to mean.
     */
    meaning: string;
    /**
     * Who or what decided.
     */
    source: AssumptionSource;
    /**
     * The choice made before that decided, where one did.
     */
    from_memory?: FromMemory | undefined;
    /**
     * The clarification that would have been asked, with all its options.
     */
    clarification: Clarification;
    /**
     * Chosen option, where it was one of them.
     */
    chosen?: ClarificationOption | undefined;
}

/**
 * Something that was done on the way to a statement.
 */
export interface TraceEntry {
    /**
     * Stage, such as `drafting`.
     */
    stage: string;
    /**
     * What was done or found.
     */
    detail: string;
}

/**
 * Stages a person knows by name.
 */
export type Stage = "checking" | "running" | "understanding" | "values" | "writing";

/**
 * Tables, columns, foreign keys and areas of one data source.
 */
export interface Catalog {
    /**
     * Name of the data source, shown to people.
     */
    name: string;
    /**
     * Dialect the data source speaks.
     */
    dialect?: Dialect;
    /**
     * False for a catalog given as a file: questions are understood and written, not run.
     */
    can_execute?: boolean;
    /**
     * Areas (modules) that tables belong to.
     */
    areas?: Area[];
    /**
     * Tables and views, ordered by key.
     */
    tables: Table[];
    /**
     * Foreign keys, ordered by their table and columns.
     */
    foreign_keys?: ForeignKey[];
    /**
     * Words with one definition that the pack adds.
     */
    metrics?: Metric[];
    /**
     * Parts of populations that the pack defines.
     */
    cohorts?: Cohort[];
    /**
     * Query templates that the pack adds.
     */
    templates?: QueryTemplate[];
}

/**
 * Text that takes the place of a range.
 */
export interface Edit {
    /**
     * What is replaced; a range of no length inserts.
     */
    span: SqlSpan;
    /**
     * What stands there then.
     */
    text: string;
}

/**
 * The first rows of an order.
 */
export interface AskedTop {
    /**
     * How many, where a number was named.
     */
    count?: number | undefined;
    /**
     * Whether the largest come first, where that is known.
     */
    largest?: boolean | undefined;
}

/**
 * The five ways a question ends; they are never mixed.
 */
export type Outcome = "answered" | "execution_failed" | "generation_failed" | "needs_clarification" | "out_of_scope";

/**
 * Type of a template parameter.
 */
export type ParameterType = "boolean" | "date" | "enum" | "integer" | "number" | "string";

/**
 * Values found by one search.
 */
export interface FoundValues {
    /**
     * The search.
     */
    search: ValueSearch;
    /**
     * Values as stored, best first.
     */
    values: string[];
}

/**
 * What "each" and "all" hold for.
 */
export type Scope = "all" | "each";

/**
 * What a decision requires of a statement; plain, so that it is small on the wire and in the page.
 */
export interface Required {
    /**
     * Keys of tables that are read.
     */
    tables?: string[];
    /**
     * Columns that are used, each as `table.column`.
     */
    columns?: string[];
    /**
     * Values that stand in the statement; of each entry, one.
     */
    values?: string[][];
    /**
     * Functions that are called, in lower case.
     */
    functions?: string[];
}

/**
 * What a follow-up kept, and what it changed.
 */
export interface FollowUp {
    /**
     * The question it goes on from, as typed.
     */
    follows: string;
    /**
     * Parts of it that stay, in words.
     */
    kept: string[];
    /**
     * Parts that are new or gone, in words.
     */
    changed: string[];
}

/**
 * What a lesson's words mean.
 */
export type LessonTarget = { type: "column"; column: ColumnRef } | { type: "table"; table: string };

/**
 * What a session starts with.
 */
export interface Start {
    /**
     * What was asked before, where the question may go on from it.
     */
    context?: Context | undefined;
    /**
     * What is remembered.
     */
    memory?: Memory;
}

/**
 * What a step does.
 */
export type StepKind = "combine" | "compute" | "cut" | "group" | "join" | "keep" | "keep_groups" | "list" | "merge" | "order" | "read" | "show";

/**
 * What an engine is built from.
 */
export interface Knowledge {
    /**
     * The catalog, with its pack merged in.
     */
    catalog: Catalog;
    /**
     * Settings.
     */
    settings?: Settings;
    /**
     * Words that tables and columns go by here.
     */
    lessons?: Lesson[];
    /**
     * Statements of the catalog's templates; where there are none, an engine with feature `sql` reads them.
     */
    statements?: unknown[];
    /**
     * Lines of the thesaurus that matter to the catalog, for an engine without feature `thesaurus`.
     */
    thesaurus?: string;
}

/**
 * What an option means: a part of a query tree, never a text glued to the question.
 */
export type OptionBinding = { type: "aggregate"; function: Aggregate } | { type: "attachment"; tables: string[] } | { type: "column"; column: ColumnRef } | { type: "columns"; columns: ColumnRef[] } | { type: "grain"; grain: TimeGrain } | { type: "ignore" } | { type: "join"; joins: JoinStep[] } | { type: "predicate"; predicate: Predicate } | { type: "scope"; table: string; scope: Scope } | { type: "table"; table: string } | { type: "time_range"; column: ColumnRef; range: DateRange } | { type: "value"; column: ColumnRef; value: string };

/**
 * What came of an effect.
 */
export type EffectResult = { type: "failed"; failure: ExecutionFailure } | { type: "rows"; rows: ResultSet } | { type: "values"; found: FoundValues[] } | { type: "written"; written: Written };

/**
 * What came of writing: exactly one of the first four is set.
 */
export interface Written {
    /**
     * A statement that the guard let through.
     */
    statement?: WrittenStatement | undefined;
    /**
     * What has to be asked first.
     */
    questions?: WrittenQuestion[];
    /**
     * Why this data cannot answer the question.
     */
    out_of_scope?: string | undefined;
    /**
     * Why nothing was written: a stable code, then what a person is told.
     */
    failure?: [string, string] | undefined;
    /**
     * Beside questions, sound drafts that differ in what is asked, each as JSON for the next brief; the one that
     * keeps the answer needs no model.
     */
    held?: string[];
    /**
     * What was done on the way.
     */
    trace?: TraceEntry[];
}

/**
 * What is asked for, as far as it is understood.
 */
export interface Brief {
    /**
     * The question as typed.
     */
    question: string;
    /**
     * The asker's calendar date, `yyyy-mm-dd`.
     */
    today: string;
    /**
     * Questions that this one goes on from, oldest first.
     */
    earlier?: string[];
    /**
     * Words that are tied to the catalog, surest first.
     */
    ties?: Tie[];
    /**
     * Periods of the question that are beyond doubt.
     */
    said?: Said[];
    /**
     * What was decided about words.
     */
    decided?: DecidedWords[];
    /**
     * Tables, and columns as `table.column`, that must be used.
     */
    selected?: string[];
    /**
     * Tables, and columns as `table.column`, that must not be used.
     */
    rejected?: string[];
    /**
     * Code of what kept the engine from writing it.
     */
    refused?: string;
    /**
     * What the rows should look like.
     */
    shape?: Shape;
    /**
     * Nothing may be asked back: every ambiguity takes its best reading.
     */
    skip_clarification?: boolean;
    /**
     * The statement that was written before and failed when it ran.
     */
    failed?: FailedStatement | undefined;
    /**
     * Drafts that differed in what was asked back since, each as the JSON in which it came with the questions; one
     * that keeps the answer is taken as it is.
     */
    held?: string[];
}

/**
 * What is remembered.
 */
export interface Memory {
    /**
     * Version of the format.
     */
    version: number;
    /**
     * Choices, each with how often it was made.
     */
    patterns?: Pattern[];
}

/**
 * What may be entered instead of an option.
 */
export type CustomInput = { type: "date_range"; column: ColumnRef } | { type: "number"; column: ColumnRef; operator: Comparison; unit?: string | undefined; minimum?: number | undefined; maximum?: number | undefined } | { type: "text"; placeholder: string; table: string };

/**
 * What the engine makes of a text while it is typed.
 */
export interface Preview {
    /**
     * What was understood.
     */
    understanding: Understanding;
    /**
     * What would be asked.
     */
    clarifications: Clarification[];
    /**
     * What would be assumed.
     */
    assumptions: Assumption[];
    /**
     * The statement, where one can be written already.
     */
    sql?: string | undefined;
    /**
     * What stands in the way of a statement, where something does.
     */
    problem?: ProblemView | undefined;
}

/**
 * What the host is to do.
 */
export type EffectRequest = { type: "execute"; sql: string; dialect: Dialect; row_limit: number } | { type: "look_up_values"; searches: ValueSearch[] } | { type: "write"; brief: Brief };

/**
 * What the rows of an answer should look like; what is absent is not known for certain.
 */
export interface Shape {
    /**
     * One row for each of something.
     */
    groups?: boolean;
    /**
     * The first rows of an order.
     */
    ranks?: boolean;
    /**
     * One figure, such as a number of rows.
     */
    figure?: boolean;
    /**
     * The only figure that is asked for.
     */
    works_out?: Aggregate | undefined;
    /**
     * Columns, as `table.column`, that there is one row for each of.
     */
    per?: string[];
    /**
     * Number of the first rows.
     */
    top?: number | undefined;
    /**
     * Whether the largest are the first rows.
     */
    descending?: boolean | undefined;
    /**
     * Columns, as `table.column`, that are shown.
     */
    shows?: string[];
    /**
     * Whether each is shown once.
     */
    distinct?: boolean;
    /**
     * Key of the table whose rows are listed.
     */
    lists?: string | undefined;
}

/**
 * What was answered.
 */
export type Answer = { type: "best_guess" } | { type: "date_range"; start?: string | undefined; end?: string | undefined } | { type: "number"; value: number } | { type: "option"; option_id: string } | { type: "text"; text: string };

/**
 * What was asked before, as [`Session::context`] gives it.
 */
export interface Context {
    /**
     * Texts, oldest first: the first stands alone, the others change it.
     */
    said: Said[];
    /**
     * What was decided about them.
     */
    decisions?: Decided[];
    /**
     * How they were corrected.
     */
    corrections?: Correction[];
    /**
     * Stored values that searches found for them.
     */
    found?: FoundValues[];
    /**
     * The query tree that came of them.
     */
    tree: QueryTree;
}

/**
 * What was decided about words of the question.
 */
export interface DecidedWords {
    /**
     * The words.
     */
    phrase: string;
    /**
     * What they mean, in words.
     */
    meaning: string;
    /**
     * What must be found in the statement.
     */
    required?: Required;
    /**
     * Whether the asker decided, or a correction: the statement is then held to it (invariant I9).
     */
    fixed?: boolean;
}

/**
 * What was understood of a question.
 */
export interface Understanding {
    /**
     * Places in the question that were tied to something, in order.
     */
    mentions: MentionView[];
    /**
     * Places that were tied to nothing.
     */
    unread: Span[];
    /**
     * How sure the reading is.
     */
    confidence: Confidence;
}

/**
 * What went wrong, for a person and for a program.
 */
export interface ProblemView {
    /**
     * Stable code.
     */
    code: string;
    /**
     * Stage that failed.
     */
    stage: Stage;
    /**
     * One sentence.
     */
    message: string;
    /**
     * What may help, in one sentence.
     */
    hint?: string;
    /**
     * Place in the question, where there is one.
     */
    span?: Span | undefined;
    /**
     * Whether trying again may help.
     */
    retryable?: boolean;
}

/**
 * Where a session stands (`spec` §14).
 */
export type State = "initializing" | "query_understanding" | "awaiting_clarification" | "inferring_joins" | "generating_sql" | "repairing" | "executing_query" | "completed" | "failed" | "cancelled";

/**
 * Whether rows are stored or derived.
 */
export type TableKind = "table" | "view";

/**
 * Who or what decided.
 */
export type AssumptionSource = "best_guess" | "budget" | "correction" | "default" | "memory" | "user";

/**
 * Who wrote a statement.
 */
export type Writer = "composer" | "model" | "template";

/**
 * Whom a memory holds for.
 */
export type Scope = "person" | "data_source";

/**
 * Why an effect failed.
 */
export interface ExecutionFailure {
    /**
     * Stable code, such as `database_unavailable` or `statement_timeout`.
     */
    code: string;
    /**
     * One sentence for a person.
     */
    message: string;
    /**
     * Whether the same statement may succeed later.
     */
    retryable?: boolean;
}

/**
 * Words of the question that are a value, a number or a date.
 */
export interface AskedValue {
    /**
     * The words.
     */
    phrase: string;
    /**
     * Literals any of which shows that the words were kept.
     */
    literals: string[];
    /**
     * Whether the words rule it out ("not in Paris").
     */
    negated?: boolean;
}

/**
 * Words of the question with the thing that they were tied to.
 */
export interface Tie {
    /**
     * The words.
     */
    phrase: string;
    /**
     * Key of the table.
     */
    table: string;
    /**
     * Its column, where the words name one or one of its values.
     */
    column?: string | undefined;
    /**
     * The stored value, where they name one.
     */
    value?: string | undefined;
    /**
     * Whether the words mean nothing else, and that by its name.
     */
    sure?: boolean;
}


/**
 * Indexed knowledge that sessions share; building it is the only expensive call.
 */
export class Engine {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * Mends the errors of a statement that have a fix beside which nothing else can be meant.
     *
     * The places of what is left are those of the statement that comes back. Throws `AskedError` where `asked` is not
     * of its shape.
     */
    autocorrect(sql: string, asked?: Asked | null): Corrected;
    /**
     * Indexes the knowledge, as `GET /api/v1/catalog` gives it.
     *
     * Throws `KnowledgeError` where it is not of that shape.
     */
    static create(knowledge: Knowledge): Engine;
    /**
     * What a statement of the data source's dialect does, step by step, and in one sentence.
     *
     * Throws `StatementError` where it cannot be read.
     */
    explain(sql: string): Explained;
    /**
     * Everything that is found in a statement of the data source's dialect, in the order in which it stands.
     *
     * `asked` says what a question asked for, to the rules about the shape of the result. Throws `AskedError` where it
     * is not of that shape.
     */
    lint(sql: string, asked?: Asked | null): Finding[];
    /**
     * The same preview for a text that may go on from what was asked before.
     */
    previewAfter(text: string, today: string, context: Context): Preview;
    /**
     * What the engine makes of a text while it is typed; `today` is `yyyy-mm-dd`.
     */
    preview(text: string, today: string): Preview;
    /**
     * A query of one dialect, written in another; its names are not looked up in the catalog.
     *
     * Throws `StatementError` where it cannot be read or carried over, and `DialectError` where a dialect is unknown.
     */
    static transpile(sql: string, from: ReadDialect, to: Target): string;
}

/**
 * One question on its way to an answer.
 */
export class Session {
    private constructor();
    free(): void;
    [Symbol.dispose](): void;
    /**
     * What a follow-up goes on from; nothing before a statement of composed SQL was written.
     */
    context(): Context | undefined;
    /**
     * A session that nothing was asked in yet.
     */
    static create(): Session;
    /**
     * Puts the choices that were not put there before into a memory; `today` is `yyyy-mm-dd`.
     *
     * Throws `MemoryError` where the memory is not of that shape.
     */
    remembered(engine: Engine, memory: Memory, today: string): Memory;
    /**
     * A session from its snapshot.
     *
     * Throws `SnapshotError` where the text is not one, or was written by a later version.
     */
    static restore(snapshot: string): Session;
    /**
     * The session as text, to be restored here or elsewhere.
     */
    snapshot(): string;
    /**
     * A session that knows what was asked before, and what is remembered.
     *
     * Throws `StartError` where the start is not of that shape.
     */
    static started(start: Start): Session;
    /**
     * Takes an event, and gives back what the host is to do.
     *
     * Throws `StepError` where the event does not fit; the session is then as it was before.
     */
    step(engine: Engine, event: Event): Effect[];
    /**
     * Everything a screen needs.
     */
    view(): View;
}

/**
 * Runs when the module is loaded: a panic is then reported in the console with its place.
 */
export function start(): void;
