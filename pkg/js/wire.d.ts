/* tslint:disable */
/* eslint-disable */
/**
 * A cell that was cut.
 */
export interface CutCell {
    /**
     * Index of the row.
     */
    row: number;
    /**
     * Index of the column.
     */
    column: number;
    /**
     * Length of the whole text in bytes.
     */
    length: number;
}

/**
 * A cell. Integers beyond ±2^53 and exact decimals are text; the data type of the column says so.
 */
export type Cell = null | boolean | number | string;

/**
 * A choice of the user.
 */
export interface Choice {
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * The ambiguous words.
     */
    phrase: string;
    /**
     * The answer.
     */
    answer: Answer;
    /**
     * Meaning of the answer, in words.
     */
    meaning: string;
    /**
     * Stems of the words in the question, sorted.
     */
    context: string[];
    /**
     * Whether memory applies the choice at once, before it is frequent.
     */
    remember?: boolean;
}

/**
 * A choice that was made at least once.
 */
export interface Pattern {
    /**
     * Id; the same for the same choice in the same context.
     */
    id: string;
    /**
     * Who the choice applies to.
     */
    scope?: ChoiceScope;
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * The ambiguous words, case-folded and without accents.
     */
    phrase: string;
    /**
     * The answer.
     */
    answer: Answer;
    /**
     * Meaning of the answer, in words.
     */
    meaning: string;
    /**
     * Stems of the words in the question, sorted.
     */
    context: string[];
    /**
     * Number of times that the choice was made.
     */
    frequency: number;
    /**
     * Whether the user asked to apply the choice at once, before it is frequent.
     */
    fixed?: boolean;
    /**
     * Date of the last use, `yyyy-mm-dd`.
     */
    last_used: string;
}

/**
 * A clause of a statement with the words that ask for it.
 */
export interface Clause {
    /**
     * Kind of clause.
     */
    kind: ClauseKind;
    /**
     * What it says, in a few words.
     */
    text: string;
    /**
     * Spans of the words that ask for it, in order.
     */
    spans: Span[];
    /**
     * Why it is there, if no words ask for it.
     */
    default?: ClauseDefault | undefined;
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
     * Type family, derived from the declared type and, on SQLite, from stored values.
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
     * Whether all values are distinct (a single-column primary key or unique constraint).
     */
    unique?: boolean;
    /**
     * One sentence that describes a value.
     */
    description?: string;
    /**
     * Synonyms.
     */
    synonyms?: string[];
    /**
     * Unit of a number, such as `USD` or `cm²`.
     */
    unit?: string | undefined;
    /**
     * Roles that dictionary packs refer to, such as `amount` or `event_date`; inferred if empty.
     */
    roles?: string[];
    /**
     * Whether values are never listed or sent anywhere.
     */
    sensitive?: boolean;
    /**
     * Distinct stored values, if they were listed.
     */
    values?: ValueList | undefined;
    /**
     * Smallest stored value as text, if it was read (dates and numbers).
     */
    minimum?: string | undefined;
    /**
     * Largest stored value as text, if it was read (dates and numbers).
     */
    maximum?: string | undefined;
}

/**
 * A comparison of an aggregate of each group with what it is for all rows, or with the mean of all groups.
 */
export interface AgainstMean {
    /**
     * The aggregate; an average is compared with that of all rows, anything else with the mean of all groups.
     */
    aggregate: Expression;
    /**
     * Operator.
     */
    operator: Comparison;
}

/**
 * A complete interpretation of a question.
 */
export interface QueryTree {
    /**
     * Key of the table whose rows the question is about.
     */
    from: string;
    /**
     * Joins in order; each starts at a table that is already part of the query.
     */
    joins?: JoinStep[];
    /**
     * Output columns.
     */
    select: Selection[];
    /**
     * Whether duplicate output rows are removed.
     */
    distinct?: boolean;
    /**
     * Conjunction of conditions on rows.
     */
    filters?: Predicate[];
    /**
     * Grouping keys.
     */
    group_by?: Expression[];
    /**
     * Conjunction of conditions on groups.
     */
    having?: Predicate[];
    /**
     * Keeps only the groups whose aggregate compares in this way with a mean.
     */
    against_mean?: AgainstMean;
    /**
     * Ordering, most important first.
     */
    order_by?: Ordering[];
    /**
     * Maximum number of rows.
     */
    limit?: number | undefined;
    /**
     * Keeps only the first rows of each group of output rows.
     */
    top?: TopOfEach | undefined;
    /**
     * Computes one figure of the groups instead of showing them.
     */
    over_groups?: OverGroups | undefined;
    /**
     * Further trees with the same output columns, whose rows are appended (UNION ALL).
     */
    also?: QueryTree[];
}

/**
 * A condition on a row or on a group.
 */
export type Predicate = { type: "all"; conditions: Predicate[] } | { type: "against_column"; column: ColumnRef; operator: Comparison; joins: JoinStep[]; other: ColumnRef } | { type: "against_figure"; column: ColumnRef; operator: Comparison; function: Aggregate; conditions?: Predicate[]; same?: ColumnRef[] } | { type: "any"; conditions: Predicate[] } | { type: "compare"; left: Expression; operator: Comparison; right: Literal } | { type: "exists"; joins: JoinStep[]; conditions: Predicate[]; negated?: boolean } | { type: "among_groups"; aggregate: Expression; percent?: number; highest: boolean } | { type: "extreme"; column: ColumnRef; percent: number; highest: boolean } | { type: "in_range"; column: ColumnRef; range: DateRange } | { type: "is_null"; column: ColumnRef; negated?: boolean } | { type: "one_of"; column: ColumnRef; values: string[] } | { type: "not"; condition: Predicate } | { type: "related_count"; joins: JoinStep[]; conditions: Predicate[]; operator: Comparison; value: string; distinct?: ColumnRef } | { type: "related_to_all"; joins: JoinStep[]; key: ColumnRef; conditions: Predicate[] } | { type: "text"; column: ColumnRef; matching: TextMatch; text: string };

/**
 * A constant.
 */
export type Literal = { type: "boolean"; value: boolean } | { type: "date"; value: string } | { type: "number"; value: string } | { type: "text"; value: string };

/**
 * A continuation of a text that is typed.
 */
export interface Completion {
    /**
     * Span of the text that is replaced; empty if the words are only added.
     */
    span: Span;
    /**
     * Text that takes its place.
     */
    insert: string;
    /**
     * Words to show, which start with the words that they continue.
     */
    label: string;
    /**
     * What is offered.
     */
    kind: CompletionKind;
    /**
     * Whether it takes the place of words that cannot be continued.
     */
    instead: boolean;
    /**
     * Whether the question that it leads to is asked about before it is answered.
     */
    asks: boolean;
}

