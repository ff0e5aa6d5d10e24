//! The schema index: names and synonyms of tables, columns and metrics, and the foreign-key graph.

use std::collections::{BTreeMap, BTreeSet};

use super::abbreviation::{Abbreviations, Keys, beginnings, key_words, may_be_short, role_of_key};
use super::element::{ColumnId, TableId, Target};
use super::identifier::words_of_identifier;
use super::inference::{RoleRules, date_column, label_columns, measure_columns};
use super::key_names::is_own_key;
use super::names::{Name, TableNames};
use super::thesaurus;
use super::twins::Twins;
use crate::catalog::{
    Catalog, Column, ColumnRef, Coverage, DataType, ForeignKey, Table, TableKind,
};
use crate::confidence::Method;
use crate::data::{Role, Words};
use crate::order::{self, Sorted};
use crate::text::{Stems, stem};

/// Derived properties of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableProfile {
    /// Key, `schema.name` or `name`.
    pub(crate) key: String,
    /// Words of the table's name, folded.
    pub(crate) words: Vec<String>,
    /// Their stems.
    pub(crate) stems: Vec<String>,
    /// Names of the table's columns.
    pub(super) columns: Vec<Name>,
    /// Columns that identify a row to a person.
    pub(crate) label: Vec<ColumnId>,
    /// Column that a time expression refers to by default.
    pub(crate) date: Option<ColumnId>,
    /// All date columns.
    pub(crate) dates: Vec<ColumnId>,
    /// Columns that hold years as numbers or text.
    pub(crate) years: Vec<ColumnId>,
    /// Columns whose sum is a meaningful quantity.
    pub(crate) measures: Vec<ColumnId>,
    /// Roles of each column.
    pub(crate) roles: Vec<Vec<Role>>,
    /// Primary key.
    pub(crate) primary_key: Vec<ColumnId>,
    /// Whether the table is a bridge table, which only links other tables.
    pub(crate) is_bridge: bool,
    /// Whether the table is a view.
    pub(crate) is_view: bool,
}

/// A foreign key, seen from one of its ends.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four facts that have nothing to do with each other"
)]
pub(crate) struct Edge {
    /// Table at this end.
    pub(crate) from: TableId,
    /// Its columns.
    pub(crate) from_columns: Vec<u16>,
    /// Table at the other end of the foreign key.
    pub(crate) to: TableId,
    /// Columns at the other end.
    pub(crate) to_columns: Vec<u16>,
    /// Whether a row at this end has at most one matching row at the other.
    pub(crate) to_one: bool,
    /// Whether this end is the referencing one; false if it is referenced.
    pub(crate) forward: bool,
    /// Whether the key is inferred from names rather than declared.
    pub(crate) inferred: bool,
    /// Whether the name of the referencing column is that of the referenced table.
    pub(crate) plain: bool,
}

/// Index of names and foreign keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaIndex {
    /// Profiles, by table.
    pub(crate) tables: Vec<TableProfile>,
    /// Tables by their keys.
    by_key: BTreeMap<String, usize>,
    /// Foreign-key edges of each table.
    pub(crate) edges: Vec<Vec<Edge>>,
    /// Edges of each table to views that refer to it by a key that is inferred.
    to_views: Vec<Vec<Edge>>,
    phrases: BTreeMap<String, Vec<Entry>>,
    squashed: BTreeMap<String, Vec<Entry>>,
    vocabulary: BTreeMap<(char, u8), Vec<String>>,
    known: BTreeSet<String>,
    /// Table that is being added: its names are the last of each list of entries.
    adding: Option<TableId>,
    /// Words of names that were added, while the index is built.
    added: BTreeSet<String>,
    /// Cache of the stems computed while the index is built.
    stems: Stems,
    by_role_word: BTreeMap<String, Vec<ColumnId>>,
    flags: BTreeSet<ColumnId>,
    numbers: BTreeSet<ColumnId>,
    texts: BTreeSet<ColumnId>,
    dates: BTreeSet<ColumnId>,
    distances: Vec<Vec<(u8, bool)>>,
    longest: usize,
    related: BTreeMap<String, Vec<Entry>>,
    abbreviations: Abbreviations,
    /// Verbs by the stem of their noun of an act.
    pub(crate) acts: BTreeMap<String, Vec<String>>,
    short: BTreeSet<String>,
    /// Stems of the names of all tables, joined by spaces.
    row_nouns: BTreeSet<String>,
    /// Lines of the thesaurus that are relevant to the catalog.
    pub(crate) thesaurus: String,
    twins: Twins,
}

/// A name in the index.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The catalog element that has the name.
    pub(crate) target: Target,
    /// How the words match the name.
    pub(crate) method: Method,
    /// The folded words, joined by spaces.
    pub(crate) folded: String,
}

