//! Which of its readings a mention plays, from its neighbours.

use wherefore_english::singular;

use crate::confidence::Method;
use crate::intent::TimeGrain;
use crate::linking::{Lexical, Mention, Reading, Target};

/// Whether words say what rows have: "with", "who".
pub(super) fn says_what_is_had(mentions: &[Mention]) -> bool {
    mentions.iter().any(|mention| mention.is(Lexical::With) || mention.is(Lexical::Where))
}

/// Whether "one" is a number of related rows: "customers with one order".
fn counts_one(mentions: &[Mention], at: usize) -> bool {
    let table = |mention: &Mention| {
        let first = mention.readings.first();
        first.is_some_and(|reading| matches!(reading.target, Target::Table(_)))
    };
    let one = mentions[at].number.as_ref().is_some_and(|number| number.value == "1")
        && mentions[at].phrase.eq_ignore_ascii_case("one");
    let counted = mentions.get(at + 1).is_some_and(|next| {
        next.tokens.start == mentions[at].tokens.end
            && table(next)
            && !next.phrase.to_lowercase().ends_with('s')
    });
    let joins =
        [Lexical::And, Lexical::By, Lexical::Count, Lexical::In, Lexical::List, Lexical::Of];
    let before = at.checked_sub(1).and_then(|before| mentions.get(before));
    let had = before.is_some_and(|before| {
        let further = before.is(Lexical::And) && says_what_is_had(&mentions[..at]);
        !before.is(Lexical::Distributive) && (further || !joins.iter().any(|kind| before.is(*kind)))
    });
    one && counted && had && mentions[..at].iter().any(table)
}

/// The part a mention plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Part {
    /// A concept word such as "sales".
    Concept(usize),
    /// A period such as "month".
    Grain(TimeGrain),
    /// A structure word; which of its uses depends on the place.
    Lexical,
    /// A number.
    Number,
    /// A thing of the catalog.
    Schema,
    /// An adjective that puts rows in order.
    Superlative(usize),
    /// A time expression.
    Time,
    /// Tied to nothing.
    Unknown,
    /// A term that needs a definition.
    Vague(usize),
}

/// Part that the mention at `at` plays.
pub(crate) fn part_of(mentions: &[Mention], at: usize) -> Part {
    let mention = &mentions[at];
    let surest = mention.readings.first();
    let is_value = surest.is_some_and(|reading| matches!(reading.target, Target::Value(..)));
    let score = surest.map_or(0.0, |reading| reading.score);
    if mention.quoted {
        return if surest.is_some() { Part::Schema } else { Part::Unknown };
    }
    if let Some(time) = &mention.time
        && (!time.weak
            || surest.is_none() && mention.lexical.is_empty() && !after_comparison(mentions, at))
    {
        return Part::Time;
    }
    if mention.number.as_ref().is_some_and(|number| !number.weak) || counts_one(mentions, at) {
        return Part::Number;
    }
    if mention.superlative.is_some() && mention.vague.is_none() && score < 0.95 {
        return mention.superlative.map_or(Part::Unknown, Part::Superlative);
    }
    if mention.superlative.is_some() && counts_or_is_single(mentions, at) {
        return mention.superlative.map_or(Part::Unknown, Part::Superlative);
    }
    let shared =
        mention.is(Lexical::Common) && mentions.iter().any(|other| other.is(Lexical::Distributive));
    let computes = mention.is(Lexical::Average) && next_is_figure(mentions, at);
    if let Some(term) = mention.vague.filter(|_| !shared && !computes) {
        let named = surest.is_some_and(|reading| {
            matches!(
                reading.method,
                Method::Exact | Method::Stem | Method::Synonym | Method::ValueExact
            )
        });
        let elsewhere = surest.is_some_and(|reading| is_flag_of_others(mentions, at, reading));
        return if named && !elsewhere { Part::Schema } else { Part::Vague(term) };
    }
    if let Some(grain) = mention.grain {
        let exact = surest.is_some_and(|reading| reading.score >= 0.9 && !is_value);
        return if exact || is_date_column_word(mention) {
            Part::Schema
        } else {
            Part::Grain(grain)
        };
    }
    if let Some(concept) = mention.concept {
        let defined = mention.readings.iter().any(|reading| {
            matches!(reading.target, Target::Metric(_)) || reading.score >= 0.93 && !is_value
        });
        return if defined { Part::Schema } else { Part::Concept(concept) };
    }
    let asked_for = at == 0 && mention.is(Lexical::Where);
    if asked_for && surest.is_some_and(|reading| reading.method == Method::Role) {
        return Part::Schema;
    }
    if mention.lexical == [Lexical::Comparative] && surest.is_none() {
        return if compares(&mentions[at + 1..]) { Part::Lexical } else { Part::Unknown };
    }
    if !mention.lexical.is_empty() {
        let plays = surest.is_some() && schema_wins(mentions, at, score);
        return if plays { Part::Schema } else { Part::Lexical };
    }
    if surest.is_some() {
        return Part::Schema;
    }
    if mention.number.is_some() {
        return Part::Number;
    }
    Part::Unknown
}

/// Whether a column belongs to other rows than those that the word is said of: "active patients", where only clinicians
/// have a flag of that name.
fn is_flag_of_others(mentions: &[Mention], at: usize, reading: &Reading) -> bool {
    let Target::Column(column) = &reading.target else { return false };
    let table = |mention: &Mention| match mention.readings.first()?.target {
        Target::Table(table) => Some(table),
        _ => None,
    };
    let behind = mentions.get(at + 1).and_then(table);
    let noun = behind.or_else(|| mentions[..at].iter().rev().find_map(table));
    noun.is_some_and(|noun| noun != column.table)
}