/**
 * A correction: constraints on how the question is read.
 */
export type Correction = { type: "column"; selected_column?: ColumnRef | undefined; rejected_columns?: ColumnRef[] } | { type: "join"; left: ColumnRef; right: ColumnRef } | { type: "table"; selected_table?: string | undefined; rejected_tables?: string[] } | { type: "text"; text: string };

/**
 * A decision about an ambiguity in the conversation.
 */
export interface Decided {
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * The ambiguous words.
     */
    phrase: string;
    /**
     * Byte offset of the words in all texts, joined by newlines.
     */
    start: number;
    /**
     * Meaning of the ambiguous words.
     */
    binding: OptionBinding;
    /**
     * Who or what decided.
     */
    source: AssumptionSource;
}

/**
 * A decision about an ambiguity, by the user or by default.
 */
export interface Assumption {
    /**
     * Id by which the decision can be changed.
     */
    id: string;
    /**
     * The ambiguous words.
     */
    phrase: string;
    /**
     * Span in the question, if there is one.
     */
    span?: Span | undefined;
    /**
     * Their meaning.
     */
    meaning: string;
    /**
     * Who or what decided.
     */
    source: AssumptionSource;
    /**
     * The remembered choice, if memory decided.
     */
    from_memory?: FromMemory | undefined;
    /**
     * The clarification, with all its options.
     */
    clarification: Clarification;
    /**
     * The chosen option; absent if the meaning was typed.
     */
    chosen?: ClarificationOption | undefined;
}

/**
 * A decision about words of the question.
 */
export interface DecidedWords {
    /**
     * The words.
     */
    phrase: string;
    /**
     * Meaning of the words, for the prompt.
     */
    meaning: string;
    /**
     * What the statement must contain.
     */
    required?: Required;
    /**
     * Whether the user made the decision or a correction implies it; the statement must then respect it (invariant
     * I9).
     */
    fixed?: boolean;
}

/**
 * A disagreement between the question and the query.
 */
export interface Doubt {
    /**
     * Kind of disagreement.
     */
    kind: DoubtKind;
    /**
     * Words that it is about, as a span in the question.
     */
    span?: Span | undefined;
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
    /**
     * Whether an engine inferred the key; false if it is declared.
     */
    inferred?: boolean;
}

/**
 * A half-open calendar range: `start` is inclusive, `end` is exclusive; either can be absent.
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
     * Key of the table that is already part of the query.
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
     * Whether rows without a match are kept (LEFT JOIN).
     */
    outer?: boolean;
}

/**
 * A lesson that was learned.
 */
export interface Learned {
    /**
     * Id; the same for the same lesson.
     */
    id: string;
    /**
     * Kind.
     */
    kind: LessonKind;
    /**
     * The words, case-folded and without accents; of a query pattern, the stems of the question's words. Empty for an
     * error pattern.
     */
    words?: string;
    /**
     * The table or column that the words of a mapping mean.
     */
    means?: LessonTarget;
    /**
     * The message of an error pattern, the statement of a query pattern.
     */
    text?: string;
    /**
     * Confidence when it was learned: 0.95 from a correction that worked, 0.8 from a failure that was repaired.
     */
    confidence: number;
    /**
     * Number of questions that it was used for.
     */
    uses?: number;
    /**
     * Number of those questions whose answer used it.
     */
    successes?: number;
    /**
     * Date on which it was last learned or used, `yyyy-mm-dd`.
     */
    last_used: string;
}

/**
 * A named aggregate such as "revenue", with its definition.
 */
export interface Metric {
    /**
     * Name.
     */
    name: string;
    /**
     * Synonyms.
     */
    synonyms?: string[];
    /**
     * One sentence that describes what the metric measures.
     */
    description?: string;
    /**
     * Aggregate function.
     */
    aggregate: MetricAggregate;
    /**
     * Key of the table whose rows are aggregated.
     */
    table: string;
    /**
     * A column, or columns and numbers joined by `+ - * /` and parentheses; empty for a count of rows.
     */
    expression?: string;
    /**
     * Unit of the result, such as `EUR`.
     */
    unit?: string | undefined;
    /**
     * Date column that time expressions refer to, as `table.column`.
     */
    date_column?: string | undefined;
}

/**
 * A named group of tables, such as a schema or a module.
 */
export interface Area {
    /**
     * Key by which tables refer to the area.
     */
    name: string;
    /**
     * Display title.
     */
    title: string;
    /**
     * One sentence that describes the area.
     */
    description?: string;
    /**
     * Words that route a question to this area.
     */
    keywords?: string[];
    /**
     * Questions suggested for this area.
     */
    suggestions?: string[];
}

/**
 * A note about the rows.
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
     * Description, shown when the user is asked for the value.
     */
    description?: string;
    /**
     * Allowed values of an enum.
     */
    allowed_values?: string[];
    /**
     * Table of the column with the allowed values.
     */
    table?: string | undefined;
    /**
     * Column with the allowed values.
     */
    column?: string | undefined;
    /**
     * Default value, used if the question gives none; of a date, `yyyy-mm-dd` or the name of a relative day such as
     * `start_of_month`; of a string, `current_user` for the person who asks.
     */
    default?: string | undefined;
    /**
     * Minimum of a number.
     */
    minimum?: number | undefined;
    /**
     * Maximum of a number.
     */
    maximum?: number | undefined;
    /**
     * Regular expression that a whole text must match.
     */
    pattern?: string;
    /**
     * Weight of the parameter in the confidence of a match, 0.3 to 1.0 (`docs/spec.md` §2.1).
     */
    weight?: number | undefined;
}

/**
 * A parameter value that a model extracted from a question.
 */
export interface ExtractedParameter {
    /**
     * Name of the parameter.
     */
    name: string;
    /**
     * The value; spelled as stored if it is an allowed value.
     */
    value: string;
    /**
     * Alternative values that pass the rules of the parameter.
     */
    alternatives?: string[];
    /**
     * Confidence, 0 to 1 (`docs/spec.md` §2.1): valid 0.75, nothing to validate against 0.65, invalid 0.30.
     */
    confidence: number;
}

/**
 * A part of a question that is answered separately.
 */
export interface SubQuestion {
    /**
     * Name of the common table expression that answers the part.
     */
    name: string;
    /**
     * The part, in words.
     */
    question: string;
}

/**
 * A period of the question.
 */