impl SchemaIndex {
    /// Builds the index of a catalog, with `thesaurus` as an excerpt made for that catalog, if given.
    pub(crate) fn new(catalog: &Catalog, thesaurus: Option<&str>, words: &Words) -> Self {
        let rules = RoleRules::stemmed(words);
        let verbs = words.derivations().nouns.into_iter();
        let mut index = Self {
            abbreviations: words.abbreviations(),
            acts: verbs.map(|(noun, verbs)| (stem(&noun), verbs)).collect(),
            ..Self::default()
        };
        let names = TableNames::all(catalog, &mut index.stems);
        index.row_nouns = names.iter().map(|names| names.own.stems.join(" ")).collect();
        let keys = Keys::new(catalog);
        for (position, table) in catalog.tables.iter().enumerate().take(usize::from(u16::MAX)) {
            let id = TableId(position as u16);
            index.adding = Some(id);
            index.add_table(&keys, id, table, &names[position], &rules);
        }
        index.adding = None;
        for (position, metric) in catalog.metrics.iter().enumerate() {
            index.add_phrase(&metric.name, Target::Metric(position), Method::Exact);
            for synonym in &metric.synonyms {
                index.add_phrase(synonym, Target::Metric(position), Method::Synonym);
            }
        }
        index.add_edges(catalog, &names);
        index.take_referenced_keys(catalog);
        index.mark_bridges(catalog);
        index.name_by_own_key(catalog);
        index.measure_distances();
        index.relate(thesaurus::text(thesaurus, words));
        index.twins = Twins::new(catalog, &names);
        index.stems = Stems::default();
        index.added = BTreeSet::new();
        index
    }

    fn add_table(
        &mut self,
        keys: &Keys<'_>,
        id: TableId,
        table: &Table,
        names_of: &TableNames,
        rules: &RoleRules,
    ) {
        let column_id = |name: &String| {
            let column = table.columns.iter().position(|column| column.name == *name)?;
            Some(ColumnId { table: id, column: column as u16 })
        };
        let roles: Vec<Vec<Role>> = table
            .columns
            .iter()
            .zip(&names_of.columns)
            .map(|(column, name)| rules.roles_of(column, name))
            .collect();
        for (column, definition) in table.columns.iter().enumerate() {
            if definition.data_type.is_numeric() {
                self.numbers.insert(ColumnId { table: id, column: column as u16 });
            }
            if definition.data_type.is_temporal() {
                self.dates.insert(ColumnId { table: id, column: column as u16 });
            }
            if definition.data_type == DataType::Text {
                self.texts.insert(ColumnId { table: id, column: column as u16 });
            }
            if definition.is_flag() {
                self.flags.insert(ColumnId { table: id, column: column as u16 });
            }
        }
        for (column, roles) in roles.iter().enumerate() {
            for word in roles.iter().flat_map(|role| rules.asked_as(*role)) {
                let id = ColumnId { table: id, column: column as u16 };
                self.by_role_word.entry(word.clone()).or_default().push(id);
            }
        }
        let columns_that = |wanted: &dyn Fn(&Column) -> bool| -> Vec<ColumnId> {
            let columns = table.columns.iter().enumerate();
            let found = columns.filter(|(_, column)| wanted(column));
            found.map(|(column, _)| ColumnId { table: id, column: column as u16 }).collect()
        };
        let words = names_of.own.words.clone();
        let profile = TableProfile {
            key: table.key(),
            label: label_columns(table, names_of).iter().filter_map(column_id).collect(),
            date: date_column(table, &roles, names_of).as_ref().and_then(column_id),
            dates: columns_that(&|column| column.data_type.is_temporal()),
            years: columns_that(&Column::holds_years),
            measures: measure_columns(table, &roles, names_of)
                .iter()
                .filter_map(column_id)
                .collect(),
            primary_key: table.primary_key.iter().filter_map(column_id).collect(),
            is_bridge: false,
            is_view: table.kind == TableKind::View,
            roles,
            words: words.clone(),
            stems: names_of.own.stems.clone(),
            columns: names_of.columns.clone(),
        };
        self.add_words(&words, Target::Table(id), Method::Exact);
        self.add_last_words(&words, id, table.kind == TableKind::View);
        for synonym in &table.synonyms {
            self.add_phrase(synonym, Target::Table(id), Method::Synonym);
        }
        let labelled = !profile.label.is_empty();
        self.by_key.entry(profile.key.clone()).or_insert(usize::from(id.0));
        self.tables.push(profile);
        let mut names = vec![words.clone()];
        names.extend(table.synonyms.iter().map(|synonym| words_of_identifier(synonym)));
        if let Some(bare) = self.abbreviations.bare(&words).map(<[String]>::to_vec) {
            self.add_words(&bare, Target::Table(id), Method::Head);
            names.push(bare);
        }
        for other in line_names(&words) {
            self.add_words(&other, Target::Table(id), Method::Synonym);
        }
        if let Some(long) = self.abbreviations.written_out(&words) {
            self.add_words(&long, Target::Table(id), Method::Abbreviation);
            if let Some(bare) = self.abbreviations.bare(&long).map(<[String]>::to_vec) {
                self.add_words(&bare, Target::Table(id), Method::Abbreviation);
                names.push(bare);
            }
            names.push(long);
        }
        self.add_verbs(id, names_of, &names);
        if labelled {
            self.add_words(&["name".to_owned()], Target::Label(id), Method::Head);
            for name in &names {
                let mut phrase = name.clone();
                phrase.push("name".to_owned());
                self.add_words(&phrase, Target::Label(id), Method::Stem);
            }
        }
        for (position, column) in table.columns.iter().enumerate().take(usize::from(u16::MAX)) {
            let target = ColumnId { table: id, column: position as u16 };
            let words = names_of.columns[position].words.clone();
            let words = key_words(keys, table, &column.name, words);
            let is_key = table.primary_key == [column.name.clone()]
                || is_own_key(keys, table, &column.name, &words);
            // "Lead of each team" for `lead_agent_id`, which refers to agents.
            let role = role_of_key(&self.abbreviations, keys, table, &column.name, &words);
            if let Some(role) = role {
                self.add_words(role, Target::Column(target), Method::Head);
            }
            self.add_column(target, column, words, &names, is_key);
        }
    }

