//! Matching: looks up every phrase of a question in the index, the values, the lexicon and the dictionary.

use super::apposed::is_name_with_noun;
use super::cover::cover;
use wherefore_english::verb_base;

use super::element::{ColumnId, Target};
use super::index::{SchemaIndex, TableProfile};
use super::lexicon::Lexical;
use super::linker::Linker;
use super::mention::{Mention, Reading};
use super::recorded::prefer_recorded;
use super::stored::{ARTICLES, value_readings};
use crate::confidence::Method;
use crate::data::Definition;
use crate::intent::TimeGrain;
use crate::text::{NumberMention, TimeMention, Token, TokenKind, akin, letters_of, stem};

/// Weight of the article of a superlative, a little more than that of an article alone.
const ARTICLE: f64 = 0.5;

/// Maximum length of a phrase to look up, in words.
const LONGEST: usize = 8;

/// Non-overlapping mentions of a question, in order; unmatched words are included.
pub(crate) fn mentions(
    linker: &Linker<'_>,
    text: &str,
    tokens: &[Token],
    times: &[TimeMention],
    numbers: &[NumberMention],
) -> Vec<Mention> {
    let corrected = corrections(linker, text, tokens);
    let longest = linker
        .lexicon
        .longest()
        .max(linker.schema.longest())
        .max(linker.values.longest())
        .max(linker.dictionary.longest())
        .min(LONGEST);
    let mut candidates = Vec::new();
    for start in 0..tokens.len() {
        let furthest = times
            .iter()
            .map(|time| &time.tokens)
            .chain(numbers.iter().map(|number| &number.tokens))
            .filter(|range| range.start == start)
            .map(|range| range.end)
            .max()
            .unwrap_or(start)
            .max(start + longest)
            .min(tokens.len());
        for end in start + 1..=furthest {
            let mut mention = blank(text, tokens, start, end);
            mention.unfinished = linker.typing && mention.span.end as usize == text.len();
            mention.time = times.iter().find(|time| time.tokens == (start..end)).cloned();
            mention.number = numbers.iter().find(|number| number.tokens == (start..end)).cloned();
            let words = &tokens[start..end];
            let plain = is_phrase(words) && !joins_a_sign(linker, words);
            if (plain || is_marked_letter(linker, words))
                && !splits_a_bound(linker, tokens, start..end)
                && end - start <= longest
            {
                look_up(linker, tokens, &corrected, &mut mention);
            }
            let weight = weight(&mention);
            if weight > 0.0 {
                candidates.push((mention, weight));
            }
        }
    }
    let named: Vec<bool> = candidates
        .iter()
        .map(|(mention, _)| is_name_with_noun(linker.schema, mention, &candidates))
        .collect();
    let mut named = named.into_iter();
    candidates.retain(|_| !named.next().unwrap_or_default());
    with_unknown(text, tokens, cover(candidates, tokens.len()))
}

fn blank(text: &str, tokens: &[Token], start: usize, end: usize) -> Mention {
    let span = tokens[start].span.union(tokens[end - 1].span);
    Mention {
        tokens: start..end,
        span,
        phrase: span.of(text).to_owned(),
        quoted: end == start + 1 && tokens[start].kind == TokenKind::Quoted,
        ..Mention::default()
    }
}

/// "Reviews" are no reviewers: unties a noun for what is done from those who do it, whose name has the same stem.
fn untie_doers(schema: &SchemaIndex, folded: &str, mention: &mut Mention) {
    let last = folded.rsplit(' ').next().unwrap_or_default();
    let does = |word: &str| ["er", "or", "ers", "ors"].iter().any(|end| word.ends_with(end));
    if !last.ends_with('s') || does(last) {
        return;
    }
    mention.readings.retain(|reading| {
        let Target::Table(table) = reading.target else { return true };
        let name = schema.profile(table).words.last();
        !name.is_some_and(|name| does(name) && stem(name) == stem(last))
    });
}

