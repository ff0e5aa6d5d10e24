//! Dictionary packs: vague terms with their possible definitions, and concept words.

mod pack;

pub(crate) use pack::{Concept, CustomKind, Definition, Dictionary, Term, TermKind, TermOption};
