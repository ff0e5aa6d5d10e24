//! State of a clarification's form.

use wherefore_engine::clarification::Answer;

use super::locale::Locale;
use crate::engine_client::{Clarification, CustomKind};
use crate::texts;

/// Options are shown as pills up to this number.
const PILL_OPTIONS: usize = 5;
/// Options are shown without a filter field up to this number.
const UNFILTERED_OPTIONS: usize = 8;
/// Maximum length of a pill's label, in characters.
const PILL_CHARACTERS: usize = 24;

/// Selected item of a clarification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Choice {
    /// "Choose for me".
    BestGuess,
    /// "Something else…".
    Custom,
    /// The option with this id.
    Option(String),
}

/// Input so far.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Draft {
    /// Selected item.
    pub choice: Option<Choice>,
    /// First day, `yyyy-mm-dd`.
    pub start: String,
    /// Last day, `yyyy-mm-dd`.
    pub end: String,
    /// Content of the number field.
    pub number: String,
    /// Content of the text field.
    pub text: String,
    /// Whether the answer is to be remembered.
    pub remember: bool,
    /// Words that the options are filtered by.
    pub filter: String,
    /// Whether it was sent as it is: then it says what is missing.
    pub was_sent: bool,
}

impl Draft {
    /// Selects an item, of which nothing is said to be missing yet.
    pub fn choose(&mut self, choice: Choice) {
        self.choice = Some(choice);
        self.was_sent = false;
    }

    /// What is missing for an answer, after an attempt to send it.
    pub fn missing(&self, clarification: &Clarification) -> Option<String> {
        self.was_sent.then(|| self.answer(clarification).err()).flatten()
    }

    /// The answer, or a sentence that says what is missing.
    pub fn answer(&self, clarification: &Clarification) -> Result<Answer, String> {
        match &self.choice {
            None => Err(texts::choose_an_option().to_owned()),
            Some(Choice::BestGuess) => Ok(Answer::BestGuess),
            Some(Choice::Option(id)) => Ok(Answer::Option { option_id: id.clone() }),
            Some(Choice::Custom) => match &clarification.custom {
                Some(input) => match input.kind {
                    CustomKind::DateRange => self.date_range(),
                    CustomKind::Number => self.number(input.minimum, input.maximum),
                    CustomKind::Text => self.text(),
                },
                None => Err(texts::choose_an_option().to_owned()),
            },
        }
    }

    fn date_range(&self) -> Result<Answer, String> {
        let day = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        match (day(&self.start), day(&self.end)) {
            (None, None) => Err(texts::enter_a_day().to_owned()),
            (Some(start), Some(end)) if start > end => Err(texts::days_in_wrong_order().to_owned()),
            (start, end) => Ok(Answer::DateRange { start, end }),
        }
    }

    fn number(&self, minimum: Option<f64>, maximum: Option<f64>) -> Result<Answer, String> {
        let Some(value) = Locale::with(|locale| locale.parse(&self.number)) else {
            return Err(texts::enter_a_number().to_owned());
        };
        let figure = |value| Locale::with(|locale| locale.figure(value));
        if let Some(minimum) = minimum.filter(|minimum| value < *minimum) {
            return Err(texts::enter_at_least(&figure(minimum)));
        }
        if let Some(maximum) = maximum.filter(|maximum| value > *maximum) {
            return Err(texts::enter_at_most(&figure(maximum)));
        }
        Ok(Answer::Number { value })
    }

    fn text(&self) -> Result<Answer, String> {
        let text = self.text.trim();
        if text.is_empty() {
            Err(texts::enter_a_text().to_owned())
        } else {
            Ok(Answer::Text { text: text.to_owned() })
        }
    }
}

/// All choices of a clarification, in display order.
pub fn choices(clarification: &Clarification) -> Vec<Choice> {
    let options = clarification.options.iter().map(|option| Choice::Option(option.id.clone()));
    let custom = clarification.custom.iter().map(|_| Choice::Custom);
    let guess = (!clarification.options.is_empty()).then_some(Choice::BestGuess);
    options.chain(custom).chain(guess).collect()
}

/// Whether there are enough options for a filter field.
pub fn needs_filter(clarification: &Clarification) -> bool {
    clarification.options.len() > UNFILTERED_OPTIONS
}

