//! Composing: a frame becomes a query tree, and a query tree becomes SQL.
#![expect(
    clippy::too_many_lines,
    reason = "a function composes all constructs of one part of a query"
)]

mod age;
mod attachment;
mod average;
mod build;
mod cohort;
mod column;
mod columns;
mod compared;
mod condition;
mod constraints;
mod contains;
mod context;
mod duration;
mod figure;
mod filter;
mod formula;
mod group;
mod group_base;
mod growth;
mod joins;
mod lower;
mod measure;
mod option;
mod output;
mod parent;
mod period;
mod plan;
mod rank;
mod resolves;
mod scope;
mod settle;
mod share;
mod sold;
mod stored;
mod time;
mod together;
mod top;
mod union;
mod unit;
mod unlinked;
mod vague;
mod value;

pub(crate) use build::{compose, predicate_table};
pub(crate) use constraints::Constraints;
pub(crate) use contains::contains_binding;
pub(crate) use context::{Composer, Decisions, Failure, Open};
pub(crate) use lower::lower;
pub(crate) use resolves::resolves;
pub(crate) use settle::Settled;
