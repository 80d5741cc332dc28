//! The arguments of a tool call while they arrive: an incremental reader of JSON. It reads every
//! byte once, however the text is cut into pieces; what has arrived can be completed to valid JSON
//! at any time (`{"path":"/a","content":"# No` → `{"path":"/a","content":"# No"}`).
//!
//! A string is shown up to the last whole escape and the last whole surrogate pair; `tru` can only
//! become `true` and is shown as that; a number is shown as far as it is valid (`1.` as 1, `-` not
//! at all); a key without a value is left out.
//!
//! It resumes within any token, which `crates/json/src/cursor.rs` does not; the test
//! `all_readers_agree_with_serde_json` proves that both accept the same texts.

use super::error::JsonError;
use super::string::plain;
use super::text::Text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Array,
    Object,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Num {
    Minus,
    Zero,
    Int,
    Dot,
    Fraction,
    E,
    Sign,
    Exponent,
}

impl Num {
    /// Is it a complete number if it ends here?
    fn is_complete(self) -> bool {
        matches!(self, Num::Zero | Num::Int | Num::Fraction | Num::Exponent)
    }

    fn next(self, byte: u8) -> Option<Num> {
        Some(match (self, byte) {
            (Num::Minus, b'0') => Num::Zero,
            (Num::Minus, b'1'..=b'9') | (Num::Int, b'0'..=b'9') => Num::Int,
            (Num::Zero | Num::Int, b'.') => Num::Dot,
            (Num::Dot | Num::Fraction, b'0'..=b'9') => Num::Fraction,
            (Num::Zero | Num::Int | Num::Fraction, b'e' | b'E') => Num::E,
            (Num::E, b'+' | b'-') => Num::Sign,
            (Num::E | Num::Sign | Num::Exponent, b'0'..=b'9') => Num::Exponent,
            _ => return None,
        })
    }
}

/// What the reader is in, or expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartialState {
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    Done,
    String { key: bool },
    Escape { key: bool },
    Unicode { key: bool, digits: u8, unit: u16 },
    Number(Num),
    Literal { word: &'static str, seen: u8 },
}

/// Reads the text of a call's arguments piece by piece. It does not keep the text.
#[derive(Clone, Debug)]
pub struct Partial {
    open: Vec<Container>,
    state: PartialState,
    /// The number of bytes that were read.
    at: usize,
    /// The text up to here, with the brackets of `open` closed, is valid JSON.
    safe: usize,
    /// In a string: where the part begins that cannot be shown yet.
    hold: Option<usize>,
    /// In a string: the backslash of the escape. In a number: the end of its longest valid prefix,
    /// 0 for none. In a literal: its first byte.
    mark: usize,
    error: Option<JsonError>,
}

impl Default for Partial {
    fn default() -> Self {
        Partial {
            open: Vec::new(),
            state: PartialState::Value,
            at: 0,
            safe: 0,
            hold: None,
            mark: 0,
            error: None,
        }
    }
}

impl Partial {
    /// Would the nesting stay within `depth` if this text came next?
    #[must_use]
    pub fn fits(&self, text: &str, depth: usize) -> bool {
        let brackets = || text.bytes().filter(|b| matches!(b, b'[' | b'{')).count();
        let room = depth.saturating_sub(self.open.len());
        if self.error.is_some() || text.len() <= room || brackets() <= room {
            return true;
        }
        // Rare: the brackets may be inside strings, or be closed again.
        let mut ahead = self.clone();
        ahead.read(text.as_bytes(), depth);
        ahead.open.len() <= depth
    }

    /// Reads the next piece of the text.
    pub fn feed(&mut self, text: &str) {
        self.read(text.as_bytes(), usize::MAX);
    }