/// Whether the other side of a comparison follows.
fn compares(rest: &[Mention]) -> bool {
    rest.iter().any(|mention| mention.phrase.eq_ignore_ascii_case("than"))
}

/// Whether a structure word is rather the name of something.
fn schema_wins(mentions: &[Mention], at: usize, score: f64) -> bool {
    let mention = &mentions[at];
    if mention.tokens.len() > 1 && score >= 0.9 {
        return true;
    }
    let sure = score >= 0.8;
    if mention.is(Lexical::Trend) && !names_trend(mentions, at) {
        return false;
    }
    if mention.is(Lexical::Sum) && orders_by(mentions, at) {
        return !mention.readings.is_empty() && !next_is_measurable(mentions, at);
    }
    if mention.is(Lexical::Sum) || mention.is(Lexical::CountNoun) || mention.is(Lexical::Count) {
        return sure && !next_is_measurable(mentions, at);
    }
    if mention.is(Lexical::List) {
        // "Name and price of products" lists a name; "name the products" is a request.
        let listed = mentions.get(at + 1).is_some_and(|next| next.is(Lexical::And));
        return sure && at > 0 || listed;
    }
    let nouns = [
        Lexical::Generic,
        Lexical::Compare,
        Lexical::Ratio,
        Lexical::Share,
        Lexical::Growth,
        Lexical::Trend,
        Lexical::Distributive,
        Lexical::Everything,
        Lexical::Filler,
        Lexical::Write,
        Lexical::FollowUp,
        Lexical::Relation,
        Lexical::Times,
    ];
    sure && mention.lexical.iter().all(|kind| nouns.contains(kind))
        && !(mention.is(Lexical::Write) && at == 0)
}

/// Whether a word of trend is the name of a column: "trend of assessments", not "trends", and not "wound trend", where
/// another table stands right before.
fn names_trend(mentions: &[Mention], at: usize) -> bool {
    let mention = &mentions[at];
    let Some(surest) = mention.readings.first() else { return false };
    let before = at.checked_sub(1).and_then(|before| mentions.get(before));
    let elsewhere = before.is_some_and(|before| {
        before.tokens.end == mention.tokens.start
            && before.readings.first().is_some_and(|reading| {
                matches!(reading.target, Target::Table(table)
                    if surest.target.table().is_some_and(|own| own != table))
            })
    });
    surest.method == Method::Exact && !elsewhere
}

/// Whether words before a mention order by it.
fn orders_by(mentions: &[Mention], at: usize) -> bool {
    let before = |kinds: &[Lexical]| at > 0 && kinds.iter().any(|kind| mentions[at - 1].is(*kind));
    let order = |mention: &Mention| mention.is(Lexical::Order);
    before(&[Lexical::Order])
        || before(&[Lexical::And, Lexical::By]) && mentions[..at].iter().any(order)
}

/// Whether what follows can be counted or summed, so that the word before is an operation.
fn next_is_measurable(mentions: &[Mention], at: usize) -> bool {
    mentions[at + 1..]
        .iter()
        .find(|mention| !mention.is(Lexical::Filler) && !mention.is(Lexical::Of))
        .is_some_and(|next| {
            next.concept.is_some()
                || next
                    .readings
                    .first()
                    .is_some_and(|reading| !matches!(reading.target, Target::Value(..)))
                || next.is(Lexical::Count)
                || next.is(Lexical::CountNoun)
        })
}

/// Whether a number, metric or concept follows that an average is computed of: "typical order total", not "typical
/// orders".
fn next_is_figure(mentions: &[Mention], at: usize) -> bool {
    mentions[at + 1..]
        .iter()
        .find(|mention| !mention.is(Lexical::Filler) && !mention.is(Lexical::Of))
        .is_some_and(|next| {
            next.concept.is_some()
                || next.is(Lexical::Count)
                || next.is(Lexical::CountNoun)
                || next.readings.first().is_some_and(|reading| {
                    matches!(reading.target, Target::Column(_) | Target::Metric(_))
                })
        })
}

fn after_comparison(mentions: &[Mention], at: usize) -> bool {
    at.checked_sub(1).and_then(|before| mentions.get(before)).is_some_and(|before| {
        [Lexical::MoreThan, Lexical::LessThan, Lexical::AtLeast, Lexical::AtMost, Lexical::EqualTo]
            .iter()
            .any(|kind| before.is(*kind))
    })
}

/// Whether "latest" stands with a number or before a single thing, and so orders instead of being vague.
fn counts_or_is_single(mentions: &[Mention], at: usize) -> bool {
    let number = |position: Option<usize>| {
        position.and_then(|at| mentions.get(at)).is_some_and(|mention| mention.number.is_some())
    };
    if number(at.checked_sub(1)) || number(Some(at + 1)) {
        return true;
    }
    mentions.get(at + 1).is_some_and(|next| {
        let phrase = next.phrase.to_lowercase();
        !next.readings.is_empty() && singular(&phrase) == phrase
    })
}

fn is_date_column_word(mention: &Mention) -> bool {
    mention.phrase.eq_ignore_ascii_case("date") && !mention.readings.is_empty()
}
