//! Tables of Markdown, out of what was written of a table block by block.

use super::attributes::Attributes;
use super::writer::{Gap, Margin, Writer};

/// The most columns that one cell covers, and rows.
const WIDEST: u32 = 32;
const TALLEST: u32 = 1_000;

/// A cell: where its text is in the output.
struct Cell {
    from: usize,
    to: usize,
    columns: u32,
    rows: u32,
}

#[derive(Default)]
struct Row {
    cells: Vec<Cell>,
    has_data: bool,
    is_head: bool,
}

/// A table that is being written. Its cells stand in the output one below the other until it ends; then they
/// become rows, or stay so if a cell has what no row can hold.
pub(super) struct Table {
    from: usize,
    margin: Margin,
    rows: Vec<Row>,
    /// Where what belongs to no cell begins.
    mark: usize,
    /// Such text, as the caption.
    strays: Vec<(usize, usize)>,
    in_head: bool,
    pub(super) is_layout: bool,
}

impl Table {
    /// A table begins; the block before it has ended.
    pub(super) fn new(attributes: &Attributes<'_>, writer: &Writer) -> Table {
        let role = attributes.get("role").unwrap_or_default();
        Table {
            from: writer.out.len(),
            margin: writer.margin.clone(),
            rows: Vec::new(),
            mark: writer.out.len(),
            strays: Vec::new(),
            in_head: false,
            is_layout: matches!(&*role, "presentation" | "none"),
        }
    }

    pub(super) fn head(&mut self, is_open: bool) {
        self.in_head = is_open;
    }

    pub(super) fn start_row(&mut self) {
        self.rows.push(Row { is_head: self.in_head, ..Row::default() });
    }

    pub(super) fn start_cell(&mut self, is_data: bool, attributes: &Attributes<'_>, at: usize) {
        if at > self.mark {
            self.strays.push((self.mark, at));
        }
        let span = |name, most| {
            let value = attributes.get(name);
            value.and_then(|v| v.trim().parse().ok()).unwrap_or(1_u32).clamp(1, most)
        };
        let cell = Cell {
            from: at,
            to: at,
            columns: span("colspan", WIDEST),
            rows: span("rowspan", TALLEST),
        };
        if let Some(row) = self.rows.last_mut() {
            row.has_data |= is_data;
            row.cells.push(cell);
        }
    }

    pub(super) fn end_cell(&mut self, at: usize) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.cells.last_mut()) {
            cell.to = at;
        }
        self.mark = at;
    }

    /// The table ends: its rows take the place of what was written since it began.
    pub(super) fn finish(mut self, writer: &mut Writer) {
        self.rows.retain(|row| !row.cells.is_empty());
        let count: usize = self.rows.iter().map(|row| row.cells.len()).sum();
        if self.is_layout || count < 2 {
            return;
        }
        if writer.out.len() > self.mark {
            self.strays.push((self.mark, writer.out.len()));
        }
        let written = writer.out.split_off(self.from);
        let text = |from: usize, to: usize| {
            written.get(from - self.from..to - self.from).unwrap_or_default()
        };
        let outer = self.margin.clone();
        writer.margin = self.margin;
        for (from, to) in self.strays {
            let stray = text(from, to).split('\n').map(|line| writer.without_prefix(line, &outer));
            let stray: Vec<_> = stray.filter(|line| !line.is_empty()).collect();
            for line in stray {
                writer.begin();
                writer.out.push_str(line);
                writer.block(Gap::Blank);
            }
        }
        let mut grid = Grid { covered: Vec::new(), steps: count * 4 + 256, columns: 0 };
        let mut lines = Vec::with_capacity(self.rows.len() + 1);
        for row in &self.rows {
            let mut cells = row.cells.iter().map(|cell| {
                let mut content = String::new();
                for line in text(cell.from, cell.to).split('\n') {
                    let line = writer.without_prefix(line, &outer);
                    if !line.is_empty() && !content.is_empty() {
                        content.push_str("<br>");
                    }
                    content.push_str(&line.replace('|', "\\|"));
                }
                (content, cell.columns, cell.rows)
            });
            lines.push(grid.line(&mut cells));
        }
        // A table without a head has an empty one. It says how many columns there are; rows may have fewer.
        if !self.rows.first().is_some_and(|row| row.is_head || !row.has_data) {
            lines.insert(0, (String::new(), 0));
        }
        for (at, (line, width)) in lines.into_iter().enumerate() {
            writer.begin();
            writer.out.push_str(&line);
            if at == 0 {
                writer.out.push_str(&"|  ".repeat(grid.columns - width.min(grid.columns)));
                writer.out.push('|');
                writer.line(false);
                writer.out.push_str(&"| --- ".repeat(grid.columns));
            }
            writer.out.push('|');
            writer.block(Gap::Line);
        }
        writer.block(Gap::Blank);
    }
}

/// Where cells come to stand in their rows.
struct Grid {
    /// For each column the rows that a cell above still covers.
    covered: Vec<u32>,
    /// How much may still be spent on empty places: in proportion to the cells.
    steps: usize,
    columns: usize,
}

impl Grid {
    /// A row without its last `|`, and how many columns it has. Cells: text, columns, rows.
    fn line(&mut self, cells: &mut dyn Iterator<Item = (String, u32, u32)>) -> (String, usize) {
        let mut line = String::new();
        let mut column = 0;
        for (text, columns, rows) in cells {
            self.pass_covered(&mut column, &mut line);
            line.push_str("| ");
            line.push_str(&text);
            line.push(' ');
            line.push_str(&"|  ".repeat(columns as usize - 1));
            for _ in 0..columns {
                if rows > 1 {
                    if self.covered.len() <= column {
                        self.covered.resize(column + 1, 0);
                    }
                    if let Some(covered) = self.covered.get_mut(column) {
                        *covered = rows - 1;
                    }
                }
                column += 1;
            }
        }
        self.pass_covered(&mut column, &mut line);
        self.columns = self.columns.max(column);
        (line, column)
    }

    /// Leaves the places empty that a cell above covers.
    fn pass_covered(&mut self, column: &mut usize, line: &mut String) {
        while let Some(covered) = self.covered.get_mut(*column).filter(|covered| **covered > 0) {
            if self.steps == 0 {
                self.covered.clear();
                return;
            }
            self.steps -= 1;
            *covered -= 1;
            *column += 1;
            line.push_str("|  ");
        }
    }
}