export interface AskedPeriod {
    /**
     * The words.
     */
    phrase: string;
    /**
     * Literals for the period; a statement that filters by the period contains at least one.
     */
    literals: string[];
    /**
     * Whether it is not known what the period does; a statement then contains it in any place.
     */
    anywhere?: boolean;
    /**
     * Whether the period is relative to today, so that a statement may compute it.
     */
    relative?: boolean;
    /**
     * Whether the period has a start, so that a literal that is only an exclusive upper bound does not count.
     */
    started?: boolean;
}

/**
 * A phrase of the question with its meaning.
 */
export interface MentionView {
    /**
     * Span in the question.
     */
    span: Span;
    /**
     * Words in the span.
     */
    phrase: string;
    /**
     * Kind of meaning.
     */
    kind: MentionKind;
    /**
     * Short meaning, such as `Invoice.InvoiceDate`.
     */
    meaning: string;
    /**
     * Confidence, 0 to 1.
     */
    confidence: number;
    /**
     * Why the words have this meaning.
     */
    reason: string;
    /**
     * Alternative meanings, best first.
     */
    rivals: Rival[];
}

/**
 * A possible definition of a term, with exactly one condition.
 */
export interface VagueOption {
    /**
     * Label of a few words, such as "credit limit over 50,000".
     */
    label: string;
    /**
     * Column that this definition applies to, as `table.column`, if not those of the term.
     */
    column?: string;
    /**
     * Role of the column that this definition applies to, if not those of the term.
     */
    role?: string;
    /**
     * Whether this definition is recommended; exactly one is.
     */
    default?: boolean;
    /**
     * Greater than this number.
     */
    above?: number;
    /**
     * At least this number.
     */
    at_least?: number;
    /**
     * Less than this number.
     */
    below?: number;
    /**
     * Greater (true) or less (false) than the average of the column.
     */
    above_average?: boolean;
    /**
     * Among the highest values, as a percentage of the rows from 1 to 99.
     */
    highest_percent?: number;
    /**
     * Among the lowest values, as a percentage of the rows from 1 to 99.
     */
    lowest_percent?: number;
    /**
     * A boolean column that is true, or false.
     */
    flag?: boolean;
    /**
     * NULL (true) or not NULL (false).
     */
    missing?: boolean;
    /**
     * One of these values.
     */
    values?: string[];
    /**
     * In the period of this many days that ends today.
     */
    within_days?: number;
    /**
     * More than this many days ago.
     */
    before_days?: number;
    /**
     * From today until this many days from now.
     */
    next_days?: number;
}

/**
 * A problem, for users and programs.
 */
export interface ProblemView {
    /**
     * Stable error code.
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
     * Suggestion, in one sentence.
     */
    hint?: string;
    /**
     * Span in the question, if there is one.
     */
    span?: Span | undefined;
    /**
     * Whether a retry may succeed.
     */
    retryable?: boolean;
}

/**
 * A progress step.
 */
export interface ProgressStep {
    /**
     * The state.
     */
    state: State;
    /**
     * What was done, in words.
     */
    detail: string;
    /**
     * For a step of writing with a model: milliseconds since the writing began.
     */
    elapsed_ms?: number;
}

/**
 * A query template of a pack: SQL with named parameters that answers a known kind of question.
 */
export interface QueryTemplate {
    /**
     * Stable name.
     */
    name: string;
    /**
     * One sentence that describes what the template answers.
     */
    description: string;
    /**
     * Area that the template belongs to.
     */
    area?: string | undefined;
    /**
     * Example questions; `{parameter}` marks the position of a parameter's value.
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
 * A question about an ambiguity.
 */
export interface Clarification {
    /**
     * Id; the same whenever the same question is asked of the same catalog.
     */
    id: string;
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * Severity of the ambiguity.
     */
    severity: Severity;
    /**
     * Span in the question; absent if the clarification concerns the whole question.
     */
    span?: Span | undefined;
    /**
     * Words in the span.
     */
    phrase?: string;
    /**
     * Text of the question; the most likely reading comes first.
     */
    question: string;
    /**
     * Why the clarification is asked, in one sentence without a full stop.
     */
    reason: string;
    /**
     * Options, most likely first.
     */
    options: ClarificationOption[];
    /**
     * What the user may enter instead of an option.
     */
    custom?: CustomInput | undefined;
    /**
     * Id of the recommended option.
     */
    recommended?: string | undefined;
    /**
     * What was understood of the question so far, one line each.
     */
    understood?: string[];
    /**
     * The whole clarification as text, with numbered options, for text-only clients.
     */
    plain_text: string;
}

/**
 * A question of a model, or about a difference between its drafts; its options exist in the catalog.
 */
export interface WrittenQuestion {
    /**
     * The ambiguous words.
     */
    phrase: string;
    /**
     * Why the question is asked: the reason of the model, or the difference between drafts.
     */
    reason?: string;
    /**
     * Options, at least two.
     */
    options: WrittenOption[];
}

/**
 * A range of a question in UTF-8 bytes; hosts that count UTF-16 code units convert with [`Span::to_utf16`].
 */
export interface Span {
    /**
     * Offset of the first byte.
     */
    start: number;
    /**
     * Offset after the last byte.
     */
    end: number;
}

/**
 * A range of the SQL text, in UTF-8 bytes (in UTF-16 code units in the JavaScript package); zero-length at 0 for
 * composed SQL.
 */
export interface SqlSpan {
    /**
     * Offset of the first byte.
     */
    start: number;
    /**
     * Offset after the last byte.
     */
    end: number;
}

/**
 * A remembered choice that was applied.
 */
export interface FromMemory {
    /**
     * Id of the pattern in memory.
     */
    pattern_id: string;
    /**
     * Why the remembered choice was applied, for users.
     */
    reason: string;
}

/**
 * A request to the host, which returns the result as an event with the same id.
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
 * A result: columns and rows.
 */
export interface ResultSet {
    /**
     * Columns, in order.
     */
    columns: ResultColumn[];
    /**
     * Rows; each has one cell per column.
     */
    rows: Cell[][];
    /**
     * Whether rows were dropped because of a limit on rows or bytes.
     */
    truncated?: boolean;
    /**
     * The first of the cells that were cut because of a limit on their size, at most 100. Their texts end in `…`.
     */
    cut_cells?: CutCell[];
    /**
     * Number of cells that were cut.
     */
    cut_count?: number;
    /**
     * Execution time in milliseconds.
     */
    elapsed_ms?: number;
    /**
     * Steps of the statement in order of execution; empty if the host does not explain it.
     */
    explained?: ExplainedStep[];
}

/**
 * A schema link: words of the question that name an element of the catalog.
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
     * Column, if the words name it or one of its values.
     */
    column?: string | undefined;
    /**
     * Stored value, if the words name one.
     */
    value?: string | undefined;
    /**
     * Whether the link is certain: the words match the name, and nothing else matches.
     */
    sure?: boolean;
}