/// Whether an option passes the filter: its label contains every word of it.
pub fn passes_filter(label: &str, filter: &str) -> bool {
    let label = label.to_lowercase();
    filter.split_whitespace().all(|word| label.contains(&word.to_lowercase()))
}

/// Whether the options are few and short enough to be shown as pills.
pub fn fits_pills(clarification: &Clarification) -> bool {
    clarification.options.len() <= PILL_OPTIONS
        && clarification
            .options
            .iter()
            .all(|option| option.label.chars().count() <= PILL_CHARACTERS)
}

#[cfg(test)]
mod tests {
    use super::{Choice, Draft, choices, fits_pills, needs_filter, passes_filter};
    use crate::engine_client::{Clarification, ClarificationOption, CustomInput, CustomKind};
    use wherefore_engine::ambiguity::AmbiguityKind;
    use wherefore_engine::clarification::Answer;

    fn clarification(labels: &[&str], custom: Option<CustomInput>) -> Clarification {
        let option = |label: &&str| ClarificationOption {
            id: format!("id of {label}"),
            label: (*label).to_owned(),
            description: String::new(),
        };
        Clarification {
            id: "c".into(),
            ambiguity: AmbiguityKind::VagueTerm,
            span: None,
            phrase: String::new(),
            question: String::new(),
            reason: String::new(),
            options: labels.iter().map(option).collect(),
            custom,
            recommended: None,
            understood: Vec::new(),
        }
    }

    fn input(kind: CustomKind) -> CustomInput {
        CustomInput {
            kind,
            column: None,
            operator: None,
            unit: None,
            minimum: None,
            maximum: None,
            placeholder: String::new(),
        }
    }

    fn dates() -> CustomInput {
        input(CustomKind::DateRange)
    }

    #[test]
    fn nothing_picked_is_no_answer() {
        assert!(Draft::default().answer(&clarification(&["a"], None)).is_err());
    }

    #[test]
    fn a_day_range_may_be_open_at_one_end_and_not_reversed() {
        let asked = clarification(&["a"], Some(dates()));
        let custom = Draft { choice: Some(Choice::Custom), ..Draft::default() };
        assert!(custom.answer(&asked).is_err());
        let open = Draft { start: "2025-01-02".into(), ..custom.clone() };
        assert_eq!(
            open.answer(&asked),
            Ok(Answer::DateRange { start: Some("2025-01-02".into()), end: None })
        );
        let reversed = Draft { end: "2025-01-01".into(), ..open };
        assert!(reversed.answer(&asked).is_err());
    }

    #[test]
    fn a_number_keeps_to_its_limits() {
        let custom =
            CustomInput { minimum: Some(0.0), maximum: Some(10.0), ..input(CustomKind::Number) };
        let asked = clarification(&[], Some(custom));
        let entered = |number: &str| {
            Draft { choice: Some(Choice::Custom), number: number.into(), ..Draft::default() }
                .answer(&asked)
        };
        assert_eq!(entered(" 2.5 "), Ok(Answer::Number { value: 2.5 }));
        assert!(entered("-1").is_err());
        assert!(entered("11").is_err());
        assert!(entered("inf").is_err());
        assert!(entered("").is_err());
    }

    #[test]
    fn choices_stand_in_the_order_shown() {
        let asked = clarification(&["a", "b"], Some(dates()));
        assert_eq!(
            choices(&asked),
            [
                Choice::Option("id of a".into()),
                Choice::Option("id of b".into()),
                Choice::Custom,
                Choice::BestGuess
            ]
        );
        assert_eq!(choices(&clarification(&[], Some(dates()))), [Choice::Custom]);
    }

    #[test]
    fn many_options_can_be_filtered_by_words_in_any_order() {
        assert!(!needs_filter(&clarification(&["a"; 8], None)));
        assert!(needs_filter(&clarification(&["a"; 9], None)));
        assert!(passes_filter("Invoice Lines", ""));
        assert!(passes_filter("Invoice Lines", "LIN inv"));
        assert!(!passes_filter("Invoice Lines", "order"));
    }

    #[test]
    fn long_or_many_options_are_stacked() {
        assert!(fits_pills(&clarification(&["last 7 days", "last 30 days"], None)));
        assert!(!fits_pills(&clarification(&["an option with a long label"], None)));
        assert!(!fits_pills(&clarification(&["a", "b", "c", "d", "e", "f"], None)));
    }
}
