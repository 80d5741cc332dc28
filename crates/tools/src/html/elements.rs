//! The open elements, and which of them a tag ends: the parts of the WHATWG tree construction that decide
//! what is shown and where it stands.

use super::attributes::Attributes;
use super::sink::Sink;
use super::tag::{
    BLOCK, CLOSES_P, COUNT, DROP, ENDS, FORMAT, MARKER, SCOPE, SPECIAL, TABLE, Tag, VOID,
};

/// Elements deeper than this are shown but not kept.
const DEEPEST: u32 = 20_000;
/// The most elements of the kind FORMAT that are open side by side, and of unknown elements that an end tag
/// is compared with. Browsers have limits here as well.
const MOST: usize = 128;

/// An open element. Places are counted from 1; 0 is none.
struct Open<'h> {
    tag: Tag,
    name: &'h str,
    /// It was given to the sink.
    shown: bool,
    /// It hides its content.
    hides: bool,
    /// The element of the same tag below, and what the tops were before this one.
    same: u32,
    special: u32,
    special_but_plain: u32,
    scope: u32,
}

/// An open element of the kind FORMAT.
struct Format {
    tag: Tag,
    shown: bool,
    hides: bool,
}

/// The open elements.
pub(super) struct Elements<'h> {
    open: Vec<Open<'h>>,
    /// The innermost open element of each tag.
    last: [u32; COUNT],
    /// The innermost special element; the same without address, div and p; the innermost scope.
    special: u32,
    special_but_plain: u32,
    scope: u32,
    formats: Vec<Format>,
    /// Where in `formats` those of each open marker begin.
    markers: Vec<usize>,
    /// How many open elements hide their content.
    hidden: usize,
}