/**
 * A search for a stored value.
 */
export interface ValueSearch {
    /**
     * Column to search.
     */
    column: ColumnRef;
    /**
     * Text to find anywhere in the value, ignoring case.
     */
    text: string;
}

/**
 * A statement that failed in the data source.
 */
export interface FailedStatement {
    /**
     * The statement.
     */
    sql: string;
    /**
     * Error message of the data source.
     */
    message: string;
}

/**
 * A statement written by a model.
 */
export interface WrittenStatement {
    /**
     * The statement, printed from the checked tree.
     */
    sql: string;
    /**
     * Description in one sentence, derived from the statement; if that is not possible, in the model's words.
     */
    explanation: string;
    /**
     * Assumptions of the model.
     */
    assumptions?: StatedAssumption[];
    /**
     * Automatic corrections.
     */
    corrected?: string[];
    /**
     * Warnings: what is probably wrong.
     */
    doubts?: string[];
    /**
     * Sub-questions, each answered by a common table expression of the same name.
     */
    steps?: SubQuestion[];
    /**
     * How the statement was written.
     */
    mode: Mode;
    /**
     * Key of the first table in FROM.
     */
    table?: string | undefined;
}

/**
 * A step of a statement.
 */
export interface ExplainedStep {
    /**
     * The step in words, in lower case without a full stop.
     */
    text: string;
    /**
     * Span in the statement; empty at 0 if the step corresponds to no part of it.
     */
    span: Span;
    /**
     * Nesting depth: number of enclosing steps.
     */
    depth?: number;
}

/**
 * A step of writing, for diagnosis.
 */
export interface TraceEntry {
    /**
     * Stage, such as `drafting`.
     */
    stage: string;
    /**
     * Description of what was done or found.
     */
    detail: string;
}

/**
 * A step of writing, for users.
 */
export interface WritingStep {
    /**
     * Stage.
     */
    stage: WritingStage;
    /**
     * What was done, in words.
     */
    detail: string;
    /**
     * Milliseconds since writing began; absent if the host measures no time.
     */
    elapsed_ms?: number;
}

/**
 * A subset of the rows of a table, such as the patients in care.
 */
export interface Cohort {
    /**
     * Key of the table.
     */
    table: string;
    /**
     * Label of a few words, such as "patients in care".
     */
    label: string;
    /**
     * One sentence that describes the rows of the subset.
     */
    description?: string;
    /**
     * Column of the table that defines the subset.
     */
    column: string;
    /**
     * Whether the column must be NULL (true) or not NULL (false).
     */
    missing?: boolean | undefined;
    /**
     * Allowed values of the column.
     */
    values?: string[];
    /**
     * Number of days up to and including today in which the date must lie.
     */
    within_days?: number | undefined;
}

/**
 * A table or a view.
 */
export interface Table {
    /**
     * Schema; `None` in the default schema.
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
     * Name of the area that the table belongs to.
     */
    area?: string | undefined;
    /**
     * One sentence that describes a row.
     */
    description?: string;
    /**
     * Synonyms for the rows of the table.
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
     * Columns of the primary key, in order; empty if there is none.
     */
    primary_key?: string[];
    /**
     * Columns that identify a row to a person; inferred if empty.
     */
    label_columns?: string[];
    /**
     * Column that a time expression refers to by default; inferred if absent.
     */
    date_column?: string | undefined;
    /**
     * Column that "total" or "average" refers to by default; inferred if absent.
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
     * The user's date at that time, `yyyy-mm-dd`.
     */
    today: string;
}

/**
 * A vague term that the pack defines, for the columns with some roles or for named columns.
 */
export interface VagueTerm {
    /**
     * Phrases that match the term, such as "key" and "important".
     */
    forms: string[];
    /**
     * Roles of the columns that the definitions apply to, best first.
     */
    roles?: string[];
    /**
     * Columns that the definitions apply to, as `table.column`; they take precedence over roles.
     */
    columns?: string[];
    /**
     * Possible definitions, from one to five.
     */
    options: VagueOption[];
}

/**
 * A value computed from a row or a group of rows.
 */
export type Expression = { type: "age"; column: ColumnRef; on: string } | { type: "aggregate"; function: Aggregate; argument: Expression | undefined; distinct?: boolean } | { type: "arithmetic"; operator: ArithmeticOperator; left: Expression; right: Expression } | { type: "column"; column: ColumnRef } | { type: "days"; from: ColumnRef; to: ColumnRef } | { type: "growth"; aggregate: Expression; period: Expression } | { type: "number"; value: string } | { type: "partial"; aggregate: Expression; conditions: Predicate[] } | { type: "period"; column: ColumnRef; grain: TimeGrain } | { type: "related"; joins: JoinStep[]; column: ColumnRef } | { type: "share"; aggregate: Expression; conditions: Predicate[] } | { type: "share_of_total"; aggregate: Expression };

/**
 * Aggregate function of a metric.
 */
export type MetricAggregate = "average" | "count" | "count_distinct" | "maximum" | "minimum" | "sum";

/**
 * Aggregate functions.
 */
export type Aggregate = "average" | "count" | "maximum" | "median" | "minimum" | "sum";

/**
 * An additional name of a table or column.
 */
export interface Lesson {
    /**
     * The name: one or several words.
     */
    term: string;
    /**
     * Table or column that is named.
     */
    means: LessonTarget;
}

/**
 * An aggregate of the one aggregate of the tree, over its groups: the average of a number of rows for each.
 */
export interface OverGroups {
    /**
     * Aggregate function.
     */
    function: Aggregate;
    /**
     * What the figure is shown for; all groups count together where it is empty.
     */
    by: Expression[];
    /**
     * Name of the output column.
     */
    alias: string;
}

/**
 * An alternative meaning.
 */
export interface Rival {
    /**
     * Short meaning.
     */
    meaning: string;
    /**
     * Confidence, 0 to 1.
     */
    confidence: number;
}

/**
 * An ambiguity whose questions were marked as needless.
 */
export interface Needless {
    /**
     * Id; the same for the same kind and phrase.
     */
    id: string;
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * The ambiguous words, case-folded and without accents.
     */
    phrase: string;
    /**
     * Number of marks as needless, less those as helpful; at least 1.
     */
    marks: number;
    /**
     * Date of the last mark, `yyyy-mm-dd`.
     */
    last_used: string;
}

/**
 * An answer to one clarification.
 */
export interface ClarificationAnswer {
    /**
     * Id of the clarification.
     */
    clarification_id: string;
    /**
     * The answer.
     */
    answer: Answer;
}

