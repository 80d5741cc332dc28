//! The grammar of globs: a pattern into the steps of a program, in one pass.

use super::glob_error::GlobError;
use super::program::{Op, Program};

/// A group of alternatives that is still open.
struct Group {
    at: usize,
    /// The fork in front of the current alternative, to be led to the next one.
    fork: usize,
    /// The jumps at the ends of the finished alternatives, to be led behind the group.
    jumps: Vec<usize>,
    /// The number of steps when the current alternative began.
    start: usize,
}

/// What is read of a pattern.
pub(super) struct Parser<'p> {
    pattern: &'p str,
    at: usize,
    /// Where the pattern begins in what was given: errors name places in the latter.
    offset: usize,
    /// The character before the current one; none at the start.
    previous: Option<char>,
    literal_brackets: bool,
    has_class: bool,
    ops: Vec<Op>,
    ranges: Vec<(char, char)>,
    groups: Vec<Group>,
}

impl<'p> Parser<'p> {
    /// `literal_brackets`: `[` and `]` stand for themselves.
    pub(super) fn new(pattern: &'p str, offset: usize, literal_brackets: bool) -> Parser<'p> {
        Parser {
            pattern,
            at: 0,
            offset,
            previous: None,
            literal_brackets,
            has_class: false,
            ops: Vec::new(),
            ranges: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// The program, and whether it has a class. `at_any_depth`: folders may stand in front.
    pub(super) fn parse(mut self, at_any_depth: bool) -> Result<(Program, bool), GlobError> {
        if at_any_depth {
            self.folders();
        }
        let start = self.ops.len();
        while let Some(c) = self.next() {
            let at = self.at - c.len_utf8();
            match c {
                '?' => self.ops.push(Op::One),
                '*' => self.star(start),
                '[' if !self.literal_brackets => self.class(at)?,
                '{' => self.open(at),
                '}' => self.close(at)?,
                ',' if !self.groups.is_empty() => self.alternative(),
                '\\' => match self.next() {
                    Some(c) => self.ops.push(Op::Char(c)),
                    None => return Err(self.error(at, "a backslash at the end escapes nothing")),
                },
                c => self.ops.push(Op::Char(c)),
            }
            self.previous = self.pattern.get(..self.at).and_then(|read| read.chars().next_back());
        }
        if let Some(group) = self.groups.last() {
            return Err(self.error(group.at, "this { has no }"));
        }
        if self.pattern.ends_with("/**") {
            // What is in the folder, which has a name, and not the folder.
            self.ops.push(Op::One);
        }
        Ok((Program::new(self.ops, self.ranges), self.has_class))
    }

    fn error(&self, at: usize, message: &'static str) -> GlobError {
        GlobError { at: at + self.offset, message }
    }

    fn peek(&self) -> Option<char> {
        self.pattern.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Any number of folders, none included.
    fn folders(&mut self) {
        let behind = self.ops.len() as u32 + 3;
        self.ops.extend([Op::Fork(behind), Op::Stars, Op::Char('/')]);
    }

    /// Reads the second `*` if there is one. Only a `**` that is a whole component crosses folders.
    fn star(&mut self, start: usize) {
        if self.peek() != Some('*') {
            self.ops.push(Op::Star);
            return;
        }
        self.at += 1;
        let start = self.groups.last().map_or(start, |group| group.start);
        let is_first = self.ops.len() == start;
        if !is_first && self.previous != Some('/') {
            self.ops.push(Op::Star);
            return;
        }
        match self.peek() {
            Some('/') => {
                self.at += 1;
                self.folders();
            }
            None => self.ops.push(Op::Stars),
            Some(',' | '}') if !is_first && !self.groups.is_empty() => self.ops.push(Op::Stars),
            _ => self.ops.push(Op::Star),
        }
    }

    /// Reads a class, whose `[` is at `open`.
    fn class(&mut self, open: usize) -> Result<(), GlobError> {
        let negated = matches!(self.peek(), Some('!' | '^'));
        self.at += usize::from(negated);
        let from = self.ranges.len();
        let (mut is_first, mut in_range) = (true, false);
        // A `-` stands for itself at the start, at the end and behind a range.
        let mut may_be_range = false;
        loop {
            let at = self.at;
            let mut c =
                self.next().ok_or_else(|| self.error(open, "this [ has no ] (write \\[ for [)"))?;
            if c == ']' && !is_first {
                break;
            }
            if c == '-' && may_be_range {
                (in_range, may_be_range) = (true, false);
                continue;
            }
            if c == '\\' {
                c = self.next().ok_or_else(|| self.error(open, "this [ has no ]"))?;
            }
            match self.ranges.last_mut() {
                Some(range) if in_range => {
                    if range.0 > c {
                        return Err(self.error(at, "this range of a class ends before it begins"));
                    }
                    range.1 = c;
                }
                _ => {
                    self.ranges.push((c, c));
                    may_be_range = true;
                }
            }
            (is_first, in_range) = (false, false);
        }
        if in_range {
            self.ranges.push(('-', '-'));
        }
        self.has_class = true;
        let to = self.ranges.len() as u32;
        self.ops.push(Op::Class { from: from as u32, to, negated });
        Ok(())
    }

    fn open(&mut self, at: usize) {
        let fork = self.ops.len();
        self.ops.push(Op::Fork(0));
        self.groups.push(Group { at, fork, jumps: Vec::new(), start: fork + 1 });
    }

    fn alternative(&mut self) {
        let Some(group) = self.groups.last_mut() else { return };
        group.jumps.push(self.ops.len());
        self.ops.push(Op::Jump(0));
        let fork = self.ops.len();
        if let Some(op) = self.ops.get_mut(group.fork) {
            *op = Op::Fork(fork as u32);
        }
        self.ops.push(Op::Fork(0));
        (group.fork, group.start) = (fork, fork + 1);
    }

    fn close(&mut self, at: usize) -> Result<(), GlobError> {
        let Some(group) = self.groups.pop() else {
            return Err(self.error(at, "this } has no { (write \\} for })"));
        };
        let behind = self.ops.len() as u32;
        // The last alternative has none after it.
        if let Some(op) = self.ops.get_mut(group.fork) {
            *op = Op::Fork(group.start as u32);
        }
        for jump in group.jumps {
            if let Some(op) = self.ops.get_mut(jump) {
                *op = Op::Jump(behind);
            }
        }
        Ok(())
    }
}
