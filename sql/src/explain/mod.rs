//! Explains a statement in English: short steps in evaluation order, each with its span in the text.
//!
//! An expression without a phrase is quoted as SQL in backticks. No statement makes it panic.

mod compared;
mod condition;
mod figure;
mod function;
mod group;
mod items;
mod join;
mod kept;
mod moment;
mod names;
mod order;
mod phrases;
mod place;
mod query;
mod range;
mod related;
mod rows;
mod said;
mod select;
mod sentence;
mod step;
mod value;
mod window;

pub use kept::{Decision, Kept, kept};
#[doc(hidden)]
pub use sentence::sentence;
pub use step::{Step, StepKind};

use super::bind::Bound;
use super::{Diagnostic, read_with_tokens};
use names::Teller;
use wherefore_catalog::Catalog;

/// Explains what a statement in the data source's dialect does, step by step.
///
/// ```
/// use wherefore_catalog::{Catalog, Column, Table};
/// use wherefore_sql::explain::{explain, sentence};
///
/// let name = Column { name: "city".to_owned(), ..Column::default() };
/// let users = Table { name: "users".to_owned(), columns: vec![name], ..Table::default() };
/// let catalog = Catalog { tables: vec![users], ..Catalog::default() };
/// let steps = explain("SELECT count(*) FROM users WHERE city = 'Bonn'", &catalog).unwrap();
/// assert_eq!(steps[1].text, "keep only users where city is “Bonn”");
/// assert_eq!(sentence(&steps), "Counts users where city is “Bonn”.");
/// ```
pub fn explain(sql: &str, catalog: &Catalog) -> Result<Vec<Step>, Vec<Diagnostic>> {
    let read =
        read_with_tokens(sql, catalog.dialect.into()).map_err(|diagnostic| vec![diagnostic])?;
    let bound = Bound::of(&read.query, catalog, catalog.dialect);
    Ok(Teller::new(sql, &read.tokens, &bound).statement(&read.query))
}