    /// Names the rows of a table by the verb of its noun, as in "never prescribed" for `prescriptions`, unless a column
    /// of the table bears that verb.
    fn add_verbs(&mut self, id: TableId, names_of: &TableNames, names: &[Vec<String>]) {
        let nouns: Vec<String> =
            names.iter().filter_map(|name| name.last()).map(|noun| stem(noun)).collect();
        let verbs = nouns.iter().filter_map(|noun| self.acts.get(noun)).flatten();
        for verb in verbs.cloned().collect::<BTreeSet<String>>() {
            let own = stem(&verb);
            if !names_of.columns.iter().any(|column| column.stems.contains(&own)) {
                self.add_words(&[verb], Target::Table(id), Method::Head);
            }
        }
    }

    fn add_column(
        &mut self,
        id: ColumnId,
        column: &Column,
        words: Vec<String>,
        table_names: &[Vec<String>],
        is_key: bool,
    ) {
        let target = Target::Column(id);
        let is_id = words.last().is_some_and(|last| last == "id");
        self.add_words(&words, target.clone(), Method::Exact);
        let mut forms = vec![(words.clone(), Method::Exact)];
        for synonym in &column.synonyms {
            let words = words_of_identifier(synonym);
            self.add_words(&words, target.clone(), Method::Synonym);
            forms.push((words, Method::Synonym));
        }
        let long = self.abbreviations.written_out(&words);
        if let Some(long) = &long {
            self.add_words(long, target.clone(), Method::Abbreviation);
            forms.push((long.clone(), Method::Abbreviation));
        }
        // "phone numbers" for `phone`.
        let called = self.tables[usize::from(id.table.0)].roles[usize::from(id.column)]
            .contains(&Role::Phone);
        if called && words.last().is_some_and(|last| last != "number" && last != "no") {
            let number = [words.as_slice(), &["number".to_owned()]].concat();
            self.add_words(&number, target.clone(), Method::Stem);
            forms.push((number, Method::Stem));
        }
        for (form, method) in &forms {
            for table in table_names {
                if !form.starts_with(table) {
                    let mut phrase = table.clone();
                    phrase.extend(form.iter().cloned());
                    self.add_words(&phrase, target.clone(), *method);
                }
            }
        }
        // "Sales" for `sales_billion`: the last word says what the numbers count.
        if let [called @ .., scale] = words.as_slice()
            && !called.is_empty()
            && column.data_type.is_numeric()
            && self.abbreviations.scales.contains(scale)
        {
            self.add_words(called, target.clone(), Method::Stem);
        }
        // "net invoice amount" for `invoices.net_amount`.
        if let (true, [first, rest @ ..], Some(table)) =
            (column.data_type.is_numeric() && !is_id, words.as_slice(), table_names.first())
            && !rest.is_empty()
            && !words.starts_with(table)
        {
            let phrase = [std::slice::from_ref(first), table, rest].concat();
            self.add_words(&phrase, target.clone(), Method::Stem);
        }
        // "due date" for `due_at`.
        if let [event @ .., at] = words.as_slice()
            && column.data_type.is_temporal()
            && ["at", "on"].contains(&at.as_str())
            && !event.is_empty()
        {
            let phrase = [event, &["date".to_owned()]].concat();
            self.add_words(&phrase, target.clone(), Method::Stem);
            // "last login" for `last_login_at`.
            if event.len() > 1 {
                self.add_words(event, target.clone(), Method::Stem);
            }
        }
        if is_id && !is_key {
            return;
        }
        // "Contact channel" for `customer_contact_channels.channel_code`.
        if let ([kind, code], Some([rest @ .., last])) =
            (words.as_slice(), table_names.first().map(Vec::as_slice))
            && code == "code"
            && stem(kind) == stem(last)
        {
            for start in 0..rest.len() {
                let phrase = [&rest[start..], std::slice::from_ref(kind)].concat();
                self.add_words(&phrase, target.clone(), Method::Stem);
            }
        }
        // "policies per type" for `policy_type_code`.
        if let [_, kind @ .., code] = words.as_slice()
            && code == "code"
            && !kind.is_empty()
        {
            self.add_words(kind, target.clone(), Method::Modifier);
        }
        for words in std::iter::once(&words).chain(&long) {
            for length in 1..words.len() {
                let start = words.len() - length;
                // Loans are the rows of `loans`, rather than `no_of_loans`.
                let counts_rows = is_count(&words[..start]) && self.names_rows(&words[start..]);
                if !joins(&words[start]) && !counts_rows {
                    self.add_words(&words[start..], target.clone(), Method::Head);
                }
                let per_unit = words[..length] == ["unit".to_owned()];
                let cut = joins(&words[length - 1]) || words[length - 1] == "per";
                if !is_id && !per_unit && !cut {
                    self.add_words(&words[..length], target.clone(), Method::Modifier);
                }
            }
        }
    }

