//! What a skill may be called.

/// The most characters of a name.
const MOST_CHARS: usize = 64;
/// The most bytes of a name that can be used at all: that of a file.
const MOST_BYTES: usize = 256;

/// Why a name cannot be used: it would be a path, or change what is shown.
pub(super) fn unusable_name(name: &str) -> Option<&'static str> {
    if name.len() > MOST_BYTES {
        Some("the name has more than 256 bytes")
    } else if name.chars().any(char::is_control) {
        Some("the name contains a control character")
    } else if name.contains(['/', '\\']) {
        Some("the name contains / or \\: it must be a name, not a path")
    } else if name == "." || name == ".." {
        Some("the name is that of a folder: . or ..")
    } else {
        None
    }
}

/// Why a name is not one of the specification.
pub(super) fn unusual_name(name: &str) -> Option<String> {
    let chars = name.chars().count();
    if chars > MOST_CHARS {
        return Some(format!(
            "the name has {chars} characters, and at most {MOST_CHARS} are allowed"
        ));
    }
    if let Some(c) = name.chars().find(|c| *c != '-' && !is_lower_letter_or_digit(*c)) {
        return Some(format!(
            "the name contains {c:?}: only lower-case letters, digits and single hyphens are allowed"
        ));
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Some(
            "hyphens in the name must be single ones between letters or digits".to_owned(),
        );
    }
    None
}

/// Lower-case is also a letter of a script without cases.
fn is_lower_letter_or_digit(c: char) -> bool {
    c.is_numeric() || (c.is_alphabetic() && !c.is_uppercase() && c.to_lowercase().eq([c]))
}

/// The word in a name for which Anthropic's upload refuses it.
pub(super) fn reserved_word(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    ["claude", "anthropic"].into_iter().find(|word| lower.contains(word))
}
