//! Reading: mentions put together into a frame, the parts of what is asked for.

mod agent;
mod akin;
mod alternatives;
mod attachment;
mod average;
mod beside_rows;
mod both_ends;
mod bound;
mod column_condition;
mod column_role;
mod columns;
mod comparison;
mod context;
mod contrast;
mod deed;
mod duration;
mod each_of;
mod either;
mod end_of_rows;
mod extreme_row;
mod figure;
mod frame;
mod function;
mod growth;
mod listing;
mod mean;
mod median;
mod moment;
mod named_end;
mod neighbours;
mod order_word;
mod owner;
mod pair;
mod parent;
mod parent_beside;
mod parse;
mod part;
mod period;
mod periods_apart;
mod ranking;
mod rate;
mod retain;
mod role_noun;
mod row;
mod same_as;
mod scope;
mod second_question;
mod several_numbers;
mod share;
mod shared_value;
mod stay;
mod structure;
mod table;
mod text;
mod thing;
mod top;
mod unit;
mod universal;
mod value;
mod verb;
mod word_class;

pub(crate) use context::context_scores;
pub(crate) use duration::name_durations;
pub(crate) use frame::{
    Against, Attachment, Blocked, Condition, Coordination, CountTarget, Distribution, Either,
    Frame, Group, Measure, MeasureTarget, OrderSpec, Pair, Related, Share, Side, Superlative,
    TableUse, TimeSpec, VagueUse,
};
pub(crate) use function::name_functions;
pub(crate) use parse::{parse, parse_list};
pub(crate) use part::{Part, part_of};
pub(crate) use same_as::says_same;
pub(crate) use several_numbers::join_numbers;
pub(crate) use share::UNNAMED_SHARE;
pub(crate) use stay::name_stays;
pub(crate) use table::MISSING_FROM_NOTHING;