    /// Whether words are the name of a table.
    fn names_rows(&mut self, words: &[String]) -> bool {
        let stems = self.stems.joined(words);
        self.row_nouns.contains(&stems)
    }

    fn add_phrase(&mut self, phrase: &str, target: Target, method: Method) {
        self.add_words(&words_of_identifier(phrase), target, method);
    }

    fn add_words(&mut self, words: &[String], target: Target, method: Method) {
        if words.is_empty() {
            return;
        }
        self.longest = self.longest.max(words.len());
        for word in words {
            if self.added.contains(word) {
                continue;
            }
            self.added.insert(word.clone());
            self.known.insert(self.stems.of(word).to_owned());
            if let (Some(first), true) = (word.chars().next(), word.len() > 3) {
                self.vocabulary.entry((first, length_of(word))).or_default().push(word.clone());
            }
            if may_be_short(word) {
                self.short.insert(word.clone());
            }
        }
        let entry = Entry { target, method, folded: words.join(" ") };
        if matches!(method, Method::Exact | Method::Synonym | Method::Stem) && words.len() > 1
            || words.len() == 1
        {
            push_new(self.squashed.entry(words.concat()).or_default(), &entry, self.adding);
        }
        let stems = self.stems.joined(words);
        push_new(self.phrases.entry(stems).or_default(), &entry, self.adding);
    }

    /// "Contact channels" and "channels" for `customer_contact_channels`; a view may be called by a whole sentence.
    fn add_last_words(&mut self, words: &[String], id: TableId, view: bool) {
        let last = words.len().saturating_sub(1);
        let starts = (1..=last).filter(|start| *start == last || !view && !joins(&words[*start]));
        for start in starts {
            self.add_words(&words[start..], Target::Table(id), Method::Head);
        }
    }

    fn add_edges(&mut self, catalog: &Catalog, names: &[TableNames]) {
        self.edges = vec![Vec::new(); self.tables.len()];
        self.to_views = vec![Vec::new(); self.tables.len()];
        for key in &catalog.foreign_keys {
            let (Some(from), Some(to)) = (self.table(&key.from_table), self.table(&key.to_table))
            else {
                continue;
            };
            let positions = |table: TableId, names: &[String]| -> Option<Vec<u16>> {
                let columns = &catalog.tables.get(usize::from(table.0))?.columns;
                names
                    .iter()
                    .map(|name| columns.iter().position(|column| column.name == *name))
                    .map(|position| position.map(|position| position as u16))
                    .collect()
            };
            let (Some(from_columns), Some(to_columns)) =
                (positions(from, &key.from_columns), positions(to, &key.to_columns))
            else {
                continue;
            };
            let unique = catalog.tables.get(usize::from(from.0)).is_some_and(|table| {
                table.primary_key == key.from_columns
                    || key.from_columns.len() == 1
                        && table.column(&key.from_columns[0]).is_some_and(|column| column.unique)
            });
            let named = key_name(key);
            let own = names[usize::from(to.0)].own.words.concat();
            let plain = !named.is_empty() && self.stems.of(&named.concat()) == stem(&own);
            let of_view = key.inferred && self.profile(from).is_view;
            if !of_view {
                self.name_by_key(key, to, &named, plain);
            }
            // A key with the name of the key that it refers to says no more than that: `acct_id` of `accounts`.
            let whole = catalog
                .tables
                .get(usize::from(to.0))
                .is_some_and(|table| table.primary_key == key.to_columns);
            let plain = plain || from != to && whole && key.from_columns == key.to_columns;
            let forward = Edge {
                from,
                from_columns: from_columns.clone(),
                to,
                to_columns: to_columns.clone(),
                to_one: true,
                forward: true,
                inferred: key.inferred,
                plain,
            };
            let backward = Edge {
                from: to,
                from_columns: to_columns,
                to: from,
                to_columns: from_columns,
                to_one: unique,
                forward: false,
                inferred: key.inferred,
                plain,
            };
            self.edges[usize::from(from.0)].push(forward);
            let edges = if of_view { &mut self.to_views } else { &mut self.edges };
            edges[usize::from(to.0)].push(backward);
        }
    }