/**
 * An answer.
 */
export type Answer = { type: "best_guess" } | { type: "date_range"; start?: string | undefined; end?: string | undefined } | { type: "number"; value: number } | { type: "option"; option_id: string } | { type: "text"; text: string };

/**
 * An assumption of a model.
 */
export interface StatedAssumption {
    /**
     * Words of the question.
     */
    term: string;
    /**
     * Their assumed meaning.
     */
    value: string;
    /**
     * Why.
     */
    reason?: string;
    /**
     * How sure the model is, 0 to 1, if it says so.
     */
    confidence?: number;
    /**
     * What the words may mean, the assumed meaning first; at least two, or none.
     */
    options?: WrittenOption[];
}

/**
 * An error in a statement, with its position in the SQL text.
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
     * How to fix the statement, if known.
     */
    hint: string | undefined;
    /**
     * Position in the SQL text; zero-length at 0 if the query was composed rather than read.
     */
    span: SqlSpan;
}

/**
 * An event.
 */
export type Event = { type: "answer"; answers: ClarificationAnswer[] } | { type: "ask"; text: string; today: string; skip_clarification?: boolean } | { type: "cancel" } | { type: "change"; answer: ClarificationAnswer } | { type: "correct"; correction: Correction } | { type: "effect_result"; effect_id: number; result: EffectResult } | { type: "remember"; clarification_id: string } | { type: "retry" };

/**
 * An option: a table, a column, a stored value of a column, or an aggregate of a column.
 */
export interface WrittenOption {
    /**
     * Label of a few words.
     */
    label: string;
    /**
     * Key of the table.
     */
    table: string;
    /**
     * Column.
     */
    column?: string | undefined;
    /**
     * Stored value.
     */
    value?: string | undefined;
    /**
     * Aggregate function.
     */
    figure?: Aggregate | undefined;
}

/**
 * An ordering.
 */
export interface Ordering {
    /**
     * Sort key.
     */
    expression: Expression;
    /**
     * Whether the order is descending.
     */
    descending?: boolean;
}

/**
 * An output column.
 */
export interface Selection {
    /**
     * The expression.
     */
    expression: Expression;
    /**
     * Name of the output column, if the expression has no name of its own.
     */
    alias?: string | undefined;
}

/**
 * Arithmetic operators.
 */
export type ArithmeticOperator = "divide" | "minus" | "multiply" | "plus";

/**
 * Comparison operators.
 */
export type Comparison = "equal" | "greater" | "greater_or_equal" | "less" | "less_or_equal" | "not_equal";

/**
 * Confidence of a reading; each score is 0 to 1 (`docs/spec.md` §2.3).
 */
export interface Confidence {
    /**
     * Chance that the statement answers the question; without a composed statement the weighted sum of the others.
     */
    overall: number;
    /**
     * Clarity of what the question asks for.
     */
    intent: number;
    /**
     * 1 if any table was found, else 0.
     */
    retrieval: number;
    /**
     * Number of matched terms divided by 3, at most 1.
     */
    terms: number;
    /**
     * 1 if a join path exists or none is needed, else 0.5.
     */
    join: number;
}

/**
 * Coverage of a value list.
 */
export type Coverage = "complete" | "partial";

/**
 * Dialect of a data source.
 */
export type Dialect = "postgres" | "sqlite";

/**
 * Dialects that a query can be printed for: those of data sources, and those that are write-only.
 *
 * What is printed for SQL Server, BigQuery, Snowflake, Databricks and Trino was read by a second parser, and never run on
 * a live account.
 */
export type Target = "postgres" | "sqlite" | "mssql" | "bigquery" | "mysql" | "snowflake" | "databricks" | "trino";

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
 * Expected shape of the rows; absent fields are not known.
 */
export interface Shape {
    /**
     * Rows are groups.
     */
    groups?: boolean;
    /**
     * Rows are limited to the first ones of an order.
     */
    ranks?: boolean;
    /**
     * The answer is one number, such as a count.
     */
    figure?: boolean;
    /**
     * The aggregate function, if exactly one is asked for.
     */
    works_out?: Aggregate | undefined;
    /**
     * Grouping columns, as `table.column`.
     */
    per?: string[];
    /**
     * Limit on the rows.
     */
    top?: number | undefined;
    /**
     * Whether the order is descending.
     */
    descending?: boolean | undefined;
    /**
     * Columns to show, as `table.column`.
     */
    shows?: string[];
    /**
     * Whether rows have to be distinct.
     */
    distinct?: boolean;
    /**
     * Key of the table whose rows are listed.
     */
    lists?: string | undefined;
    /**
     * Words for the amount that is computed; absent if rows are counted, or if it is not known.
     */
    amount?: string | undefined;
    /**
     * Words that ask for a share of a whole, or a ratio.
     */
    share?: string | undefined;
    /**
     * Words that ask for the change from one period to another.
     */
    change?: string | undefined;
}

/**
 * How a statement was written.
 */
export type Mode = "direct" | "funnel" | "template";

/**
 * How much an ambiguity matters.
 */
export type Severity = "critical" | "important" | "minor";

/**
 * How often the users of a tenant chose an option.
 */
export interface Chosen {
    /**
     * Kind of ambiguity.
     */
    ambiguity: AmbiguityKind;
    /**
     * The ambiguous words.
     */
    phrase: string;
    /**
     * Id of the chosen option.
     */
    option_id: string;
    /**
     * Number of times that it was chosen.
     */
    times: number;
}

/**
 * How readily ambiguities are asked about.
 */
export type Asking = "often" | "seldom" | "usual";

/**
 * How words that belong to no clause were read.
 */
export type RemainderKind = "asked" | "assumed" | "punctuation" | "structure" | "unread" | "unused";

/**
 * Input of a new session.
 */
export interface Start {
    /**
     * The conversation so far, if the question may be a follow-up.
     */
    context?: Context | undefined;
    /**
     * Remembered choices.
     */
    memory?: Memory;
    /**
     * What the users of the tenant chose, for recommendations.
     */
    chosen?: Chosen[];
    /**
     * The person who asks, for templates whose default is the current user.
     */
    person?: string;
}

/**
 * Input that is accepted instead of an option.
 */
export type CustomInput = { type: "date_range"; column: ColumnRef } | { type: "number"; column: ColumnRef; operator: Comparison; unit?: string | undefined; minimum?: number | undefined; maximum?: number | undefined } | { type: "text"; placeholder: string; table: string; parameter?: ParameterInput };

/**
 * Kind of a text match.
 */
export type TextMatch = "contains" | "ends_with" | "starts_with";

/**
 * Kinds of ambiguity.
 */
