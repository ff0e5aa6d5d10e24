//! The chat page.
