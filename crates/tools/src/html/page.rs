//! A page, read from its start to its end.

use super::attributes::Attributes;
use super::elements::Elements;
use super::hidden::is_hidden;
use super::references::decode;
use super::sink::Sink;
use super::tag::{RAW, Tag};
use super::tokens::{Token, Tokens};

/// Gives what a page shows to the sink. Time and memory are in proportion to the page.
pub(super) fn read(html: &str, sink: &mut dyn Sink) {
    let mut page = Page {
        tokens: Tokens::new(html),
        elements: Elements::new(),
        svg: Svg::default(),
        text: String::new(),
        is_first: false,
    };
    while let Some(token) =
        page.tokens.next(page.elements.last(Tag::Math) > 0 || page.svg.depth > 0)
    {
        match token {
            Token::Text(raw) => page.text(raw, true, sink),
            Token::Cdata(raw) => page.text(raw, false, sink),
            Token::Start(name, attributes, closed) => page.start(name, &attributes, closed, sink),
            Token::End(name) => page.end(name, sink),
        }
    }
    page.elements.finish(sink);
}

/// Where in an SVG the place is, of which nothing is shown.
#[derive(Default)]
struct Svg {
    /// How many `svg` are open.
    depth: u32,
    /// How many elements are open in it that hold HTML.
    html: u32,
}

struct Page<'h> {
    tokens: Tokens<'h>,
    elements: Elements<'h>,
    svg: Svg,
    /// Decoded text; kept for its memory.
    text: String,
    /// The place is behind `<pre>`, where a line feed counts for nothing.
    is_first: bool,
}

impl<'h> Page<'h> {
    fn text(&mut self, raw: &str, references: bool, sink: &mut dyn Sink) {
        let is_first = std::mem::take(&mut self.is_first);
        if self.svg.depth > 0 || !self.elements.is_shown() {
            return;
        }
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        if references {
            decode(raw, false, &mut text);
        } else {
            text.push_str(raw);
        }
        sink.text(text.strip_prefix('\n').filter(|_| is_first).unwrap_or(&text));
        self.text = text;
    }

    fn start(
        &mut self,
        name: &'h str,
        attributes: &Attributes<'h>,
        closed: bool,
        sink: &mut dyn Sink,
    ) {
        self.is_first = false;
        let tag = Tag::parse(name);
        if self.svg.depth > 0 {
            if self.svg.html > 0 || !Elements::breaks_out(tag) {
                return self.start_in_svg(tag, name, closed);
            }
            self.svg = Svg::default();
        }
        match tag {
            Tag::Svg => self.svg.depth = u32::from(!closed),
            Tag::Head | Tag::Frameset => {}
            Tag::Html | Tag::Body => {
                if is_hidden(attributes) {
                    self.elements.hide_rest();
                }
            }
            tag if tag.is(RAW) => self.raw(tag, name, attributes, sink),
            // MathML has empty elements with `/>`; HTML has not.
            Tag::Math | Tag::Other if closed && self.elements.last(Tag::Math) > 0 => {}
            Tag::Math if closed => {}
            tag => {
                self.is_first = matches!(tag, Tag::Pre | Tag::Listing);
                let tag = if tag == Tag::Image { Tag::Img } else { tag };
                self.elements.start(tag, name, attributes, is_hidden(attributes), sink);
            }
        }
    }

    fn start_in_svg(&mut self, tag: Tag, name: &str, closed: bool) {
        let holds_html = matches!(tag, Tag::ForeignObject | Tag::Desc | Tag::Title);
        if self.svg.html > 0 && tag.is(RAW) && tag != Tag::Title {
            self.tokens.raw_text(name);
        } else if !closed {
            self.svg.depth += u32::from(tag == Tag::Svg);
            self.svg.html += u32::from(holds_html);
        }
    }

    fn end(&mut self, name: &str, sink: &mut dyn Sink) {
        self.is_first = false;
        let tag = Tag::parse(name);
        if self.svg.depth > 0 {
            match tag {
                Tag::Svg => {
                    self.svg.depth -= 1;
                    self.svg.html = self.svg.html.min(self.svg.depth);
                    return;
                }
                Tag::ForeignObject | Tag::Desc | Tag::Title => {
                    self.svg.html = self.svg.html.saturating_sub(1);
                    return;
                }
                _ if self.svg.html > 0 || self.elements.last(tag) == 0 || tag == Tag::Other => {
                    return;
                }
                // The end of what the SVG stands in.
                _ => self.svg = Svg::default(),
            }
        }
        match tag {
            Tag::Html | Tag::Head | Tag::Body => {}
            Tag::Br if self.elements.is_shown() => sink.start(Tag::Br, &Attributes::new("")),
            tag => self.elements.end(tag, name, sink),
        }
    }

    /// An element whose content is text without tags.
    fn raw(&mut self, tag: Tag, name: &str, attributes: &Attributes<'h>, sink: &mut dyn Sink) {
        let raw = match tag {
            Tag::Plaintext => self.tokens.rest(),
            _ => self.tokens.raw_text(name),
        };
        let is_shown = matches!(tag, Tag::Plaintext | Tag::Xmp | Tag::Textarea);
        if !is_shown || is_hidden(attributes) {
            return;
        }
        self.elements.make_room(tag, attributes, sink);
        if !self.elements.is_shown() {
            return;
        }
        sink.start(tag, attributes);
        self.is_first = tag == Tag::Textarea;
        self.text(raw, tag == Tag::Textarea, sink);
        sink.end(tag);
    }
}
