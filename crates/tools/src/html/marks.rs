//! The marks of emphasis, links and code in a line. A mark is written only when text follows, and ended with
//! the block: it is written again in the next one.

use super::writer::{Writer, longest_run};

/// A kind of mark.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum MarkKind {
    Strong,
    Emphasis,
    Deleted,
    Link,
    Code,
}

/// How many kinds there are.
const KINDS: usize = 5;

struct Mark {
    kind: MarkKind,
    /// Where it is written, behind the mark; `None` if it is not written.
    from: Option<usize>,
}

/// The marks that are open, in their order. Code is the last one always, so that links are around it.
pub(super) struct Marks {
    open: Vec<Mark>,
    /// How often each is open.
    counts: [u32; KINDS],
    /// The targets of the open links, innermost last. Within a link there is no other.
    links: Vec<Option<String>>,
    /// The mark that was ended last, and where.
    ended: Option<(MarkKind, usize)>,
}

impl Marks {
    pub(super) fn new() -> Marks {
        Marks { open: Vec::new(), counts: [0; KINDS], links: Vec::new(), ended: None }
    }

    pub(super) fn is_open(&self, kind: MarkKind) -> bool {
        self.counts.get(kind as usize).is_some_and(|count| *count > 0)
    }

    /// Opens a mark; within code there is no emphasis.
    pub(super) fn start(&mut self, kind: MarkKind, writer: &mut Writer) {
        let Some(count) = self.counts.get_mut(kind as usize) else { return };
        *count += 1;
        if *count > 1 {
            return;
        }
        let code = self.open.iter().position(|mark| mark.kind == MarkKind::Code);
        match code {
            Some(at) if kind == MarkKind::Link => {
                self.end_from(at, writer);
                self.open.insert(at, Mark { kind, from: None });
            }
            Some(_) => {}
            None => self.open.push(Mark { kind, from: None }),
        }
    }

    pub(super) fn end(&mut self, kind: MarkKind, writer: &mut Writer) {
        let Some(count) = self.counts.get_mut(kind as usize) else { return };
        *count = count.saturating_sub(1);
        if *count > 0 {
            return;
        }
        if let Some(at) = self.open.iter().position(|mark| mark.kind == kind) {
            self.end_from(at, writer);
            self.open.retain(|mark| mark.kind != kind);
        }
    }

    pub(super) fn start_link(&mut self, target: Option<String>, writer: &mut Writer) {
        let target = target.filter(|_| !self.is_open(MarkKind::Link));
        if target.is_some() {
            self.start(MarkKind::Link, writer);
        }
        self.links.push(target);
    }

    pub(super) fn end_link(&mut self, writer: &mut Writer) {
        let is_open = self.links.last().is_some_and(Option::is_some);
        if is_open {
            self.end(MarkKind::Link, writer);
        }
        self.links.pop();
    }

    /// The block ends. A link is not written again in the next one: its target is written once.
    pub(super) fn end_block(&mut self, writer: &mut Writer) {
        self.end_from(0, writer);
        self.ended = None;
    }

    /// Ends what is written, from the innermost to the mark at this place.
    fn end_from(&mut self, at: usize, writer: &mut Writer) {
        let mut ended_link = false;
        for mark in self.open.iter_mut().skip(at).rev() {
            let Some(from) = mark.from.take() else { continue };
            match mark.kind {
                MarkKind::Link => {
                    let target = self.links.iter().rev().flatten().next();
                    writer.out.push_str("](");
                    writer.out.push_str(target.map_or("", String::as_str));
                    writer.out.push(')');
                    ended_link = true;
                }
                MarkKind::Code => fence(from, writer),
                kind => writer.out.push_str(sign(kind)),
            }
            self.ended = Some((mark.kind, writer.out.len()));
        }
        if ended_link {
            self.open.retain(|mark| mark.kind != MarkKind::Link);
        }
    }

    /// Writes the marks that are not written yet: text follows.
    pub(super) fn write(&mut self, writer: &mut Writer) {
        for mark in self.open.iter_mut().filter(|mark| mark.from.is_none()) {
            let sign = sign(mark.kind);
            let length = writer.out.len();
            match mark.kind {
                MarkKind::Code => {
                    // Two spans side by side would be read as one.
                    if self.ended == Some((MarkKind::Code, length)) {
                        writer.out.push(' ');
                    }
                }
                MarkKind::Link => {
                    // `![` would be an image.
                    if writer.out.ends_with('!') && !writer.out.ends_with("\\!") {
                        writer.out.pop();
                        writer.out.push_str("\\!");
                    }
                    writer.out.push('[');
                }
                kind if self.ended == Some((kind, length)) => {
                    // `**a****b**` is `**ab**`.
                    writer.out.truncate(length - sign.len());
                }
                _ => writer.out.push_str(sign),
            }
            self.ended = None;
            mark.from = Some(writer.out.len());
            writer.at_start = false;
        }
    }
}

fn sign(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Strong => "**",
        MarkKind::Emphasis => "*",
        MarkKind::Deleted => "~~",
        MarkKind::Link | MarkKind::Code => "",
    }
}

/// Makes a code span of all that was written from this place on.
pub(super) fn fence(from: usize, writer: &mut Writer) {
    let code = writer.out.get(from..).unwrap_or_default();
    let mut fence = "`".repeat(longest_run(code) + 1);
    let is_padded = code.starts_with('`') || code.ends_with('`');
    if is_padded {
        fence.push(' ');
    }
    writer.out.insert_str(from, &fence);
    if is_padded {
        writer.out.push(' ');
    }
    writer.out.push_str(fence.trim_end());
}
