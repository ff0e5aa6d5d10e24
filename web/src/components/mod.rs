//! Components of the page, one in each file.

pub mod account_panel;
pub mod answer;
pub mod app;
pub mod assumptions;
pub mod cell;
pub mod chart_mark;
pub mod chart_view;
pub mod clarification_card;
pub mod clarification_form;
pub mod composer;
pub mod copy_button;
pub mod custom_fields;
pub mod empty_state;
pub mod header;
pub mod history;
pub mod live_regions;
pub mod load_failure;
pub mod page;
pub mod preview_panel;
pub mod problem_card;
pub mod question_text;
pub mod result_actions;
pub mod result_rows;
pub mod result_table;
pub mod single_value;
pub mod sql_panel;
pub mod sql_steps;
pub mod steps;
pub mod suggestions;
pub mod turn;

pub use app::App;
