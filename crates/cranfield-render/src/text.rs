//! Tables for a terminal. One that is too wide is broken into blocks of columns, each with the table's keys.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::{Align, Cell, Table, visible};

/// Longest name in a cell of a table with a limited width; longer ones are shortened in the middle.
const MAX_CELL: usize = 48;
/// Longest title in such a cell; it takes what the other columns leave.
const MAX_PROSE: usize = 120;
/// A column that gives way keeps this many.
const MIN_SHRUNK: usize = 10;
/// Spaces between columns.
const GAP: &str = "  ";

pub(crate) fn render(table: &Table) -> String {
    let most = if table.width == usize::MAX {
        usize::MAX
    } else {
        MAX_CELL
    };
    let header: Vec<String> = table
        .columns
        .iter()
        .map(|column| shorten(&column.name, most))
        .collect();
    let mut rows: Vec<Vec<String>> = table
        .rounded_rows("–", |text| shorten(text, most), |marks| format!(" {marks}"))
        .collect();
    pad_marks(table, &mut rows);
    begin_prose(table, &mut rows, most);
    let mut widths: Vec<usize> = (0..header.len())
        .map(|at| width_of(at, &header, &rows))
        .collect();
    for (at, room) in given_way(table, &widths) {
        let shorten = if table.columns[at].is_prose {
            beginning
        } else {
            shorten
        };
        for row in &mut rows {
            row[at] = shorten(&row[at], room);
        }
        widths[at] = width_of(at, &header, &rows);
    }
    let blocks = split(&widths, table.keys, table.width);
    let blocks: Vec<String> = blocks
        .iter()
        .map(|columns| block(table, columns, &widths, &header, &rows))
        .collect();
    blocks.join("\n")
}

/// Pads the marks of a column to the same width, so that its numbers line up.
fn pad_marks(table: &Table, rows: &mut [Vec<String>]) {
    let width = |row: usize, at: usize| table.rows[row][at].marks().map_or(0, |it| 1 + it.width());
    for at in 0..table.columns.len() {
        let widest = (0..rows.len()).map(|row| width(row, at)).max();
        for (row, cells) in rows.iter_mut().enumerate() {
            cells[at].push_str(&" ".repeat(widest.unwrap_or(0) - width(row, at)));
        }
    }
}

/// Replaces what was cut out of the middle of prose.
fn begin_prose(table: &Table, rows: &mut [Vec<String>], most: usize) {
    let most = if most == MAX_CELL { MAX_PROSE } else { most };
    let columns = table.columns.iter().enumerate();
    for (at, _) in columns.filter(|(_, column)| column.is_prose) {
        for (row, cells) in rows.iter_mut().zip(&table.rows) {
            if let Cell::Text(text) = &cells[at] {
                row[at] = beginning(text, most);
            }
        }
    }
}

/// Columns that give way, and the room that is left to each: the widest of them narrows first, until all columns fit.
fn given_way(table: &Table, widths: &[usize]) -> Vec<(usize, usize)> {
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    let needed = widths.iter().sum::<usize>() + gaps;
    let columns = table.shrink.iter().filter(|at| **at < widths.len());
    let mut rooms: Vec<(usize, usize)> = columns.map(|at| (*at, widths[*at])).collect();
    for _ in table.width..needed {
        match rooms.iter_mut().max_by_key(|(_, room)| *room) {
            Some((_, room)) if *room > MIN_SHRUNK => *room -= 1,
            _ => break,
        }
    }
    rooms
}

fn width_of(column: usize, header: &[String], rows: &[Vec<String>]) -> usize {
    let cells = rows.iter().map(|row| row[column].width());
    cells.chain([header[column].width()]).max().unwrap_or(0)
}

/// Columns of each block: the first ones, which are keys, and as many others as fit.
fn split(widths: &[usize], keys: usize, available: usize) -> Vec<Vec<usize>> {
    let keys: Vec<usize> = (0..keys.min(widths.len())).collect();
    let first: usize = keys.iter().map(|at| widths[*at] + GAP.len()).sum();
    let mut blocks = Vec::new();
    let (mut columns, mut used) = (keys.clone(), first);
    for (at, width) in widths.iter().enumerate().skip(keys.len()) {
        if used + width > available && columns.len() > keys.len() {
            blocks.push(std::mem::replace(&mut columns, keys.clone()));
            used = first;
        }
        columns.push(at);
        used += width + GAP.len();
    }
    blocks.push(columns);
    blocks
}

fn block(
    table: &Table,
    columns: &[usize],
    widths: &[usize],
    header: &[String],
    rows: &[Vec<String>],
) -> String {
    let mut out = String::new();
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        let start = out.len();
        for at in columns {
            let padding = " ".repeat(widths[*at] - row[*at].width());
            let (before, after) = match table.columns[*at].align {
                Align::Right => (&*padding, ""),
                Align::Left => ("", &*padding),
            };
            for part in [before, &row[*at], after, GAP] {
                out.push_str(part);
            }
        }
        out.truncate(start + out[start..].trim_end().len());
        out.push('\n');
    }
    out
}

/// Cuts the end off a long text.
fn beginning(text: &str, most: usize) -> String {
    let text = visible(text);
    if text.width() <= most {
        return text;
    }
    let (mut out, mut used) = (String::new(), 1);
    for letter in text.chars() {
        used += letter.width().unwrap_or(0);
        if used > most {
            break;
        }
        out.push(letter);
    }
    out.truncate(out.trim_end().len());
    out + "…"
}

/// Cuts the middle out of a long name: names mostly differ at their ends.
fn shorten(text: &str, most: usize) -> String {
    let letters: Vec<char> = visible(text).chars().collect();
    if letters.len() <= most {
        return letters.into_iter().collect();
    }
    let kept = most.saturating_sub(1) / 2;
    let (start, end) = (&letters[..kept], &letters[letters.len() - kept..]);
    start.iter().chain(&['…']).chain(end).collect()
}
