//! Tabs of the side panel.

use crate::texts;

/// A tab of the side panel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SideTab {
    /// Earlier questions.
    History,
    /// Tables and columns.
    Data,
    /// Remembered choices.
    Memory,
    /// Settings of the page.
    Settings,
}

/// All tabs in order.
pub const TABS: [SideTab; 4] =
    [SideTab::History, SideTab::Data, SideTab::Memory, SideTab::Settings];

impl SideTab {
    /// Label of the tab.
    pub fn label(self) -> &'static str {
        match self {
            Self::History => texts::tab_history(),
            Self::Data => texts::tab_data(),
            Self::Memory => texts::tab_memory(),
            Self::Settings => texts::tab_settings(),
        }
    }

    /// Id of the tab's element.
    pub fn id(self) -> &'static str {
        match self {
            Self::History => "tab-history",
            Self::Data => "tab-data",
            Self::Memory => "tab-memory",
            Self::Settings => "tab-settings",
        }
    }

    /// The tab that a key leads to, which wraps at both ends.
    pub fn by_key(self, key: &str) -> Option<Self> {
        let at = TABS.iter().position(|tab| *tab == self)?;
        let count = TABS.len();
        let to = match key {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return None,
        };
        Some(TABS[to])
    }
}

#[cfg(test)]
mod tests {
    use super::SideTab;

    #[test]
    fn arrows_go_round_and_home_and_end_to_the_ends() {
        assert_eq!(SideTab::Settings.by_key("ArrowRight"), Some(SideTab::History));
        assert_eq!(SideTab::History.by_key("ArrowLeft"), Some(SideTab::Settings));
        assert_eq!(SideTab::Data.by_key("Home"), Some(SideTab::History));
        assert_eq!(SideTab::Data.by_key("End"), Some(SideTab::Settings));
        assert_eq!(SideTab::Data.by_key("a"), None);
    }
}
