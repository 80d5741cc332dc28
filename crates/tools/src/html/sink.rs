//! What is made of a page.

use super::attributes::Attributes;
use super::tag::Tag;

/// Takes what is shown of a page, in order. Elements are nested properly, but for those of the kind FORMAT,
/// which may end in any order.
pub(super) trait Sink {
    /// An element begins; a void one does not end.
    fn start(&mut self, tag: Tag, attributes: &Attributes<'_>);
    /// The element ends.
    fn end(&mut self, tag: Tag);
    /// Text, decoded, with its white space.
    fn text(&mut self, text: &str);
}
