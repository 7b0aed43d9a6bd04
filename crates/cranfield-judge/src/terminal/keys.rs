//! Keys, and what they do.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};

use super::layout::{Mode, State};
use super::page::Page;
use super::screen::Screen;
use crate::error::JudgeError;
use crate::materials::Materials;
use crate::scale::Scale;
use crate::session::Session;

/// Longest wait for a key before the terminal is looked at again.
const PATIENCE: Duration = Duration::from_secs(1);
/// Longest note or search, in characters.
const LONGEST: usize = 1000;

/// Shows the documents of a session one after the other, and saves what the assessor does.
///
/// Returns when the assessor leaves or the terminal is closed.
///
/// # Errors
/// If there is no terminal, or a judgement cannot be saved.
pub fn judge(
    session: &mut Session,
    materials: &Materials,
    scale: &Scale,
) -> Result<(), JudgeError> {
    let _screen = Screen::enter()?;
    let mut judging = Judging {
        state: State::default(),
        session,
        materials,
        scale,
        size: Screen::size()?,
        shown: Instant::now(),
    };
    judging.show()?;
    let estimate = judging.session.estimate();
    judging.state.message = format!("{estimate}; ? shows the keys");
    if judging.session.was_torn {
        judging.state.message =
            "an unfinished line at the end of the audit file was removed".into();
    }
    judging.run()
}

struct Judging<'a> {
    state: State,
    session: &'a mut Session,
    materials: &'a Materials,
    scale: &'a Scale,
    size: (usize, usize),
    /// When the document was shown.
    shown: Instant,
}

/// Whether to go on.
type Continue = bool;

impl Judging<'_> {
    fn run(&mut self) -> Result<(), JudgeError> {
        loop {
            let marks = (self.scale, &self.materials.analyzer);
            let pieces = self.state.pieces(self.session, marks, self.size);
            Screen::draw(&pieces, self.size.1)?;
            let Some(event) = next_event() else {
                // The terminal was closed. Everything is saved.
                return Ok(());
            };
            match event {
                Event::Resize(width, height) => self.size = (width.into(), height.into()),
                Event::Key(key) if key.kind == KeyEventKind::Press => {
                    self.state.message.clear();
                    if !self.press(key)? {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    fn press(&mut self, key: KeyEvent) -> Result<Continue, JudgeError> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return Ok(!matches!(key.code, KeyCode::Char('c' | 'd')));
        }
        match std::mem::take(&mut self.state.mode) {
            Mode::Judge => return self.command(key.code),
            Mode::Help => {}
            Mode::Note(text) => match typed(text, key.code) {
                Typed::More(text) => self.state.mode = Mode::Note(text),
                Typed::Done(text) => {
                    self.session.note(&text)?;
                    self.state.message = "note saved".into();
                }
                Typed::Cancelled => {}
            },
            Mode::Find(text) => match typed(text, key.code) {
                Typed::More(text) => self.state.mode = Mode::Find(text),
                Typed::Done(text) => self.find(text),
                Typed::Cancelled => self.state.wanted.clear(),
            },
        }
        Ok(true)
    }

    fn command(&mut self, key: KeyCode) -> Result<Continue, JudgeError> {
        let page = State::page_height(self.size);
        let scroll = &mut self.state.scroll;
        match key {
            KeyCode::Char('q') => return Ok(false),
            KeyCode::Char(digit @ '0'..='9') => self.grade(digit)?,
            KeyCode::Char('u') => self.undo()?,
            KeyCode::Char('s') if self.session.current().is_some() => {
                self.session.defer()?;
                self.show()?;
                self.state.message = "set aside for later".into();
            }
            KeyCode::Char('f') => self.session.flag()?,
            KeyCode::Char('n') => {
                let note = self.session.current();
                let note = note.and_then(|pair| self.session.judged().note(pair));
                self.state.mode = Mode::Note(note.unwrap_or_default().to_owned());
            }
            KeyCode::Char('/') => self.state.mode = Mode::Find(String::new()),
            KeyCode::Char('?') => self.state.mode = Mode::Help,
            KeyCode::Char(' ') | KeyCode::PageDown => *scroll = scroll.saturating_add(page),
            KeyCode::Char('b') | KeyCode::PageUp => *scroll = scroll.saturating_sub(page),
            KeyCode::Down => *scroll = scroll.saturating_add(1),
            KeyCode::Up => *scroll = scroll.saturating_sub(1),
            KeyCode::Char('g') | KeyCode::Home => *scroll = 0,
            KeyCode::Char('G') | KeyCode::End => *scroll = usize::MAX,
            KeyCode::Char(']') => self.state.topic_scroll += 1,
            KeyCode::Char('[') => {
                self.state.topic_scroll = self.state.topic_scroll.saturating_sub(1);
            }
            _ => {}
        }
        Ok(true)
    }

    fn grade(&mut self, digit: char) -> Result<(), JudgeError> {
        let grade = digit.to_digit(10).unwrap_or_default() as u8;
        if !self.scale.contains(grade) {
            self.state.message = format!("{grade} is not on the scale; ? shows the grades");
            return Ok(());
        }
        let ms = self.shown.elapsed().as_millis() as u64;
        self.session.grade(grade, ms)?;
        self.show()
    }

    fn undo(&mut self) -> Result<(), JudgeError> {
        let message = if self.session.undo()? {
            self.show()?;
            "taken back"
        } else {
            "nothing to take back"
        };
        self.state.message = message.into();
        Ok(())
    }

    /// Shows the current document.
    fn show(&mut self) -> Result<(), JudgeError> {
        let pair = self.session.current();
        let page = pair.map(|pair| Page::new(pair, self.materials));
        self.state.show(page.transpose()?);
        self.shown = Instant::now();
        Ok(())
    }

    fn find(&mut self, text: String) {
        if !text.is_empty() {
            self.state.wanted = text;
        }
        if !self.state.find_next() {
            self.state.message = format!("`{}` is not in the document", self.state.wanted);
        }
    }
}

/// The next event; `None` if the terminal is gone.
fn next_event() -> Option<Event> {
    loop {
        // Reading from a terminal that was closed never returns, so that is looked for first.
        if Screen::is_closed(Duration::ZERO) {
            return None;
        }
        if poll(Duration::ZERO).ok()? {
            return read().ok();
        }
        if Screen::is_closed(PATIENCE) {
            return None;
        }
    }
}

enum Typed {
    More(String),
    Done(String),
    Cancelled,
}

/// A line of text after another key.
fn typed(mut text: String, key: KeyCode) -> Typed {
    match key {
        KeyCode::Enter => return Typed::Done(text),
        KeyCode::Esc => return Typed::Cancelled,
        KeyCode::Backspace => drop(text.pop()),
        KeyCode::Char(c) if text.chars().count() < LONGEST => text.push(c),
        _ => {}
    }
    Typed::More(text)
}
