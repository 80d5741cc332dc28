//! HTML as Markdown, or as text.
//!
//! A page is read once, from its start to its end, by the rules of the WHATWG standard that decide what is
//! shown: which tags are tags, which end tags are implied, which elements are raw text. Left out are
//! comments, `head`, `script`, `style`, `noscript`, `template`, `svg`, `iframe`, and what is hidden by the
//! attribute `hidden` or by `display: none` or `visibility: hidden` in a `style` attribute (style sheets are not
//! read). Time, memory and output are in proportion to the page, whatever it is; nothing recurses.

mod attributes;
mod base;
mod code_block;
mod elements;
mod escape;
mod hidden;
mod link;
mod markdown;
mod marks;
mod page;
mod plain_text;
mod references;
mod sink;
mod table;
mod tag;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod tokens;
mod writer;

/// The page as Markdown: ATX headings, fenced code, `-` lists, GFM tables.
///
/// `resolve` makes the target of a link or image absolute; `None` says that it is no URL. Only http, https,
/// mailto and fragments stay links, others become their text; fragments and mailto are not given to
/// `resolve`. There is no line break at the end.
///
/// ```
/// let mut resolve = |url: &str| Some(format!("https://example.org{url}"));
/// let html = "<h1>Head</h1><p>A <a href=/x>link</a><script>no</script>";
/// let text = apex_parts_tools::html::markdown(html, &mut resolve);
/// assert_eq!(text, "# Head\n\nA [link](https://example.org/x)");
/// ```
#[must_use]
pub fn markdown(html: &str, resolve: &mut dyn FnMut(&str) -> Option<String>) -> String {
    let mut markdown = markdown::Markdown::new(resolve);
    page::read(html, &mut markdown);
    markdown.finish()
}

/// The target of the first `<base href>`, as it is written: what the page's relative links are relative to, to
/// be resolved against the address of the page. `None` if there is none.
///
/// ```
/// let html = "<head><base href='/docs/'></head>";
/// assert_eq!(apex_parts_tools::html::base(html).as_deref(), Some("/docs/"));
/// ```
#[must_use]
pub fn base(html: &str) -> Option<String> {
    let mut base = base::Base::default();
    page::read(html, &mut base);
    base.href
}

/// The text of the page: a line for each block, a tab between cells, no white space that a browser does not
/// show. There is no line break at the end.
///
/// ```
/// let text = apex_parts_tools::html::text("<title>No</title><p>One<p>two <b>words</b>");
/// assert_eq!(text, "One\ntwo words");
/// ```
#[must_use]
pub fn text(html: &str) -> String {
    let mut text = plain_text::PlainText::new();
    page::read(html, &mut text);
    text.out
}
