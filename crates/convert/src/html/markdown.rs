//! Markdown to HTML that is safe to show, even if the Markdown is hostile.

use crate::output::BoundedOutput;
use apex_parts_model::Error;
use pulldown_cmark::{Alignment, Event, Options, Parser, Tag, TagEnd, html};

/// Converts Markdown (CommonMark with tables, task lists and strike-through) to HTML. Raw HTML becomes
/// text. Links are kept to `http:`, `https:`, `mailto:` and `#` only, others become their text. Images
/// are shown only from `data:` URLs of bitmaps, others become links.
///
/// ```
/// use apex_parts_convert::markdown_to_html;
/// assert_eq!(markdown_to_html("*hi* <b onclick=x>")?, "<p><em>hi</em> &lt;b onclick=x&gt;</p>\n");
/// assert_eq!(markdown_to_html("[x](javascript:alert(1))")?, "<p>x</p>\n");
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
///
/// # Errors
/// `PartValidationError` (`limit`) if the HTML is too long, or the text has more than 8,388,608 characters
/// that may be markup.
pub fn markdown_to_html(text: &str) -> Result<String, Error> {
    let mut html = String::new();
    let mut out = BoundedOutput::new(&mut html);
    write_markdown(text, &mut out);
    out.finish()?;
    Ok(html)
}

/// The most characters that may be markup. The parser keeps up to two nodes of 40 bytes for each, and
/// three times as much while it reallocates.
const MOST_MARKS: usize = 1 << 23;

/// Has the text more than `most` characters that may be markup?
fn has_too_many_marks(text: &str, most: usize) -> bool {
    text.len() > most
        && text.bytes().filter(|byte| b"\n\r!#&)*+-.<>[]\\_`|~".contains(byte)).count() > most
}

/// Writes Markdown as HTML.
#[inline(never)] // it has several callers, and is large
pub(crate) fn write_markdown(text: &str, out: &mut BoundedOutput<'_>) {
    if has_too_many_marks(text, MOST_MARKS) {
        return out.give_up();
    }
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    // What each open link or image was written as. A link in a link would end the outer one: so an image
    // in a link that is not shown becomes its text.
    let mut open: Vec<InlineElement> = Vec::new();
    let mut table = TableWriter::default();
    let events = Parser::new_ext(text, options).filter_map(|event| match event {
        Event::Html(raw) | Event::InlineHtml(raw) => Some(Event::Text(raw)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let shown =
                if is_safe_link(&dest_url) { InlineElement::Link } else { InlineElement::Text };
            open.push(shown);
            (shown == InlineElement::Link).then_some(Event::Start(Tag::Link {
                link_type,
                dest_url,
                title,
                id,
            }))
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let shown = if is_bitmap(&dest_url) {
                InlineElement::Image
            } else if is_safe_link(&dest_url) && !open.contains(&InlineElement::Link) {
                InlineElement::Link
            } else {
                InlineElement::Text
            };
            open.push(shown);
            match shown {
                InlineElement::Image => {
                    Some(Event::Start(Tag::Image { link_type, dest_url, title, id }))
                }
                InlineElement::Link => {
                    Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
                }
                InlineElement::Text => None,
            }
        }
        Event::End(TagEnd::Link | TagEnd::Image) => match open.pop() {
            Some(InlineElement::Image) => Some(Event::End(TagEnd::Image)),
            Some(InlineElement::Link) => Some(Event::End(TagEnd::Link)),
            Some(InlineElement::Text) | None => None,
        },
        event => Some(table.cell(event)),
    });
    // All raw HTML is text by now, so an unclosed block cannot hide what follows it. Writing fails only if
    // there is no room, and `out` remembers that.
    let _ = html::write_html_fmt(out, events);
}

/// Writes the cells of tables. The library aligns them with a `style` attribute, which a strict content
/// security policy refuses.
#[derive(Default)]
struct TableWriter {
    alignments: Vec<Alignment>,
    column: usize,
    head: bool,
}

impl TableWriter {
    fn cell<'a>(&mut self, event: Event<'a>) -> Event<'a> {
        match event {
            Event::Start(Tag::Table(ref alignments)) => self.alignments.clone_from(alignments),
            Event::Start(Tag::TableHead | Tag::TableRow) => {
                self.column = 0;
                self.head = matches!(event, Event::Start(Tag::TableHead));
            }
            Event::Start(Tag::TableCell) => {
                let alignment = self.alignments.get(self.column).copied();
                self.column += 1;
                let align = match alignment.unwrap_or(Alignment::None) {
                    Alignment::None => "",
                    Alignment::Left => " align=\"left\"",
                    Alignment::Center => " align=\"center\"",
                    Alignment::Right => " align=\"right\"",
                };
                let name = if self.head { "th" } else { "td" };
                return Event::Html(format!("<{name}{align}>").into());
            }
            Event::End(TagEnd::TableCell) => {
                return Event::Html(if self.head { "</th>" } else { "</td>" }.into());
            }
            _ => {}
        }
        event
    }
}

