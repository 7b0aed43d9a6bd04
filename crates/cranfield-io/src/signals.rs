//! Signal handlers of the programs: they remove temporary outputs, restore the terminal, and report an input that is truncated while it is mapped.
//!
//! Handlers may run at any point of any thread, so they only call functions that POSIX lists as async-signal-safe, never block
//! on a lock, and never allocate.
#![allow(unsafe_code)]

#[cfg(unix)]
pub(crate) use unix::{add_mapping, add_temporary, remove_mapping, remove_temporary};

/// Installs handlers for the signals that end a program. Call it once at the start of `main`, never from a library.
///
/// SIGINT, SIGTERM and SIGHUP remove the temporary files of unfinished outputs, restore a terminal in use, and then end the process as usual. SIGBUS in the
/// bytes of a mapped input means that the file was truncated: the handler reports it and exits with `exit_code`. A signal that
/// the process was started to ignore stays ignored. On systems without these signals the function does nothing.
pub fn handle_signals(exit_code: u8) {
    #[cfg(unix)]
    unix::install(exit_code);
    #[cfg(not(unix))]
    let _ = exit_code;
}

/// Returns SIGINT and SIGTERM to their default, for a program that waits for them itself. Unfinished outputs are no longer removed.
pub fn release_termination() {
    #[cfg(unix)]
    unix::release_termination();
}

/// Restores the terminal if a signal ends the program before this is dropped.
///
/// It keeps the settings that the terminal on standard input has now. A handler sets them again after it wrote `reset`, a sequence
/// that undoes what the program did to the screen.
#[derive(Debug)]
pub struct TerminalGuard(());

