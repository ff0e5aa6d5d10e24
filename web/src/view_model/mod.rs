//! Display logic of the components, without browser types, so that it is tested natively.

pub mod account;
pub mod cell_text;
pub mod chart;
pub mod chart_drawing;
pub mod chart_plot;
pub mod chart_svg;
pub mod column_format;
pub mod decimal;
pub mod draft;
pub mod export;
pub mod history;
pub mod keys;
pub mod marks;
pub mod moments;
pub mod periods;
pub mod problem;
pub mod report;
pub mod scale;
pub mod sql_tokens;
pub mod suggestions;
pub mod table_search;
pub mod table_size;
pub mod table_sort;
pub mod table_window;
pub mod units;
pub mod words;