export type AmbiguityKind = "aggregation" | "column" | "condition" | "cohort" | "intent" | "join" | "metric_definition" | "table" | "threshold" | "time_window" | "unknown_term" | "value" | "vague_term";

/**
 * Kinds of clauses.
 */
export type ClauseKind = "column" | "figure" | "distinct" | "rows" | "join" | "condition" | "group" | "group_condition" | "order" | "limit" | "template";

/**
 * Kinds of disagreement.
 */
export type DoubtKind = "both_of_one_value" | "clause_unasked" | "comparison_lost" | "count_impossible" | "counts_one" | "date_compared" | "date_lost" | "dates_exclude" | "exists_contradicted" | "key_compared" | "listed_unshown" | "name_compared" | "negation_lost" | "never_empty" | "number_unused" | "period_unused" | "rank_lost" | "relation_lost" | "rows_unread" | "state_lost" | "shown_twice" | "values_exclude" | "words_unused";

/**
 * Kinds of meanings.
 */
export type MentionKind = "aggregate" | "column" | "comparison" | "grouping" | "limit" | "number" | "ordering" | "table" | "time" | "vague_term" | "value";

/**
 * Kinds of notes.
 */
export type NoteKind = "empty" | "model" | "not_run" | "tie" | "truncated";

/**
 * Length of a grouping period.
 */
export type TimeGrain = "day" | "week" | "month" | "quarter" | "year" | "day_of_week" | "hour_of_day" | "month_of_year";

/**
 * One possible answer.
 */
export interface ClarificationOption {
    /**
     * Id of the option, unique within its clarification.
     */
    id: string;
    /**
     * Label of a few words.
     */
    label: string;
    /**
     * What the option means, in one sentence; may be empty.
     */
    description?: string;
    /**
     * Part of the query that the option stands for.
     */
    binding: OptionBinding;
    /**
     * Confidence that this option is meant, 0 to 1, at most 1 for all options together; absent where nothing
     * measures it.
     */
    confidence?: number;
}

/**
 * Options of the clarification about some words: which, in which order, and which is recommended.
 */
export interface OptionOrder {
    /**
     * The ambiguous words, such as "recent".
     */
    phrase?: string;
    /**
     * Ids of the options that come first, in order.
     */
    options?: string[];
    /**
     * Whether other options are left out, if at least one of these is offered.
     */
    only?: boolean;
    /**
     * Id of the option that is recommended.
     */
    recommended?: string | undefined;
}

/**
 * Preview of a text while it is typed.
 */
export interface Preview {
    /**
     * What was understood.
     */
    understanding: Understanding;
    /**
     * Clarifications that would be asked.
     */
    clarifications: Clarification[];
    /**
     * Assumptions that would be made.
     */
    assumptions: Assumption[];
    /**
     * The formatted statement, if one can be written.
     */
    sql?: string | undefined;
    /**
     * The problem, if no statement can be written.
     */
    problem?: ProblemView | undefined;
}

/**
 * Reference to a column, by the key of its table and its name.
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
 * Remembered choices.
 */
export interface Memory {
    /**
     * Version of the format.
     */
    version: number;
    /**
     * Remembered choices, each with its frequency.
     */
    patterns?: Pattern[];
    /**
     * Ambiguities whose questions the user marked as needless.
     */
    needless?: Needless[];
    /**
     * Lessons that corrections and repairs taught.
     */
    lessons?: Learned[];
    /**
     * Settings of the person; absent if they are those of the server.
     */
    settings?: PersonSettings;
}

/**
 * Settings of an engine.
 */
export interface Settings {
    /**
     * Whether clarifications are asked; if false, each ambiguity takes its best option and is listed as an assumption.
     */
    enable_clarification?: boolean;
    /**
     * Whether the engine composes statements; if false, only templates and a model write them.
     */
    composer?: boolean;
    /**
     * Whether questions that cannot be composed are given to a model.
     */
    model?: boolean;
    /**
     * How readily ambiguities are asked about (`docs/spec.md` §2.4).
     */
    asking?: Asking;
    /**
     * Options of clarifications that differ from the built-in ones, and their order.
     */
    options?: OptionOrder[];
    /**
     * Whether planned joins are confirmed or corrected before a statement is composed (`docs/spec.md` §13).
     */
    confirm_joins?: boolean;
    /**
     * Overall confidence below which a clarification is asked, 0 to 1 (`docs/spec.md` §2.3).
     */
    ask_below?: number;
    /**
     * Overall confidence above which the list of assumptions is collapsed, 0 to 1 (`docs/spec.md` §2.3).
     */
    run_above?: number;
    /**
     * Whether the weighted sum of the scores takes the place of the chance in the gate (`docs/spec.md` §2.3).
     */
    weighted_gate?: boolean;
    /**
     * Intent confidence below which the intent is clarified first, 0 to 1 (`docs/spec.md` §2.3).
     */
    intent_below?: number;
    /**
     * Minimum score difference at which the best binding wins; below it, rival bindings are kept as well.
     */
    rival_gap?: number;
    /**
     * Maximum number of clarifications per round (`docs/spec.md` §2.4).
     */
    questions_per_round?: number;
    /**
     * Maximum number of rounds of clarification (`docs/spec.md` §2.4).
     */
    rounds?: number;
    /**
     * Maximum number of corrections per question (`docs/spec.md` §13).
     */
    corrections?: number;
    /**
     * Maximum number of rows of an answer.
     */
    row_limit?: number;
    /**
     * Number of times that a choice must be made before memory applies it (`docs/spec.md` §12).
     */
    memory_frequency?: number;
    /**
     * Share of consistent choices required for memory to apply one, 0 to 1 (`docs/spec.md` §12).
     */
    memory_confidence?: number;
    /**
     * Share of common words required for memory to treat two questions as similar, 0 to 1 (`docs/spec.md` §12).
     */
    memory_similarity?: number;
    /**
     * Maximum number of remembered choices of a person; beyond it, the least recently used one is dropped.
     */
    memory_patterns?: number;
    /**
     * Number of marks as needless from which a question is not asked any more; 0 if marks only count
     * (`docs/spec.md` §12).
     */
    needless_marks?: number;
    /**
     * Maximum length of a question, in bytes.
     */
    question_bytes?: number;
    /**
     * First month of the fiscal year, 1 to 12.
     */
    fiscal_year_start?: number;
}

/**
 * Settings that a person chose; those that are absent are the server's.
 */
