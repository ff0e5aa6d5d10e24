//! Slots that callers share: each may hold a multiple of what is free, so that none holds all of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::holder::Holder;

/// A number of slots, of which each holder may have `share` times as many as are free (dynamic thresholds).
///
/// With `n` holders that want all of them, one share of `1 + n × share` stays free for others.
#[derive(Debug)]
pub(crate) struct Slots {
    share: usize,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    free: usize,
    held: BTreeMap<Holder, usize>,
}

/// Slots of a holder, free again when dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    slots: Arc<Slots>,
    holder: Holder,
    count: usize,
}

impl Slots {
    /// All slots, free.
    pub(crate) fn new(total: usize, share: usize) -> Arc<Self> {
        Arc::new(Self { share, state: Mutex::new(State { free: total, held: BTreeMap::new() }) })
    }

    /// Slots for a holder; `None` if too few are free, or if the holder has its share.
    pub(crate) fn take(self: &Arc<Self>, holder: &Holder, count: usize) -> Option<Slot> {
        let mut slot = self.none(holder);
        slot.grow(count).then_some(slot)
    }

    /// Number of free slots.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).free
    }

    /// No slots for a holder, to be taken later.
    pub(crate) fn none(self: &Arc<Self>, holder: &Holder) -> Slot {
        Slot { slots: Arc::clone(self), holder: holder.clone(), count: 0 }
    }
}

impl Slot {
    /// Takes more slots for the same holder. Returns `false` if it cannot have them.
    pub(crate) fn grow(&mut self, count: usize) -> bool {
        let mut state = self.slots.state.lock().unwrap_or_else(PoisonError::into_inner);
        let held = state.held.get(&self.holder).copied().unwrap_or_default();
        if count > state.free || held + count > self.slots.share * state.free {
            return false;
        }
        state.free -= count;
        state.held.insert(self.holder.clone(), held + count);
        self.count += count;
        true
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut state = self.slots.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.free += self.count;
        if let Some(held) = state.held.get_mut(&self.holder) {
            *held -= self.count;
            if *held == 0 {
                state.held.remove(&self.holder);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    fn user(name: &str) -> Holder {
        Holder::User(Identity { tenant: "default".to_owned(), user: Some(name.to_owned()) })
    }

    fn all(slots: &Arc<Slots>, name: &str) -> Vec<Slot> {
        std::iter::from_fn(|| slots.take(&user(name), 1)).collect()
    }

    #[test]
    fn however_many_take_all_they_can_the_next_finds_one() {
        let slots = Slots::new(1_024, 3);
        let mut held = Vec::new();
        let mut counts = Vec::new();
        for name in ["ann", "ben", "cem", "dan"] {
            held.push(all(&slots, name));
            counts.push(held.last().unwrap().len());
        }
        assert_eq!(counts, [768, 192, 48, 12]);
        held.clear();
        assert_eq!(all(&slots, "eve").len(), 768, "dropped slots are free again");
    }

    #[test]
    fn a_single_slot_can_be_taken() {
        let slots = Slots::new(1, 1);
        let held = slots.take(&user("ann"), 1);
        assert!(held.is_some() && slots.take(&user("ben"), 1).is_none());
        drop(held);
        assert!(slots.take(&user("ben"), 1).is_some());
    }

    #[test]
    fn a_slot_grows_up_to_the_share_of_its_holder() {
        let slots = Slots::new(100, 1);
        let mut first = slots.take(&user("ann"), 30).unwrap();
        assert!(!first.grow(41), "71 of 100 are more than the share");
        assert!(first.grow(20));
        assert!(slots.take(&user("ann"), 1).is_none());
        assert!(slots.take(&user("ben"), 50).is_some());
        drop(first);
        assert!(slots.state.lock().unwrap().held.is_empty());
    }
}
