//! Sorting through one function for all types: each copy of the standard library's sort takes 5 kB of WebAssembly.

use std::cmp::Ordering;

use super::chart::Point;

/// First letters of months and of days of the week.
const CALENDAR: [&str; 19] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon",
    "tue", "wed", "thu", "fri", "sat", "sun",
];

/// Items in an order; equal items keep their places.
pub fn sorted<T>(items: Vec<T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = places(items.len(), &|one, other| compare(&items[one], &items[other]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|place| items[place].take()).collect()
}

/// The highest bar first where bars stand in alphabetical order, which says nothing; numbers, months and days of the
/// week keep their order.
pub(super) fn by_value(bars: Vec<Point>) -> Vec<Point> {
    let labels: Vec<String> = bars.iter().map(|bar| bar.label.to_lowercase()).collect();
    let starts = |label: &String| label.chars().take(3).collect::<String>();
    let is_ordered = labels.iter().all(|label| CALENDAR.contains(&starts(label).as_str()))
        || labels.iter().any(|label| label.starts_with(|first: char| first.is_ascii_digit()));
    // Of bars that rise, the lowest may have been asked for.
    let rises = bars.windows(2).all(|pair| pair[0].y <= pair[1].y);
    if is_ordered || rises || !labels.is_sorted() {
        return bars;
    }
    let mut bars = sorted(bars, |left, right| right.y.total_cmp(&left.y));
    for (place, bar) in bars.iter_mut().enumerate() {
        bar.x = place as f64;
    }
    bars
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
    use super::{by_value, count_distinct, sorted};
    use crate::view_model::chart::Point;

    #[test]
    fn equal_items_keep_their_places() {
        let items = vec![(2, "a"), (1, "b"), (2, "c"), (1, "d")];
        let sorted = sorted(items, |one, other| one.0.cmp(&other.0));
        assert_eq!(sorted, [(1, "b"), (1, "d"), (2, "a"), (2, "c")]);
    }

    fn labels(bars: &[(&str, f64)]) -> String {
        let bar = |(label, y): &(&str, f64)| Point {
            label: (*label).to_owned(),
            y: *y,
            ..Point::default()
        };
        let bars = by_value(bars.iter().map(bar).collect());
        bars.iter().map(|bar| bar.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn bars_in_alphabetical_order_are_shown_by_value() {
        assert_eq!(
            labels(&[("Austria", 2.0), ("Brazil", 1.0), ("Chile", 3.0)]),
            "Chile Austria Brazil"
        );
    }

    #[test]
    fn bars_of_months_numbers_or_another_order_keep_it() {
        assert_eq!(labels(&[("April", 2.0), ("July", 1.0), ("May", 3.0)]), "April July May");
        assert_eq!(labels(&[("10–20", 2.0), ("20–30", 1.0), ("30–40", 3.0)]), "10–20 20–30 30–40");
        assert_eq!(
            labels(&[("small", 2.0), ("medium", 1.0), ("large", 3.0)]),
            "small medium large"
        );
        assert_eq!(labels(&[("a", 1.0), ("b", 2.0)]), "a b");
    }

    #[test]
    fn repeated_items_count_once() {
        assert_eq!(count_distinct(&["b", "a", "b", "c", "a"]), 3);
        assert_eq!(count_distinct::<u8>(&[]), 0);
    }
}
