//! Converts clarifications to a form, and a filled form to answers.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::{Map, Value, json};
use wherefore_engine::clarification::{Answer, Clarification, ClarificationAnswer, CustomInput};

/// Title of the choice that lets the engine decide.
const BEST_GUESS: &str = "Use your best guess";

/// Form of clarifications: for each, a choice and fields for custom input.
pub(super) fn form(
    clarifications: &[Clarification],
) -> Result<ElicitRequestParams, serde_json::Error> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut message = Vec::new();
    for (place, asked) in clarifications.iter().enumerate() {
        let name = Names(place + 1);
        message.push(format!("{} {}", asked.question, asked.reason).trim().to_owned());
        let titles: Vec<_> = choices(asked).into_iter().map(|(title, _)| title).collect();
        properties.insert(
            name.choice(),
            json!({ "type": "string", "title": asked.question, "enum": titles }),
        );
        match &asked.custom {
            None => required.push(json!(name.choice())),
            Some(CustomInput::DateRange { .. }) => {
                let day = |title| json!({ "type": "string", "format": "date", "title": title });
                properties.insert(name.start(), day("Or from this date"));
                properties.insert(name.end(), day("to this date"));
            }
            Some(CustomInput::Number { unit, minimum, maximum, .. }) => {
                let unit = unit.as_ref().map(|unit| format!(" in {unit}")).unwrap_or_default();
                let mut number = json!({ "type": "number", "title": format!("Or a number{unit}") });
                for (name, bound) in [("minimum", minimum), ("maximum", maximum)] {
                    if let Some(bound) = bound {
                        number[name] = json!(bound);
                    }
                }
                properties.insert(name.number(), number);
            }
            Some(CustomInput::Text { .. }) => {}
        }
        if asked.takes_text() {
            let mut words = json!({ "type": "string", "title": "Or in your own words" });
            if let Some(CustomInput::Text { placeholder, .. }) = &asked.custom {
                words["description"] = json!(placeholder);
            }
            properties.insert(name.words(), words);
        }
    }
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.join("\n"),
        requested_schema: serde_json::from_value::<ElicitationSchema>(schema)?,
    })
}

/// Answers of a filled form; `None` if it was declined, dismissed or left empty.
///
/// Custom input takes precedence over a choice, which the form may have preselected.
pub(super) fn answers(
    result: &ElicitResult,
    clarifications: &[Clarification],
) -> Option<Vec<ClarificationAnswer>> {
    if result.action != ElicitationAction::Accept {
        return None;
    }
    let content = result.content.as_ref()?.as_object()?;
    let answers: Vec<_> = clarifications
        .iter()
        .enumerate()
        .filter_map(|(place, asked)| {
            let answer = answer(content, Names(place + 1), asked)?;
            Some(ClarificationAnswer { clarification_id: asked.id.clone(), answer })
        })
        .collect();
    (!answers.is_empty()).then_some(answers)
}

fn answer(content: &Map<String, Value>, name: Names, asked: &Clarification) -> Option<Answer> {
    let text = |name: String| {
        let text = content.get(&name)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let number = match content.get(&name.number()) {
        Some(Value::String(number)) => number.trim().parse().ok(),
        number => number.and_then(Value::as_f64),
    };
    if let Some(value) = number {
        return Some(Answer::Number { value });
    }
    let (start, end) = (text(name.start()), text(name.end()));
    if start.is_some() || end.is_some() {
        return Some(Answer::DateRange { start, end });
    }
    if let Some(text) = text(name.words()) {
        return Some(Answer::Text { text });
    }
    let chosen = text(name.choice())?;
    let known = choices(asked).into_iter().find(|(title, _)| *title == chosen);
    // An unknown choice is rejected when the engine validates the answer.
    Some(known.map_or(Answer::Option { option_id: chosen }, |(_, answer)| answer))
}

/// Choices of a clarification, with unique titles.
fn choices(asked: &Clarification) -> Vec<(String, Answer)> {
    let mut choices: Vec<(String, Answer)> = Vec::new();
    for option in &asked.options {
        let is_taken =
            |title: &str| title == BEST_GUESS || choices.iter().any(|(other, _)| other == title);
        let mut title = option.label.clone();
        if is_taken(&title) {
            title = format!("{} ({})", option.label, option.description);
        }
        if is_taken(&title) {
            title = format!("{} ({})", option.label, option.id);
        }
        choices.push((title, Answer::Option { option_id: option.id.clone() }));
    }
    choices.push((BEST_GUESS.to_owned(), Answer::BestGuess));
    choices
}

/// Field names of one clarification, by its number.
#[derive(Clone, Copy)]
struct Names(usize);

impl Names {
    fn choice(self) -> String {
        format!("choice_{}", self.0)
    }

    fn start(self) -> String {
        format!("choice_{}_from", self.0)
    }

    fn end(self) -> String {
        format!("choice_{}_to", self.0)
    }

    fn number(self) -> String {
        format!("choice_{}_number", self.0)
    }

    fn words(self) -> String {
        format!("choice_{}_words", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(custom: &Value, labels: [&str; 2]) -> Clarification {
        let option = |(place, label): (usize, &str)| json!({ "id": format!("o{place}"), "label": label, "binding": { "type": "ignore" } });
        let options: Vec<_> = labels.into_iter().enumerate().map(option).collect();
        serde_json::from_value(json!({
            "id": "c", "ambiguity": "vague_term", "severity": "critical", "question": "Which?",
            "reason": "", "options": options, "custom": custom, "plain_text": "",
        }))
        .unwrap()
    }

    fn filled(asked: &Clarification, content: Value) -> Option<Answer> {
        let result = ElicitResult::new(ElicitationAction::Accept).with_content(content);
        answers(&result, std::slice::from_ref(asked))?.pop().map(|answer| answer.answer)
    }

    #[test]
    fn titles_are_answers_and_differ() {
        let twins = asked(&Value::Null, ["same", "same"]);
        let titles: Vec<_> = choices(&twins).into_iter().map(|(title, _)| title).collect();
        assert_eq!(titles, ["same", "same ()", BEST_GUESS]);
        let second = Some(Answer::Option { option_id: "o1".to_owned() });
        assert_eq!(filled(&twins, json!({ "choice_1": "same ()" })), second);
        assert_eq!(filled(&twins, json!({ "choice_1": BEST_GUESS })), Some(Answer::BestGuess));
    }

    #[test]
    fn what_is_entered_comes_before_what_is_chosen() {
        let column = json!({ "table": "t", "column": "c" });
        let custom =
            json!({ "type": "number", "column": column, "operator": "greater", "minimum": 1.0 });
        let asked = asked(&custom, ["a", "b"]);
        let both = json!({ "choice_1": "a", "choice_1_number": 7 });
        assert_eq!(filled(&asked, both), Some(Answer::Number { value: 7.0 }));
        let words = json!({ "choice_1": "a", "choice_1_words": "paid" });
        assert_eq!(filled(&asked, words), Some(Answer::Text { text: "paid".to_owned() }));
        assert_eq!(filled(&asked, json!({ "choice_1": "a", "choice_1_words": " " })), {
            Some(Answer::Option { option_id: "o0".to_owned() })
        });
        assert_eq!(filled(&asked, json!({})), None);
        form(&[asked]).unwrap();
    }
}
