//! Text that would be read as markup.

/// Where a character stands.
pub(super) struct Place {
    /// The character before it on the line, if there is one.
    pub(super) before: Option<char>,
    /// Nothing but marks stands before it on the line.
    pub(super) at_start: bool,
    /// Nothing but digits stands before it on the line.
    pub(super) after_number: bool,
    /// It is text of a link or an image.
    pub(super) in_link: bool,
}

/// Does the character need a backslash in front? `behind` is the text after it, as far as it is known. Only
/// what would change the meaning is escaped: models read the text.
pub(super) fn is_markup(c: char, behind: &str, place: &Place) -> bool {
    let next = behind.chars().next();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_apart = |c: Option<char>| c.is_none_or(char::is_whitespace);
    match c {
        '`' | '[' => true,
        '*' => {
            place.at_start || !(place.before.is_some() && is_apart(place.before) && is_apart(next))
        }
        '_' => {
            place.at_start
                || !(is_word(place.before) && is_word(next)
                    || place.before.is_some() && is_apart(place.before) && is_apart(next))
        }
        '\\' => next.is_none_or(|c| c.is_ascii_punctuation()),
        ']' => place.in_link || matches!(next, None | Some('(' | '[' | ':')),
        '<' => next.is_none_or(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')),
        '&' => is_reference(behind),
        '~' => next == Some('~') || place.before == Some('~'),
        '>' => place.at_start,
        '#' => place.at_start && is_apart(behind.trim_start_matches('#').chars().next()),
        '+' => place.at_start && is_apart(next),
        '-' | '=' => place.at_start && (is_apart(next) || next == Some(c)),
        '.' | ')' => place.after_number && is_apart(next),
        _ => false,
    }
}

/// Would an `&` before this text be read as a reference?
fn is_reference(behind: &str) -> bool {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'#';
    let length = behind.bytes().take(32).take_while(is_name).count();
    length > 0 && behind.as_bytes().get(length) == Some(&b';')
}
