//! Pages that are made to trap, to hang or to fill memory, and laws of all pages.

use super::{both, md, text};
use proptest::prelude::*;

const SIZE: usize = 3_000_000;

#[test]
fn any_page_takes_time_and_memory_in_proportion() {
    for piece in [
        "<div>",
        "<",
        "&",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<b><i>",
        "<a href=x>",
        "<blockquote>",
        "<ul><li>",
        "<ol><li>x",
        "<table>",
        "<table><tr><td>",
        "<table><tr><td>x",
        "<tr>",
        "<td>x",
        "<x-y>",
        "</x-y>",
        "<x>a</y>",
        "<svg>",
        "<math>",
        "<template>",
        "<pre>",
        "<pre>\n",
        "<code>`",
        "<button>",
        "<h1>",
        "<dl><dd>x",
        "<!--",
        "<!",
        "<!-",
        "<?",
        "</",
        "</a",
        "<a ",
        "<a \"",
        "<script>",
        "<script><!--<script>",
        "<textarea>",
        "<title>",
        "&amp;",
        "&zeta;",
        "&aaaaaaaaaaaaaaa",
        "&#1",
        "-",
        "`",
        "*",
        "1",
        "[",
        "]",
        "\\",
        "<br>",
        "<hr>",
        "<img alt=a>",
        "<p hidden>",
        "<b hidden>",
        "<select><option>",
        "<td colspan=1000000 rowspan=1000000>",
        " ",
        "\u{a0}",
        "\0",
        "é",
    ] {
        both(&piece.repeat(SIZE / piece.len() / 4));
    }
}

#[test]
fn what_is_open_is_not_searched_again_and_again() {
    let n = 200_000;
    for (open, more) in [
        ("<div>", "</span>"),
        ("<div>", "</x>"),
        ("<x>", "</y>"),
        ("<p><button><div>", "</p>"),
        ("<b>", "<p>x"),
        ("<i><b>", "</i>"),
        ("<blockquote><ul><li>", "<br>x"),
        ("<table><tr><td>", "</table>"),
        ("<a href=x>", "<p>x"),
        ("<ul><li><div>", "<li>"),
        ("<svg>", "</svg>"),
        ("<svg><foreignObject>", "</div>"),
    ] {
        both(&[open.repeat(n), more.repeat(n)].concat());
    }
    both(&format!("<!--{}", "-".repeat(SIZE)));
    both(&format!("<!--{}", "-->".repeat(SIZE / 3)));
    both(&format!("<a {}>x", "a=b ".repeat(SIZE / 4)));
    both(&format!("<a {}", "a='".repeat(SIZE / 3)));
    both(&format!("<script>{}", "</script".repeat(SIZE / 8)));
    both(&format!("<pre>{}</pre>", "\n".repeat(SIZE)));
    both(&format!("<ul><li>{}<pre>{}</pre>", "<ul><li>".repeat(99), "x\n".repeat(SIZE / 2)));
    both(&format!("<style>{}", "</".repeat(SIZE / 2)));
    both(&format!("<p style='{}'>x", "display:none;".repeat(SIZE / 13)));
    both(&format!("<p class='{}'>x", "/*".repeat(SIZE / 2)));
    both(&format!("<p style='{}'>x", "/*".repeat(SIZE / 2)));
    let rows = "<tr>".repeat(100_000);
    both(&format!("<table><tr>{}{rows}", "<td rowspan=1000>".repeat(50_000)));
    both(&format!("<table><tr>{}{}", "<td>".repeat(50_000), "<tr><td>".repeat(50_000)));
    both(&format!("<code>{}</code>", "`".repeat(SIZE)));
    both(&"<b>a</b><code>x</code>".repeat(SIZE / 20));
}

#[test]
fn a_page_a_million_deep_shows_its_text() {
    let deep = "<div>".repeat(1_000_000);
    let (markdown, text) = both(&format!("{deep}a{}b", "</div>".repeat(1_000_000)));
    assert_eq!((&*markdown, &*text), ("a\n\nb", "a\nb"));
    let (_, text) = both(&format!("{deep}<p hidden>secret"));
    assert_eq!(text, "");
}

#[test]
fn deep_containers_stop_growing() {
    let markdown = md(&format!("{}a<br>b", "<blockquote>".repeat(500)));
    assert!(markdown.len() < 100, "{markdown}");
}

fn pages() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<a href=x>",
        "</a>",
        "<code>",
        "</code>",
        "<pre>",
        "</pre>",
        "<ul>",
        "</ul>",
        "<ol>",
        "<li>",
        "</li>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "<th>",
        "</td>",
        "<h2>",
        "</h2>",
        "<br>",
        "<hr>",
        "<blockquote>",
        "</blockquote>",
        "<span>",
        "</span>",
        "x",
        " ",
        "\n",
        "é",
        "&lt;",
        "*",
        "1. ",
        "`",
        "<svg>",
        "</svg>",
        "<caption>",
        "<dl>",
        "<dt>",
        "<dd>",
        "<button>",
        "<thead>",
        "</thead>",
        "<select>",
        "<option>",
        "<x-y>",
        "</x-y>",
        "<!-- c -->",
    ]);
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

/// The letters and digits that are left of a page.
fn letters(text: &str) -> String {
    text.replace("<br>", "").chars().filter(|c| matches!(c, 'x' | 'é')).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_is_lost(page in pages()) {
        let shown = letters(&text(&page));
        let linked = md(&page).replace("https://e.org/x", "");
        prop_assert_eq!(letters(&linked).len(), shown.len(), "{} → {}", page, linked);
    }

    #[test]
    fn hidden_text_stays_hidden(before in pages(), inner in "(<p>|<b>|<li>|<td>|y|</b>|<br>){0,6}", after in pages()) {
        let page = format!("{before}<div hidden>secret{inner}</div>{after}");
        prop_assert!(!text(&page).contains("secret") && !md(&page).contains("secret"));
    }

    #[test]
    fn any_text_is_a_page(page in "\\PC{0,60}|[<>/!a-d&;#=\"'\\- \\[\\]`]{0,60}") {
        both(&page);
    }
}