impl TerminalGuard {
    /// Keeps the settings of the terminal.
    pub fn new(reset: &'static [u8]) -> Self {
        #[cfg(unix)]
        unix::keep_terminal(reset);
        #[cfg(not(unix))]
        let _ = reset;
        Self(())
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        #[cfg(unix)]
        unix::forget_terminal();
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::{CString, c_int, c_void};
    use std::mem::MaybeUninit;
    use std::ops::Range;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr;
    use std::sync::atomic::{AtomicU8, Ordering};
    use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

    use crate::escape::visible;

    /// Unfinished outputs.
    static TEMPORARIES: Mutex<Vec<CString>> = Mutex::new(Vec::new());
    /// Addresses of mapped inputs, and the names of the files for a message.
    static MAPPINGS: Mutex<Vec<(Range<usize>, String)>> = Mutex::new(Vec::new());
    /// The settings of a terminal in use, and the bytes that reset it; at most one.
    static TERMINAL: Mutex<Vec<(libc::termios, &'static [u8])>> = Mutex::new(Vec::new());
    /// Exit code after a truncated input.
    static EXIT_CODE: AtomicU8 = AtomicU8::new(0);
    /// The handler of SIGBUS before ours: the standard library's, which reports stack overflows on some systems.
    static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

    fn locked<T>(list: &Mutex<Vec<T>>) -> MutexGuard<'_, Vec<T>> {
        list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add_temporary(path: &Path) {
        if let Ok(path) = CString::new(path.as_os_str().as_bytes()) {
            locked(&TEMPORARIES).push(path);
        }
    }

    pub(crate) fn remove_temporary(path: &Path) {
        let path = path.as_os_str().as_bytes();
        locked(&TEMPORARIES).retain(|known| known.as_bytes() != path);
    }

    pub(crate) fn add_mapping(bytes: &[u8], name: &str) {
        locked(&MAPPINGS).push((addresses(bytes), visible(name)));
    }

    pub(crate) fn remove_mapping(bytes: &[u8]) {
        let addresses = addresses(bytes);
        locked(&MAPPINGS).retain(|(known, _)| *known != addresses);
    }

    pub(super) fn keep_terminal(reset: &'static [u8]) {
        // SAFETY: all-zero bytes are a valid `termios`, which consists of integers, and the call gets a valid pointer.
        let (found, settings) = unsafe {
            let mut settings = MaybeUninit::<libc::termios>::zeroed().assume_init();
            let found = libc::tcgetattr(libc::STDIN_FILENO, &raw mut settings);
            (found, settings)
        };
        if found == 0 {
            locked(&TERMINAL).push((settings, reset));
        }
    }

    pub(super) fn forget_terminal() {
        locked(&TERMINAL).clear();
    }

    fn restore_terminal() {
        for (settings, reset) in try_locked(&TERMINAL).iter().flat_map(|kept| kept.iter()) {
            // SAFETY: `write` and `tcsetattr` are async-signal-safe, and the pointers are to values that outlive the calls.
            unsafe {
                libc::write(libc::STDOUT_FILENO, reset.as_ptr().cast(), reset.len());
                libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, settings);
            }
        }
    }

    fn addresses(bytes: &[u8]) -> Range<usize> {
        let start = bytes.as_ptr().addr();
        start..start + bytes.len()
    }

    pub(super) fn install(exit_code: u8) {
        EXIT_CODE.store(exit_code, Ordering::Relaxed);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let handler: extern "C" fn(c_int) = on_termination;
            set_handler(signal, handler as libc::sighandler_t, 0);
        }
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) = on_bus_error;
        let flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        if let Some(previous) = set_handler(libc::SIGBUS, handler as libc::sighandler_t, flags) {
            let _ = PREVIOUS.set(previous);
        }
    }

    pub(super) fn release_termination() {
        for signal in [libc::SIGINT, libc::SIGTERM] {
            set_handler(signal, libc::SIG_DFL, 0);
        }
    }

    /// Sets a handler unless the signal is ignored, and returns the action before it.
    fn set_handler(
        signal: c_int,
        handler: libc::sighandler_t,
        flags: c_int,
    ) -> Option<libc::sigaction> {
        // SAFETY: all-zero bytes are a valid `sigaction`: integers, a set of signals, and an optional function. Both calls
        // get valid pointers, and each handler has the signature that its flags promise.
        unsafe {
            let mut previous = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            if libc::sigaction(signal, ptr::null(), &raw mut previous) != 0
                || previous.sa_sigaction == libc::SIG_IGN
            {
                return None;
            }
            let mut action = MaybeUninit::<libc::sigaction>::zeroed().assume_init();
            action.sa_sigaction = handler;
            action.sa_flags = flags;
            (libc::sigaction(signal, &raw const action, ptr::null_mut()) == 0).then_some(previous)
        }
    }

    extern "C" fn on_termination(signal: c_int) {
        remove_temporaries();
        restore_terminal();
        // SAFETY: both functions are async-signal-safe. The signal is blocked while its handler runs, and its default action
        // ends the process when the handler returns.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    extern "C" fn on_bus_error(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: with SA_SIGINFO the system passes a valid `siginfo_t`, and SIGBUS has an address.
        let address = unsafe { (*info).si_addr() }.addr();
        report_truncated(address);
        // Another cause: the instruction faults again, and the previous handler deals with it.
        // SAFETY: `sigaction` and `signal` are async-signal-safe, and the pointer is to a static.
        unsafe {
            match PREVIOUS.get() {
                Some(previous) => {
                    libc::sigaction(libc::SIGBUS, previous, ptr::null_mut());
                }
                None => {
                    libc::signal(libc::SIGBUS, libc::SIG_DFL);
                }
            }
        }
    }

    /// Reports the mapped file at an address and exits; returns if there is none.
    fn report_truncated(address: usize) {
        let Some(mappings) = try_locked(&MAPPINGS) else {
            return;
        };
        let Some((_, name)) = mappings.iter().find(|(known, _)| known.contains(&address)) else {
            return;
        };
        remove_temporaries();
        for part in [
            "error[IR001]: the file was truncated while it was read\n--> ",
            name,
            "\n = help: wait until the file is complete, then run the command again\n",
        ] {
            // SAFETY: `write` is async-signal-safe, and the pointer and the length are those of a string.
            unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
        }
        // SAFETY: `_exit` is async-signal-safe.
        unsafe { libc::_exit(EXIT_CODE.load(Ordering::Relaxed).into()) }
    }

    fn remove_temporaries() {
        for path in try_locked(&TEMPORARIES)
            .iter()
            .flat_map(|paths| paths.iter())
        {
            // SAFETY: `unlink` is async-signal-safe, and the path ends with NUL.
            unsafe { libc::unlink(path.as_ptr()) };
        }
    }

    /// Locks a list unless it stays locked: the interrupted thread itself may be holding the lock.
    fn try_locked<T>(list: &Mutex<Vec<T>>) -> Option<MutexGuard<'_, Vec<T>>> {
        for _ in 0..1000 {
            match list.try_lock() {
                Ok(list) => return Some(list),
                Err(TryLockError::Poisoned(list)) => return Some(list.into_inner()),
                Err(TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
        None
    }
}
