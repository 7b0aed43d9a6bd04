//! Judging in a terminal.
//!
//! `text.rs` makes text safe and wraps it, `page.rs` holds what is shown of a pair, `layout.rs` arranges a screen as pieces with
//! places and styles, `screen.rs` owns the terminal, and `keys.rs` turns keys into changes of the session.

mod keys;
mod layout;
mod page;
mod screen;
mod text;

#[cfg(test)]
mod tests;

pub use keys::judge;
pub use layout::screen_text;
