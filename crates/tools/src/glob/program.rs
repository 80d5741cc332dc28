//! A compiled pattern. It runs as a set of states over the path, so no pattern takes exponential time.

/// One step. Steps follow each other; `Fork` and `Jump` name another step by its index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Op {
    /// This character.
    Char(char),
    /// One character but `/`.
    One,
    /// Any run of characters without `/`.
    Star,
    /// Any run of characters.
    Stars,
    /// One character, not `/`, in (or not in) the ranges from `from` to `to` of the table.
    Class { from: u32, to: u32, negated: bool },
    /// The next step, and also that one.
    Fork(u32),
    /// That step.
    Jump(u32),
}

/// The steps of a pattern. It matches when a state arrives behind the last one.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    ops: Vec<Op>,
    ranges: Vec<(char, char)>,
    /// What every match begins and ends with: nearly all paths are refused by these alone.
    prefix: String,
    suffix: String,
    /// No step but characters: the prefix is the whole.
    is_literal: bool,
}

impl Program {
    pub(super) fn new(ops: Vec<Op>, ranges: Vec<(char, char)>) -> Program {
        let char_of = |op: &Op| if let Op::Char(c) = op { Some(*c) } else { None };
        let prefix: String = ops.iter().map_while(char_of).collect();
        // Characters before a step that others lead to may be passed over.
        let target = |op: &Op| match op {
            Op::Fork(to) | Op::Jump(to) => *to as usize,
            _ => 0,
        };
        let joined = ops.iter().map(target).max().unwrap_or(0);
        let last = ops.get(joined..).unwrap_or_default();
        let reversed: Vec<char> = last.iter().rev().map_while(char_of).collect();
        let suffix = reversed.into_iter().rev().collect();
        let is_literal = ops.iter().all(|op| char_of(op).is_some());
        Program { ops, ranges, prefix, suffix, is_literal }
    }

    /// Does the whole path match?
    pub(super) fn matches(&self, path: &str) -> bool {
        if self.is_literal {
            return path == self.prefix;
        }
        if !path.starts_with(&*self.prefix) || !path.ends_with(&*self.suffix) {
            return false;
        }
        let mut now = States::new(self.ops.len() + 1);
        let mut next = States::new(self.ops.len() + 1);
        now.enter(0, &self.ops);
        for c in path.chars() {
            next.clear();
            for at in now.list.iter().map(|at| *at as usize) {
                let Some(op) = self.ops.get(at) else { continue };
                let to = match *op {
                    Op::Char(own) if own == c => at + 1,
                    Op::One if c != '/' => at + 1,
                    Op::Class { from, to, negated } if c != '/' => {
                        let ranges = self.ranges.get(from as usize..to as usize);
                        let inside = |r: &(char, char)| r.0 <= c && c <= r.1;
                        if ranges.unwrap_or_default().iter().any(inside) == negated {
                            continue;
                        }
                        at + 1
                    }
                    Op::Star if c != '/' => at,
                    Op::Stars => at,
                    _ => continue,
                };
                next.enter(to, &self.ops);
            }
            std::mem::swap(&mut now, &mut next);
            if now.list.is_empty() {
                return false;
            }
        }
        now.list.contains(&(self.ops.len() as u32))
    }
}

/// A set of steps, each once.
struct States {
    list: Vec<u32>,
    is_in: Vec<bool>,
    waiting: Vec<u32>,
}

impl States {
    fn new(count: usize) -> States {
        States { list: Vec::new(), is_in: vec![false; count], waiting: Vec::new() }
    }

    fn clear(&mut self) {
        for at in self.list.drain(..) {
            if let Some(flag) = self.is_in.get_mut(at as usize) {
                *flag = false;
            }
        }
    }

    /// Adds a step and those that it leads to without a character.
    fn enter(&mut self, at: usize, ops: &[Op]) {
        self.waiting.push(at as u32);
        while let Some(at) = self.waiting.pop() {
            match self.is_in.get_mut(at as usize) {
                Some(flag) if !*flag => *flag = true,
                _ => continue,
            }
            self.list.push(at);
            match ops.get(at as usize) {
                Some(Op::Star | Op::Stars) => self.waiting.push(at + 1),
                Some(Op::Jump(to)) => self.waiting.push(*to),
                Some(Op::Fork(to)) => self.waiting.extend([at + 1, *to]),
                _ => {}
            }
        }
    }
}
