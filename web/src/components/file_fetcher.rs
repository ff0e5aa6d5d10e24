//! Fetches files that the proxy makes of rows, one at a time.

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api;
use crate::browser;
use crate::conversation::Announcer;
use crate::view_model::export_form::{ExportForm, failure, fetching, left_out, stopped};
use crate::view_model::words::Announcement;

/// The file that is being fetched. Removing the component that made it stops it.
#[derive(Clone, Copy)]
pub struct FileFetcher {
    /// Form of the file that is being fetched.
    pub current: RwSignal<Option<ExportForm>>,
    /// Why there is no file, or what the last one leaves out.
    pub said: RwSignal<Option<String>>,
    /// Button that stops it; it is there while a file is being fetched.
    pub stop_button: NodeRef<html::Button>,
    /// Button that started it.
    started_by: StoredValue<Option<web_sys::HtmlElement>, LocalStorage>,
    abort: StoredValue<Option<web_sys::AbortController>, LocalStorage>,
    announcer: Announcer,
}

impl FileFetcher {
    /// Fetches nothing yet.
    pub fn new(announcer: Announcer) -> Self {
        let (current, said) = (RwSignal::new(None), RwSignal::new(None));
        let fetcher = Self {
            current,
            said,
            stop_button: NodeRef::new(),
            started_by: StoredValue::new_local(None),
            abort: StoredValue::new_local(None),
            announcer,
        };
        on_cleanup(move || fetcher.abort());
        fetcher
    }

    /// Fetches the rows of a statement and saves them under a name, unless a file is being fetched.
    pub fn fetch(
        self,
        form: ExportForm,
        sql: String,
        name: String,
        started_by: web_sys::HtmlElement,
    ) {
        if self.current.with_untracked(Option::is_some) {
            return;
        }
        let controller = web_sys::AbortController::new().ok();
        let signal = controller.as_ref().map(web_sys::AbortController::signal);
        self.abort.set_value(controller);
        self.started_by.set_value(Some(started_by));
        self.current.set(Some(form));
        self.said.set(None);
        self.announcer.say(Announcement::status(fetching(form)));
        spawn_local(async move {
            let fetched = api::export(&sql, form, signal.as_ref()).await;
            // Whoever stopped it has said so, and the component may be gone.
            if signal.is_some_and(|signal| signal.aborted()) {
                return;
            }
            self.end();
            match fetched {
                Ok((blob, summary)) => {
                    let is_saved = browser::save_blob(&name, &blob).is_ok();
                    let left_out = left_out(form, summary);
                    let said = Announcement::fetched(&name, is_saved, left_out.as_deref());
                    self.announcer.say(said);
                    self.said.set(left_out);
                }
                Err(error) => {
                    let said = failure(form, &error);
                    self.announcer.say(Announcement::alert(said.clone()));
                    self.said.set(Some(said));
                }
            }
        });
    }

    /// Stops fetching, which also stops the statement.
    pub fn stop(self) {
        self.abort();
        let Some(form) = self.current.get_untracked() else { return };
        self.end();
        let said = stopped(form);
        self.announcer.say(Announcement::status(said.clone()));
        self.said.set(Some(said));
    }

    /// Ends fetching; the focus goes back to the button that started it if the one that stops it had it.
    fn end(self) {
        let stop_button = self.stop_button.get_untracked();
        let is_focused = stop_button.is_some_and(|one| one.matches(":focus").unwrap_or_default());
        let started_by = self.started_by.try_update_value(Option::take).flatten();
        if let Some(button) = started_by.filter(|_| is_focused) {
            // Without a focus, the next key starts at the top of the page.
            let _ = button.focus();
        }
        self.current.set(None);
    }

    fn abort(self) {
        if let Some(controller) = self.abort.try_update_value(Option::take).flatten() {
            controller.abort();
        }
    }
}
