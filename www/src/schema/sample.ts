import type { Catalog, Column, DataType } from "wherefore";

const column = (name: string, data_type: DataType, more: Partial<Column> = {}): Column => ({ name, data_type, ...more });
const key = (name = "id"): Column => column(name, "integer", { unique: true });
const one = (values: string[]): Partial<Column> => ({ values: { values: [...values].sort(), coverage: "complete" } });

/** A shop with five tables, to try the preview. */
export const SAMPLE: Catalog = {
  name: "Shop",
  dialect: "postgres",
  can_execute: false,
  tables: [
    {
      name: "customers",
      description: "One customer",
      synonyms: ["client", "buyer"],
      primary_key: ["id"],
      label_columns: ["name"],
      columns: [
        key(),
        column("name", "text"),
        column("city", "text", one(["Bonn", "Ghent", "Graz", "Lyon", "Porto", "Turin"])),
        column("country", "text", one(["Austria", "Belgium", "France", "Germany", "Italy", "Portugal"])),
        column("joined_on", "date"),
      ],
    },
    {
      name: "order_lines",
      description: "One product in an order",
      primary_key: ["order_id", "product_id"],
      columns: [
        column("order_id", "integer"),
        column("product_id", "integer"),
        column("quantity", "integer"),
        column("line_total", "number", { unit: "EUR" }),
      ],
    },
    {
      name: "orders",
      description: "One order of a customer",
      synonyms: ["purchase"],
      primary_key: ["id"],
      columns: [
        key(),
        column("customer_id", "integer"),
        column("ordered_on", "date", { minimum: "2023-01-02", maximum: "2026-11-20" }),
        column("shipped_on", "date", { nullable: true }),
        column("status", "text", one(["cancelled", "open", "paid", "returned", "shipped"])),
        column("amount", "number", { unit: "EUR", synonyms: ["revenue", "sales"] }),
        column("discount", "number", { unit: "EUR", nullable: true }),
      ],
    },
    {
      name: "products",
      description: "One product in the range",
      synonyms: ["article", "item"],
      primary_key: ["id"],
      label_columns: ["name"],
      columns: [
        key(),
        column("name", "text"),
        column("category", "text", one(["Books", "Garden", "Kitchen", "Toys"])),
        column("price", "number", { unit: "EUR" }),
        column("cost", "number", { unit: "EUR" }),
        column("in_stock", "integer"),
      ],
    },
    {
      name: "returns",
      description: "One returned order",
      primary_key: ["id"],
      columns: [
        key(),
        column("order_id", "integer"),
        column("returned_on", "date"),
        column("reason", "text", one(["broken", "late", "not as described", "wrong size"])),
        column("refund", "number", { unit: "EUR" }),
      ],
    },
  ],
  foreign_keys: [
    { from_table: "order_lines", from_columns: ["order_id"], to_table: "orders", to_columns: ["id"] },
    { from_table: "order_lines", from_columns: ["product_id"], to_table: "products", to_columns: ["id"] },
    { from_table: "orders", from_columns: ["customer_id"], to_table: "customers", to_columns: ["id"] },
    { from_table: "returns", from_columns: ["order_id"], to_table: "orders", to_columns: ["id"] },
  ],
};

/** Questions on the sample, from one that is open to one that is clear. */
export const SAMPLE_QUESTIONS = [
  "show me recent orders",
  "best customers",
  "total amount per city",
  "products cheaper than 20",
  "returns because broken this year",
];
