//! Messages of panics, and expected panics.

use std::cell::{Cell, RefCell};
use std::panic;
use std::sync::{Mutex, PoisonError};

/// The last panic of any thread: the pools of the engine are threads of their own.
static LAST: Mutex<String> = Mutex::new(String::new());

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the text of each panic for [`message`] and prints it, unless it happens in [`quietly`].
pub fn listen() {
    panic::set_hook(Box::new(|info| {
        if QUIET.get() {
            return;
        }
        let text = info.to_string();
        eprintln!("{text}");
        text.clone_into(&mut LAST.lock().unwrap_or_else(PoisonError::into_inner));
        MESSAGE.set(text);
    }));
}

/// The text of this thread's last panic, or of another thread's if there was none.
pub fn message() -> String {
    let own = MESSAGE.take();
    let last = std::mem::take(&mut *LAST.lock().unwrap_or_else(PoisonError::into_inner));
    if own.is_empty() { last } else { own }
}

/// Runs something that may panic and catches that itself, without a word of it.
pub fn quietly<T>(run: impl FnOnce() -> T) -> T {
    let before = QUIET.replace(true);
    let result = run();
    QUIET.set(before);
    result
}
