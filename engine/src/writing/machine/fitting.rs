//! Smaller prompts, if a model found one too long.

use super::{Call, Phase, Writing};
use crate::catalog::Catalog;

/// Maximum number of times that prompts are made smaller for one question.
const SHRINKS: u8 = 3;

impl Writing {
    /// Repeats the calls of the phase with smaller prompts; `None` if no prompt was too long, or none can be made
    /// smaller.
    pub(super) fn with_smaller_prompts(&mut self, catalog: &Catalog) -> Option<Vec<(u32, Call)>> {
        let sizes = self.replies.failures.iter().filter_map(|failure| failure.context_tokens);
        let fits = sizes.min()?;
        let repaired = match &self.phase {
            Phase::Repairing { draft, .. } => Some(*draft),
            Phase::Sketching | Phase::Needing | Phase::Drafting { .. } => None,
            // Prompts of these phases are as small as they can be; later ones need not be smaller because of them.
            Phase::Extracting
            | Phase::JudgingTables { .. }
            | Phase::ChoosingTables { .. }
            | Phase::Explaining
            | Phase::Done(_) => {
                for failure in &mut self.replies.failures {
                    failure.context_tokens = None;
                }
                return None;
            }
        };
        let answered = self.drafts.iter().any(|draft| draft.faults.is_empty());
        if answered || self.shrinks >= SHRINKS || !self.shrink(fits) {
            return None;
        }
        self.replies.failures.retain(|failure| failure.context_tokens.is_none());
        let detail = format!("prompts are limited to {} tokens", self.settings.context_tokens);
        self.note("retrieving", detail);
        Some(match repaired {
            Some(draft) => self.ask_repair_again(catalog, draft),
            None if self.told.tables.is_some() => self.write(catalog),
            None => self.plan(catalog),
        })
    }

    /// Lowers the context size; `false` if that does not make prompts smaller.
    fn shrink(&mut self, fits: u32) -> bool {
        let before = self.settings.data_bytes();
        self.settings.context_tokens = self.settings.context_tokens.min(fits);
        self.shrinks += 1;
        self.settings.data_bytes() < before
    }
}
