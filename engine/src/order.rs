//! Sorting without generic code per type: every type sorted by the standard library adds about 5 kB of uncompressed
//! Wasm.

use std::cmp::Ordering;

/// Sorts stably by a comparison.
pub(crate) fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let places = places(items.len(), &|a, b| compare(&items[a], &items[b]));
    put(items, places);
}

/// Sorts stably by a key, which is computed once per item.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    let keys: Vec<K> = items.iter().map(key).collect();
    let places = places(items.len(), &|a, b| keys[a].cmp(&keys[b]));
    put(items, places);
}

/// Sorts stably by `Ord`.
pub(crate) fn natural<T: Ord>(items: &mut [T]) {
    by(items, T::cmp);
}

/// The target index of each item.
fn places(items: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut places = vec![0; items];
    for (place, item) in order.into_iter().enumerate() {
        places[item] = place;
    }
    places
}

/// Moves each item to its target index.
fn put<T>(items: &mut [T], mut places: Vec<usize>) {
    for at in 0..items.len() {
        while places[at] != at {
            let place = places[at];
            items.swap(at, place);
            places.swap(at, place);
        }
    }
}

/// A sorted list that is only looked up, which takes less code for each type than a set or map.
pub(crate) struct Sorted<T>(Vec<T>);

impl<T: Ord> Sorted<T> {
    /// Sorts items.
    pub(crate) fn new(items: impl Iterator<Item = T>) -> Self {
        let mut items: Vec<T> = items.collect();
        natural(&mut items);
        Self(items)
    }

    /// Whether the list has this item.
    pub(crate) fn contains(&self, item: &T) -> bool {
        self.0.binary_search(item).is_ok()
    }

    /// The items that are equal by a comparison which agrees with their order.
    pub(crate) fn equal(&self, compare: impl Fn(&T) -> Ordering) -> &[T] {
        let start = self.0.partition_point(|item| compare(item) == Ordering::Less);
        let rest = &self.0[start..];
        &rest[..rest.partition_point(|item| compare(item) == Ordering::Equal)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(items: Vec<(u8, u32)>) {
            let mut ours = items.clone();
            let mut theirs = items;
            by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, theirs);
        }
    }
}
