//! Schema linking: matches the words of a question with tables, columns, metrics, stored values and structure words.

mod abbreviation;
mod acts;
mod announced;
mod apposed;
mod beside;
mod codes;
mod concept;
mod cover;
mod deeds;
mod element;
mod identifier;
mod implied;
mod index;
mod inference;
mod inferred;
mod key_names;
mod kinds;
mod lexicon;
mod likely;
mod linker;
mod matching;
mod mention;
mod named_place;
mod names;
mod narrower;
mod people;
mod pieces;
mod prominent;
mod proper_name;
mod qualify;
mod quantity;
mod recorded;
mod signature;
mod start;
mod state;
mod state_or_event;
mod stocked;
mod stored;
mod thesaurus;
mod twins;
mod units;
mod values;
mod worth;

pub(crate) use acts::tie_acts;
pub(crate) use announced::announce_texts;
pub(crate) use beside::{tie_beside, tie_stored_beside};
pub(crate) use deeds::tie_deeds;
pub(crate) use element::{ColumnId, TableId, Target};
pub(crate) use identifier::words_of_identifier;
pub(crate) use implied::{imply, widen};
pub(crate) use index::{Edge, Named, SchemaIndex};
pub(crate) use inferred::add_inferred_keys;
pub(crate) use key_names::{key_of_role, name_keys};
pub(crate) use lexicon::{Lexical, Lexicon, is_past_of};
pub use likely::possible_keys;
pub(crate) use linker::Linker;
pub(crate) use matching::mentions;
pub(crate) use mention::{Act, Duration, Mention, Reading};
pub(crate) use named_place::{name_places, place_what_was_done};
pub(crate) use narrower::untie_kinds;
pub(crate) use people::{
    holds_persons, join_full_names, prefer_makers, prefer_persons, prefer_subjects, tie_people,
    tie_persons_alike,
};
pub(crate) use pieces::count_pieces;
pub(crate) use prominent::prominent;
pub(crate) use proper_name::untie_proper_names;
pub(crate) use qualify::{
    join_name_parts, join_table_words, name_part, qualify, unbind_far_verbs, unbind_verbs,
};
pub(crate) use quantity::tie_quantities;
pub(crate) use recorded::tie_recorded;
pub(crate) use start::start_dates;
pub(crate) use state::{level_rates, tie_rates, tie_states};
pub(crate) use state_or_event::tell_states_apart;
pub(crate) use stocked::{name_stock_worth, number_in_stock, priced_goods};
pub(crate) use units::Units;
pub(crate) use values::ValueIndex;
pub(crate) use worth::{name_worth, names_worth};
