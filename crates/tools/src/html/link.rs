//! The targets of links and images.

/// What may be linked.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Target {
    Page,
    Image,
}

/// The target as it is written in Markdown, or `None` if there is no link to it: only http and https stay,
/// for pages mailto and fragments too. `resolve` makes it absolute, and is judged by the same rule.
pub(super) fn target(
    raw: &str,
    kind: Target,
    resolve: &mut dyn FnMut(&str) -> Option<String>,
) -> Option<String> {
    let url = cleaned(raw);
    if url.starts_with('#') && kind == Target::Page {
        return Some(written(&url));
    }
    match scheme(&url) {
        Some(scheme) if !is_allowed(scheme, kind) => None,
        Some(scheme) if scheme.eq_ignore_ascii_case("mailto") => Some(written(&url)),
        _ => {
            let url = cleaned(&resolve(&url)?);
            scheme(&url).is_some_and(|scheme| is_allowed(scheme, kind)).then(|| written(&url))
        }
    }
}

fn is_allowed(scheme: &str, kind: Target) -> bool {
    let is = |other| scheme.eq_ignore_ascii_case(other);
    is("http") || is("https") || (is("mailto") && kind == Target::Page)
}

/// Without what a browser leaves out of a URL: tabs and line ends anywhere, control characters and spaces at
/// its ends.
fn cleaned(url: &str) -> String {
    let url: String = url.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    url.trim_matches(|c: char| c <= ' ').to_owned()
}

/// What stands before the first colon, if it can be a scheme.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

/// As it stands between the parentheses of a link.
fn written(url: &str) -> String {
    let mut depth = 0_i32;
    let balanced = url.bytes().all(|b| {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        (0..=16).contains(&depth)
    });
    // `](` would look like the end of the text.
    let keeps_parentheses = balanced && depth == 0 && !url.contains("](");
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' | ')' if keeps_parentheses => out.push(c),
            '(' | ')' | '<' | '>' | '\\' | '`' | '|' | '"' => percent(c, &mut out),
            c if c <= ' ' || c == '\u{7f}' || c.is_whitespace() => percent(c, &mut out),
            c => out.push(c),
        }
    }
    out
}

fn percent(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push('%');
        for digit in [byte >> 4, byte & 15] {
            let digit = char::from_digit(u32::from(digit), 16).unwrap_or('0');
            out.push(digit.to_ascii_uppercase());
        }
    }
}