/// Whether tokens can form a phrase: words (capitalized ones can end in a period) and numbers, or a single quoted
/// literal, or a single symbol.
fn is_phrase(tokens: &[Token]) -> bool {
    let short = |word: &Token, point: &Token| {
        point.raw == "."
            && word.span.end == point.span.start
            && word.raw.starts_with(char::is_uppercase)
    };
    match tokens {
        [one] => one.kind != TokenKind::Punctuation,
        [start @ .., last] => {
            last.kind != TokenKind::Punctuation
                && tokens.iter().all(|token| token.kind != TokenKind::Quoted)
                && start.iter().enumerate().all(|(at, token)| {
                    token.kind != TokenKind::Punctuation
                        || at > 0 && start.get(at - 1).is_some_and(|word| short(word, token))
                })
        }
        [] => false,
    }
}

/// Whether tokens are a letter with a sign that are stored as one value: the grade "A+".
fn is_marked_letter(linker: &Linker<'_>, tokens: &[Token]) -> bool {
    let [letter, sign] = tokens else { return false };
    let written = format!("{}{}", letter.raw, sign.raw);
    let mut stored = [linker.values, linker.found]
        .into_iter()
        .flat_map(|index| index.by_letters(&letter.folded));
    letter.raw.chars().count() == 1
        && ["+", "-", "#"].contains(&sign.raw.as_str())
        && letter.span.end == sign.span.start
        && stored.any(|(_, value)| value.eq_ignore_ascii_case(&written))
}

/// Whether a phrase of several tokens contains a sign with a meaning of its own, such as `>`.
fn joins_a_sign(linker: &Linker<'_>, tokens: &[Token]) -> bool {
    tokens.len() > 1
        && tokens.iter().any(|token| {
            token.kind == TokenKind::Symbol && !linker.lexicon.get(&token.folded).is_empty()
        })
}

/// Whether a phrase of several tokens ends with the first word of a bound: "admitted at" before "least".
fn splits_a_bound(linker: &Linker<'_>, tokens: &[Token], range: std::ops::Range<usize>) -> bool {
    let (Some(last), Some(next)) = (tokens.get(range.end - 1), tokens.get(range.end)) else {
        return false;
    };
    let both = format!("{} {}", last.folded, next.folded);
    let bound = [Lexical::AtLeast, Lexical::AtMost];
    range.len() > 1 && linker.lexicon.get(&both).iter().any(|kind| bound.contains(kind))
}

fn look_up(
    linker: &Linker<'_>,
    tokens: &[Token],
    corrected: &[Option<(String, Method)>],
    mention: &mut Mention,
) {
    let range = mention.tokens.clone();
    let words = &tokens[range.clone()];
    if !mention.quoted {
        let folded = words.iter().map(|token| token.folded.as_str()).collect::<Vec<_>>().join(" ");
        mention.lexical = linker.lexicon.get(&folded).to_vec();
        if words.len() > 2 && mention.is(Lexical::Sum) && is_computed(linker, tokens, range.start) {
            mention.lexical.clear();
        }
        // "Name, price and category of all products" names no products.
        let noun = folded == "name"
            && tokens.get(range.end).is_some_and(|next| {
                [",", "and", "&"].contains(&next.folded.as_str())
                    || range.start == 0 && next.folded == "of"
            });
        if noun && mention.is(Lexical::List) {
            mention.lexical.clear();
        }
        if mention.is(Lexical::Order)
            && words.len() > 1
            && is_counted_noun(linker, tokens, range.start)
        {
            mention.lexical.clear();
        }
        let abbreviation = matches!(words, [word] if word.raw.len() > 1
            && word.raw.chars().all(|letter| letter.is_ascii_uppercase()));
        if abbreviation && mention.lexical == [Lexical::Filler] {
            mention.lexical.clear();
        }
        if mention.lexical.is_empty()
            && let [Some((corrected, Method::Fuzzy))] = &corrected[range.clone()]
        {
            mention.lexical = linker.lexicon.get(corrected).to_vec();
        }
        let vague = linker.dictionary.terms_by_form(&folded).first().copied();
        mention.vague = vague.filter(|term| is_recorded(linker, *term));
        mention.concept = linker.dictionary.concept_by_form(&folded);
        mention.superlative = linker.lexicon.superlative(&folded);
        mention.grain = grain(&folded);
        // A sign between words belongs to no name; stored values may contain one.
        if words.len() == 1 || words.iter().all(|word| word.kind != TokenKind::Symbol) {
            schema_readings(linker, words, &corrected[range.clone()], &folded, mention);
        }
        // "There" is not the last word of `how_to_get_there`.
        let verb = linker.lexicon.is_verb(&folded) || linker.lexicon.may_be_past(&folded);
        if words.len() == 1 && mention.lexical == [Lexical::Filler] && !verb {
            mention.readings.retain(|reading| {
                reading.method.is_whole() || !matches!(reading.target, Target::Column(_))
            });
        }
        untie_doers(linker.schema, &folded, mention);
        let passive = words.len() == 1 && folded == "ordered";
        if passive && tokens.get(range.end).is_some_and(|next| next.folded == "by") {
            mention.readings.retain(|reading| !matches!(reading.target, Target::Table(_)));
        }
        if is_flagged(linker, mention) || is_group_noun(linker, tokens, mention) {
            mention.vague = None;
        }
        if let [word] = words {
            prefer_recorded(word, mention);
            tie_opposite(linker, word, mention);
        }
        if mention.is(Lexical::Relation) && names_a_date(linker.schema, mention) {
            mention.lexical.clear();
        }
        share_head(linker, tokens, mention);
        turn_round(linker, words, mention);
    }
    value_readings(linker, words, mention);
    asked_for(linker, tokens, mention);
    // "born" asks for a date, even if a title contains the word.
    let part = mention.readings.iter().all(|reading| reading.method == Method::ValuePart);
    if part && is_asked_noun(linker, tokens, mention) {
        // "Which nurse" asks for persons, whose profession contains the word.
        mention.readings.retain(|reading| match &reading.target {
            Target::Value(column, _) => linker.schema.tells_a_persons_post(*column),
            _ => false,
        });
    }
    let unknown = mention.is_unknown() && words.len() == 1 && !mention.quoted;
    if unknown || part && words.len() == 1 && mention.lexical.is_empty() && !mention.quoted {
        for column in linker.schema.asked_as(&words[0].stem) {
            mention.add(Target::Column(*column), Method::Role, Method::Role.base());
        }
    }
    if unknown && !is_verb_of_pronoun(linker, tokens, mention.tokens.start) {
        for entry in linker.schema.related(&words[0].stem) {
            mention.add(entry.target.clone(), entry.method, entry.method.base());
        }
    }
    mention.rank();
}