    /// Takes the column that an inferred key refers to as the key of a table that declares none.
    fn take_referenced_keys(&mut self, catalog: &Catalog) {
        for key in catalog.foreign_keys.iter().filter(|key| key.inferred) {
            let to = key.to_columns.first().and_then(|column| {
                self.column(catalog, &ColumnRef::new(key.to_table.clone(), column.clone()))
            });
            let Some(to) = to else { continue };
            if let Some(profile) = self.tables.get_mut(usize::from(to.table.0))
                && profile.primary_key.is_empty()
            {
                profile.primary_key.push(to);
            }
        }
    }

    /// Names the rows that a foreign key such as `support_rep_id` references: "support rep".
    fn name_by_key(&mut self, key: &ForeignKey, to: TableId, words: &[String], plain: bool) {
        if key.from_columns.len() == 1 && !plain {
            self.add_words(words, Target::Table(to), Method::Head);
        }
    }

    /// Names the rows of a table by a primary key such as `loan_id` that is not a foreign key, or by such a first column where
    /// no primary key is declared: "loan".
    fn name_by_own_key(&mut self, catalog: &Catalog) {
        let referring = Sorted::new(
            catalog
                .foreign_keys
                .iter()
                .map(|key| (key.from_table.as_str(), key.from_columns.as_slice())),
        );
        for (position, table) in catalog.tables.iter().enumerate().take(self.tables.len()) {
            let first = table.columns.first().map(|column| column.name.clone());
            let own = match table.primary_key.as_slice() {
                [] => first.into_iter().collect(),
                [key] => vec![key.clone()],
                _ => continue,
            };
            let refers = referring.contains(&(self.tables[position].key.as_str(), own.as_slice()));
            let mut words = own.first().map(|key| words_of_identifier(key)).unwrap_or_default();
            let is_id = words.pop().is_some_and(|last| last == "id");
            if is_id && !refers && words.iter().all(|word| word.len() > 2) {
                self.add_words(&words, Target::Table(TableId(position as u16)), Method::Kin);
            }
        }
    }

    /// Adds words that the thesaurus relates to one-word names and to the last words of longer names.
    fn relate(&mut self, thesaurus: &str) {
        let named = |entry: &Entry| {
            !entry.folded.contains(' ') && !matches!(entry.target, Target::Label(_))
        };
        let names: Vec<Entry> =
            self.phrases.values().flatten().filter(|entry| named(entry)).cloned().collect();
        let known = names.iter().map(|entry| entry.folded.as_str());
        let short = std::mem::take(&mut self.short);
        let found = thesaurus::look_up(thesaurus, known, &short);
        self.thesaurus = found.lines.join("\n");
        self.short =
            short.iter().filter(|word| !found.held.contains(word.as_str())).cloned().collect();
        let mut stems = std::mem::take(&mut self.stems);
        for (word, _) in found.related.values().flatten() {
            stems.of(word);
        }
        let mut relations: Vec<Relation<'_>> = Vec::new();
        for name in &names {
            for (word, method) in found.related.get(name.folded.as_str()).into_iter().flatten() {
                let method = match (name.method, *method) {
                    (Method::Exact | Method::Synonym, method) => method,
                    (Method::Head, Method::Related) => Method::Kin,
                    _ => continue,
                };
                let at = relations.len();
                relations.push(Relation { stem: stems.get(word), name, word, method, at });
            }
        }
        for Relation { stem, name, word, method, .. } in strongest(relations) {
            let entry = Entry { target: name.target.clone(), method, folded: word.to_owned() };
            match self.related.get_mut(stem) {
                Some(entries) => entries.push(entry),
                None => {
                    self.related.insert(stem.to_owned(), vec![entry]);
                }
            }
        }
    }

