//! Media types: their grammar, what the first bytes of a file say, extensions.

use apex_parts_model::base64;

/// The type without parameters, in lower case; `None` if it is not `type/subtype`. It stands in a `data:` URL,
/// so it has no `#`, which RFC 6838 would allow.
pub(super) fn media_type(text: &str) -> Option<String> {
    let text = text.split(';').next().unwrap_or_default().trim();
    let (kind, subtype) = text.split_once('/')?;
    let is_name = |name: &str| {
        name.len() <= 127
            && name.starts_with(|c: char| c.is_ascii_alphanumeric())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"!$&^_.+-".contains(&b))
    };
    (is_name(kind) && is_name(subtype)).then(|| text.to_ascii_lowercase())
}

/// Whether a blob of this type is text, if it is UTF-8.
pub(super) fn is_text(mime: &str) -> bool {
    mime.starts_with("text/") || mime == "application/json"
}

/// The type that the first bytes of a file have, given as base64.
pub(super) fn sniffed(head: &str) -> Option<&'static str> {
    const STARTS: [(&[u8], &str); 17] = [
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"II*\0", "image/tiff"),
        (b"MM\0*", "image/tiff"),
        (b"\0\0\x01\0", "image/x-icon"),
        (b"%PDF-", "application/pdf"),
        (b"PK\x03\x04", "application/zip"),
        (b"\x1f\x8b", "application/gzip"),
        (b"OggS", "audio/ogg"),
        (b"fLaC", "audio/flac"),
        (b"ID3", "audio/mpeg"),
        (b"\xff\xfb", "audio/mpeg"),
        (b"\xff\xf3", "audio/mpeg"),
        (b"\x1a\x45\xdf\xa3", "video/webm"),
        (b"BM", "image/bmp"),
    ];
    let bytes = base64::decode(head.as_bytes());
    if let Some((_, mime)) = STARTS.iter().find(|(start, _)| bytes.starts_with(start)) {
        // Two letters are little: a bitmap also has four reserved bytes, zero in practice.
        let is_bitmap = *mime != "image/bmp" || bytes.get(6..10) == Some(&[0; 4]);
        return is_bitmap.then_some(*mime);
    }
    let inner = bytes.get(8..12)?;
    if bytes.starts_with(b"RIFF") {
        return match inner {
            b"WEBP" => Some("image/webp"),
            b"WAVE" => Some("audio/wav"),
            b"AVI " => Some("video/x-msvideo"),
            _ => None,
        };
    }
    if bytes.get(4..8) != Some(b"ftyp") {
        return None;
    }
    Some(match inner {
        b"avif" | b"avis" => "image/avif",
        b"heic" | b"heix" | b"mif1" => "image/heic",
        b"M4A " => "audio/mp4",
        _ => "video/mp4",
    })
}

/// Is a file text, as its first bytes say, given as base64? SVG and HTML are.
pub(super) fn is_text_head(head: &str) -> bool {
    let bytes = base64::decode(head.as_bytes());
    let is_utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    // The head may end in the middle of a character.
    let whole = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
        Err(_) => return is_utf16,
    };
    let is_shown = |c: char| !c.is_control() || c.is_whitespace();
    !whole.is_empty() && whole.chars().all(is_shown)
}

/// The extension of a file of this type, without its dot.
pub(super) fn extension(mime: &str) -> &str {
    let subtype = mime.split_once('/').map_or("", |(_, subtype)| subtype);
    match subtype {
        "jpeg" => return "jpg",
        "mpeg" if mime.starts_with("audio/") => return "mp3",
        "mp4" if mime.starts_with("audio/") => return "m4a",
        "plain" => return "txt",
        "x-icon" | "vnd.microsoft.icon" => return "ico",
        "octet-stream" => return "bin",
        _ => {}
    }
    let short = subtype.split('+').next().unwrap_or_default();
    let short = short.strip_prefix("x-").unwrap_or(short);
    let is_short =
        (1..=8).contains(&short.len()) && short.bytes().all(|b| b.is_ascii_alphanumeric());
    if is_short { short } else { "bin" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_by_their_grammar() {
        assert_eq!(media_type(" IMAGE/PNG ; q=1").as_deref(), Some("image/png"));
        assert_eq!(media_type("image/svg+xml").as_deref(), Some("image/svg+xml"));
        for bad in
            ["", "image", "image/", "/png", "image/png,<script>", "a/b/c", "image/p#g", "ä/b"]
        {
            assert_eq!(media_type(bad), None, "{bad}");
        }
    }

    #[test]
    fn first_bytes_tell_a_type() {
        assert_eq!(sniffed("iVBORw0KGgoAAAANSUhEUgAA"), Some("image/png"));
        assert_eq!(sniffed("/9j/4AAQSkZJRgAB"), Some("image/jpeg"));
        assert_eq!(sniffed("UklGRi0tLS1XQVZF"), Some("audio/wav"));
        assert_eq!(sniffed("Qk1hYmNkZWZnaA=="), None);
        assert_eq!(sniffed("aGVsbG8="), None);
    }

    #[test]
    fn first_bytes_tell_text() {
        let svg = "PHN2ZyB4bWxucz0iaHR0cDov"; // <svg xmlns="http:/
        for text in [svg, "77u/PHN2Zz4=", "w6nDqcOpw6nDqcOpw6nDqcOp", "//48AHMA", "CiA8aHRtbD4="] {
            assert!(is_text_head(text), "{text}");
        }
        for other in ["iVBORw0KGgoAAAANSUhEUgAA", "/9j/4AAQSkZJRgAB", "", "AAEC"] {
            assert!(!is_text_head(other), "{other}");
        }
    }

    #[test]
    fn extensions_are_short() {
        let cases = [("image/jpeg", "jpg"), ("audio/x-wav", "wav"), ("image/svg+xml", "svg")];
        for (mime, wanted) in cases {
            assert_eq!(extension(mime), wanted);
        }
        assert_eq!(extension("application/vnd.ms-excel.sheet.macroenabled"), "bin");
    }
}