export interface PersonSettings {
    /**
     * How readily ambiguities are asked about.
     */
    asking?: Asking;
    /**
     * Maximum number of clarifications per round.
     */
    questions_per_round?: number;
    /**
     * Maximum number of rounds of clarification; with 0, best options are taken.
     */
    rounds?: number;
    /**
     * Number of times that a choice must be made before memory applies it.
     */
    memory_frequency?: number;
    /**
     * Number of marks as needless from which a question is not asked any more; 0 if marks only count.
     */
    needless_marks?: number;
}

/**
 * Stages of a question, as shown to users.
 */
export type Stage = "checking" | "running" | "understanding" | "values" | "writing";

/**
 * Stages of writing.
 */
export type WritingStage = "extracting" | "joining" | "judging_tables" | "drafting" | "checking" | "repairing";

/**
 * State of a session (`docs/spec.md` §14).
 */
export type State = "initializing" | "query_understanding" | "awaiting_clarification" | "inferring_joins" | "awaiting_correction" | "generating_sql" | "judging" | "repairing" | "executing_query" | "completed" | "failed" | "cancelled";

/**
 * Tables, columns, foreign keys and areas of one data source.
 */
export interface Catalog {
    /**
     * Display name of the data source.
     */
    name: string;
    /**
     * SQL dialect of the data source.
     */
    dialect?: Dialect;
    /**
     * Whether statements can be run; false for a catalog given as a file.
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
     * Columns whose values were looked up in another column, as evidence of keys that are not declared.
     */
    containments?: { from: ColumnRef; to: ColumnRef; values: number; found: number; unique: boolean }[];
    /**
     * Number of tables whose ranges and values are still being read, and whose numbers of rows are estimates; zero in a
     * catalog that is complete.
     */
    unread_tables?: number;
    /**
     * Metrics that the pack defines.
     */
    metrics?: Metric[];
    /**
     * Cohorts that the pack defines.
     */
    cohorts?: Cohort[];
    /**
     * Vague terms that the pack defines.
     */
    terms?: VagueTerm[];
    /**
     * Query templates that the pack defines.
     */
    templates?: QueryTemplate[];
}

/**
 * The conversation so far, as returned by [`Session::context`](crate::Session::context).
 */
export interface Context {
    /**
     * Texts, oldest first: the first is a complete question, the others modify it.
     */
    said: Said[];
    /**
     * Decisions about the texts.
     */
    decisions?: Decided[];
    /**
     * Corrections of the texts.
     */
    corrections?: Correction[];
    /**
     * Stored values that were found for the texts.
     */
    found?: FoundValues[];
    /**
     * The resulting query tree.
     */
    tree: QueryTree;
}

/**
 * The first output rows of each group, in the order of the tree.
 */
export interface TopOfEach {
    /**
     * What tells the groups apart.
     */
    partition: Expression[];
    /**
     * Number of rows of each group.
     */
    count: number;
}

/**
 * The five possible outcomes of a question; exactly one applies.
 */
export type Outcome = "answered" | "execution_failed" | "generation_failed" | "needs_clarification" | "out_of_scope";

/**
 * The input from which an engine is built.
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
     * Lessons: learned synonyms of tables and columns.
     */
    lessons?: Lesson[];
    /**
     * Parsed statements of the catalog's templates; if empty, an engine with feature `sql` parses them.
     */
    statements?: unknown[];
    /**
     * Lines of the thesaurus that are relevant to the catalog, or the whole thesaurus; without it, an engine without
     * feature `thesaurus` knows synonyms of frequent words only.
     */
    thesaurus?: string;
}

/**
 * The parameter of a template that a typed text gives the value of.
 */
export interface ParameterInput {
    /**
     * Name of the template.
     */
    template: string;
    /**
     * Name of the parameter.
     */
    parameter: string;
    /**
     * Type of the value; a date is `yyyy-mm-dd`.
     */
    type: ParameterType;
    /**
     * Regular expression that a whole text must match.
     */
    pattern?: string;
    /**
     * Smallest number.
     */
    minimum?: number;
    /**
     * Largest number.
     */
    maximum?: number;
    /**
     * Values of an enum.
     */
    allowed_values?: string[];
}

/**
 * The result of an effect.
 */
export type EffectResult = { type: "failed"; failure: ExecutionFailure } | { type: "rows"; rows: ResultSet } | { type: "values"; found: FoundValues[] } | { type: "written"; written: Written };

/**
 * The result of writing: one of the first four fields, or parameters if the brief names a template.
 */
export interface Written {
    /**
     * A statement that passed the guard.
     */
    statement?: WrittenStatement | undefined;
    /**
     * Questions to ask first.
     */
    questions?: WrittenQuestion[];
    /**
     * Why the data cannot answer the question.
     */
    out_of_scope?: string | undefined;
    /**
     * Why there is no statement: stable error code and message for users.
     */
    failure?: [string, string] | undefined;
    /**
     * With questions: drafts that differ in what is asked, as JSON for the next brief, so that the draft that matches
     * the answer needs no further call of a model.
     */
    held?: string[];
    /**
     * Values of the parameters of the brief's template that the question gives.
     */
    parameters?: ExtractedParameter[];
    /**
     * Trace of the steps, for diagnosis.
     */
    trace?: TraceEntry[];
    /**
     * What was done, in order, for users.
     */
    progress?: WritingStep[];
}

/**
 * The value of a template's parameter, and how sure it is.
 */
export interface ParameterValue {
    /**
     * Name of the parameter.
     */
    name: string;
    /**
     * The value, as text.
     */
    value: string;
    /**
     * Confidence, 0 to 1: that of the source, times the weight of the parameter.
     */
    confidence: number;
    /**
     * Where the value comes from.
     */
    source: ParameterSource;
}

/**
 * Type family of a column, which determines the operations that a question can apply to it.
 */
export type DataType = "binary" | "boolean" | "date" | "integer" | "json" | "number" | "other" | "text" | "time" | "timestamp" | "uuid";

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
 * What "each" and "all" refer to.
 */
export type ScopeReading = "all" | "each";

/**
 * What a completion offers.
 */
export type CompletionKind = "column" | "comparison" | "grouping" | "metric" | "operator" | "order" | "period" | "question" | "table" | "value";

/**
 * What a decision requires of a statement.
 */
export interface Required {
    /**
     * Keys of tables to read.
     */
    tables?: string[];
    /**
     * Columns to use, as `table.column`.
     */
    columns?: string[];
    /**
     * Literals: of each entry, the statement contains at least one.
     */
    values?: string[][];
    /**
     * Functions to call, in lower case.
     */
    functions?: string[];
}

/**
 * What a follow-up kept of the earlier question, and what it changed.
 */
export interface FollowUp {
    /**
     * The earlier question, as typed.
     */
    follows: string;
    /**
     * Parts that were kept, in words.
     */
    kept: string[];
    /**
     * Parts that were added or removed, in words.
     */
    changed: string[];
}