    /// Stops once it is nested deeper than `depth`.
    fn read(&mut self, bytes: &[u8], depth: usize) {
        if self.error.is_some() {
            return;
        }
        let base = self.at;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            self.at = base + at;
            if let PartialState::String { key } = self.state {
                let end = plain(bytes, at);
                if end > at {
                    self.hold = None;
                    at = end;
                    continue;
                }
                self.string(key, byte);
            } else if self.step(byte) {
                continue; // a number that ends: the byte belongs to what follows
            }
            if self.error.is_some() || self.open.len() > depth {
                return;
            }
            at += 1;
        }
        self.at = base + at;
    }

    fn fail(&mut self, what: &'static str) {
        self.error = Some(JsonError::syntax(what, self.at));
    }

    /// A byte of a string that is not plain.
    fn string(&mut self, key: bool, byte: u8) {
        match byte {
            b'"' => {
                self.hold = None;
                if key {
                    self.state = PartialState::Colon;
                } else {
                    self.value_ends(self.at + 1);
                }
            }
            b'\\' => {
                self.mark = self.at;
                self.hold.get_or_insert(self.at);
                self.state = PartialState::Escape { key };
            }
            _ => self.fail("a control character in a string"),
        }
    }

    /// Takes a byte outside of plain text; true if the byte is still to be read.
    fn step(&mut self, byte: u8) -> bool {
        match self.state {
            PartialState::Escape { key } => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {
                    self.hold = None;
                    self.state = PartialState::String { key };
                }
                b'u' => self.state = PartialState::Unicode { key, digits: 0, unit: 0 },
                _ => self.fail("an escape that JSON does not have"),
            },
            PartialState::Unicode { key, digits, unit } => match char::from(byte).to_digit(16) {
                Some(digit) => {
                    #[allow(clippy::cast_possible_truncation)] // a digit is below 16
                    let unit = unit << 4 | digit as u16;
                    if digits < 3 {
                        self.state = PartialState::Unicode { key, digits: digits + 1, unit };
                    } else {
                        // The first half of a pair is not shown until the second arrives.
                        let high = (0xd800..0xdc00).contains(&unit);
                        self.hold = high.then_some(self.mark);
                        self.state = PartialState::String { key };
                    }
                }
                None => self.fail("`\\u` without four hexadecimal digits"),
            },
            PartialState::Number(num) => match num.next(byte) {
                Some(next) => {
                    self.state = PartialState::Number(next);
                    if next.is_complete() {
                        self.mark = self.at + 1;
                    }
                }
                None if num.is_complete() => {
                    self.value_ends(self.at);
                    return true;
                }
                None => self.fail("expected a digit"),
            },
            PartialState::Literal { word, seen } => {
                if word.as_bytes().get(usize::from(seen)) != Some(&byte) {
                    // It is not the literal that it began as: nothing of it is shown.
                    self.state = if self.open.is_empty() {
                        PartialState::Value
                    } else {
                        PartialState::CommaOrEnd
                    };
                    self.fail("expected a value");
                } else if usize::from(seen) + 1 == word.len() {
                    self.value_ends(self.at + 1);
                } else {
                    self.state = PartialState::Literal { word, seen: seen + 1 };
                }
            }
            _ if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') => {}
            PartialState::Value | PartialState::ValueOrEnd => self.value(byte),
            PartialState::Key | PartialState::KeyOrEnd => match byte {
                b'"' => self.state = PartialState::String { key: true },
                b'}' if self.state == PartialState::KeyOrEnd => self.close(Container::Object),
                _ => self.fail("expected a key in double quotes"),
            },
            PartialState::Colon => match byte {
                b':' => self.state = PartialState::Value,
                _ => self.fail("expected `:`"),
            },
            PartialState::CommaOrEnd => match (byte, self.open.last()) {
                (b',', Some(Container::Array)) => self.state = PartialState::Value,
                (b',', Some(Container::Object)) => self.state = PartialState::Key,
                (b']', _) => self.close(Container::Array),
                (b'}', _) => self.close(Container::Object),
                _ => self.fail("expected `,` or the end"),
            },
            PartialState::Done => self.fail("something follows the value"),
            PartialState::String { .. } => {}
        }
        false
    }

    fn value(&mut self, byte: u8) {
        let number = |num| PartialState::Number(num);
        let literal = |word| PartialState::Literal { word, seen: 1 };
        self.state = match byte {
            b'{' | b'[' => {
                let (open, inside) = if byte == b'{' {
                    (Container::Object, PartialState::KeyOrEnd)
                } else {
                    (Container::Array, PartialState::ValueOrEnd)
                };
                self.open.push(open);
                self.safe = self.at + 1;
                inside
            }
            b'"' => PartialState::String { key: false },
            b'-' => number(Num::Minus),
            b'0' => number(Num::Zero),
            b'1'..=b'9' => number(Num::Int),
            b't' => literal("true"),
            b'f' => literal("false"),
            b'n' => literal("null"),
            b']' if self.state == PartialState::ValueOrEnd => return self.close(Container::Array),
            _ => return self.fail("expected a value"),
        };
        self.mark = match self.state {
            PartialState::Number(num) if num.is_complete() => self.at + 1,
            PartialState::Number(_) => 0,
            _ => self.at,
        };
    }

    fn close(&mut self, what: Container) {
        if self.open.last() == Some(&what) {
            self.open.pop();
            self.value_ends(self.at + 1);
        } else {
            self.fail("expected `,` or the end");
        }
    }

    fn value_ends(&mut self, end: usize) {
        self.safe = end;
        self.state =
            if self.open.is_empty() { PartialState::Done } else { PartialState::CommaOrEnd };
    }

    /// Has no value begun yet?
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.state == PartialState::Value && self.open.is_empty() && self.error.is_none()
    }

    /// Checks that the text, which has ended, is JSON.
    ///
    /// # Errors
    /// A [`JsonError`] if it is not.
    pub fn finish(&self) -> Result<(), JsonError> {
        match self.state {
            _ if self.error.is_some() => self.error.map_or(Ok(()), Err),
            PartialState::Done => Ok(()),
            PartialState::Number(num) if self.open.is_empty() && num.is_complete() => Ok(()),
            _ => Err(JsonError::cut("the text is cut off", self.at)),
        }
    }

    /// Appends what has arrived, completed to valid JSON. `raw` is the text that was fed.
    pub fn complete(&self, raw: &Text, out: &mut String) {
        let (mut until, end) = match self.state {
            PartialState::String { key: false } => (self.hold.unwrap_or(self.at), "\""),
            PartialState::Escape { key: false } | PartialState::Unicode { key: false, .. } => {
                (self.hold.unwrap_or(self.at), "\"")
            }
            PartialState::Number(_) if self.mark > 0 => (self.mark, ""),
            PartialState::Literal { word, .. } => (self.mark, word),
            _ => (self.safe, ""),
        };
        if until == 0 && end.is_empty() {
            out.push_str("{}");
            return;
        }
        for block in raw.blocks() {
            let part = block.get(..until.min(block.len())).unwrap_or_default();
            out.push_str(part);
            until -= part.len();
            if until == 0 {
                break;
            }
        }
        out.push_str(end);
        out.extend(self.open.iter().rev().map(|open| match open {
            Container::Array => ']',
            Container::Object => '}',
        }));
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
