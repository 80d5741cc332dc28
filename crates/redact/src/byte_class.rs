//! What bytes words and tokens are made of.

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// What words are made of: a token does not begin or end within one.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

pub(super) fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The alphabet of base64 for URLs.
pub(super) fn is_base64_url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

pub(super) fn is_upper(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

pub(super) fn is_hex(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'a'..=b'f')
}

pub(super) fn is_any_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

pub(super) fn is_lower(byte: u8) -> bool {
    byte.is_ascii_lowercase()
}

/// What base64 has in paths and in values of URLs.
pub(super) fn is_path(byte: u8) -> bool {
    is_base64(byte) || is_base64_url(byte) || byte == b'%'
}

pub(super) fn is_word_byte(byte: u8) -> bool {
    is_alphanumeric(byte) || byte == b'_'
}

pub(super) fn is_dotted(byte: u8) -> bool {
    is_base64_url(byte) || byte == b'.'
}