/// Whether a word in lower case stands where only a noun for what is asked can stand, so that it is no part of a stored
/// value: "how many songs are there", "longest song".
fn is_asked_noun(linker: &Linker<'_>, tokens: &[Token], mention: &Mention) -> bool {
    let [word] = &tokens[mention.tokens.clone()] else { return false };
    if word.raw != word.folded || mention.quoted {
        return false;
    }
    let kinds = |token: &Token| linker.lexicon.get(&token.folded);
    let is =
        |token: &Token, wanted: &[Lexical]| wanted.iter().any(|kind| kinds(token).contains(kind));
    let leads = [Lexical::Everything, Lexical::Fewest, Lexical::List, Lexical::Most, Lexical::Top];
    let before = tokens[..mention.tokens.start]
        .iter()
        .rev()
        .find(|token| token.kind == TokenKind::Word && !is(token, &[Lexical::Filler, Lexical::Of]));
    let denied = tokens[..mention.tokens.start]
        .iter()
        .any(|token| is(token, &[Lexical::Not, Lexical::Without]));
    let asks = before.is_none_or(|before| {
        is(before, &leads) && !(denied && is(before, &[Lexical::Everything]))
            || before.folded == "many"
            || linker.lexicon.superlative(&before.folded).is_some()
    });
    let ends = tokens
        .get(mention.tokens.end)
        .is_none_or(|next| next.kind != TokenKind::Word || !kinds(next).is_empty());
    asks && ends
}

/// Whether only a verb can stand at a place: behind a pronoun with an auxiliary before it, "did we pay".
fn is_verb_of_pronoun(linker: &Linker<'_>, tokens: &[Token], at: usize) -> bool {
    let word = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    let (Some(auxiliary), Some(pronoun)) = (word(2), word(1)) else { return false };
    linker.lexicon.is_auxiliary(&auxiliary.folded) && linker.lexicon.is_pronoun(&pronoun.folded)
}

