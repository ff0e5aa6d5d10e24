//! Wordings of join paths between the same two tables: only the steps in which they differ are said.

use wherefore_english::{plural, possessive};

use super::Wording;

/// One join of a path.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum WayStep {
    /// Along a foreign key, to one row; the words of the key without `id`: `billing address`.
    Forward(String),
    /// Against a foreign key, to many rows.
    Back {
        /// Words of the table that holds the key: `order`.
        table: String,
        /// Words of the key where the table has another one to the same table: `bill to customer`.
        key: Option<String>,
    },
}

/// Wordings of several paths.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Ways {
    /// One for each path.
    pub(crate) wordings: Vec<Wording>,
    /// Whether the labels name the end of the path, and not only a place on the way there.
    pub(crate) name_end: bool,
}

impl WayStep {
    fn words(&self) -> String {
        match self {
            Self::Forward(key) => key.clone(),
            Self::Back { table, key: None } => plural(table),
            Self::Back { table, key: Some(key) } => format!("{} by {key}", plural(table)),
        }
    }
}

/// Wordings of paths that start at the rows of one table: `billing address`, `account manager`.
///
/// The steps that all of them begin with are left out, and those that all of them end with; each keeps one at least.
/// The description says what is used: `uses the city of the billing address`, `orders by their bill to customer`.
pub(crate) fn ways(start: &str, ways: &[Vec<WayStep>]) -> Ways {
    let shortest = ways.iter().map(Vec::len).min().unwrap_or(0);
    let spare = shortest.saturating_sub(1);
    let first = ways.first().map(Vec::as_slice).unwrap_or_default();
    let alike =
        |at: &dyn Fn(&[WayStep]) -> Option<&WayStep>| ways.iter().all(|way| at(way) == at(first));
    let lead = (0..spare).take_while(|&step| alike(&|way| way.get(step))).count();
    let tail = (1..=spare - lead)
        .take_while(|&step| alike(&|way| way.get(way.len().wrapping_sub(step))))
        .count();
    let name_end = tail == 0;
    let told: Vec<&[WayStep]> =
        ways.iter().map(|way| way.get(lead..way.len() - tail).unwrap_or_default()).collect();
    let short: Vec<String> = told.iter().map(|steps| chain(&without_bridges(steps))).collect();
    let unique = short.iter().enumerate().all(|(at, label)| !short[..at].contains(label));
    let wordings = ways
        .iter()
        .zip(told)
        .zip(short)
        .map(|((way, told), short)| {
            let label = if unique { short } else { chain(told) };
            let end = way.last().map(WayStep::words).unwrap_or_default();
            let description = if name_end {
                format!("{} by their {}", plural(start), chain(way))
            } else {
                format!("uses the {end} of the {label}")
            };
            Wording { label, description }
        })
        .collect();
    Ways { wordings, name_end }
}

/// Steps as one noun phrase: `order's customer`.
fn chain(steps: &[WayStep]) -> String {
    let Some((last, before)) = steps.split_last() else { return String::new() };
    let mut phrase = String::new();
    for step in before {
        phrase.push_str(&possessive(&step.words()));
        phrase.push(' ');
    }
    phrase.push_str(&last.words());
    phrase
}

/// Steps without those to many rows that only lead on: the lines between a product and an order.
fn without_bridges(steps: &[WayStep]) -> Vec<WayStep> {
    let last = steps.len().saturating_sub(1);
    let kept = steps.iter().enumerate();
    kept.filter(|(at, step)| *at == last || matches!(step, WayStep::Forward(_)))
        .map(|(_, step)| step.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forward(steps: &[&str]) -> Vec<WayStep> {
        steps.iter().map(|step| WayStep::Forward((*step).to_owned())).collect()
    }

    fn labels(found: &Ways) -> Vec<&str> {
        found.wordings.iter().map(|wording| wording.label.as_str()).collect()
    }

    #[test]
    fn steps_that_all_paths_share_at_an_end_are_left_out() {
        let found = ways(
            "invoice_line",
            &[
                forward(&["invoice", "customer", "billing address", "city"]),
                forward(&["invoice", "customer", "shipping address", "city"]),
                forward(&["invoice", "order", "bill to customer", "billing address", "city"]),
            ],
        );
        assert_eq!(
            labels(&found),
            [
                "customer's billing address",
                "customer's shipping address",
                "order's bill to customer's billing address"
            ]
        );
        assert!(!found.name_end);
    }

    #[test]
    fn the_description_says_what_is_used() {
        let found =
            ways("invoices", &[forward(&["customer", "city"]), forward(&["seller", "city"])]);
        assert_eq!(labels(&found), ["customer", "seller"]);
        assert_eq!(found.wordings[0].description, "uses the city of the customer");
        let found = ways("order", &[forward(&["customer"]), forward(&["payer"])]);
        assert_eq!(found.wordings[1].description, "orders by their payer");
    }

    #[test]
    fn a_path_within_another_keeps_its_last_step() {
        let found = ways("order", &[forward(&["customer"]), forward(&["invoice", "customer"])]);
        assert_eq!(labels(&found), ["customer", "invoice's customer"]);
        assert!(found.name_end);
    }

    #[test]
    fn a_step_to_many_rows_is_told_by_its_key_only_where_there_are_several() {
        let back = |key: Option<&str>| WayStep::Back {
            table: "order".to_owned(),
            key: key.map(str::to_owned),
        };
        let found = ways("customer", &[vec![back(Some("customer"))], vec![back(Some("payer"))]]);
        assert_eq!(labels(&found), ["orders by customer", "orders by payer"]);
        let bridge = vec![back(None), WayStep::Forward("shop".to_owned())];
        let found = ways("customer", &[bridge, forward(&["shop"])]);
        assert_eq!(labels(&found), ["orders' shop", "shop"]);
        let shared = vec![back(None), WayStep::Forward("shop".to_owned())];
        let found = ways("customer", &[shared, forward(&["city", "shop"])]);
        assert_eq!(labels(&found), ["orders", "city"]);
    }

    #[test]
    fn no_paths_have_no_wordings() {
        assert_eq!(ways("order", &[]).wordings, []);
        assert_eq!(labels(&ways("order", &[vec![]])), [""]);
    }
}
