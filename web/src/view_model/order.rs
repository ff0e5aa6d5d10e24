//! Sorting through one function for all types: each copy of the standard library's sort takes 5 kB of WebAssembly.

use std::cmp::Ordering;

/// Items in an order; equal items keep their places.
pub fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = places(items.len(), &|one, other| compare(&items[one], &items[other]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| items[place].take()).collect()
}

/// Number of different items.
pub fn count_distinct<T: Ord>(items: &[T]) -> usize {
    let compare = |one: usize, other: usize| items[one].cmp(&items[other]);
    let order = places(items.len(), &compare);
    let repeated = order.windows(2).filter(|pair| compare(pair[0], pair[1]).is_eq());
    items.len() - repeated.count()
}

/// Places of items in an order, which compares two places.
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}

#[cfg(test)]
mod tests {
    use super::{count_distinct, sorted};

    #[test]
    fn equal_items_keep_their_places() {
        let items = vec![(2, "a"), (1, "b"), (2, "c"), (1, "d")];
        let sorted = sorted(items, |one, other| one.0.cmp(&other.0));
        assert_eq!(sorted, [(1, "b"), (1, "d"), (2, "a"), (2, "c")]);
    }

    #[test]
    fn repeated_items_count_once() {
        assert_eq!(count_distinct(&["b", "a", "b", "c", "a"]), 3);
        assert_eq!(count_distinct::<u8>(&[]), 0);
    }
}
