//! Lessons: which were used for a question, and what its corrections and repairs teach.

use super::given::Given;
use super::question::Question;
use crate::confidence::Method;
use crate::interpretation::{Interpretation, lesson_of, target_of};
use crate::memory::{Learned, LessonKind, LessonNews, similarity};
use crate::text::fold;
use crate::writing::DecidedWords;

/// Maximum number of error patterns, and of query patterns, in a brief.
const PATTERNS: usize = 3;

impl Given<'_> {
    /// Notes the lessons that a reading used, and what its corrections teach.
    pub(super) fn note_lessons(self, question: &mut Question, interpretation: &Interpretation) {
        let (schema, catalog) = (self.engine.schema(), self.engine.catalog());
        let lessons = &self.start.memory.lessons;
        let state = &mut question.lessons;
        state.using.clear();
        for (mention, _) in &interpretation.mentions {
            let learned = mention.readings.first().filter(|first| first.method == Method::Learned);
            let Some(reading) = learned else { continue };
            let phrase = fold(&mention.phrase);
            let used = lessons.iter().find(|lesson| {
                lesson.words == phrase
                    && target_of(schema, catalog, lesson).as_ref() == Some(&reading.target)
            });
            if let Some(lesson) = used {
                state.using.insert(lesson.id.clone());
            }
        }
        let using = state.using.clone();
        state.used.extend(using);
        state.learned.clear();
        if !question.corrections.is_empty() {
            let mentions = interpretation.mentions.iter();
            let learned = mentions.filter_map(|(mention, _)| lesson_of(catalog, mention));
            state.learned.extend(learned);
        }
    }

    /// Error and query patterns for a model, as constraints that the statement must keep to.
    pub(super) fn lessons_for_model(self, question: &mut Question) -> Vec<DecidedWords> {
        let known = self.start.memory.lessons.iter().filter(|lesson| !lesson.is_retired());
        let words = &question.reading.words;
        let alike = |lesson: &Learned| {
            let stems: Vec<String> = lesson.words.split(' ').map(str::to_owned).collect();
            similarity(&stems, words) > self.engine.settings().memory_similarity
        };
        let errors = known.clone().filter(|lesson| lesson.kind == LessonKind::ErrorPattern);
        let queries = known.filter(|lesson| lesson.kind == LessonKind::QueryPattern);
        let queries = queries.filter(|lesson| alike(lesson)).take(PATTERNS);
        let mut told = Vec::new();
        for lesson in errors.take(PATTERNS).chain(queries) {
            let (phrase, meaning) = match lesson.kind {
                LessonKind::ErrorPattern => {
                    ("error to avoid", format!("a statement failed with: {}", lesson.text))
                }
                _ => ("similar question", format!("this statement answered it: {}", lesson.text)),
            };
            question.lessons.using.insert(lesson.id.clone());
            question.lessons.used.insert(lesson.id.clone());
            told.push(DecidedWords {
                phrase: phrase.to_owned(),
                meaning,
                ..DecidedWords::default()
            });
        }
        told
    }
}

impl Question {
    /// What the question teaches since the last call; `sql` is the statement of the answer, none without an answer.
    pub(super) fn take_lessons(&mut self, sql: Option<&str>) -> LessonNews {
        let mut news = LessonNews::default();
        let state = &mut self.lessons;
        for id in &state.used {
            let worked = sql.is_some() && state.using.contains(id);
            if state.told.get(id) == Some(&worked) {
                continue;
            }
            state.told.insert(id.clone(), worked);
            if worked { &mut news.worked } else { &mut news.failed }.push(id.clone());
        }
        let Some(sql) = sql else { return news };
        news.learned.append(&mut state.learned);
        if let Some(message) = state.repaired.take() {
            let words = self.reading.words.join(" ");
            let error = Learned::pattern(LessonKind::ErrorPattern, String::new(), message);
            let query = Learned::pattern(LessonKind::QueryPattern, words, sql.to_owned());
            news.learned.extend([error, query]);
        }
        news
    }
}
