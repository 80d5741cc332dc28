//! What a skill approves beforehand.

/// What a text names, split at white space and commas outside parentheses. With parentheses that do not match,
/// split at white space; then the second is false.
pub(super) fn split_tools(text: &str) -> (Vec<String>, bool) {
    if !is_balanced(text) {
        return (text.split_whitespace().map(str::to_owned).collect(), false);
    }
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (c == ',' || c.is_whitespace())
    });
    (parts.filter(|part| !part.is_empty()).map(str::to_owned).collect(), true)
}

/// Whether every parenthesis has its other one.
pub(super) fn is_balanced(text: &str) -> bool {
    let mut depth = 0_usize;
    for c in text.bytes() {
        match c {
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