impl<'h> Elements<'h> {
    pub(super) fn new() -> Elements<'h> {
        Elements {
            open: Vec::new(),
            last: [0; COUNT],
            special: 0,
            special_but_plain: 0,
            scope: 0,
            formats: Vec::new(),
            markers: Vec::new(),
            hidden: 0,
        }
    }

    /// Is text at this place shown?
    pub(super) fn is_shown(&self) -> bool {
        self.hidden == 0
    }

    /// Hides all that follows.
    pub(super) fn hide_rest(&mut self) {
        self.hidden += 1;
    }

    /// The place of the innermost open element of a tag.
    pub(super) fn last(&self, tag: Tag) -> u32 {
        self.last.get(tag as usize).copied().unwrap_or(0)
    }

    /// The innermost of several tags.
    fn last_of(&self, tags: &[Tag]) -> u32 {
        tags.iter().map(|tag| self.last(*tag)).max().unwrap_or(0)
    }

    fn current(&self) -> Tag {
        self.open.last().map_or(Tag::Other, |open| open.tag)
    }

    /// The table that rows and cells belong to.
    fn table(&self) -> u32 {
        let table = self.last(Tag::Table);
        if table > self.last(Tag::Template) { table } else { 0 }
    }

    /// The part of this table that is open, if one of these is.
    fn part(&self, tags: &[Tag]) -> u32 {
        let part = self.last_of(tags);
        if part > self.table() { part } else { 0 }
    }

    /// A start tag. `hides`: its attributes hide it.
    pub(super) fn start(
        &mut self,
        tag: Tag,
        name: &'h str,
        attributes: &Attributes<'_>,
        hides: bool,
        sink: &mut dyn Sink,
    ) {
        if tag.is(TABLE) && self.table() == 0 {
            // A cell without a table is nothing; its text is kept apart all the same.
            if self.is_shown() {
                sink.text(" ");
            }
            return;
        }
        self.make_room(tag, attributes, sink);
        if tag.is(VOID) {
            if self.is_shown() && !hides {
                sink.start(tag, attributes);
            }
        } else if tag.is(FORMAT) {
            self.start_format(tag, attributes, hides, sink);
        } else {
            self.push(tag, name, attributes, hides, sink);
        }
    }

    /// Ends what cannot hold the element.
    pub(super) fn make_room(&mut self, tag: Tag, attributes: &Attributes<'_>, sink: &mut dyn Sink) {
        if tag.is(TABLE) {
            return self.make_room_in_table(tag, attributes, sink);
        }
        let place = match tag {
            Tag::Li => self.innermost(&[Tag::Li]),
            Tag::Dd | Tag::Dt => self.innermost(&[Tag::Dd, Tag::Dt]),
            Tag::Button => self.in_scope(Tag::Button),
            Tag::A => {
                self.end_format(Tag::A, sink);
                0
            }
            Tag::Table if self.table() > self.part(&[Tag::Td, Tag::Th, Tag::Caption]) => {
                self.table()
            }
            _ => 0,
        };
        if place > 0 {
            self.close(place, sink);
        }
        if tag.is(CLOSES_P) || matches!(tag, Tag::Li | Tag::Dd | Tag::Dt) {
            self.close_p(sink);
        }
        let ends_current = match self.current() {
            Tag::Option => matches!(tag, Tag::Option | Tag::Optgroup | Tag::Hr),
            Tag::Rt | Tag::Rp => matches!(tag, Tag::Rt | Tag::Rp),
            current => current.heading().is_some() && tag.heading().is_some(),
        };
        if ends_current {
            self.pop(sink);
        }
        if tag == Tag::Optgroup && self.current() == Tag::Optgroup {
            self.pop(sink);
        }
    }

    fn make_room_in_table(&mut self, tag: Tag, attributes: &Attributes<'_>, sink: &mut dyn Sink) {
        let body = self.part(&[Tag::Tbody, Tag::Thead, Tag::Tfoot]).max(self.table());
        let row = self.part(&[Tag::Tr]);
        match tag {
            Tag::Td | Tag::Th if row > 0 => self.close(row + 1, sink),
            Tag::Td | Tag::Th => {
                self.close(body + 1, sink);
                // The attributes are those of the cell; a row looks at none.
                self.push(Tag::Tr, "tr", attributes, false, sink);
            }
            Tag::Tr => self.close(body + 1, sink),
            _ => self.close(self.table() + 1, sink),
        }
    }

    /// The place of the innermost special element, but for address, div and p, if it is one of these.
    fn innermost(&self, tags: &[Tag]) -> u32 {
        let place = self.last_of(tags);
        if place == self.special_but_plain { place } else { 0 }
    }

    fn in_scope(&self, tag: Tag) -> u32 {
        let place = self.last(tag);
        if place >= self.scope { place } else { 0 }
    }

    fn close_p(&mut self, sink: &mut dyn Sink) {
        let place = self.in_scope(Tag::P);
        if place > self.last(Tag::Button) {
            self.close(place, sink);
        }
    }

    /// An end tag.
    pub(super) fn end(&mut self, tag: Tag, name: &str, sink: &mut dyn Sink) {
        let place = match tag {
            Tag::P => {
                // Without a paragraph the end tag is an empty one.
                if self.is_shown() && self.in_scope(tag) <= self.last(Tag::Button) {
                    sink.start(tag, &Attributes::new(""));
                    sink.end(tag);
                }
                return self.close_p(sink);
            }
            tag if tag.is(FORMAT) => return self.end_format(tag, sink),
            Tag::Table => self.table(),
            tag if tag.is(TABLE) => self.part(&[tag]),
            Tag::Template => self.last(tag),
            Tag::Li if self.last_of(&[Tag::Ul, Tag::Ol]) > self.last(tag) => 0,
            tag if tag.heading().is_some() => {
                let place = self.last_of(&[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]);
                if place >= self.scope { place } else { 0 }
            }
            Tag::Li | Tag::Dd | Tag::Dt => self.in_scope(tag),
            tag if tag.is(ENDS) => self.in_scope(tag),
            _ => self.inline(tag, name),
        };
        if place > 0 {
            self.close(place, sink);
        }
    }

    /// The place of an element that an end tag of an inline element ends.
    fn inline(&self, tag: Tag, name: &str) -> u32 {
        let mut place = self.last(tag);
        for _ in 0..MOST {
            if place < self.special || place == 0 {
                return 0;
            }
            let Some(open) = self.open.get(place as usize - 1) else { return 0 };
            if tag != Tag::Other || open.name.eq_ignore_ascii_case(name) {
                return place;
            }
            place = open.same;
        }
        0
    }

    fn push(
        &mut self,
        tag: Tag,
        name: &'h str,
        attributes: &Attributes<'_>,
        hides: bool,
        sink: &mut dyn Sink,
    ) {
        let hides = hides || tag.is(DROP);
        let shown = self.is_shown() && !hides;
        if shown {
            sink.start(tag, attributes);
        }
        let place = self.open.len() as u32 + 1;
        if place > DEEPEST {
            if shown {
                sink.end(tag);
            }
            // Better too little than what a page hides.
            self.hidden += usize::from(hides);
            return;
        }
        let same = self.last(tag);
        let Elements { special, special_but_plain, scope, .. } = *self;
        let open = Open { tag, name, shown, hides, same, special, special_but_plain, scope };
        self.open.push(open);
        if let Some(last) = self.last.get_mut(tag as usize) {
            *last = place;
        }
        if tag.is(SPECIAL) {
            self.special = place;
            if !matches!(tag, Tag::Address | Tag::Div | Tag::P) {
                self.special_but_plain = place;
            }
        }
        if tag.is(SCOPE) {
            self.scope = place;
        }
        if tag.is(MARKER) {
            self.markers.push(self.formats.len());
        }
        self.hidden += usize::from(hides);
    }

    fn pop(&mut self, sink: &mut dyn Sink) {
        let Some(open) = self.open.pop() else { return };
        if open.tag.is(MARKER) {
            let from = self.markers.pop().unwrap_or(0);
            while self.formats.len() > from {
                let Some(format) = self.formats.pop() else { break };
                self.ended(format, sink);
            }
        }
        if let Some(last) = self.last.get_mut(open.tag as usize) {
            *last = open.same;
        }
        (self.special, self.special_but_plain) = (open.special, open.special_but_plain);
        self.scope = open.scope;
        self.hidden -= usize::from(open.hides);
        if open.shown {
            sink.end(open.tag);
        }
    }

    /// Ends the element at a place and all in it.
    fn close(&mut self, place: u32, sink: &mut dyn Sink) {
        while self.open.len() as u32 >= place {
            self.pop(sink);
        }
    }

    /// Ends all.
    pub(super) fn finish(&mut self, sink: &mut dyn Sink) {
        self.close(1, sink);
        while let Some(format) = self.formats.pop() {
            self.ended(format, sink);
        }
    }

    fn ended(&mut self, format: Format, sink: &mut dyn Sink) {
        self.hidden -= usize::from(format.hides);
        if format.shown {
            sink.end(format.tag);
        }
    }

    fn start_format(
        &mut self,
        tag: Tag,
        attributes: &Attributes<'_>,
        hides: bool,
        sink: &mut dyn Sink,
    ) {
        let from = self.markers.last().copied().unwrap_or(0);
        if self.formats.len() - from.min(self.formats.len()) >= MOST {
            self.hidden += usize::from(hides);
            return;
        }
        let shown = self.is_shown() && !hides;
        if shown {
            sink.start(tag, attributes);
        }
        self.hidden += usize::from(hides);
        self.formats.push(Format { tag, shown, hides });
    }

    /// Ends the last open element of this kind FORMAT, where it stands.
    fn end_format(&mut self, tag: Tag, sink: &mut dyn Sink) {
        let from = self.markers.last().copied().unwrap_or(0);
        let own = self.formats.get(from..).unwrap_or_default();
        if let Some(at) = own.iter().rposition(|format| format.tag == tag) {
            let format = self.formats.remove(from + at);
            self.ended(format, sink);
        }
    }

    /// Is the element one that SVG cannot hold? It ends the SVG.
    pub(super) fn breaks_out(tag: Tag) -> bool {
        tag.is(BLOCK | FORMAT) && tag != Tag::A || matches!(tag, Tag::Br | Tag::Img | Tag::Body)
    }
}
