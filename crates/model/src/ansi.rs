//! ANSI escape sequences in the output of a tool.

use std::borrow::Cow;

/// The style of a piece of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// One of the sixteen colours of a terminal, 0 to 15.
    pub colour: Option<u8>,
    /// Bold.
    pub bold: bool,
}

/// The most bytes of an operating system command (a title, a link) that is skipped.
const LONGEST_COMMAND: usize = 4096;

/// Calls `look` with the text without its escape sequences, piece by piece, and the style of each.
pub fn styled(text: &str, look: &mut dyn FnMut(&str, Style)) {
    let mut style = Style::default();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        if !before.is_empty() {
            look(before, style);
        }
        rest = sequence(after, &mut style);
    }
    if !rest.is_empty() {
        look(rest, style);
    }
}

/// The text without its escape sequences.
///
/// ```
/// assert_eq!(apex_parts_model::ansi::plain("\u{1b}[31mred\u{1b}[0m"), "red");
/// ```
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    styled(text, &mut |piece, _| out.push_str(piece));
    Cow::Owned(out)
}

/// The text after a sequence. `after` is what follows its escape character.
fn sequence<'a>(after: &'a str, style: &mut Style) -> &'a str {
    let mut bytes = after.bytes();
    match bytes.next() {
        Some(b'[') => {
            let end = bytes.position(|b| !(0x20..0x40).contains(&b)).map(|n| n + 1);
            let Some((parameters, rest)) = end.and_then(|end| after.split_at_checked(end)) else {
                return "";
            };
            let Some(last) = rest.bytes().next().filter(u8::is_ascii) else { return rest };
            if last == b'm' {
                style.set(parameters.strip_prefix('[').unwrap_or_default());
            }
            rest.get(1..).unwrap_or_default()
        }
        Some(b']') => {
            let near = after.len().min(LONGEST_COMMAND);
            let near = after.as_bytes().get(..near).unwrap_or_default();
            let end =
                near.iter().position(|byte| matches!(byte, 7 | 0x1b)).map_or(1, |end| end + 1);
            let rest = after.get(end..).unwrap_or_default();
            rest.strip_prefix('\\').unwrap_or(rest)
        }
        Some(b' '..=b'~') => after.get(1..).unwrap_or_default(),
        _ => after,
    }
}

impl Style {
    /// Applies a "select graphic rendition" sequence: numbers, separated by `;`.
    fn set(&mut self, parameters: &str) {
        let mut numbers = parameters.split([';', ':']).map(|n| n.parse::<u16>().unwrap_or(0));
        while let Some(number) = numbers.next() {
            #[allow(clippy::cast_possible_truncation)] // in range
            match number {
                0 => *self = Style::default(),
                1 => self.bold = true,
                22 => self.bold = false,
                30..=37 => self.colour = Some((number - 30) as u8),
                90..=97 => self.colour = Some((number - 90 + 8) as u8),
                39 => self.colour = None,
                38 | 48 => {
                    let one = match numbers.next() {
                        Some(5) => numbers.next().filter(|n| *n < 16).map(|n| n as u8),
                        Some(2) => {
                            numbers.nth(2);
                            None
                        }
                        _ => None,
                    };
                    if number == 38 {
                        self.colour = one;
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<(String, Option<u8>, bool)> {
        let mut sequences = Vec::new();
        styled(text, &mut |piece, s| sequences.push((piece.to_owned(), s.colour, s.bold)));
        sequences
    }

    #[test]
    fn colours() {
        let text = "a\u{1b}[31mb\u{1b}[1;92mc\u{1b}[0md\u{1b}[38;5;3me\u{1b}[38;2;1;2;3mf";
        let some = |text: &str, colour, bold| (text.to_owned(), colour, bold);
        assert_eq!(
            all(text),
            [
                some("a", None, false),
                some("b", Some(1), false),
                some("c", Some(10), true),
                some("d", None, false),
                some("e", Some(3), false),
                some("f", None, false),
            ]
        );
    }

    #[test]
    fn other_sequences_are_left_out() {
        assert_eq!(
            plain("a\u{1b}[2Kb\u{1b}]8;;https://x\u{7}c\u{1b}]0;t\u{1b}\\d\u{1b}(e"),
            "abcde"
        );
        assert_eq!(plain("a\u{1b}"), "a");
        assert_eq!(plain("a\u{1b}[12"), "a");
        assert_eq!(plain("a\u{1b}[3é\u{1b}é"), "aéé");
        assert_eq!(plain("a\u{1b}]never ends"), "anever ends");
    }
}
