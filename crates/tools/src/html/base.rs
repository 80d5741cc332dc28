//! What the relative links of a page are relative to.

use super::attributes::Attributes;
use super::sink::Sink;
use super::tag::Tag;

/// Finds the first `base` element that has a target.
#[derive(Default)]
pub(super) struct Base {
    pub(super) href: Option<String>,
}

impl Sink for Base {
    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>) {
        if tag == Tag::Base && self.href.is_none() {
            self.href = attributes.get("href");
        }
    }

    fn end(&mut self, _: Tag) {}

    fn text(&mut self, _: &str) {}
}
