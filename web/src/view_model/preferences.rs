//! Settings that a user makes for the page, kept in the browser.

use crate::texts;
use wherefore_engine::settings::Settings;

/// Row limits to choose from; those above the limit of the server are left out.
const ROW_LIMITS: [u32; 4] = [100, 1_000, 10_000, 100_000];

/// Confidence below which the user is asked, if they want to be asked often.
const ASK_OFTEN_BELOW: f64 = 0.85;

/// How eagerly the page asks what is meant.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Asking {
    /// Also where it is fairly sure.
    Often,
    /// As the server is set.
    #[default]
    Server,
    /// At most one question.
    Once,
    /// Never: takes the best guess.
    Never,
}

impl Asking {
    /// All choices in order.
    pub const ALL: [Self; 4] = [Self::Often, Self::Server, Self::Once, Self::Never];

    /// Name in the browser's storage.
    pub fn name(self) -> &'static str {
        match self {
            Self::Often => "often",
            Self::Server => "",
            Self::Once => "once",
            Self::Never => "never",
        }
    }

    /// Label of the choice.
    pub fn label(self) -> &'static str {
        match self {
            Self::Often => texts::ask_often(),
            Self::Server => texts::ask_as_server(),
            Self::Once => texts::ask_once(),
            Self::Never => texts::ask_never(),
        }
    }

    /// The choice with a name; that of the server for any other text.
    pub fn of(name: &str) -> Self {
        Self::ALL.into_iter().find(|asking| asking.name() == name).unwrap_or_default()
    }
}

/// Preferences that change the settings of the engine.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Preferences {
    /// How eagerly the page asks.
    pub asking: Asking,
    /// Maximum number of rows; that of the server if `None`.
    pub rows: Option<u32>,
}

impl Preferences {
    /// The settings of the server with these preferences; the number of rows is never above that of the server.
    pub fn applied(self, server: &Settings) -> Settings {
        let mut settings = server.clone();
        match self.asking {
            Asking::Server => {}
            Asking::Often => settings.ask_below = settings.ask_below.max(ASK_OFTEN_BELOW),
            Asking::Once => {
                settings.rounds = settings.rounds.min(1);
                settings.questions_per_round = settings.questions_per_round.min(1);
            }
            Asking::Never => settings.enable_clarification = false,
        }
        if let Some(rows) = self.rows.filter(|rows| *rows > 0) {
            settings.row_limit = rows.min(server.row_limit);
        }
        settings
    }
}

/// Row limits to choose from below that of the server.
pub fn row_limits(server: u32) -> Vec<u32> {
    ROW_LIMITS.into_iter().filter(|rows| *rows < server).collect()
}

#[cfg(test)]
mod tests {
    use super::{Asking, Preferences, row_limits};
    use wherefore_engine::settings::Settings;

    fn applied(asking: Asking, rows: Option<u32>) -> Settings {
        Preferences { asking, rows }.applied(&Settings::default())
    }

    #[test]
    fn without_preferences_the_settings_of_the_server_apply() {
        assert_eq!(applied(Asking::Server, None), Settings::default());
    }

    #[test]
    fn the_rows_are_never_more_than_the_server_gives() {
        assert_eq!(applied(Asking::Server, Some(100)).row_limit, 100);
        assert_eq!(applied(Asking::Server, Some(5_000)).row_limit, 1_000);
        assert_eq!(applied(Asking::Server, Some(0)).row_limit, 1_000);
        assert_eq!(row_limits(1_000), [100]);
        assert_eq!(row_limits(20_000), [100, 1_000, 10_000]);
    }

    #[test]
    fn each_choice_of_asking_changes_what_is_asked() {
        assert!(applied(Asking::Often, None).ask_below > Settings::default().ask_below);
        let once = applied(Asking::Once, None);
        assert_eq!((once.rounds, once.questions_per_round), (1, 1));
        assert!(!applied(Asking::Never, None).enable_clarification);
    }

    #[test]
    fn a_stored_choice_is_read_again() {
        for asking in Asking::ALL {
            assert_eq!(Asking::of(asking.name()), asking);
        }
        assert_eq!(Asking::of("something else"), Asking::Server);
    }
}
