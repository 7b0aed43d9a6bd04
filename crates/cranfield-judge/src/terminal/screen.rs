//! The terminal while it is in use.

use std::io::{self, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::sync::Arc;
use std::time::Duration;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::{Attribute, Color, Print, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    Clear, ClearType, DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

use super::layout::{Piece, Style};
use crate::error::JudgeError;

/// Leaves the alternate screen, shows the cursor and wraps lines: what `leave` writes, for handlers of signals.
const RESET: &[u8] = b"\x1b[0m\x1b[?7h\x1b[?1049l\x1b[?25h";

/// The terminal in raw mode, on its alternate screen. It is restored on drop, on panic and by signals that end the program.
pub(super) struct Screen {
    _signals: cranfield_io::TerminalGuard,
    hook: Arc<Hook>,
}

/// A function that reports panics.
type Hook = dyn Fn(&PanicHookInfo<'_>) + Send + Sync;

impl Screen {
    pub(super) fn enter() -> Result<Self, JudgeError> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Err(JudgeError::NoTerminal);
        }
        let signals = cranfield_io::TerminalGuard::new(RESET);
        enable_raw_mode().map_err(JudgeError::Terminal)?;
        // A panic would print its message on the alternate screen, where it is lost.
        let hook: Arc<Hook> = std::panic::take_hook().into();
        let before = Arc::clone(&hook);
        std::panic::set_hook(Box::new(move |panic| {
            leave();
            before(panic);
        }));
        let screen = Self {
            _signals: signals,
            hook,
        };
        execute!(io::stdout(), EnterAlternateScreen, DisableLineWrap, Hide)
            .map_err(JudgeError::Terminal)?;
        Ok(screen)
    }

    /// Columns and rows.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub(super) fn size() -> Result<(usize, usize), JudgeError> {
        let (width, height) = size().map_err(JudgeError::Terminal)?;
        Ok((width.into(), height.into()))
    }

    /// Waits for a key, a signal or the time-out, and returns whether the terminal was closed.
    #[cfg(unix)]
    pub(super) fn is_closed(wait: Duration) -> bool {
        use std::os::fd::AsFd;

        use nix::poll::{PollFd, PollFlags, PollTimeout};

        let stdin = io::stdin();
        let mut keys = [PollFd::new(stdin.as_fd(), PollFlags::POLLIN)];
        let wait = PollTimeout::try_from(wait).unwrap_or(PollTimeout::MAX);
        // A signal, such as that of another size, ends the wait early.
        let _ = nix::poll::poll(&mut keys, wait);
        let closed = PollFlags::POLLHUP | PollFlags::POLLERR | PollFlags::POLLNVAL;
        let found = keys[0].revents();
        found.is_some_and(|found| found.intersects(closed))
    }

    /// Waits for an event or the time-out, and returns false.
    #[cfg(not(unix))]
    pub(super) fn is_closed(wait: Duration) -> bool {
        let _ = crossterm::event::poll(wait);
        false
    }

    /// Draws a screen with one write.
    pub(super) fn draw(pieces: &[Piece], height: usize) -> Result<(), JudgeError> {
        let mut bytes = Vec::new();
        write(&mut bytes, pieces, height).map_err(JudgeError::Terminal)?;
        let mut out = io::stdout().lock();
        let written = out.write_all(&bytes).and_then(|()| out.flush());
        written.map_err(JudgeError::Terminal)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            leave();
            let before = Arc::clone(&self.hook);
            std::panic::set_hook(Box::new(move |panic| before(panic)));
        }
    }
}

fn leave() {
    let _ = execute!(
        io::stdout(),
        SetAttribute(Attribute::Reset),
        EnableLineWrap,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
}

fn write(out: &mut Vec<u8>, pieces: &[Piece], height: usize) -> io::Result<()> {
    for y in 0..height {
        queue!(out, MoveTo(0, y as u16), Clear(ClearType::CurrentLine))?;
        for piece in pieces.iter().filter(|piece| piece.y == y) {
            queue!(out, MoveTo(piece.x as u16, y as u16))?;
            match piece.style {
                Style::Plain => {}
                Style::Dim => queue!(out, SetAttribute(Attribute::Dim))?,
                Style::Bold => queue!(out, SetAttribute(Attribute::Bold))?,
                Style::Term => queue!(
                    out,
                    SetAttribute(Attribute::Bold),
                    SetForegroundColor(Color::DarkYellow)
                )?,
                Style::Found | Style::Bar => queue!(out, SetAttribute(Attribute::Reverse))?,
            }
            queue!(out, Print(&piece.text), SetAttribute(Attribute::Reset))?;
        }
    }
    Ok(())
}
