//! Reading: mentions put together into a frame, the parts of what is asked for.

mod comparison;
mod context;
mod frame;
mod moment;
mod parse;
mod part;
mod ranking;
mod structure;
mod thing;
mod value;

pub(crate) use context::context_scores;
pub(crate) use frame::{
    Condition, CountTarget, Frame, Group, Measure, MeasureTarget, OrderSpec, Related, Superlative,
    TableUse, TimeSpec, VagueUse,
};
pub(crate) use parse::parse;
pub(crate) use part::{Part, part_of};
