/* tslint:disable */
/* eslint-disable */
/**
 * A change of the statement's text.
 */
export interface Fix {
    /**
     * What the fix does, such as ``replace `emial` with `email` ``.
     */
    title: string;
    /**
     * Whether the fix is the only plausible one. Safe fixes of errors are applied without asking. A fix of a statement
     * that runs changes its answer, so it is only offered, even if it is safe.
     */
    is_safe: boolean;
    /**
     * Edits of the original text; they do not overlap.
     */
    edits: Edit[];
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
 * A fix that was applied.
 */
export interface AppliedFix {
    /**
     * Identifier of the rule, such as `N02`.
     */
    rule: string;
    /**
     * What was wrong.
     */
    message: string;
    /**
     * What the fix did.
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
    /**
     * Whether an engine inferred the key; false if it is declared.
     */
    inferred?: boolean;
}

/**
 * A lint rule: identifier, name, severity and check.
 *
 * Its description and examples are the module documentation of its file.
 */
export interface Rule {
    /**
     * Stable identifier, such as `N02`.
     */
    rule: string;
    /**
     * Readable name, such as `unknown-column`.
     */
    name: string;
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
 * A phrase of the question that denotes a value, a number or a date.
 */
export interface AskedValue {
    /**
     * The phrase.
     */
    phrase: string;
    /**
     * Literals for the phrase; the statement must contain one of them.
     */
    literals: string[];
    /**
     * Whether the phrase excludes the value ("not in Paris").
     */
    negated?: boolean;
    /**
     * Whether the phrase is a period with a start. A literal that is only an exclusive upper bound does not count then:
     * the period before ends with it.
     */
    started?: boolean;
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
 * A problem that a rule found in a statement.
 */
export interface Finding extends Rule {
    /**
     * Severity of the finding; a dialect can lower the severity of the rule.
     */
    severity: FindingSeverity;
    /**
     * What is wrong, in lower case without a full stop.
     */
    message: string;
    /**
     * Span to underline; zero-length at 0 for the whole statement.
     */
    span: SqlSpan;
    /**
     * Suggested fixes, best first.
     */
    fixes: Fix[];
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
 * A replacement of a span with other text.
 */
export interface Edit {
    /**
     * Span to replace; a zero-length span inserts.
     */
    span: SqlSpan;
    /**
     * Replacement text.
     */
    text: string;
}

/**
 * A request for the first rows of an order.
 */
export interface AskedTop {
    /**
     * Number of rows, if given.
     */
    count?: number | undefined;
    /**
     * Whether the largest values come first, if known.
     */
    largest?: boolean | undefined;
}

/**
 * A statement after autocorrection.
 */
export interface Corrected {
    /**
     * The corrected statement; unchanged if no fix applies.
     */
    sql: string;
    /**
     * The corrections, in the order in which they were applied.
     */
    made: AppliedFix[];
    /**
     * Findings in the corrected statement: remaining errors, warnings, and fixes to offer to the user.
     */
    left: Finding[];
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
 * A translated query.
 */
export interface Translated {
    /**
     * The query in the target dialect.
     */
    sql: string;
    /**
     * Where its meaning depends on the type of a column that is not known; spans refer to the source.
     */
    doubts: Diagnostic[];
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
 * Aggregate function of a metric.
 */
export type MetricAggregate = "average" | "count" | "count_distinct" | "maximum" | "minimum" | "sum";

/**
 * An aggregate function.
 */
export type AskedAggregate = "average" | "count" | "maximum" | "minimum" | "sum";

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
 * Coverage of a value list.
 */
export type Coverage = "complete" | "partial";

/**
 * Dialect of SQL text to read.
 */
export type ReadDialect = "bigquery" | "duckdb" | "mssql" | "mysql" | "postgres" | "sqlite" | "oracle" | "redshift" | "snowflake";

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
 * Expected shape of the result; an absent field means that it is unknown.
 */
export interface Asked {
    /**
     * The requested aggregate, such as a count, total or average.
     */
    aggregate?: AskedAggregate | undefined;
    /**
     * Whether individual rows are requested, so that an aggregate would be wrong.
     */
    lists_rows?: boolean;
    /**
     * Columns to group by: one row per value is requested.
     */
    per?: ColumnRef[];
    /**
     * A top-n request.
     */
    top?: AskedTop | undefined;
    /**
     * Phrases of the question that denote a value of a column.
     */
    values?: AskedValue[];
    /**
     * Columns to show.
     */
    columns?: ColumnRef[];
    /**
     * Whether duplicates are unwanted ("different", "unique").
     */
    distinct?: boolean;
    /**
     * Key of the table whose rows the question is about.
     */
    entity?: string | undefined;
}

/**
 * Explanation of a statement.
 */
export interface Explained {
    /**
     * Summary of the whole statement in one sentence.
     */
    sentence: string;
    /**
     * Steps in the order of evaluation.
     */
    steps: Step[];
}

/**
 * Kind of a step.
 */
export type StepKind = "combine" | "compute" | "cut" | "group" | "join" | "keep" | "keep_groups" | "list" | "merge" | "order" | "read" | "show";

/**
 * One step of what a statement does.
 */
export interface Step {
    /**
     * Kind of the step.
     */
    kind: StepKind;
    /**
     * Description, in lower case without a full stop.
     */
    text: string;
    /**
     * Form used in a sentence about the whole statement.
     */
    clause: string;
    /**
     * Span of the SQL that the step describes; zero-length at 0 if there is none.
     */
    span: SqlSpan;
    /**
     * Steps that compute the inputs of this step, in order.
     */
    inner?: Step[];
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
 * Severity of a finding, in ascending order.
 */
export type FindingSeverity = "note" | "warning" | "error" | "refusal";

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
 * Type family of a column, which determines the operations that a question can apply to it.
 */
export type DataType = "binary" | "boolean" | "date" | "integer" | "json" | "number" | "other" | "text" | "time" | "timestamp" | "uuid";

/**
 * Type of a template parameter.
 */
export type ParameterType = "boolean" | "date" | "enum" | "integer" | "number" | "string";

/**
 * Whether rows are stored or derived.
 */
export type TableKind = "table" | "view";
