//! Whether JSON text is what `JSON.stringify` writes for the value that it is read as.

use super::float;
use super::number::js_number;
use super::saved::Numbering;
use super::string::plain;

/// An array or an object that is open.
#[derive(Default)]
struct OpenBrackets {
    /// An object, in which a key comes next.
    at_key: bool,
    is_object: bool,
    /// Where its keys begin in the list of those of all open objects.
    keys: usize,
    /// The last key that is the index of an array: such keys come first, the smallest one first.
    index: Option<u32>,
}

/// An object with more keys has an index of them.
const FEW: usize = 16;

/// Is the text, which is JSON, what `JSON.stringify(JSON.parse(text))` gives? One pass, and nothing is
/// written but numbers.
pub fn is_stringified(json: &str) -> bool {
    scan(json).is_some()
}

fn scan(json: &str) -> Option<()> {
    let bytes = json.as_bytes();
    let mut open: Vec<OpenBrackets> = Vec::new();
    let mut keys: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                let is_object = *byte == b'{';
                let keys = keys.len();
                open.push(OpenBrackets { at_key: is_object, is_object, keys, index: None });
            }
            b'}' | b']' => {
                let closed = open.pop()?;
                are_unique(keys.get(closed.keys..)?).then_some(())?;
                keys.truncate(closed.keys);
            }
            b',' => {
                if let Some(within) = open.last_mut() {
                    within.at_key = within.is_object;
                }
            }
            b':' => open.last_mut()?.at_key = false,
            b'"' => {
                let end = string(bytes, at + 1)?;
                if let Some(within) = open.last_mut().filter(|within| within.at_key) {
                    let key = json.get(at + 1..end)?;
                    match index_key(key) {
                        Some(index) => {
                            let is_named = keys.len() > within.keys;
                            let is_next = within.index.is_none_or(|last| last < index);
                            (is_next && !is_named).then_some(())?;
                            within.index = Some(index);
                        }
                        None => keys.push(key),
                    }
                }
                at = end;
            }
            b'-' | b'0'..=b'9' => {
                let rest = json.get(at..)?;
                let length = rest.bytes().take_while(|byte| !b",]} \t\r\n".contains(byte)).count();
                is_number(rest.get(..length)?).then_some(())?;
                at += length - 1;
            }
            b'a'..=b'z' => {}
            // White space.
            _ => return None,
        }
        at += 1;
    }
    Some(())
}

/// The offset of the quote that ends the string, unless an escape in it is one that is not written.
fn string(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at = plain(bytes, at);
        match bytes.get(at)? {
            b'"' => return Some(at),
            b'\\' => {
                at += 1;
                match bytes.get(at)? {
                    b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                    b'u' => {
                        let unit = escaped(bytes, at + 1)?;
                        at += 4;
                        let is_pair = (0xd800..0xdc00).contains(&unit)
                            && bytes.get(at + 1..at + 3) == Some(b"\\u")
                            && escaped(bytes, at + 3).is_some_and(|low| low & 0xfc00 == 0xdc00);
                        let is_control = unit < 0x20 && !matches!(unit, 8..=10 | 12 | 13);
                        let is_half = unit & 0xf800 == 0xd800 && !is_pair;
                        (is_control || is_half).then_some(())?;
                    }
                    _ => return None,
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The number of four hexadecimal digits in lower case.
fn escaped(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |number, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u32::from(digit))
    })
}

/// The index of an array, if the key is one.
pub(crate) fn index_key(key: &str) -> Option<u32> {
    let is_plain = key == "0" || !key.starts_with(['0', '+']);
    let index = if is_plain { key.parse().ok() } else { None };
    index.filter(|index| *index < u32::MAX)
}

/// Is the number spelled as it is written?
fn is_number(text: &str) -> bool {
    let is_short = text.len() <= 15 && text != "-0";
    if is_short && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        return true;
    }
    text != "-0" && float::parse(text).is_some_and(|number| js_number(number) == text)
}

/// Are the keys of an object different?
fn are_unique(keys: &[&str]) -> bool {
    if keys.len() <= FEW {
        let mut rest = keys.iter();
        while let Some(key) = rest.next() {
            if rest.as_slice().contains(key) {
                return false;
            }
        }
        return true;
    }
    let mut seen = Numbering::new();
    keys.iter().all(|key| seen.insert((*key).to_owned(), 0).is_none())
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn texts_of_json_stringify_are_told_from_others() {
        for text in [
            "{}",
            "[]",
            r#"{"a":1,"b":[1,-2,0.5,1e+21,1e-7,123456789012345680],"c":null,"d":true}"#,
            r#"{"1":1,"2":2,"10":3,"b":4,"a":5,"01":6,"-1":7,"4294967295":8,"+3":9}"#,
            r#"{"a":{"x":1},"b":{"x":2}}"#,
            r#""\"\\\b\f\n\r\t\u0000\u001f/é""#,
            r#"["\ud83d","\ude00","\ud83dx","\ude00\ud83d"]"#,
            "0",
        ] {
            assert!(is_stringified(text), "{text}");
        }
        for text in [
            r#"{"a": 1}"#,
            "{ }",
            "[1, 2]",
            r#"{"a":1,"a":1}"#,
            r#"{"b":1,"1":2}"#,
            r#"{"2":1,"1":2}"#,
            r#"{"1":1,"1":2}"#,
            "1.0",
            "-0",
            "1e2",
            "1E21",
            "1e21",
            "0.10",
            "0.0000001",
            "12345678901234567890",
            "1e999",
            r#""\/""#,
            r#""\u00e9""#,
            r#""\u001F""#,
            r#""\u000a""#,
            r#""\ud83d\ude00""#,
            r#""\uD83D""#,
        ] {
            assert!(!is_stringified(text), "{text}");
        }
        let many = |last: usize| {
            let keys = (0..40).chain([last]).map(|n| format!("\"k{n}\":0"));
            format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
        };
        assert!(is_stringified(&many(40)));
        assert!(!is_stringified(&many(7)));
    }
}