    fn mark_bridges(&mut self, catalog: &Catalog) {
        let keys =
            Sorted::new(catalog.foreign_keys.iter().map(|key| {
                (key.from_table.as_str(), key.from_columns.len(), key.to_table.as_str())
            }));
        for (position, table) in catalog.tables.iter().enumerate().take(self.tables.len()) {
            let referencing: Vec<u16> = self.edges[position]
                .iter()
                .filter(|edge| {
                    let (from, to) = (&self.tables[position], self.profile(edge.to));
                    keys.contains(&(from.key.as_str(), edge.from_columns.len(), to.key.as_str()))
                })
                .flat_map(|edge| edge.from_columns.iter().copied())
                .collect();
            let foreign = table
                .columns
                .iter()
                .enumerate()
                .filter(|(column, _)| referencing.contains(&(*column as u16)));
            let own = table.columns.iter().enumerate().filter(|(column, definition)| {
                !referencing.contains(&(*column as u16))
                    && !table.primary_key.contains(&definition.name)
            });
            self.tables[position].is_bridge = foreign.count() >= 2 && own.count() == 0;
        }
    }

    /// The table with this key.
    pub(crate) fn table(&self, key: &str) -> Option<TableId> {
        self.by_key.get(key).map(|position| TableId(*position as u16))
    }

    /// All tables.
    pub(crate) fn ids(&self) -> impl Iterator<Item = TableId> {
        (0..self.tables.len()).map(|table| TableId(table as u16))
    }

    /// The column that a reference names.
    pub(crate) fn column(&self, catalog: &Catalog, reference: &ColumnRef) -> Option<ColumnId> {
        let table = self.table(&reference.table)?;
        let columns = &catalog.tables.get(usize::from(table.0))?.columns;
        let column = columns.iter().position(|column| column.name == reference.column)?;
        Some(ColumnId { table, column: column as u16 })
    }

    /// Whether the last word of the name of a table has this stem: "supplier".
    pub(crate) fn has_table_of(&self, noun: &str) -> bool {
        let noun = stem(noun);
        let named = |table: &TableProfile| table.stems.last() == Some(&noun);
        self.tables.iter().any(|table| !table.is_view && named(table))
    }

    /// Profile of a table.
    pub(crate) fn profile(&self, table: TableId) -> &TableProfile {
        &self.tables[usize::from(table.0)]
    }

    /// Words of the name of a column, folded.
    pub(crate) fn words_of(&self, column: ColumnId) -> &[String] {
        let names = self.profile(column.table).columns.get(usize::from(column.column));
        names.map_or(&[], |name| &name.words)
    }

    /// Stems of the words of the name of a column.
    pub(crate) fn stems_of(&self, column: ColumnId) -> &[String] {
        let names = self.profile(column.table).columns.get(usize::from(column.column));
        names.map_or(&[], |name| &name.stems)
    }

    /// Foreign-key edges of a table, without those to views that have only inferred keys: they repeat what the tables
    /// hold, so nothing is looked for there unless a question is about them.
    pub(crate) fn edges(&self, table: TableId) -> &[Edge] {
        &self.edges[usize::from(table.0)]
    }

    /// Foreign-key edges of a table, with those to all views.
    pub(crate) fn all_edges(&self, table: TableId) -> impl Iterator<Item = &Edge> {
        self.edges(table).iter().chain(&self.to_views[usize::from(table.0)])
    }

    /// Whether a table is a view to which only inferred keys lead, which no way passes through.
    pub(crate) fn is_end(&self, table: TableId) -> bool {
        self.profile(table).is_view && self.edges(table).iter().all(|edge| edge.inferred)
    }

    /// Number of joins between two tables, and whether the shortest path is one-to-many; `None` if they are not
    /// connected.
    pub(crate) fn distance(&self, from: TableId, to: TableId) -> Option<(usize, bool)> {
        if from == to {
            return Some((0, false));
        }
        let row = self.distances.get(usize::from(from.0))?;
        let (joins, to_many) = *row.get(usize::from(to.0))?;
        (joins < u8::MAX).then_some((usize::from(joins), to_many))
    }

    /// Whether a target is a stored value of a label column.
    pub(crate) fn names_a_row(&self, target: &Target) -> bool {
        match target {
            Target::Value(column, _) => self.profile(column.table).label.contains(column),
            _ => false,
        }
    }

    /// Computes distances by breadth-first search; of equally short paths, one without a one-to-many edge is preferred.
    fn measure_distances(&mut self) {
        let count = self.tables.len();
        self.distances = (0..count)
            .map(|start| {
                if self.all_edges(TableId(start as u16)).next().is_none() {
                    return Vec::new();
                }
                let mut row = vec![(u8::MAX, true); count];
                row[start] = (0, false);
                let mut frontier = vec![start];
                let mut joins = 0_u8;
                while !frontier.is_empty() && joins < 6 {
                    joins += 1;
                    let mut next = Vec::new();
                    for &table in &frontier {
                        let so_far = row[table].1;
                        let id = TableId(table as u16);
                        if table != start && self.is_end(id) {
                            continue;
                        }
                        for edge in self.all_edges(id) {
                            let to = usize::from(edge.to.0);
                            let to_many = so_far || !edge.to_one;
                            if row[to].0 > joins {
                                row[to] = (joins, to_many);
                                next.push(to);
                            } else if row[to].0 == joins && !to_many {
                                row[to].1 = false;
                            }
                        }
                    }
                    frontier = next;
                }
                row
            })
            .collect();
    }

