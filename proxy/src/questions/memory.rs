//! Use case: memory of choices, per person and per tenant.

use wherefore_engine::memory::{Choice, Memory, Scope};

use super::asking::Asking;
use super::service::Questions;
use crate::caller::Caller;
use crate::problem::{Problem, ProblemCode};
use crate::store::StoreError;

/// Memory of a person and of the tenant. If the store fails, it is left empty and the question is still answered.
pub(super) async fn recalled(
    questions: &Questions,
    caller: &Caller,
    person: Option<&str>,
) -> Memory {
    let everyone = questions.shared_memory.then(|| caller.everyone());
    let mut memory = Memory::default();
    for name in person.into_iter().chain(everyone.as_deref()) {
        match questions.store.memory(name).await {
            Ok(known) => {
                // Settings and marks concern one person only.
                if Some(name) == person {
                    memory.settings = known.settings;
                    memory.needless = known.needless;
                }
                memory.patterns.extend(known.patterns);
                memory.lessons.extend(known.lessons);
            }
            Err(error) => tracing::warn!(%error, "cannot read the memory; continuing without it"),
        }
    }
    memory
}

impl Asking<'_> {
    /// Stores the choices of this round, for the person or for everyone of the tenant.
    pub(super) async fn remember(&mut self) -> Result<(), StoreError> {
        let for_everyone = self.for_everyone;
        let choices = self.session.take_choices().into_iter();
        let (shared, own): (Vec<Choice>, Vec<Choice>) =
            choices.partition(|choice| for_everyone && choice.remember);
        let settings = self.knowledge.engine.settings();
        let today = jiff::Zoned::now().date().to_string();
        let everyone = self.caller.everyone();
        let kept = [
            (self.record.person.as_deref(), own, Scope::Person),
            (Some(everyone.as_str()), shared, Scope::DataSource),
        ];
        for (name, choices, scope) in kept {
            let Some(name) = name.filter(|_| !choices.is_empty()) else { continue };
            let record = |memory: &mut Memory| memory.record(&choices, scope, settings, &today);
            self.questions.store.change_memory(name, record).await?;
        }
        Ok(())
    }
}

impl Asking<'_> {
    /// Stores what the question teaches about lessons, for the person who asked.
    pub(super) async fn learn(&mut self) -> Result<(), StoreError> {
        let news = self.session.take_lessons();
        let Some(person) = self.record.person.as_deref().filter(|_| !news.is_empty()) else {
            return Ok(());
        };
        let today = jiff::Zoned::now().date().to_string();
        let learn = |memory: &mut Memory| memory.learn(&news, &today);
        self.questions.store.change_memory(person, learn).await
    }
}

/// Problem if shared memory is turned off.
pub(crate) fn not_shared() -> Problem {
    let detail = "shared memory is turned off; the server enables it with --shared-memory";
    Problem::new(ProblemCode::SharedMemoryOff, detail)
}
