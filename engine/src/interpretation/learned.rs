//! Applies lessons that were learned from corrections: words that mean a table or column.

use super::interpreter::Interpreter;
use crate::catalog::Catalog;
use crate::confidence::Method;
use crate::linking::{Mention, Named, Reading, SchemaIndex, Target, words_of_identifier};
use crate::memory::{Learned, LessonTarget};
use crate::text::{fold, stem};

impl Interpreter<'_> {
    /// Ties mentions to what lessons say that they mean; a correction of this question takes precedence.
    pub(super) fn apply_lessons(&self, mentions: &mut [Mention]) {
        if self.preferences.lessons.is_empty() {
            return;
        }
        for mention in mentions {
            let corrected =
                mention.readings.first().is_some_and(|first| first.method == Method::Corrected);
            if corrected {
                continue;
            }
            let phrase = fold(&mention.phrase);
            let lessons = self.preferences.lessons.iter();
            let fitting = lessons.filter(|lesson| lesson.words == phrase && !lesson.is_retired());
            let targets = fitting.filter_map(|lesson| {
                let target = target_of(self.schema, self.catalog, lesson)?;
                (!self.is_rejected(&target)).then_some((lesson.strength(), target))
            });
            // Of several lessons, the strongest applies; of equally strong ones, the latest.
            let strongest = targets.max_by(|(one, _), (other, _)| one.total_cmp(other));
            let Some((_, target)) = strongest else { continue };
            let (method, score) = (Method::Learned, Method::Learned.base());
            mention.readings = vec![Reading { target, method, score }];
            mention.lexical.clear();
        }
    }

    fn is_rejected(&self, target: &Target) -> bool {
        self.constraints.rejected.iter().any(|rejected| {
            rejected == target
                || matches!(rejected, Target::Table(table) if target.table() == Some(*table))
        })
    }
}

/// What the words of a mapping mean; `None` for another lesson, or if the catalog no longer contains it.
pub(crate) fn target_of(
    schema: &SchemaIndex,
    catalog: &Catalog,
    lesson: &Learned,
) -> Option<Target> {
    match lesson.means.as_ref()? {
        LessonTarget::Column { column } => schema.column(catalog, column).map(Target::Column),
        LessonTarget::Table { table } => schema.table(table).map(Target::Table),
    }
}

/// The lesson of words that a correction tied to a table or column; `None` if they are the name of another one, which
/// must keep its meaning.
pub(crate) fn lesson_of(catalog: &Catalog, mention: &Mention) -> Option<Learned> {
    let reading = mention.readings.first().filter(|first| first.method == Method::Corrected)?;
    let means = match &reading.target {
        Target::Table(table) => LessonTarget::Table { table: catalog.table_at(*table).key() },
        Target::Column(column) => LessonTarget::Column { column: catalog.reference(*column) },
        _ => return None,
    };
    let stems = |words: Vec<String>| words.iter().map(|word| stem(word)).collect::<Vec<_>>();
    let words = stems(fold(&mention.phrase).split_whitespace().map(str::to_owned).collect());
    let names = catalog.tables.iter().flat_map(|table| {
        std::iter::once(&table.name).chain(table.columns.iter().map(|column| &column.name))
    });
    let is_name = names.into_iter().any(|name| stems(words_of_identifier(name)) == words);
    (!is_name && !words.is_empty()).then(|| Learned::mapping(&mention.phrase, means))
}
