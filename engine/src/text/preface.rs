//! Prefaces: what is said before the question itself, such as "I am preparing a mailing: which customers …".

use super::{Span, Token, TokenKind};

/// Marks that end a preface.
const ENDS: [&str; 7] = [",", ":", ";", ".", "!", "-", "–"];

/// Span of the words before the first request that follows a mark, or that stands behind words such as "wants to know".
pub(crate) fn preface(
    tokens: &[Token],
    requests: &[Vec<String>],
    wishes: &[Vec<String>],
) -> Option<Span> {
    let first = tokens.first()?;
    let marked = (1..tokens.len()).find(|at| {
        let mark = &tokens[at - 1];
        mark.kind == TokenKind::Punctuation
            && ENDS.iter().any(|end| mark.raw.starts_with(end))
            && requests.iter().any(|request| begins(&tokens[*at..], request))
    });
    let wished = (1..tokens.len()).find_map(|at| {
        let wish = wishes.iter().find(|wish| begins(&tokens[at..], wish))?;
        let behind = at + wish.len();
        (behind < tokens.len()).then_some(behind)
    });
    let end = marked.into_iter().chain(wished).min()?;
    Some(first.span.union(tokens[end - 1].span))
}

/// Whether tokens begin with these folded words.
fn begins(tokens: &[Token], words: &[String]) -> bool {
    tokens.len() >= words.len()
        && tokens.iter().zip(words).all(|(token, word)| {
            token.kind == TokenKind::Word && token.raw.to_lowercase().replace('’', "'") == *word
        })
}

#[cfg(test)]
mod tests {
    use super::preface;
    use crate::text::tokenize;

    fn rest(text: &str) -> Option<&str> {
        let phrases = |all: &[&str]| {
            let words = |phrase: &&str| phrase.split(' ').map(str::to_owned).collect();
            all.iter().map(words).collect::<Vec<Vec<String>>>()
        };
        let requests = phrases(&["which", "so please give me", "how many"]);
        let found = preface(&tokenize(text), &requests, &phrases(&["wants to know"]))?;
        text.get(found.end as usize..).map(str::trim)
    }

    #[test]
    fn a_request_behind_a_mark_starts_the_question() {
        let text = "I'm preparing a mailing: which customers, which cities?";
        assert_eq!(rest(text), Some("which customers, which cities?"));
        let text = "We plan a training, so please give me all employees";
        assert_eq!(rest(text), Some("so please give me all employees"));
        assert_eq!(rest("orders of 2025, largest first"), None);
    }

    #[test]
    fn a_wish_ends_the_preface() {
        assert_eq!(
            rest("the auditor wants to know how many went through"),
            Some("how many went through")
        );
        assert_eq!(rest("what the auditor wants to know"), None);
    }
}
