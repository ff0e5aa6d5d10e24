//! Functions that several rules share.

mod affixed;
mod joins;
mod literals;
mod unknown;

pub(super) use affixed::{has_columns, replaced, stored};
pub(super) use joins::{
    is_one_row, is_unique_on, joined_along_key, key_condition, multiplied_by, same_target,
};
pub(super) use literals::{date_literal, number, text_literal};
pub(super) use unknown::{Unknown, why_unknown};