/**
 * What a lesson is about.
 */
export type LessonKind = "column_mapping" | "error_pattern" | "query_pattern" | "table_mapping";

/**
 * What a lesson names.
 */
export type LessonTarget = { type: "column"; column: ColumnRef } | { type: "table"; table: string };

/**
 * What a question teaches about lessons; the host passes it to [`Memory::learn`].
 */
export interface LessonNews {
    /**
     * Lessons that were learned; those that are known are kept with their counts.
     */
    learned?: Learned[];
    /**
     * Ids of lessons that were used in an answer.
     */
    worked?: string[];
    /**
     * Ids of lessons that were used and then corrected, or led to no answer.
     */
    failed?: string[];
}

/**
 * What a screen shows of a session.
 */
export interface View {
    /**
     * Current state.
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
     * Open clarifications, in the order to show them.
     */
    clarifications: Clarification[];
    /**
     * Rounds of clarification so far.
     */
    round: number;
    /**
     * Decisions, by the user or by default; each can be changed.
     */
    assumptions: Assumption[];
    /**
     * The formatted statement, once written.
     */
    sql?: string | undefined;
    /**
     * Interpretation of the question, in one sentence.
     */
    confirmation?: string | undefined;
    /**
     * The parameters of the template that answers, in order; empty without a template.
     */
    parameters?: ParameterValue[];
    /**
     * Who or what wrote the statement.
     */
    writer?: Writer;
    /**
     * How the statement was written.
     */
    mode?: Mode;
    /**
     * Assumptions of the model that wrote the statement.
     */
    stated?: StatedAssumption[];
    /**
     * Sub-questions that the model answered separately.
     */
    sub_questions?: SubQuestion[];
    /**
     * For a follow-up: what was kept of the earlier question, and what changed.
     */
    follow_up?: FollowUp | undefined;
    /**
     * Rows, once the statement was run.
     */
    result?: ResultSet | undefined;
    /**
     * Notes about the rows.
     */
    notes: Note[];
    /**
     * The outcome, once the question ended or needs clarification.
     */
    outcome?: Outcome | undefined;
    /**
     * The problem, if the question failed.
     */
    problem?: ProblemView | undefined;
    /**
     * Suggested questions.
     */
    suggestions: string[];
    /**
     * Progress steps, in order.
     */
    steps: ProgressStep[];
}

/**
 * What an option stands for: a part of the query tree, not text that is added to the question.
 */
export type OptionBinding = { type: "aggregate"; function: Aggregate } | { type: "attachment"; tables: string[] } | { type: "column"; column: ColumnRef } | { type: "columns"; columns: ColumnRef[] } | { type: "grain"; grain: TimeGrain } | { type: "ignore" } | { type: "join"; joins: JoinStep[] } | { type: "parameter"; template: string; parameter: string; value: string } | { type: "predicate"; predicate: Predicate } | { type: "scope"; table: string; scope: ScopeReading } | { type: "table"; table: string } | { type: "time_range"; column: ColumnRef; range: DateRange } | { type: "value"; column: ColumnRef; value: string };

/**
 * What is known about a question.
 */
export interface Brief {
    /**
     * The question as typed.
     */
    question: string;
    /**
     * The user's calendar date, `yyyy-mm-dd`.
     */
    today: string;
    /**
     * Earlier questions that this one follows up on, oldest first.
     */
    earlier?: string[];
    /**
     * Schema links of words in the question.
     */
    ties?: Tie[];
    /**
     * Unambiguous periods in the question.
     */
    said?: AskedPeriod[];
    /**
     * Decisions about words of the question.
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
     * Error code of the reason why the engine could not compose the statement.
     */
    refused?: string;
    /**
     * Expected shape of the rows.
     */
    shape?: Shape;
    /**
     * No questions may be asked; every ambiguity takes its best reading.
     */
    skip_clarification?: boolean;
    /**
     * The earlier statement, if it failed in the data source.
     */
    failed?: FailedStatement | undefined;
    /**
     * Drafts from before a clarification, which differ in what the user was asked, as JSON from
     * [`Written::held`](super::Written::held). One that matches the answer is used without another call of a model.
     */
    held?: string[];
    /**
     * Name of a template whose parameter values are asked for, in place of a statement.
     */
    template?: string;
}

/**
 * What the host should do.
 */
export type EffectRequest = { type: "execute"; sql: string; dialect: Dialect; row_limit: number } | { type: "look_up_values"; searches: ValueSearch[] } | { type: "write"; brief: Brief };

/**
 * What was understood of a question.
 */
export interface Understanding {
    /**
     * Phrases of the question with their meaning, in order.
     */
    mentions: MentionView[];
    /**
     * Spans that were not understood.
     */
    unread: Span[];
    /**
     * Confidence of the reading.
     */
    confidence: Confidence;
    /**
     * Where the query does not say what the question says.
     */
    doubts?: Doubt[];
    /**
     * Which words made which clause, and how the other words were read.
     */
    account?: Account;
}

/**
 * Where the value of a parameter comes from.
 */
export type ParameterSource = "chosen" | "default" | "extracted" | "guessed" | "similar" | "stated";

/**
 * Whether rows are stored or derived.
 */
export type TableKind = "table" | "view";

/**
 * Which words made which clause of a statement, and how the remaining words were read.
 */
export interface Account {
    /**
     * Clauses of the composed statement, in the order of SQL; none without a composed statement.
     */
    clauses: Clause[];
    /**
     * All other words and signs, in the order of the question.
     */
    rest: Remainder[];
}

/**
 * Who a remembered choice applies to.
 */
export type ChoiceScope = "person" | "data_source";

/**
 * Who or what made a decision.
 */
export type AssumptionSource = "best_guess" | "budget" | "correction" | "default" | "memory" | "model" | "user";

/**
 * Who or what wrote a statement.
 */
export type Writer = "composer" | "model" | "template";

/**
 * Why a clause is there although no words ask for it.
 */
export type ClauseDefault = "columns" | "count" | "definition" | "distinct" | "earlier" | "filled" | "join" | "limit" | "order" | "rows" | "shared";

/**
 * Why an effect failed.
 */
export interface ExecutionFailure {
    /**
     * Stable error code, such as `database_unavailable` or `statement_timeout`.
     */
    code: string;
    /**
     * One sentence for users.
     */
    message: string;
    /**
     * Whether a retry may succeed.
     */
    retryable?: boolean;
}

/**
 * Words or signs that belong to no clause.
 */
export interface Remainder {
    /**
     * Span in the question.
     */
    span: Span;
    /**
     * How they were read.
     */
    reading: RemainderKind;
}