    /// Whether a column has a role.
    pub(crate) fn has_role(&self, column: ColumnId, role: Role) -> bool {
        self.profile(column.table)
            .roles
            .get(usize::from(column.column))
            .is_some_and(|roles| roles.contains(&role))
    }

    /// Names with these stems, joined by spaces.
    pub(crate) fn by_stems(&self, stems: &str) -> &[Entry] {
        self.phrases.get(stems).map_or(&[], Vec::as_slice)
    }

    /// Names whose folded words, concatenated, are this text.
    pub(crate) fn by_squashed(&self, squashed: &str) -> &[Entry] {
        self.squashed.get(squashed).map_or(&[], Vec::as_slice)
    }

    /// Names that the thesaurus relates to this stem.
    pub(crate) fn related(&self, stem: &str) -> &[Entry] {
        self.related.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Tables with the same columns as the given one.
    pub(crate) fn twin_tables(&self, table: TableId) -> &[TableId] {
        self.twins.of_table(table)
    }

    /// Columns of the same table with the same values as the given one.
    pub(crate) fn twin_columns(&self, column: ColumnId) -> &[ColumnId] {
        self.twins.of_column(column)
    }

    /// Twin tables and columns.
    pub(super) fn twins(&self) -> &Twins {
        &self.twins
    }

    /// Whether a stem occurs in any name.
    pub(crate) fn knows(&self, stem: &str) -> bool {
        self.known.contains(stem)
    }

    /// Whether a column is a boolean flag.
    pub(crate) fn is_flag(&self, column: ColumnId) -> bool {
        self.flags.contains(&column)
    }

    /// Whether a column holds dates.
    pub(crate) fn holds_dates(&self, column: ColumnId) -> bool {
        self.dates.contains(&column)
    }

    /// Foreign keys of one column whose name begins with a word: "assigned" for `assigned_agent_id`.
    pub(super) fn keys_named(&self, word: &str) -> impl Iterator<Item = ColumnId> {
        let edges = self.ids().flat_map(|table| {
            self.edges(table).iter().filter(|edge| edge.forward).map(move |edge| (table, edge))
        });
        edges.filter_map(move |(table, edge)| {
            let [column] = edge.from_columns[..] else { return None };
            let column = ColumnId { table, column };
            let words = self.words_of(column);
            (words.len() > 2 && words.first().is_some_and(|first| first == word)).then_some(column)
        })
    }

    /// Whether a column holds texts.
    pub(crate) fn holds_text(&self, column: ColumnId) -> bool {
        self.texts.contains(&column)
    }

    /// Whether a column holds numbers.
    pub(crate) fn is_number(&self, column: ColumnId) -> bool {
        self.numbers.contains(&column)
    }

    /// Columns with a role that people ask for with this stem.
    pub(crate) fn asked_as(&self, stem: &str) -> &[ColumnId] {
        self.by_role_word.get(stem).map_or(&[], Vec::as_slice)
    }

    /// Number of words of the longest name.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// Whether the values of a column say what somebody does: "title", "contact title", "job".
    pub(super) fn tells_a_post(&self, column: ColumnId) -> bool {
        self.words_of(column).last().is_some_and(|last| self.abbreviations.posts.contains(last))
    }

    /// The word that a folded word abbreviates.
    pub(super) fn long_form(&self, word: &str) -> Option<&str> {
        self.abbreviations.long(word)
    }

    /// The word of a name that a folded word expands or abbreviates, with the kind of match.
    pub(crate) fn other_form(&self, word: &str) -> Option<(String, Method)> {
        let long = self
            .abbreviations
            .long(word)
            .filter(|long| !long.contains(' ') && self.known.contains(&stem(long)));
        long.map(|long| (long.to_owned(), Method::Abbreviation)).or_else(|| {
            let short = beginnings(word).find(|start| self.short.contains(*start))?;
            Some((short.to_owned(), Method::Beginning))
        })
    }

    /// Words of names with the same first letter and a similar length, as candidates for spelling correction.
    pub(crate) fn similar_words(&self, word: &str) -> Vec<&String> {
        let Some(first) = word.chars().next() else { return Vec::new() };
        let length = length_of(word);
        let most = if length >= 8 { 2 } else { 1 };
        let mut found: Vec<(usize, &String)> = (length.saturating_sub(most)
            ..=length.saturating_add(most))
            .filter_map(|length| self.vocabulary.get(&(first, length)))
            .flatten()
            .map(|candidate| (strsim::osa_distance(word, candidate), candidate))
            .filter(|(distance, _)| *distance <= usize::from(most) && *distance > 0)
            .collect();
        order::natural(&mut found);
        found.into_iter().map(|(_, candidate)| candidate).collect()
    }
}

/// Words of the first referencing column of a foreign key, without "id".
fn key_name(key: &ForeignKey) -> Vec<String> {
    let mut words =
        key.from_columns.first().map_or_else(Vec::new, |column| words_of_identifier(column));
    if words.last().is_some_and(|last| last == "id") {
        words.pop();
    }
    words
}

/// Whether words at the start of a name say that it is a count: "no of", "num".
fn is_count(words: &[String]) -> bool {
    let counts = ["count", "no", "nr", "num", "number"];
    match words {
        [count, of] => counts.contains(&count.as_str()) && of == "of",
        [count] => counts.contains(&count.as_str()),
        _ => false,
    }
}

/// Whether a word is a conjunction, preposition or article, with which no part of a name begins or ends.
fn joins(word: &str) -> bool {
    ["and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"].contains(&word)
}

/// A word that the thesaurus relates to a name.
struct Relation<'a> {
    stem: &'a str,
    name: &'a Entry,
    word: &'a str,
    method: Method,
    /// Place among all relations.
    at: usize,
}

