//! Texts that are no question about this data.

use super::interpreter::Interpreter;
use crate::compose::Failure;
use crate::failure::FailureCode;
use crate::linking::{Lexical, Mention, prominent};
use crate::reading::Part;

impl Interpreter<'_> {
    /// Why a text is not a question about this data; `None` if it is one.
    pub(super) fn out_of_scope(&self, mentions: &[Mention], parts: &[Part]) -> Option<Failure> {
        let first = mentions.iter().position(|mention| {
            !mention.is(Lexical::Filler)
                && (!mention.is(Lexical::List) || mention.is(Lexical::Write))
        });
        if let Some(first) = first
            && mentions[first].is(Lexical::Write)
            && parts[first] == Part::Lexical
        {
            return Some(Failure {
                code: FailureCode::WriteRequested,
                message: format!(
                    "“{}” would change data, but access is read-only",
                    mentions[first].phrase
                ),
                hint: "ask what you want to see instead".to_owned(),
                span: Some(mentions[first].span),
            });
        }
        // "Is?": words of structure that neither ask for anything nor name anything.
        let asks = |mention: &Mention| {
            !mention.lexical.iter().all(|kind| matches!(kind, Lexical::Filler | Lexical::Is))
        };
        if let Some(first) = mentions.first()
            && parts.iter().all(|part| *part == Part::Lexical)
            && !mentions.iter().any(asks)
        {
            return Some(Failure {
                code: FailureCode::NothingRecognised,
                message: format!("“{}” alone asks for nothing", first.phrase),
                hint: format!("this data is about {}", self.about()),
                span: Some(first.span),
            });
        }
        let known = parts.iter().any(|part| matches!(part, Part::Schema | Part::Concept(_)));
        let unknown = mentions.iter().zip(parts).find(|(_, part)| **part == Part::Unknown);
        let lonely = mentions
            .iter()
            .zip(parts)
            .find(|(mention, part)| matches!(part, Part::Vague(_)) || mention.is(Lexical::Compare));
        match (known, unknown.or(lonely)) {
            (false, Some((mention, _)))
                if unknown.is_some()
                    || parts.len() > 1 && lonely.is_some() && !has_operation(mentions) =>
            {
                Some(Failure {
                    code: FailureCode::NothingRecognised,
                    message: format!("nothing in this data is called “{}”", mention.phrase),
                    hint: format!("this data is about {}", self.about()),
                    span: Some(mention.span),
                })
            }
            _ => None,
        }
    }

    /// Names of a few tables, for users.
    fn about(&self) -> String {
        let tables = prominent(self.catalog, self.schema);
        let names: Vec<String> = tables
            .into_iter()
            .take(4)
            .map(|table| crate::narration::rows(self.catalog, &self.schema.profile(table).key))
            .collect();
        names.join(", ")
    }
}

fn has_operation(mentions: &[Mention]) -> bool {
    mentions.iter().any(|mention| mention.is(Lexical::Generic) || mention.is(Lexical::List))
}
