//! Judging in a terminal.
//!
//! `text.rs` makes text safe and wraps it, `layout.rs` arranges a screen as pieces with places and styles, `screen.rs` owns the
//! terminal, and `keys.rs` turns keys into changes of the session.

mod keys;
mod layout;
mod screen;
mod text;

pub use keys::judge;
pub use layout::screen_text;