/// The strongest relation of each stem and target, at the place of their first one.
fn strongest(mut relations: Vec<Relation<'_>>) -> Vec<Relation<'_>> {
    order::by(&mut relations, |one, other| {
        one.stem.cmp(other.stem).then_with(|| one.name.target.cmp(&other.name.target))
    });
    let mut strongest: Vec<Relation<'_>> = Vec::new();
    for relation in relations {
        match strongest.last_mut() {
            Some(last)
                if last.stem == relation.stem && last.name.target == relation.name.target =>
            {
                if last.method.base() < relation.method.base() {
                    *last = Relation { at: last.at, ..relation };
                }
            }
            _ => strongest.push(relation),
        }
    }
    order::by(&mut strongest, |one, other| one.at.cmp(&other.at));
    strongest
}

/// Adds an entry, or replaces the one with the same target if that has a weaker method. The entries of the table that is
/// being added, if any, are the last ones.
fn push_new(entries: &mut Vec<Entry>, entry: &Entry, adding: Option<TableId>) {
    let mut own = entries
        .iter_mut()
        .rev()
        .take_while(|known| adding.is_none() || known.target.table() == adding);
    match own.find(|known| known.target == entry.target) {
        Some(known) if known.method.base() < entry.method.base() => *known = entry.clone(),
        Some(_) => {}
        None => entries.push(entry.clone()),
    }
}

fn length_of(word: &str) -> u8 {
    u8::try_from(word.chars().count()).unwrap_or(u8::MAX)
}

/// Lookup of catalog elements by id.
pub(crate) trait Named {
    /// The column with this id.
    fn column_at(&self, id: ColumnId) -> &Column;
    /// The table with this id.
    fn table_at(&self, id: TableId) -> &Table;
    /// Serializable reference to a column.
    fn reference(&self, id: ColumnId) -> ColumnRef {
        ColumnRef::new(self.table_at(id.table).key(), self.column_at(id).name.clone())
    }
    /// Whether a search in the database can find values that the catalog does not list.
    fn is_searchable(&self, id: ColumnId) -> bool {
        let column = self.column_at(id);
        column.data_type == DataType::Text
            && !column.sensitive
            && column.values.as_ref().is_none_or(|values| values.coverage == Coverage::Partial)
    }
}

impl Named for Catalog {
    fn column_at(&self, id: ColumnId) -> &Column {
        &self.tables[usize::from(id.table.0)].columns[usize::from(id.column)]
    }

    fn table_at(&self, id: TableId) -> &Table {
        &self.tables[usize::from(id.0)]
    }
}

/// Other names of a table of lines: "order lines" for `order_details`, and "line items" for any.
fn line_names(words: &[String]) -> Vec<Vec<String>> {
    const NOUNS: [&str; 3] = ["line", "detail", "item"];
    let (Some(last), true) = (words.last(), words.len() > 1) else { return Vec::new() };
    let own = NOUNS.iter().find(|noun| last == **noun || last.strip_suffix('s') == Some(**noun));
    let Some(own) = own else { return Vec::new() };
    let start = &words[..words.len() - 1];
    let others = NOUNS.iter().filter(|noun| *noun != own);
    let renamed = others.map(|noun| [start, &[(*noun).to_owned()]].concat());
    renamed.chain([vec!["line".to_owned(), "item".to_owned()]]).collect()
}
