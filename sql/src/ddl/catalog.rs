//! The catalog that a text of statements defines.

use std::collections::BTreeMap;

use wherefore_catalog::{Catalog, Column, DataType, ForeignKey, Table, TableKind, is_sensitive};

use super::definitions::{compared, is_same, read};
use super::{ColumnDefinition, Definitions, Reference, TableDefinition};
use crate::tree::SqlSpan;
use crate::{Code, Diagnostic, Dialect};

/// Maximum size of a text, in bytes.
pub const MAX_BYTES: usize = 10_000_000;

/// The catalog of the tables, keys and comments that the statements of a text define; other statements are skipped.
///
/// # Errors
/// The first error in a definition, a foreign key that refers to an unknown table or column, a text without tables, or
/// one that is too large. The message starts with the line.
pub fn catalog(text: &str, dialect: Dialect) -> Result<Catalog, Diagnostic> {
    if text.len() > MAX_BYTES {
        let message = format!("the text is larger than {MAX_BYTES} bytes");
        return Err(Diagnostic::new(Code::Limit, message, SqlSpan::default()));
    }
    let found = read(text, dialect).map_err(|fault| with_line(fault, text))?;
    if found.tables.is_empty() {
        let fault = Diagnostic::new(Code::Syntax, "the text defines no tables", SqlSpan::default());
        return Err(fault.hint("paste the CREATE TABLE statements of the schema"));
    }
    convert(found, dialect).map_err(|fault| with_line(fault, text))
}

fn with_line(fault: Diagnostic, text: &str) -> Diagnostic {
    let before = text.get(..fault.span.start as usize).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    Diagnostic { message: format!("line {line}: {}", fault.message), ..fault }
}

fn convert(found: Definitions, dialect: Dialect) -> Result<Catalog, Diagnostic> {
    let tables = found.tables.into_iter().map(table).collect();
    let mut catalog = Catalog { dialect, tables, ..Catalog::default() };
    let tables = catalog.tables.iter().map(|table| (compared(&table.key(), dialect), table));
    let tables: BTreeMap<String, &Table> = tables.collect();
    let keys =
        found.references.into_iter().map(|reference| foreign_key(reference, &tables, dialect));
    catalog.foreign_keys = keys.collect::<Result<_, _>>()?;
    catalog.tables.sort_by_cached_key(Table::key);
    catalog.foreign_keys.sort_by(|left, right| {
        (&left.from_table, &left.from_columns, &left.to_table).cmp(&(
            &right.from_table,
            &right.from_columns,
            &right.to_table,
        ))
    });
    Ok(catalog)
}

fn table(definition: TableDefinition) -> Table {
    let kind = if definition.is_view { TableKind::View } else { TableKind::Table };
    Table {
        schema: definition.schema,
        name: definition.name,
        kind,
        description: definition.comment,
        columns: definition.columns.into_iter().map(|it| column(it, kind)).collect(),
        primary_key: definition.primary_key,
        ..Table::default()
    }
}

fn column(definition: ColumnDefinition, kind: TableKind) -> Column {
    let data_type = DataType::from_declaration(&definition.declared_type);
    Column {
        sensitive: kind == TableKind::Table && is_sensitive(&definition.name, data_type),
        data_type,
        name: definition.name,
        declared_type: definition.declared_type,
        nullable: definition.nullable,
        unique: definition.unique,
        description: definition.comment,
        ..Column::default()
    }
}

