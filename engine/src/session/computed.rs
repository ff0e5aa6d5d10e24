//! What a question asks a statement to compute, beyond the shape of the rows: an amount, a share, a change.

use super::tied::SURE;
use crate::catalog::{Catalog, MetricAggregate};
use crate::data::Role;
use crate::day::Date;
use crate::engine::Engine;
use crate::interpretation::Interpretation;
use crate::linking::{Lexical, Mention, Named, Target};
use crate::reading::{Frame, MeasureTarget, Part};
use crate::writing::{DecidedWords, Shape};

/// Adds to a shape the words that ask for an amount, a share and a change.
pub(super) fn with_parts(
    engine: &Engine,
    today: Date,
    interpretation: &Interpretation,
    decided: &[DecidedWords],
    frame: Option<&Frame>,
    shape: Shape,
) -> Shape {
    let words = |wanted: Lexical| {
        let mentions = interpretation.mentions.iter().enumerate();
        let mut said = mentions.filter(|(at, (mention, part))| {
            *part == Part::Lexical && mention.is(wanted) && !is_numbered(interpretation, *at)
        });
        said.next().map(|(_, (mention, _))| mention.phrase.clone())
    };
    // "Rate" may be a number of rows in some time, such as the rate of orders per day.
    let ratio = words(Lexical::Ratio).filter(|phrase| phrase.to_lowercase().starts_with("ratio"));
    let amount = frame.and_then(|frame| amount(engine, today, interpretation, decided, frame));
    Shape {
        amount,
        share: words(Lexical::Share).or(ratio),
        change: words(Lexical::Growth),
        ..shape
    }
}

/// Whether a number stands before a mention: "10 %".
fn is_numbered(interpretation: &Interpretation, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| interpretation.mentions.get(before));
    before.is_some_and(|(mention, _)| mention.number.is_some())
}

/// The words for the amount that a question asks to compute; `None` if it only counts.
fn amount(
    engine: &Engine,
    today: Date,
    interpretation: &Interpretation,
    decided: &[DecidedWords],
    frame: &Frame,
) -> Option<String> {
    let computed = frame.measures.iter().filter(|measure| {
        matches!(measure.target, MeasureTarget::Aggregate(_) | MeasureTarget::Own)
    });
    let places = computed.map(|measure| measure.at).chain(frame.share.iter().map(|it| it.noun));
    let counts = |phrase: &str| {
        decided.iter().any(|words| {
            words.phrase == phrase && words.required.functions.iter().any(|it| it == "count")
        })
    };
    let mut amounts = places.filter_map(|at| interpretation.mentions.get(at)).filter(|known| {
        let (mention, part) = known;
        match part {
            Part::Concept(concept) => {
                let concepts = &engine.reader(today).dictionary.concepts;
                concepts.get(*concept).is_some_and(|it| it.roles.contains(&Role::Amount))
            }
            Part::Schema => is_amount(engine.catalog(), mention),
            _ => false,
        }
    });
    amounts.find(|(mention, _)| !counts(&mention.phrase)).map(|(mention, _)| mention.phrase.clone())
}

/// Whether words name a number to compute with: a column that is no key, or a metric that does not count.
fn is_amount(catalog: &Catalog, mention: &Mention) -> bool {
    let Some(best) = mention.readings.first().filter(|best| best.score >= SURE) else {
        return false;
    };
    match best.target {
        Target::Column(column) => {
            let definition = catalog.column_at(column);
            let reference = catalog.reference(column);
            let refers = catalog.foreign_keys.iter().any(|key| {
                key.from_table == reference.table && key.from_columns.contains(&reference.column)
            });
            definition.data_type.is_numeric()
                && !definition.unique
                && !definition.is_flag()
                && !definition.holds_years()
                && !refers
        }
        Target::Metric(metric) => catalog.metrics.get(metric).is_some_and(|metric| {
            !matches!(metric.aggregate, MetricAggregate::Count | MetricAggregate::CountDistinct)
        }),
        Target::Label(_) | Target::Table(_) | Target::Value(..) => false,
    }
}
