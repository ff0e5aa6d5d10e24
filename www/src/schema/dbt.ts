import type { Catalog, Column, DataType, ForeignKey, Table } from "wherefore";
import { familyOf, keyOf, sorted } from "./catalog.js";
import { SchemaError } from "./error.js";

/** Parts of dbt's `manifest.json` that are read here. */
interface Manifest {
  metadata?: { dbt_schema_version?: string; project_name?: string };
  nodes?: Record<string, Node>;
  sources?: Record<string, Node>;
}

interface Node {
  resource_type?: string;
  name?: string;
  alias?: string;
  identifier?: string;
  schema?: string;
  description?: string;
  config?: { materialized?: string };
  columns?: Record<string, NodeColumn>;
  constraints?: Constraint[];
  primary_key?: string[];
  test_metadata?: { name?: string; kwargs?: Record<string, unknown> };
  attached_node?: string | null;
  column_name?: string | null;
  depends_on?: { nodes?: string[] };
}

interface NodeColumn {
  name?: string;
  data_type?: string | null;
  description?: string;
  constraints?: Constraint[];
}

interface Constraint {
  type?: string;
  columns?: string[];
}

/** Whether the value looks like dbt's `manifest.json`. */
export function isManifest(value: unknown): value is Manifest {
  const { metadata, nodes } = Object(value) as Manifest;
  return typeof nodes === "object" && (typeof metadata === "object" || !("tables" in Object(value)));
}

/** Models, seeds, snapshots and sources as tables; tests of relationships as foreign keys. */
export function readManifest(manifest: Manifest): { catalog: Catalog; notes: string[] } {
  const nodes = { ...manifest.nodes, ...manifest.sources };
  const stored = Object.entries(nodes).filter(([, node]) => isTable(node));
  const schemas = new Set(stored.map(([, node]) => node.schema ?? ""));
  const tables = new Map<string, Table>();
  const withoutColumns: string[] = [];
  let untyped = 0;
  for (const [id, node] of stored) {
    const columns = Object.values(node.columns ?? {}).filter((column) => column.name);
    const name = node.identifier ?? node.alias ?? node.name ?? id;
    if (columns.length === 0) {
      withoutColumns.push(name);
      continue;
    }
    untyped += columns.filter((column) => !column.data_type).length;
    tables.set(id, {
      name,
      // One schema is the default schema.
      ...(schemas.size > 1 && node.schema ? { schema: node.schema } : {}),
      kind: node.config?.materialized === "view" ? "view" : "table",
      description: node.description ?? "",
      columns: columns.map(columnOf),
      primary_key: primaryKey(node),
    });
  }
  if (tables.size === 0) throw new SchemaError("no model, seed or source of the manifest documents its columns");
  const foreign_keys: ForeignKey[] = [];
  for (const test of Object.values(nodes)) applyTest(test, tables, foreign_keys);
  for (const table of tables.values()) {
    const key = table.columns.filter((column) => column.unique && column.nullable === false);
    if (table.primary_key?.length === 0 && key[0]) table.primary_key = [key[0].name];
  }
  const notes = [];
  if (withoutColumns.length > 0) notes.push(`Without documented columns, and left out: ${withoutColumns.join(", ")}.`);
  if (untyped > 0) notes.push(`Types of ${untyped} columns without \`data_type\` were guessed from their names.`);
  const name = manifest.metadata?.project_name ?? "dbt project";
  return {
    catalog: sorted({ name, dialect: "postgres", can_execute: false, tables: [...tables.values()], foreign_keys }),
    notes,
  };
}

function isTable(node: Node): boolean {
  const kinds = ["model", "seed", "snapshot", "source"];
  return kinds.includes(node.resource_type ?? "") && node.config?.materialized !== "ephemeral";
}

function columnOf(column: NodeColumn): Column {
  const name = column.name ?? "";
  const types = new Set(column.constraints?.map((constraint) => constraint.type));
  const isKey = types.has("primary_key");
  return {
    name,
    data_type: column.data_type ? familyOf(column.data_type) : guess(name),
    ...(column.data_type ? { declared_type: column.data_type } : {}),
    description: column.description ?? "",
    nullable: !isKey && !types.has("not_null"),
    unique: isKey || types.has("unique"),
  };
}

const NAMES: [RegExp, DataType][] = [
  [/_at$|timestamp|datetime/, "timestamp"],
  [/(^|_)(date|day|month)$|_on$/, "date"],
  [/^(is|has|was)_/, "boolean"],
  [/^id$|_id$|(^|_)(count|number|quantity|qty|year)$|^(number|count)_of_/, "integer"],
  [/amount|price|total|cost|revenue|rate|ratio|balance|value$|_usd$|_eur$/, "number"],
];

/** Type family of a column of which only the name is known. */
function guess(name: string): DataType {
  return NAMES.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? "text";
}

function primaryKey(node: Node): string[] {
  const key = node.constraints?.find((constraint) => constraint.type === "primary_key")?.columns;
  return key ?? node.primary_key?.filter((column) => column in (node.columns ?? {})) ?? [];
}

/** Adds what a test says: keys, values, and which columns are unique or never empty. */
function applyTest(test: Node, tables: Map<string, Table>, keys: ForeignKey[]): void {
  const { name, kwargs = {} } = test.test_metadata ?? {};
  const nodes = test.depends_on?.nodes ?? [];
  const own = test.attached_node ?? nodes.at(-1) ?? "";
  const table = tables.get(own);
  const column = table?.columns.find((it) => it.name === (kwargs.column_name ?? test.column_name));
  if (!table || !column) return;
  if (name === "unique") column.unique = true;
  if (name === "not_null") column.nullable = false;
  if (name === "accepted_values" && Array.isArray(kwargs.values)) {
    column.values = { values: kwargs.values.map(String).sort(), coverage: "complete" };
  }
  if (name === "relationships") {
    const other = tables.get(nodes.find((node) => node !== own) ?? own);
    const field = other?.columns.find((it) => it.name === kwargs.field);
    if (!other || !field) return;
    keys.push({
      from_table: keyOf(table),
      from_columns: [column.name],
      to_table: keyOf(other),
      to_columns: [field.name],
    });
  }
}