fn schema_readings(
    linker: &Linker<'_>,
    words: &[Token],
    corrected: &[Option<(String, Method)>],
    folded: &str,
    mention: &mut Mention,
) {
    let respelt = corrected
        .iter()
        .flatten()
        .map(|(_, method)| *method)
        .min_by(|a, b| a.base().total_cmp(&b.base()));
    let stems = words
        .iter()
        .zip(corrected)
        .map(|(token, corrected)| match corrected {
            Some((word, _)) => crate::text::stem(word),
            None => token.stem.clone(),
        })
        .collect::<Vec<_>>()
        .join(" ");
    let letters = letters_of(folded);
    let before: Vec<&str> =
        words[..words.len() - 1].iter().map(|token| token.stem.as_str()).collect();
    let table_before = linker
        .schema
        .by_stems(&before.join(" "))
        .iter()
        .any(|entry| matches!(entry.target, Target::Table(_)) && entry.method.is_whole());
    for entry in linker.schema.by_stems(&stems).iter().chain(linker.schema.by_squashed(&letters)) {
        let method = match entry.method {
            method if respelt.is_some_and(|respelt| respelt.base() < method.base()) => {
                respelt.unwrap_or(method)
            }
            Method::Synonym if words.len() == 1 && entry.folded != folded => Method::Head,
            Method::Exact | Method::Stem
                if entry.folded != folded && is_derived(&entry.folded) != is_derived(folded) =>
            {
                Method::Head
            }
            Method::Exact if entry.folded != folded && letters_of(&entry.folded) != letters => {
                Method::Stem
            }
            method => method,
        };
        let view = match &entry.target {
            Target::Metric(_) => false,
            target => target.table().is_some_and(|table| linker.schema.profile(table).is_view),
        };
        let structured = words.len() > 2
            && words.iter().any(|word| !linker.lexicon.get(&word.folded).is_empty());
        let dated = ["date", "day", "time", "year"].contains(&words[0].folded.as_str());
        let verb = words.len() > 1
            && words.last().is_some_and(|last| last.folded.ends_with("ed"))
            && !dated;
        // "wards opened" refers to wards and an event, although `wards` has a column of that name.
        let as_verb = verb && (!entry.folded.ends_with("ed") || table_before);
        if view && structured || as_verb {
            continue;
        }
        // "vehicles" are no values of a `vehicle_class`, and "bills" none of a `billing_postal_code`.
        let kind_only = method == Method::Modifier
            && words
                .last()
                .is_some_and(|last| last.folded != last.stem && last.folded.ends_with('s'))
            && (tells_a_kind(linker, &entry.target) || entry.folded.ends_with("ing"));
        if kind_only {
            continue;
        }
        // "shipped" is the shipped date rather than the ship address.
        let inflected = method == Method::Modifier
            && words.len() == 1
            && folded.ends_with("ed")
            && entry.folded != folded;
        let score =
            method.base() - if view { 0.04 } else { 0.0 } - if inflected { 0.15 } else { 0.0 };
        mention.add(entry.target.clone(), method, score);
    }
}

/// Whether a text column holds a kind of the things that its name begins with, so that its values are not these things.
fn tells_a_kind(linker: &Linker<'_>, target: &Target) -> bool {
    let Target::Column(column) = target else { return false };
    let schema = linker.schema;
    let last = schema.words_of(*column).last();
    schema.holds_text(*column)
        && !schema.is_flag(*column)
        && last.is_some_and(|last| !linker.lexicon.is_naming(last))
}

/// Whether the word before a place computes one figure of many, so that no sum is meant behind it: "average total amount
/// of invoices" is about the column `total_amount`.
fn is_computed(linker: &Linker<'_>, tokens: &[Token], at: usize) -> bool {
    use Lexical::{Average, Maximum, Median, Minimum};
    let kinds =
        at.checked_sub(1).map_or(&[][..], |before| linker.lexicon.get(&tokens[before].folded));
    kinds.iter().any(|kind| [Average, Maximum, Median, Minimum].contains(kind))
}

/// Whether a flag says itself what a vague term is, where the term knows of none: "VIP contacts" and `is_vip`.
fn is_flagged(linker: &Linker<'_>, mention: &Mention) -> bool {
    let Some(term) = mention.vague.and_then(|term| linker.dictionary.terms.get(term)) else {
        return false;
    };
    let flag = |reading: &Reading| match reading.target {
        Target::Column(column) => linker.schema.is_flag(column),
        _ => false,
    };
    let told = term.options.iter().any(|option| matches!(option.definition, Definition::Flag(_)));
    !told && mention.readings.iter().any(flag)
}

