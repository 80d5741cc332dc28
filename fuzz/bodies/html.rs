//! Pages as Markdown and as text.

use apex_parts::tools::html;

/// Elements and signs whose text is no markup in Markdown.
const CODE: &[&str] =
    &["<code", "<pre", "<xmp", "<listing", "<plaintext", "<tt", "<kbd", "<samp", "`"];

/// The output is in proportion to the page; links lead to the web, to mail or into the page; a script is not
/// shown whatever is in it.
pub fn html(data: &[u8]) {
    let page = String::from_utf8_lossy(data);
    let markdown = html::markdown(&page, &mut |url| Some(url.to_owned()));
    let text = html::text(&page);
    let most = 64 * page.len() + 256;
    assert!(markdown.len() <= most && text.len() <= most, "{page:?}");
    let lower = page.to_ascii_lowercase();
    if !CODE.iter().any(|code| lower.contains(code)) {
        for (at, _) in markdown.match_indices("](") {
            let is_text = markdown[..at].ends_with('\\');
            let target = markdown[at + 2..].to_ascii_lowercase();
            let allowed = ["http:", "https:", "mailto:", "#"];
            assert!(
                is_text || allowed.iter().any(|a| target.starts_with(a)),
                "{page:?}: {markdown}"
            );
        }
    }
    let script = lower.replace("</script", "");
    let page = format!("<p>a<script>{script}</script>");
    assert_eq!(html::markdown(&page, &mut |_| None), "a", "{page:?}");
    assert_eq!(html::text(&page), "a", "{page:?}");
}
