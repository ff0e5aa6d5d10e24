//! Dictionary packs: vague terms with their possible definitions, and concept words.

mod company;
mod pack;

pub(crate) use crate::data::{Concept, CustomKind, Definition, Term, TermKind, TermOption};
pub use company::{TermFault, check_term};
pub(crate) use pack::Dictionary;