/// Whether a vague word is the noun of a group that a column is named by: "students per major".
fn is_group_noun(linker: &Linker<'_>, tokens: &[Token], mention: &Mention) -> bool {
    let last = mention.tokens.end;
    let ends = tokens.get(last).is_none_or(|next| next.kind != TokenKind::Word);
    ends && mention.vague.is_some()
        && mention.readings.iter().any(|reading| matches!(reading.target, Target::Column(_)))
        && (is_counted_noun(linker, tokens, mention.tokens.start)
            || mention
                .tokens
                .start
                .checked_sub(1)
                .is_some_and(|before| ARTICLES.contains(&tokens[before].folded.as_str())))
}

/// Ties a word to the flag, date or key that says the opposite: "available" to a column `unavailable`, "uninfected" to
/// `infected`, "unshipped" to `shipped_date`, "unassigned" to `assigned_agent_id`.
///
/// Only "un-" negates whatever it stands before: "installed" is not the opposite of "stalled".
fn tie_opposite(linker: &Linker<'_>, word: &Token, mention: &mut Mention) {
    let known = mention.readings.iter().any(|reading| reading.method.is_whole());
    let loose = mention.lexical.iter().all(|kind| *kind == Lexical::Everything);
    let said = word.folded.as_str();
    if known || !loose || said.len() < 5 {
        return;
    }
    let opposite = said.strip_prefix("un").map_or_else(|| format!("un{said}"), str::to_owned);
    for entry in linker.schema.by_stems(&crate::text::stem(&opposite)) {
        let Target::Column(column) = entry.target else { continue };
        let named = entry.method.is_whole() || entry.method == Method::Head;
        let dated = (named || entry.method == Method::Modifier)
            && opposite.ends_with("ed")
            && linker.schema.holds_dates(column);
        if named && linker.schema.is_flag(column) || dated {
            denies(mention, column);
        }
    }
    if said.starts_with("un") && said.ends_with("ed") {
        for key in linker.schema.keys_named(&opposite) {
            denies(mention, key);
        }
    }
}

/// Takes a word as the opposite of what a column says.
fn denies(mention: &mut Mention, column: ColumnId) {
    mention.lexical.clear();
    mention.vague = None;
    mention.negated = true;
    mention.add(Target::Column(column), Method::Stem, Method::Stem.base());
}

/// Whether a word is the noun of "per" or "each": "revenue per order by month" puts nothing in order.
fn is_counted_noun(linker: &Linker<'_>, tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|before| linker.lexicon.get(&before.folded).contains(&Lexical::Group))
}

/// Matches a word that shares a noun at the end of a list: "first" in "first, middle and last name".
fn share_head(linker: &Linker<'_>, tokens: &[Token], mention: &mut Mention) {
    let start = mention.tokens.start;
    let Some(first) = tokens.get(start).filter(|token| token.kind == TokenKind::Word) else {
        return;
    };
    if mention.tokens.len() > 1 {
        return;
    }
    let joins = |token: &Token| {
        token.raw == ","
            || linker
                .lexicon
                .get(&token.folded)
                .iter()
                .any(|kind| matches!(kind, Lexical::And | Lexical::Or))
    };
    // The words of the list follow a comma or "and"; the last one is followed by the shared noun.
    let mut at = start + 1;
    let mut last = None;
    while tokens.get(at).is_some_and(joins) {
        while tokens.get(at).is_some_and(joins) {
            at += 1;
        }
        last = tokens.get(at).filter(|token| token.kind == TokenKind::Word);
        at += 1;
    }
    let noun = tokens.get(at).filter(|token| token.kind == TokenKind::Word);
    let (Some(last), Some(noun)) = (last, noun) else { return };
    let named = |word: &Token| linker.schema.by_stems(&format!("{} {}", word.stem, noun.stem));
    let (own, other) = (named(first), named(last));
    let shared: Vec<Reading> = own
        .iter()
        .filter(|entry| entry.method.is_whole())
        .filter(|entry| {
            other.iter().any(|other| match (&entry.target, &other.target) {
                (Target::Column(own), Target::Column(other)) => {
                    own != other && own.table == other.table
                }
                (Target::Table(own), Target::Table(table)) => {
                    own != table && other.method.is_whole()
                }
                _ => false,
            })
        })
        .map(|entry| Reading {
            target: entry.target.clone(),
            method: entry.method,
            score: entry.method.base(),
        })
        .collect();
    if !shared.is_empty() {
        mention.lexical.clear();
        mention.superlative = None;
        mention.vague = None;
        mention.readings = shared;
    }
}

