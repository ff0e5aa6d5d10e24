//! What is filled in and chosen in the parts of a turn, which are made anew when the language changes.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;

use crate::view_model::draft::Draft;
use crate::view_model::table_sort::Sort;

/// A part of a turn that can be folded away.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Part {
    /// Which words made which clause.
    Account,
    /// Assumptions made without asking.
    Assumptions,
    /// The statement.
    Sql,
    /// Steps and their times.
    Steps,
}

/// Contents of fields, and choices of what is shown.
#[derive(Clone, Copy)]
pub struct Fields {
    /// What is filled in in clarifications, by their places and ids.
    drafts: StoredValue<BTreeMap<String, Draft>>,
    /// Ids of the assumptions that are being changed.
    changing: RwSignal<BTreeSet<String>>,
    /// Parts that the user opened or closed; kept when an answer is changed.
    opened: StoredValue<BTreeMap<Part, bool>>,
    /// Order that the user makes of the rows.
    pub sort: RwSignal<Option<Sort>>,
    /// Content of the filter of the rows.
    pub filter: RwSignal<String>,
    /// Whether a chart is shown.
    pub has_chart: RwSignal<bool>,
    /// Index of the chart among those that suit the result.
    pub chart: RwSignal<usize>,
}

impl Default for Fields {
    fn default() -> Self {
        Self {
            drafts: StoredValue::default(),
            changing: RwSignal::default(),
            opened: StoredValue::default(),
            sort: RwSignal::new(None),
            filter: RwSignal::default(),
            has_chart: RwSignal::new(true),
            chart: RwSignal::new(0),
        }
    }
}

impl Fields {
    /// Forgets what was filled in, as the question goes on.
    pub fn clear(&self) {
        self.drafts.set_value(BTreeMap::new());
        self.changing.set(BTreeSet::new());
        self.sort.set(None);
        self.filter.set(String::new());
        self.has_chart.set(true);
        self.chart.set(0);
    }

    /// A draft that is kept under a key; what it had before, or else the given one.
    pub fn draft(&self, key: String, initial: Draft) -> RwSignal<Draft> {
        let known = self.drafts.with_value(|drafts| drafts.get(&key).cloned());
        let (drafts, draft) = (self.drafts, RwSignal::new(known.unwrap_or(initial)));
        Effect::new(move |_| {
            let now = draft.get();
            drafts.update_value(|drafts| {
                drafts.insert(key.clone(), now);
            });
        });
        draft
    }

    /// Whether a part is open, which `opens` says until the user opens or closes it.
    pub fn is_open(&self, part: Part, opens: bool) -> bool {
        self.opened.with_value(|opened| opened.get(&part).copied().unwrap_or(opens))
    }

    /// Keeps whether a part is open. One that is as it would be without the user is not kept.
    pub fn open(&self, part: Part, is_open: bool, opens: bool) {
        self.opened.update_value(|opened| {
            if is_open == opens {
                opened.remove(&part);
            } else {
                opened.insert(part, is_open);
            }
        });
    }

    /// Whether an assumption is being changed.
    pub fn is_changing(&self, id: &str) -> bool {
        self.changing.with(|changing| changing.contains(id))
    }

    /// Begins or ends the change of an assumption.
    pub fn change(&self, id: &str, begins: bool) {
        self.changing.update(|changing| {
            if begins {
                changing.insert(id.to_owned());
            } else {
                changing.remove(id);
            }
        });
    }
}
