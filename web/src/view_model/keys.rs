//! Keyboard commands.

/// Effect of a key in the composer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ComposerKey {
    /// Default behaviour of the browser.
    Default,
    /// Send the question.
    Send,
}

/// `keyCode` of a key event that an input method has consumed.
const TAKEN_BY_INPUT_METHOD: u32 = 229;

/// Effect of a key in the composer: Enter sends, unless an input method is composing or Shift is held.
pub fn composer_key(key: &str, key_code: u32, shift: bool, is_composing: bool) -> ComposerKey {
    if key == "Enter" && !shift && !is_composing && key_code != TAKEN_BY_INPUT_METHOD {
        ComposerKey::Send
    } else {
        ComposerKey::Default
    }
}

/// Index of the choice that a digit key selects; `1` selects the first one.
pub fn digit_choice(key: &str, count: usize) -> Option<usize> {
    let mut characters = key.chars();
    let digit = characters.next()?.to_digit(10)? as usize;
    (characters.next().is_none() && (1..=count).contains(&digit)).then(|| digit - 1)
}

#[cfg(test)]
mod tests {
    use super::{ComposerKey, composer_key, digit_choice};

    #[test]
    fn only_a_bare_enter_sends() {
        assert_eq!(composer_key("Enter", 13, false, false), ComposerKey::Send);
        assert_eq!(composer_key("Enter", 13, true, false), ComposerKey::Default);
        assert_eq!(composer_key("Enter", 13, false, true), ComposerKey::Default);
        assert_eq!(composer_key("Enter", 229, false, false), ComposerKey::Default);
        assert_eq!(composer_key("a", 65, false, false), ComposerKey::Default);
    }

    #[test]
    fn digits_pick_what_is_there() {
        assert_eq!(digit_choice("1", 3), Some(0));
        assert_eq!(digit_choice("3", 3), Some(2));
        assert_eq!(digit_choice("4", 3), None);
        assert_eq!(digit_choice("0", 3), None);
        assert_eq!(digit_choice("F1", 3), None);
        assert_eq!(digit_choice("12", 20), None);
        assert_eq!(digit_choice("", 3), None);
    }
}