/// Whether a verb occurs in the name of a date or year column: "received" for `received_date`.
fn names_a_date(schema: &SchemaIndex, mention: &Mention) -> bool {
    mention.readings.iter().any(|reading| match reading.target {
        Target::Column(column) => {
            let profile = schema.profile(column.table);
            profile.dates.contains(&column) || profile.years.contains(&column)
        }
        _ => false,
    })
}

/// Matches an inverted name whose first word names nothing by itself: "type of product" for `product_type`.
fn turn_round(linker: &Linker<'_>, words: &[Token], mention: &mut Mention) {
    let [kind, of, thing] = words else { return };
    let known = !linker.schema.by_stems(&kind.stem).is_empty()
        || !linker.lexicon.get(&kind.folded).is_empty();
    if of.folded != "of" || known || !mention.readings.is_empty() {
        return;
    }
    for entry in linker.schema.by_stems(&format!("{} {}", thing.stem, kind.stem)) {
        if matches!(entry.target, Target::Column(_)) {
            mention.add(entry.target.clone(), entry.method, entry.method.base());
        }
    }
}

/// Matches "where is ..." and "who wrote ..." with columns of the role asked for, if the question names nothing else
/// to show.
fn asked_for(linker: &Linker<'_>, tokens: &[Token], mention: &mut Mention) {
    if mention.tokens != (0..1) || mention.quoted {
        return;
    }
    let verb = tokens.get(1).map_or("", |next| next.folded.as_str());
    let named =
        |column: &&ColumnId| linker.schema.words_of(**column).iter().any(|it| akin(verb, it));
    let columns = linker.schema.asked_as(&tokens[0].stem);
    // "who directed it": the director.
    let doing: Vec<ColumnId> = columns.iter().filter(named).copied().collect();
    let asks = match tokens[0].folded.as_str() {
        "where" => tokens.len() > 2,
        "who" => linker.lexicon.is_verb(verb) || !doing.is_empty(),
        _ => false,
    };
    if !asks {
        return;
    }
    // "who supplies Chai": the table of suppliers, not a column that holds the name of one.
    let agents = |word: &Token| {
        linker.lexicon.agents_of(&word.folded).any(|agent| linker.schema.has_table_of(agent))
    };
    if tokens[0].folded == "who" && tokens.get(1).is_some_and(agents) {
        return;
    }
    for column in if doing.is_empty() { columns } else { &doing } {
        mention.add(Target::Column(*column), Method::Role, Method::Role.base());
    }
}

/// Whether a word is derived from another with a different meaning: "friendship" from "friend".
fn is_derived(word: &str) -> bool {
    let word = word.strip_suffix("es").filter(|base| base.ends_with("ness")).unwrap_or(word);
    let word = word.strip_suffix('s').filter(|base| !base.ends_with('s')).unwrap_or(word);
    ["ness", "ship", "less", "ful", "able", "ism", "hood"]
        .iter()
        .any(|ending| word.len() > ending.len() + 3 && word.ends_with(ending))
}

/// Weight of a mention in the selection of non-overlapping mentions: grows with the number of words and the
/// confidence of the match.
fn weight(mention: &Mention) -> f64 {
    let length = mention.tokens.len() as f64;
    let span = 2.0 * length - 1.0;
    // An article makes a superlative no longer, so that "the highest" leaves "highest point" to a column of that name.
    let articled = mention.superlative.is_some()
        && mention.tokens.len() == 2
        && mention.phrase.to_lowercase().starts_with("the ");
    let mut best: f64 = 0.0;
    if let Some(time) = &mention.time {
        best = best.max(if time.weak { 0.75 * span } else { span + 0.6 });
    }
    if mention.number.is_some() {
        best = best.max(0.9 * span);
    }
    if mention.grain.is_some() {
        best = best.max(0.85 * span);
    }
    if !mention.lexical.is_empty() && !articled {
        let filler = mention.lexical.iter().all(|kind| {
            matches!(
                kind,
                Lexical::Also
                    | Lexical::Distributive
                    | Lexical::Everything
                    | Lexical::Filler
                    | Lexical::Present
                    | Lexical::Relation
            )
        });
        best = best.max(if filler { 0.4 * span } else { 0.9 * span });
    }
    if mention.vague.is_some() {
        best = best.max(0.88 * span);
    }
    if mention.superlative.is_some() {
        best = best.max(if articled { 0.92 * (span - 2.0) + ARTICLE } else { 0.92 * span });
    }
    if mention.concept.is_some() {
        best = best.max(0.8 * span);
    }
    if let Some(reading) = mention.readings.first() {
        best = best.max(reading.score * span);
    }
    best
}