#[derive(Clone, Copy, PartialEq)]
enum InlineElement {
    Link,
    Image,
    Text,
}

pub(crate) fn is_safe_link(url: &str) -> bool {
    let url = url.trim_start();
    url.starts_with('#')
        || ["http://", "https://", "mailto:"].iter().any(|scheme| has_prefix(url, scheme))
}

pub(crate) fn is_bitmap(url: &str) -> bool {
    ["png", "jpeg", "gif", "webp"]
        .iter()
        .any(|kind| has_prefix(url, &format!("data:image/{kind};base64,")))
}

fn has_prefix(url: &str, prefix: &str) -> bool {
    url.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        markdown_to_html(text).unwrap()
    }

    #[test]
    fn too_long_or_too_much_markup_is_refused() {
        let mut text = String::new();
        let mut out = BoundedOutput::within(&mut text, 20);
        write_markdown("a & b & c & d", &mut out);
        let error = out.finish().unwrap_err().to_string();
        assert!(error.ends_with(" (limit)"), "{error}");
        assert_eq!(text, "");
        assert!(!has_too_many_marks("&&&", 3));
        assert!(has_too_many_marks("&&&&", 3));
        assert!(!has_too_many_marks("a long text without marks", 3));
    }

    #[test]
    fn plain_markdown() {
        assert_eq!(html("# A\n\n- b\n"), "<h1>A</h1>\n<ul>\n<li>b</li>\n</ul>\n");
        assert!(html("|a|\n|-|\n|b|\n").contains("<table>"));
        let table = html("|a|b|\n|:-:|-|\n|c|d|\n");
        assert!(table.contains("<th align=\"center\">a</th><th>b</th>"), "{table}");
        assert!(
            table.contains("<td align=\"center\">c</td><td>d</td>") && !table.contains("style")
        );
        assert!(html("~~a~~").contains("<del>a</del>"));
        assert!(html("- [x] a").contains("type=\"checkbox\""));
        assert!(html("```rust\nlet a = 1 < 2;\n```").contains("language-rust"));
    }

    #[test]
    fn raw_html_is_text() {
        for source in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "a <svg/onload=alert(1)> b",
            "<div>\n\n*x*\n\n</div>",
            "<!-- c -->",
            "<math><mi//xlink:href=\"data:x,<script>alert(4)</script>\">",
        ] {
            let out = html(source);
            for tag in ["<script", "<img", "<svg", "<div", "<!--", "<math"] {
                assert!(!out.contains(tag), "{source} gave {out}");
            }
        }
    }

    #[test]
    fn links_and_images() {
        assert!(
            html("[a](https://x.example/?a=1&b=2)")
                .contains("href=\"https://x.example/?a=1&amp;b=2\"")
        );
        assert!(html("[a](#b)").contains("href=\"#b\""));
        assert!(html("<mailto:a@b.example>").contains("href=\"mailto:a@b.example\""));
        for bad in [
            "[a](javascript:alert(1))",
            "[a](JaVaScRiPt:alert(1))",
            "[a](<java\nscript:alert(1)>)",
            "[a](data:text/html,x)",
            "[a](vbscript:x)",
            "[a](file:///etc/passwd)",
            "[a](//evil.example)",
            "<javascript:alert(1)>",
            "![a](data:image/svg+xml;base64,AAAA)",
        ] {
            let out = html(bad);
            assert!(!out.contains("href") && !out.contains("src"), "{bad} gave {out}");
        }
        assert!(html("![a](data:image/png;base64,AAAA)").contains("<img src=\"data:image/png"));
        assert_eq!(
            html("![a](https://x.example/p.png)"),
            "<p><a href=\"https://x.example/p.png\">a</a></p>\n"
        );
        assert_eq!(
            html("[![a](x:y)](https://b.example)"),
            "<p><a href=\"https://b.example\">a</a></p>\n"
        );
        assert_eq!(
            html("[![a](https://x.example/p.png) b](https://b.example) ![c](https://c.example)"),
            "<p><a href=\"https://b.example\">a b</a> <a href=\"https://c.example\">c</a></p>\n"
        );
    }

    #[test]
    fn attributes_cannot_be_broken_out_of() {
        let out = html("[a](<https://x.example/\" onmouseover=\"alert(1)> 't\" onclick=x')");
        assert!(out.contains("<a href="), "{out}");
        assert!(!out.contains("\" on"), "{out}");
        let out = html("```\"><script>\ncode\n```");
        assert!(!out.contains("<script"), "{out}");
    }
}
