//! Derives the shape of the result from a question that could not be composed.

use super::tied::SURE;
use crate::day::Date;
use crate::engine::Engine;
use crate::intent::Aggregate;
use crate::interpretation::Interpretation;
use crate::linking::{Lexical, Mention, Named, Target};
use crate::reading::{CountTarget, Frame, Group, Measure, MeasureTarget, Part, TableUse, parse};
use crate::writing::{DecidedWords, Shape};

/// The frame of a question that is no follow-up.
pub(super) fn frame(engine: &Engine, today: Date, interpretation: &Interpretation) -> Frame {
    let (mentions, parts): (Vec<Mention>, Vec<Part>) =
        interpretation.mentions.iter().cloned().unzip();
    let reader = engine.reader(today);
    let (catalog, schema) = (reader.catalog, reader.schema);
    parse(catalog, schema, reader.lexicon, reader.units, (&mentions, &parts), None)
}

/// The shape of the result, from the structure words of the question and the complete parts of its frame.
pub(super) fn shape(
    engine: &Engine,
    interpretation: &Interpretation,
    decided: &[DecidedWords],
    frame: Option<&Frame>,
) -> Shape {
    let says = |wanted: &[Lexical]| {
        let mut mentions = interpretation.mentions.iter();
        mentions.any(|(mention, part)| {
            *part == Part::Lexical && wanted.iter().any(|lexical| mention.is(*lexical))
        })
    };
    let superlative =
        interpretation.mentions.iter().any(|(_, part)| matches!(part, Part::Superlative(_)));
    let grain = interpretation.mentions.iter().any(|(_, part)| matches!(part, Part::Grain(_)));
    let groups = grain || says(&[Lexical::Group]);
    let ranks =
        superlative || says(&[Lexical::Top, Lexical::Bottom, Lexical::Most, Lexical::Fewest]);
    let figures =
        [Lexical::Count, Lexical::Sum, Lexical::Average, Lexical::Maximum, Lexical::Minimum];
    let figure = says(&figures) && !groups && !ranks;
    let groups = groups && !frame.is_some_and(averages_rows);
    let known = Shape { groups, ranks, figure, ..Shape::default() };
    let Some(frame) = frame else { return known };
    // An unknown or vague word may change the whole shape.
    if !frame.unread.is_empty() || !frame.vague.is_empty() {
        return known;
    }
    let column = |at: usize| column(engine, &interpretation.mentions.get(at)?.0, decided);
    let per = frame.groups.iter().filter_map(|group| match group {
        Group::Thing(at) => column(*at),
        Group::Period { .. } | Group::Table(..) => None,
    });
    let per: Vec<String> = per.collect();
    if says(&[Lexical::Growth, Lexical::Ratio, Lexical::Share]) {
        // A share changes the figure, but not the groups that have it: "share of orders by status".
        let shared = frame.share.is_some() && frame.blocked.is_empty() && !frame.groups.is_empty();
        return if shared { Shape { groups: true, figure: false, per, ..known } } else { known };
    }
    if !frame.blocked.is_empty() {
        return Shape { per, ..known };
    }
    let ranked = frame.superlative.as_ref().filter(|_| frame.groups.is_empty());
    // If a superlative has roles, the column and direction of the order are uncertain.
    let by_figure = ranked.filter(|ranked| ranked.roles.is_empty() && ranked.opposite.is_empty());
    let listed = frame.measures.is_empty() && frame.groups.is_empty();
    // Where rows of another table are denied, the column may be that of either table.
    let denied = frame.related.iter().any(|related| related.how == TableUse::Without);
    let shown = frame.outputs.iter().filter(|_| !denied);
    // In place of a foreign key, the name of the row that it refers to may be shown.
    let shows = shown.filter_map(|at| column(*at)).filter(|name| !is_foreign(engine, name));
    let shows: Vec<String> = shows.collect();
    let counts_values = frame.measures.iter().all(|measure| {
        matches!(measure.target, MeasureTarget::Count(CountTarget::Values { distinct: true }))
    });
    Shape {
        works_out: works_out(frame),
        per,
        top: ranked.and_then(|ranked| ranked.limit),
        descending: by_figure
            .filter(|ranked| ranked.by_count || ranked.by.is_some())
            .map(|ranked| ranked.descending),
        shows: if listed { shows } else { Vec::new() },
        distinct: frame.distinct && counts_values,
        lists: lists(engine, frame, interpretation)
            .filter(|_| listed && ranked.is_none() && says(&[Lexical::List])),
        ..known
    }
}

/// "Average freight per order": an average for each row of a table may be that of all rows.
fn averages_rows(frame: &Frame) -> bool {
    let averages =
        |measure: &Measure| measure.target == MeasureTarget::Aggregate(Aggregate::Average);
    !frame.measures.is_empty()
        && frame.measures.iter().all(averages)
        && frame.groups.iter().all(|group| matches!(group, Group::Table(..)))
}

/// The aggregate function, if the question asks for exactly one.
fn works_out(frame: &Frame) -> Option<Aggregate> {
    match frame.measures.as_slice() {
        [only] => match only.target {
            MeasureTarget::Aggregate(Aggregate::Maximum | Aggregate::Minimum) => None,
            MeasureTarget::Aggregate(figure) => Some(figure),
            MeasureTarget::Count(CountTarget::Rows(_)) => Some(Aggregate::Count),
            MeasureTarget::Count(_) | MeasureTarget::Own => None,
        },
        _ => None,
    }
}

/// Key of the table whose rows are listed, if no columns of other tables are shown.
fn lists(engine: &Engine, frame: &Frame, interpretation: &Interpretation) -> Option<String> {
    let (table, at) = frame.head?;
    let readings = &interpretation.mentions.get(at)?.0.readings;
    let named = readings.first().is_some_and(|it| {
        matches!(it.target, Target::Table(of) | Target::Label(of) if of == table)
            && it.score >= SURE
    });
    let alone = frame.output_tables.is_empty()
        && frame.distribution.is_none()
        && frame.coordination.is_none();
    (named && alone).then(|| engine.catalog().table_at(table).key())
}

/// Whether a column, `table.column`, belongs to a foreign key.
fn is_foreign(engine: &Engine, column: &str) -> bool {
    engine.catalog().foreign_keys.iter().any(|key| {
        let mut columns = key.from_columns.iter();
        columns.any(|name| format!("{}.{name}", key.from_table) == column)
    })
}

/// The column that words refer to without doubt: by a decision, or as their only match.
fn column(engine: &Engine, mention: &Mention, decided: &[DecidedWords]) -> Option<String> {
    if let Some(words) = decided.iter().find(|words| words.phrase == mention.phrase) {
        let [only] = words.required.columns.as_slice() else { return None };
        return Some(only.clone());
    }
    let [best, rest @ ..] = mention.readings.as_slice() else { return None };
    let rival =
        rest.first().is_some_and(|rival| best.score - rival.score < engine.settings().rival_gap);
    match best.target {
        Target::Column(column) if !rival && best.score >= SURE => {
            Some(engine.catalog().reference(column).to_string())
        }
        _ => None,
    }
}