/// Adds the words that no mention covers, as unmatched mentions.
fn with_unknown(text: &str, tokens: &[Token], chosen: Vec<Mention>) -> Vec<Mention> {
    let mut all = Vec::with_capacity(chosen.len());
    let mut next = 0;
    for mention in chosen {
        all.extend(unknown(text, tokens, next, mention.tokens.start));
        next = mention.tokens.end;
        all.push(mention);
    }
    all.extend(unknown(text, tokens, next, tokens.len()));
    all
}

fn unknown<'a>(
    text: &'a str,
    tokens: &'a [Token],
    start: usize,
    end: usize,
) -> impl Iterator<Item = Mention> + 'a {
    (start..end)
        .filter(|&at| tokens[at].kind != TokenKind::Punctuation)
        .map(move |at| blank(text, tokens, at, at + 1))
}

/// For each token, the name that an unknown word probably stands for, if there is one.
fn corrections(linker: &Linker<'_>, text: &str, tokens: &[Token]) -> Vec<Option<(String, Method)>> {
    tokens
        .iter()
        .map(|token| {
            let unfinished = linker.typing && token.span.end as usize == text.len();
            let known = token.kind != TokenKind::Word
                || token.folded.chars().count() < 3
                || unfinished
                || linker.lexicon.knows(&token.folded)
                || linker.dictionary.knows(&token.folded)
                || linker.schema.knows(&token.stem)
                || !linker.schema.related(&token.stem).is_empty()
                || grain(&token.folded).is_some()
                || [linker.values, linker.found].iter().any(|values| values.knows(&token.folded));
            if known {
                return None;
            }
            let similar = || {
                // "Lost" is no misspelt "last".
                if token.folded.chars().count() < 4 || verb_base(&token.folded).is_some() {
                    return None;
                }
                let words = linker.schema.similar_words(&token.folded);
                words.first().map(|word| ((*word).clone(), Method::Fuzzy))
            };
            linker.schema.other_form(&token.folded).or_else(similar)
        })
        .collect()
}

/// The period that a word names.
fn grain(word: &str) -> Option<TimeGrain> {
    match word {
        "day" | "days" | "daily" | "date" | "calendar day" => Some(TimeGrain::Day),
        "week" | "weeks" | "weekly" | "wk" | "wks" => Some(TimeGrain::Week),
        "month" | "months" | "monthly" | "mth" | "mths" => Some(TimeGrain::Month),
        "quarter" | "quarters" | "quarterly" | "qtr" | "qtrs" => Some(TimeGrain::Quarter),
        "year" | "years" | "yearly" | "annual" | "annually" | "yr" | "yrs" => Some(TimeGrain::Year),
        "weekday" | "weekdays" | "day of week" | "day of the week" | "days of the week" => {
            Some(TimeGrain::DayOfWeek)
        }
        "hour of day" | "hour of the day" | "hours of the day" => Some(TimeGrain::HourOfDay),
        "calendar month" | "calendar months" | "month of year" | "month of the year"
        | "months of the year" => Some(TimeGrain::MonthOfYear),
        _ => None,
    }
}

/// Whether some column has a role that a term of one meaning is told by: "in stock" is a place where none is a number.
fn is_recorded(linker: &Linker<'_>, term: usize) -> bool {
    let Some(term) = linker.dictionary.terms.get(term) else { return false };
    let roles =
        |table: &TableProfile| table.roles.iter().flatten().any(|role| term.roles.contains(role));
    term.options.len() != 1 || !term.columns.is_empty() || linker.schema.tables.iter().any(roles)
}
