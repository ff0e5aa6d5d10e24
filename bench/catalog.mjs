// A generated catalog of 876 tables, as CREATE TABLE statements: 73 subjects of a company, each with 12 tables.
const SUBJECTS = `account aircraft allergy apartment appointment article asset auction author bakery bank battery bicycle
branch broker building campaign cargo carrier clinic club coach concert contract course crew currency customer dealer
delivery depot device district doctor driver engine event factory farm festival film flight forecast garage grant hotel
insurer journal kitchen laboratory lawyer library lodging machine market member museum nurse orchard parcel patient player
project recipe region restaurant school season stadium supplier team theatre vehicle`.split(/\s+/);

/** Tables of a subject: name behind that of the subject, columns, and the tables of the subject that it refers to. */
const TABLES = [
  ["", "name TEXT, city TEXT, country TEXT, founded_on DATE, rating REAL, active BOOLEAN", []],
  ["_orders", "ordered_on DATE, status TEXT, total_amount REAL, currency TEXT", [""]],
  ["_order_lines", "quantity INTEGER, unit_price REAL, discount REAL", ["_orders", "_items"]],
  ["_items", "title TEXT, category TEXT, list_price REAL, weight REAL", [""]],
  ["_staff", "first_name TEXT, last_name TEXT, hired_on DATE, salary REAL", [""]],
  ["_visits", "visited_on DATE, duration INTEGER, reason TEXT", ["", "_staff"]],
  ["_invoices", "issued_on DATE, due_on DATE, amount REAL, paid BOOLEAN", ["_orders"]],
  ["_payments", "paid_on DATE, method TEXT, amount REAL", ["_invoices"]],
  ["_reviews", "written_on DATE, stars INTEGER, comment TEXT", ["_items"]],
  ["_contacts", "full_name TEXT, email TEXT, phone TEXT, language TEXT", [""]],
  ["_budgets", "year INTEGER, planned REAL, spent REAL", [""]],
  ["_incidents", "occurred_on DATE, severity TEXT, resolved_on DATE, cost REAL", ["", "_staff"]],
];

/** The statements. */
export function largeCatalog() {
  const statements = SUBJECTS.slice(0, 73).flatMap((subject) =>
    TABLES.map(([suffix, columns, parents]) => {
      const keys = parents.map((parent) => `, ${subject}${parent}_id INTEGER REFERENCES ${subject}${parent} (id)`);
      return `CREATE TABLE ${subject}${suffix} (id INTEGER PRIMARY KEY, ${columns}${keys.join("")});`;
    }),
  );
  return statements.join("\n");
}
