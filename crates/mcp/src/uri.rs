//! `mcp://SERVER/PATH`, where the path is the resource's own URI or path and opaque: `..`, `//` and case stay.
//! (WHATWG's parser folds them.)
//!
//! ```
//! use apex_parts_mcp::uri::{format_uri, parse_uri};
//! let uri = format_uri("my server", "file:///a/../b #1.md").unwrap();
//! assert_eq!(uri, "mcp://my%20server/file:///a/../b%20%231.md");
//! let parsed = parse_uri(&uri).unwrap();
//! assert_eq!((&*parsed.server, &*parsed.path), ("my server", "file:///a/../b #1.md"));
//! ```

use std::borrow::Cow;

/// The most bytes of a URI.
pub const MAX_URI: usize = 8192;

/// The server and the resource that a URI names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceUri<'a> {
    /// The server.
    pub server: Cow<'a, str>,
    /// The resource's own URI or path.
    pub path: Cow<'a, str>,
}

/// What is wrong with a URI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UriFault {
    /// MU-1
    Scheme,
    /// MU-2
    Server,
    /// MU-3
    Path,
    /// MU-4
    Encoding,
    /// MU-5
    Control,
    /// MU-6
    Length,
}

impl UriFault {
    /// The rule that it breaks.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            UriFault::Scheme => "MU-1",
            UriFault::Server => "MU-2",
            UriFault::Path => "MU-3",
            UriFault::Encoding => "MU-4",
            UriFault::Control => "MU-5",
            UriFault::Length => "MU-6",
        }
    }

    /// What is wrong, in words.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            UriFault::Scheme => "it does not begin with `mcp://`",
            UriFault::Server => {
                "its server is empty, or has one of `@ : [ ] ? #` that is not encoded"
            }
            UriFault::Path => "it names no resource after its server",
            UriFault::Encoding => "its percent-encoding is malformed, or not UTF-8",
            UriFault::Control => "it has control characters that are not encoded",
            UriFault::Length => "it has more than 8192 bytes",
        }
    }
}

/// Reads a URI. What is wrong with the whole of it is said before what is wrong with a part.
///
/// # Errors
/// The first rule that it breaks.
pub fn parse_uri(uri: &str) -> Result<ResourceUri<'_>, UriFault> {
    let (scheme, rest) = uri.split_once("://").ok_or(UriFault::Scheme)?;
    if !scheme.eq_ignore_ascii_case("mcp") {
        return Err(UriFault::Scheme);
    }
    if uri.len() > MAX_URI {
        return Err(UriFault::Length);
    }
    if rest.chars().any(char::is_control) {
        return Err(UriFault::Control);
    }
    let (server, path) = rest.split_once('/').unwrap_or((rest, ""));
    if server.is_empty() || server.contains(['@', ':', '[', ']', '?', '#']) {
        return Err(UriFault::Server);
    }
    if path.is_empty() {
        return Err(UriFault::Path);
    }
    let server = decoded(server).ok_or(UriFault::Encoding)?;
    let path = decoded(path).ok_or(UriFault::Encoding)?;
    Ok(ResourceUri { server, path })
}

/// Writes a URI, which [`parse_uri`] reads back.
///
/// # Errors
/// The server or the path is empty, or the URI would be too long to be read.
pub fn format_uri(server: &str, path: &str) -> Result<String, UriFault> {
    if server.is_empty() {
        return Err(UriFault::Server);
    }
    if path.is_empty() {
        return Err(UriFault::Path);
    }
    let mut uri = "mcp://".to_owned();
    encode(&mut uri, server, |_| false);
    uri.push('/');
    encode(&mut uri, path, |byte| b"/:@!$&'()*+,;=".contains(&byte));
    if uri.len() > MAX_URI { Err(UriFault::Length) } else { Ok(uri) }
}

/// Appends a text; what is neither unreserved nor allowed is encoded.
fn encode(uri: &mut String, text: &str, is_allowed: impl Fn(u8) -> bool) {
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) || is_allowed(byte) {
            uri.push(char::from(byte));
        } else {
            uri.push('%');
            for digit in [byte >> 4, byte & 15] {
                uri.extend(char::from_digit(digit.into(), 16).map(|c| c.to_ascii_uppercase()));
            }
        }
    }
}

/// The text of a percent-encoding; `None` if it is not well formed, or not UTF-8.
pub(super) fn decoded(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            digit(rest.next())? << 4 | digit(rest.next())?
        } else {
            byte
        });
    }
    String::from_utf8(bytes).map(Cow::Owned).ok()
}

fn digit(byte: Option<u8>) -> Option<u8> {
    char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_rule() {
        let long = format!("mcp://s/{}", "a".repeat(MAX_URI - 7));
        let cases = [
            ("mcp:/s/r", UriFault::Scheme),
            (" mcp://s/r", UriFault::Scheme),
            ("mcp:///r", UriFault::Server),
            ("mcp://s?/r", UriFault::Server),
            ("mcp://s", UriFault::Path),
            ("mcp://s/%4", UriFault::Encoding),
            ("mcp://s/%+4", UriFault::Encoding),
            ("mcp://s/%ED%A0%80", UriFault::Encoding),
            ("mcp://s/a\u{85}", UriFault::Control),
            (&long, UriFault::Length),
        ];
        for (uri, fault) in cases {
            assert_eq!(parse_uri(uri), Err(fault), "{uri}");
        }
        assert!(parse_uri(long.get(..MAX_URI).unwrap()).is_ok());
        assert_eq!(format_uri("s", &"é".repeat(2000)), Err(UriFault::Length));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(server in "(?s).{1,40}", path in "(?s).{1,200}") {
            let uri = format_uri(&server, &path).unwrap();
            let parsed = parse_uri(&uri).unwrap();
            prop_assert_eq!((&*parsed.server, &*parsed.path), (&*server, &*path));
        }

        #[test]
        fn any_text_is_read_or_refused(uri in "(?i:mcp)://(?s).{0,80}|(?s).{0,40}") {
            if let Ok(parsed) = parse_uri(&uri) {
                let again = format_uri(&parsed.server, &parsed.path).unwrap();
                prop_assert_eq!(parse_uri(&again).unwrap(), parsed);
            }
        }
    }
}
