//! What pages become, by the sentences of the contract; laws; hostile pages.

mod hostile;
mod references;
mod shown;
mod structure;

use super::{markdown, text};
use std::time::{Duration, Instant};

/// Markdown, with relative targets below example.org.
fn md(html: &str) -> String {
    markdown(html, &mut |url: &str| {
        if url.contains(':') {
            return Some(url.to_owned());
        }
        Some(format!("https://e.org/{}", url.trim_start_matches('/')))
    })
}

#[track_caller]
fn cases(table: &[(&str, &str)]) {
    for (html, expected) in table {
        assert_eq!(md(html), *expected, "{html}");
    }
}

#[track_caller]
fn texts(table: &[(&str, &str)]) {
    for (html, expected) in table {
        assert_eq!(text(html), *expected, "{html}");
    }
}

#[track_caller]
fn both(html: &str) -> (String, String) {
    let start = Instant::now();
    let both = (md(html), text(html));
    let taken = start.elapsed();
    // Many times what it takes; what is quadratic takes hours.
    assert!(taken < Duration::from_secs(40), "{taken:?} for {:?}", html.get(..40));
    let most = 64 * html.len() + 256;
    assert!(both.0.len() <= most && both.1.len() <= most, "{} {}", both.0.len(), html.len());
    both
}
