//! Which rows of a long table are rendered.

/// Tables with at most this number of rows are rendered whole.
pub const WHOLE_ROWS: usize = 200;
/// Number of rows rendered above and below those that are visible.
const MARGIN_ROWS: usize = 6;
/// The first rendered row is a multiple of this, so that scrolling by a few pixels changes nothing.
const STEP_ROWS: usize = 4;

/// What is visible of the rows of a table, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// Distance from the first row to the visible part.
    pub top: f64,
    /// Height of the visible part.
    pub height: f64,
    /// Height of a row.
    pub row_height: f64,
}

/// The rendered rows: from `first` up to but not including `end`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Window {
    /// Position of the first rendered row.
    pub first: usize,
    /// Position after the last rendered row.
    pub end: usize,
}

impl Window {
    /// The window for a number of rows.
    pub fn of(rows: usize, viewport: Viewport) -> Self {
        if rows <= WHOLE_ROWS {
            return Self { first: 0, end: rows };
        }
        let row_height = viewport.row_height.max(1.0);
        let from = (viewport.top.max(0.0) / row_height) as usize;
        let visible = (viewport.height.max(0.0) / row_height).ceil() as usize;
        let most = rows.saturating_sub(visible);
        let first = from.min(most).saturating_sub(MARGIN_ROWS) / STEP_ROWS * STEP_ROWS;
        let end = (first + visible + 2 * MARGIN_ROWS + STEP_ROWS).min(rows);
        Self { first, end }
    }
}

/// Which of the rendered rows move to the other end of a window that has moved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Turn {
    /// So many of the first rows become the last ones.
    Down(usize),
    /// None moves: the window is the same, or shows nothing of what it showed.
    None,
    /// So many of the last rows become the first ones.
    Up(usize),
}

/// The turn from the shown places to the wanted ones, each up to but not including the second.
pub fn turned(shown: (usize, usize), wanted: (usize, usize)) -> Turn {
    let is_apart = wanted.0 >= shown.1 || wanted.1 <= shown.0;
    match (wanted.0.checked_sub(shown.0), shown.1.checked_sub(wanted.1)) {
        _ if is_apart => Turn::None,
        (Some(count @ 1..), _) => Turn::Down(count),
        (None, Some(count @ 1..)) => Turn::Up(count),
        _ => Turn::None,
    }
}

/// Height of a number of rows that are not rendered, as a CSS length.
pub fn gap(rows: usize, row_height: f64) -> String {
    format!("{:.0}px", rows as f64 * row_height)
}

#[cfg(test)]
mod tests {
    use super::{Turn, Viewport, WHOLE_ROWS, Window, gap, turned};

    fn window(rows: usize, top: f64) -> Window {
        Window::of(rows, Viewport { top, height: 400.0, row_height: 40.0 })
    }

    #[test]
    fn a_short_table_is_rendered_whole() {
        assert_eq!(window(WHOLE_ROWS, 0.0), Window { first: 0, end: WHOLE_ROWS });
        assert_eq!(window(0, 0.0), Window { first: 0, end: 0 });
    }

    #[test]
    fn a_long_table_has_few_rows_and_all_that_are_visible() {
        for top in [0.0, 39.0, 1_234.0, 3_999_600.0, 4_000_000.0, 9e12, -5.0] {
            let window = window(100_000, top);
            assert!(window.end - window.first <= 60, "{top} {window:?}");
            let from = ((top.max(0.0) / 40.0) as usize).min(99_990);
            assert!(window.first <= from && window.end >= from + 10, "{top} {window:?}");
        }
    }

    #[test]
    fn the_end_of_the_table_is_reached_and_not_passed() {
        assert_eq!(window(1_000, 39_600.0).end, 1_000);
    }

    #[test]
    fn small_steps_change_nothing() {
        assert_eq!(window(1_000, 4_000.0), window(1_000, 4_010.0));
    }

    #[test]
    fn a_height_that_was_not_measured_does_no_harm() {
        let window = Window::of(1_000, Viewport { top: 10.0, height: 0.0, row_height: 0.0 });
        assert!(window.end > window.first && window.end <= 1_000);
    }

    #[test]
    fn rows_that_leave_the_window_enter_it_at_the_other_end() {
        assert_eq!(turned((8, 40), (16, 48)), Turn::Down(8));
        assert_eq!(turned((16, 48), (8, 40)), Turn::Up(8));
        assert_eq!(turned((8, 40), (8, 40)), Turn::None);
    }

    #[test]
    fn rows_stay_where_all_of_them_change() {
        assert_eq!(turned((8, 40), (40, 72)), Turn::None);
        assert_eq!(turned((40, 72), (0, 32)), Turn::None);
    }

    #[test]
    fn a_window_that_only_grows_or_shrinks_moves_nothing() {
        assert_eq!(turned((8, 40), (8, 30)), Turn::None);
        assert_eq!(turned((8, 30), (8, 40)), Turn::None);
    }

    #[test]
    fn the_gap_has_the_height_of_its_rows() {
        assert_eq!(gap(100_000, 37.5), "3750000px");
    }
}
