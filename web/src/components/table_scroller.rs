//! The scroll container of a result table.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::view_model::table_window::Viewport;

/// Height of a row until it is measured, in CSS pixels.
const ROW_HEIGHT: f64 = 38.0;
/// Height of the visible part until it is measured, in CSS pixels.
const VISIBLE_HEIGHT: f64 = 480.0;

/// A scroll container and what is visible of its rows.
#[derive(Clone, Copy)]
pub struct Scroller {
    /// The element.
    pub node: NodeRef<Div>,
    /// What was visible when it was last measured.
    pub viewport: RwSignal<Viewport>,
}

impl Default for Scroller {
    fn default() -> Self {
        let viewport = Viewport { top: 0.0, height: VISIBLE_HEIGHT, row_height: ROW_HEIGHT };
        Self { node: NodeRef::new(), viewport: RwSignal::new(viewport) }
    }
}

impl Scroller {
    /// Measures the visible part.
    pub fn measure(&self) {
        let Some(element) = self.node.get_untracked() else { return };
        let row = element.query_selector("tbody tr[aria-rowindex]").ok().flatten();
        let row = row.and_then(|row| row.dyn_into::<web_sys::HtmlElement>().ok());
        let height = row.map_or(0.0, |row| row.get_bounding_client_rect().height());
        let known = self.viewport.get_untracked();
        let now = Viewport {
            top: f64::from(element.scroll_top()),
            height: f64::from(element.client_height()),
            row_height: if height > 0.0 { height } else { known.row_height },
        };
        if now != known {
            self.viewport.set(now);
        }
    }

    /// Scrolls to the first row.
    pub fn to_top(&self) {
        if let Some(element) = self.node.get_untracked() {
            element.set_scroll_top(0);
        }
    }
}