fn foreign_key(
    reference: Reference,
    tables: &BTreeMap<String, &Table>,
    dialect: Dialect,
) -> Result<ForeignKey, Diagnostic> {
    let Reference { from_table, from_columns, to_table, to_columns, span } = reference;
    let fault = |code, problem: String| {
        Diagnostic::new(code, format!("foreign key of table {from_table}: {problem}"), span)
    };
    let find = |key: &str| tables.get(&compared(key, dialect)).copied();
    let Some(source) = find(&from_table) else {
        return Err(fault(Code::UnknownTable, format!("unknown table {from_table}")));
    };
    let Some(target) = find(&to_table) else {
        return Err(fault(Code::UnknownTable, format!("unknown table {to_table}")));
    };
    let spelled = |table: &Table, name: &String| {
        let same = |column: &&Column| is_same(&column.name, name, dialect);
        let column = table.columns.iter().find(same).map(|column| column.name.clone());
        column.ok_or_else(|| {
            fault(Code::UnknownColumn, format!("unknown column {}.{name}", table.key()))
        })
    };
    // Without target columns, the foreign key refers to the primary key.
    let to_columns = if to_columns.is_empty() { &target.primary_key } else { &to_columns };
    if from_columns.len() != to_columns.len() {
        let problem = format!(
            "{} columns refer to {} of table {}",
            from_columns.len(),
            to_columns.len(),
            target.key()
        );
        return Err(fault(Code::ColumnCount, problem));
    }
    let names = |table, names: &[String]| {
        names.iter().map(|name| spelled(table, name)).collect::<Result<Vec<_>, _>>()
    };
    let (from_columns, to_columns) = (names(source, &from_columns)?, names(target, to_columns)?);
    Ok(ForeignKey {
        from_table: source.key(),
        from_columns,
        to_table: target.key(),
        to_columns,
        inferred: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(sql: &str) -> String {
        catalog(sql, Dialect::Sqlite).unwrap_err().message
    }

    const SQL: &str = r#"
        SET statement_timeout = 0;
        CREATE TABLE public.Customers (
            id integer PRIMARY KEY,
            email text UNIQUE,
            "Full Name" varchar(80) NOT NULL
        );
        CREATE TABLE orders (
            id bigint NOT NULL,
            customer_id integer REFERENCES customers,
            ordered_on date,
            PRIMARY KEY (id)
        );
        CREATE TABLE stock.levels (order_id bigint);
        ALTER TABLE ONLY stock.levels ADD CONSTRAINT levels_order FOREIGN KEY (order_id) REFERENCES orders(id);
        COMMENT ON TABLE orders IS 'One order';
        COMMENT ON COLUMN orders.ordered_on IS 'Day of the order';
    "#;

    #[test]
    fn tables_keys_and_comments_are_read() {
        let catalog = catalog(SQL, Dialect::Postgres).unwrap();
        let keys: Vec<_> = catalog.tables.iter().map(Table::key).collect();
        assert_eq!(keys, ["customers", "orders", "stock.levels"]);
        let customers = &catalog.tables[0];
        assert!(customers.columns[0].unique);
        assert!(customers.columns[1].sensitive);
        assert_eq!(customers.columns[2].name, "Full Name");
        assert!(!customers.columns[2].nullable);
        let orders = &catalog.tables[1];
        assert_eq!(orders.description, "One order");
        assert_eq!(orders.primary_key, ["id"]);
        assert_eq!(orders.columns[2].data_type, DataType::Date);
        assert_eq!(orders.columns[2].description, "Day of the order");
        assert_eq!(catalog.foreign_keys[0].to_columns, ["id"]);
        assert_eq!(catalog.foreign_keys[1].from_table, "stock.levels");
    }

    #[test]
    fn a_key_to_nowhere_is_refused_by_name() {
        let error = message("CREATE TABLE a (\n  b integer REFERENCES missing (id))");
        assert_eq!(error, "line 2: foreign key of table a: unknown table missing");
        let error =
            message("CREATE TABLE a (id integer);\nCREATE TABLE b (a_id integer REFERENCES a);");
        assert_eq!(error, "line 2: foreign key of table b: 1 columns refer to 0 of table a");
        let error = message("CREATE TABLE a (id integer, b integer REFERENCES a (c))");
        assert_eq!(error, "line 1: foreign key of table a: unknown column a.c");
    }

    #[test]
    fn an_error_names_its_line() {
        let sql = "CREATE TABLE a (id integer);\n\nCREATE TABLE é (\n  b integer,\n  NOT,\n);";
        let fault = catalog(sql, Dialect::Postgres).unwrap_err();
        assert!(fault.message.starts_with("line 5: expected"), "{}", fault.message);
        assert_eq!(&sql[fault.span.start as usize..], ",\n);");
        for (sql, expected) in [
            ("", "the text defines no tables"),
            ("SELECT 1; CREATE VIEW v AS SELECT 1", "the text defines no tables"),
            ("\n{ \"a\": 1 }", "line 2: expected an SQL statement, found: {"),
            ("CREATE TABLE a (b text);\n'", "line 2: unterminated string literal"),
            (
                "CREATE TABLE a (b text)\nCREATE TABLE c (d text)",
                "line 2: expected: a semicolon, found: CREATE",
            ),
            ("CREAT TABLE a (b text)", "line 1: expected an SQL statement, found: CREAT"),
        ] {
            assert_eq!(message(sql), expected, "{sql}");
        }
        assert!(message(&" ".repeat(MAX_BYTES + 1)).contains("larger"));
    }

    #[test]
    fn deep_and_long_expressions_are_refused() {
        for inner in [
            format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000)),
            format!("1{}", " + 1".repeat(50_000)),
            format!("{}1", "- ".repeat(50_000)),
            format!("{}1", "NOT ".repeat(1_500)),
        ] {
            let sql = format!("CREATE TABLE a (b integer,\n c integer DEFAULT ({inner}))");
            assert!(message(&sql).starts_with("line "), "{}", message(&sql));
        }
    }

    #[test]
    fn a_dump_of_postgres_is_read() {
        let sql = r#"
            --
            -- PostgreSQL database dump
            --
\restrict abc
            SET client_encoding = 'UTF8';
            SELECT pg_catalog.set_config('search_path', '', false);
            CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN NEW.at := now(); RETURN NEW; END; $$;
            CREATE TYPE public.mood AS ENUM ('sad', 'ok');
            CREATE UNLOGGED TABLE public.people (
                id bigint NOT NULL, feels public.mood DEFAULT 'ok'::public.mood,
                born date, CONSTRAINT born_late CHECK ((born > '1900-01-01'::date))
            ) PARTITION BY RANGE (born) WITH (fillfactor='70');
            CREATE TABLE public.old PARTITION OF public.people FOR VALUES FROM ('1900-01-01') TO ('1950-01-01');
            ALTER TABLE public.people OWNER TO someone;
            ALTER TABLE public.people ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.s);
            CREATE MATERIALIZED VIEW public.seniors (id) AS SELECT id FROM public.people WITH NO DATA;
COPY public.people (id, feels, born) FROM stdin;
1	it's; "	2000-01-01
\.
            ALTER TABLE ONLY public.people ADD CONSTRAINT people_pkey PRIMARY KEY (id), ADD COLUMN email text UNIQUE;
            CREATE INDEX people_born ON public.people USING btree (born);
            COMMENT ON MATERIALIZED VIEW public.seniors IS 'Born early';
            COMMENT ON SCHEMA public IS 'standard';
            GRANT SELECT ON TABLE public.people TO someone;
        "#;
        let catalog = catalog(sql, Dialect::Postgres).unwrap();
        let keys: Vec<_> = catalog.tables.iter().map(Table::key).collect();
        assert_eq!(keys, ["people", "seniors"]);
        let people = &catalog.tables[0];
        assert_eq!(people.primary_key, ["id"]);
        let names: Vec<_> = people.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["id", "feels", "born", "email"]);
        assert!(people.columns[3].sensitive && people.columns[3].unique);
        assert_eq!(catalog.tables[1].description, "Born early");
    }

    #[test]
    fn names_of_sqlite_match_in_any_case() {
        let sql = "PRAGMA foreign_keys = OFF;
            CREATE TABLE \"Album\" (AlbumId INTEGER, Title, [ArtistId] INT REFERENCES artist (artistid), PRIMARY KEY (albumid));
            CREATE TABLE Artist (ArtistId INTEGER PRIMARY KEY) STRICT;
            CREATE TRIGGER t AFTER INSERT ON Album BEGIN UPDATE Album SET Title = 'a'; DELETE FROM Artist; END;";
        let catalog = catalog(sql, Dialect::Sqlite).unwrap();
        assert_eq!(catalog.tables[0].primary_key, ["AlbumId"]);
        let key = &catalog.foreign_keys[0];
        assert_eq!(
            (key.to_table.as_str(), &key.to_columns[..]),
            ("Artist", &["ArtistId".to_owned()][..])
        );
    }

    #[test]
    fn a_dump_of_mysql_is_read() {
        let sql = "/*!40101 SET NAMES utf8 */;
            CREATE TABLE `a` (`id` int(11) NOT NULL AUTO_INCREMENT, `b_id` int DEFAULT NULL COMMENT 'Which b',
              PRIMARY KEY (`id`), KEY `of_b` (`b_id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8;
            CREATE TABLE `b` (`id` int(11) NOT NULL, PRIMARY KEY (`id`));
            ALTER TABLE `a` ADD KEY `other` (`b_id`), ADD CONSTRAINT `fk` FOREIGN KEY (`b_id`) REFERENCES `b` (`id`);";
        let catalog = catalog(sql, Dialect::Postgres).unwrap();
        assert_eq!(catalog.tables[0].columns.len(), 2);
        assert_eq!(catalog.tables[0].columns[1].description, "Which b");
        assert_eq!(catalog.foreign_keys[0].to_table, "b");
    }
}
