//! The column that a vague term is about: named, of the dictionary, or of a role.

use super::context::Composer;
use crate::catalog::ColumnRef;
use crate::data::Role;
use crate::dictionary::{Definition, Term, TermOption};
use crate::linking::{ColumnId, Named, TableId};

impl Composer<'_> {
    pub(super) fn column_for(
        &self,
        term: &Term,
        option: &TermOption,
        named: Option<ColumnId>,
        table: Option<TableId>,
    ) -> Option<ColumnId> {
        if let Some(column) = self.corrected_for(option, table) {
            return Some(column);
        }
        let of_number = !matches!(option.definition, Definition::Flag(_) | Definition::Missing(_));
        if let Some(named) = named.filter(|column| of_number && !self.is_rejected_column(*column)) {
            return Some(named);
        }
        if let Some(column) = &option.column {
            return self.by_columns(std::slice::from_ref(column), table);
        }
        if matches!(option.definition, Definition::AfterDue(_)) {
            return self.ended_after(self.by_roles(&[Role::DueDate], table, &[])?);
        }
        match &option.role {
            Some(role) => self.by_roles(std::slice::from_ref(role), table, &[]),
            None => self
                .by_columns(&term.columns, table)
                .or_else(|| self.by_roles(&term.roles, table, &term.units)),
        }
    }

    /// Column that a correction selects and that an option can be a condition on.
    fn corrected_for(&self, option: &TermOption, table: Option<TableId>) -> Option<ColumnId> {
        let table = table?;
        self.corrected_column(|column| {
            let near = self.schema.edges(table).iter().any(|edge| edge.to == column.table);
            (column.table == table || near)
                && option.role.is_none_or(|role| self.schema.has_role(column, role))
                && self.definition(&option.definition, column).is_some()
        })
    }

    /// First of the columns that belongs to the table or to a table next to it.
    pub(super) fn by_columns(
        &self,
        columns: &[String],
        table: Option<TableId>,
    ) -> Option<ColumnId> {
        let table = table?;
        let found: Vec<ColumnId> = columns
            .iter()
            .filter_map(|name| {
                let (owner, column) = name.rsplit_once('.')?;
                self.column_id(&ColumnRef::new(owner, column))
            })
            .filter(|column| !self.is_rejected_column(*column))
            .collect();
        let near = self.schema.edges(table).iter().map(|edge| edge.to);
        std::iter::once(table)
            .chain(near)
            .find_map(|table| found.iter().copied().find(|column| column.table == table))
    }

    /// First column with one of the roles: in the table, then in tables of one row each, then of many.
    pub(super) fn by_roles(
        &self,
        roles: &[Role],
        table: Option<TableId>,
        units: &[String],
    ) -> Option<ColumnId> {
        let table = table?;
        let mut near = vec![table];
        near.extend(self.to_one_neighbours(table));
        let children = self.schema.edges(table).iter().filter(|edge| !edge.to_one);
        let children = children.map(|edge| edge.to).filter(|child| !self.is_rejected(*child));
        let own = near.iter().copied().take(1);
        for table in own.chain(children) {
            for role in roles {
                if let Some(column) = self.with_role(table, *role, units) {
                    return Some(column);
                }
            }
        }
        if let Some(column) = self.of_descendants(roles, table, units) {
            return Some(column);
        }
        let dated = roles.iter().any(|role| role.is_date());
        near.into_iter().skip(1).filter(|_| dated).find_map(|table| {
            roles
                .iter()
                .filter(|role| role.is_date())
                .find_map(|role| self.with_role(table, *role, units))
        })
    }

    /// First column with one of the roles in tables of many rows for each of the many rows of a table: the trend in the
    /// assessments of a patient's wounds.
    fn of_descendants(&self, roles: &[Role], table: TableId, units: &[String]) -> Option<ColumnId> {
        // Any date or number two tables away says nothing of the rows.
        let generic = [Role::AnyDate, Role::AnyNumber, Role::CreatedDate, Role::EventDate];
        let [role] = roles else { return None };
        if generic.contains(role) {
            return None;
        }
        let children = |of: TableId| {
            let edges = self.schema.edges(of).iter().filter(|edge| !edge.to_one);
            edges.map(|edge| edge.to).filter(|child| !self.is_rejected(*child))
        };
        let mut found = children(table)
            .flat_map(children)
            .filter(|descendant| *descendant != table)
            .filter_map(|descendant| self.with_role(descendant, *role, units));
        found.next().filter(|first| found.all(|other| other.table == first.table))
    }

    pub(super) fn with_role(
        &self,
        table: TableId,
        role: Role,
        units: &[String],
    ) -> Option<ColumnId> {
        let profile = self.schema.profile(table);
        let fits = |column: &ColumnId| {
            let unit = self.catalog.column_at(*column).unit.as_deref();
            units.is_empty() || unit.is_some_and(|unit| units.iter().any(|known| known == unit))
        };
        let columns = (0..self.catalog.table_at(table).columns.len())
            .map(|column| ColumnId { table, column: column as u16 })
            .filter(|column| !self.is_rejected_column(*column));
        let allowed = |column: &ColumnId| !self.is_rejected_column(*column);
        match role {
            Role::AnyDate | Role::EventDate | Role::CreatedDate
                if self.corrected_date(Some(table)).is_some() =>
            {
                self.corrected_date(Some(table))
            }
            Role::AnyDate => profile.date.filter(allowed).or_else(|| {
                let mut dates = profile.dates.iter().copied().filter(allowed);
                dates.find(|column| !self.schema.has_role(*column, Role::BirthDate))
            }),
            Role::EventDate => profile
                .date
                .filter(|column| allowed(column) && !self.schema.has_role(*column, Role::BirthDate))
                .or_else(|| columns.clone().find(|column| self.schema.has_role(*column, role))),
            Role::AnyNumber => profile.measures.iter().copied().find(allowed).or_else(|| {
                columns.clone().find(|column| {
                    let definition = self.catalog.column_at(*column);
                    definition.data_type.is_numeric()
                        && !self.schema.has_role(*column, Role::Identifier)
                        && !self.is_foreign(*column)
                        && !profile.primary_key.contains(column)
                })
            }),
            _ => columns.clone().find(|column| self.schema.has_role(*column, role) && fits(column)),
        }
    }
}
