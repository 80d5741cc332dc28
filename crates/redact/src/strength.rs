//! Does a value look like a secret, or like a word, a template, a place where one would be put?

use super::byte_class::is_word;

/// A value's letters and digits, counted.
struct Shape {
    digits: usize,
    lower: usize,
    upper: usize,
    /// Bytes of letters beyond ASCII.
    foreign: usize,
    /// None of these nor what joins words.
    symbols: usize,
}

fn shape(value: &[u8]) -> Shape {
    let mut shape = Shape { digits: 0, lower: 0, upper: 0, foreign: 0, symbols: 0 };
    for byte in value {
        match byte {
            b'0'..=b'9' => shape.digits += 1,
            b'a'..=b'z' => shape.lower += 1,
            b'A'..=b'Z' => shape.upper += 1,
            0x80.. => shape.foreign += 1,
            b'-' | b'_' | b'.' | b' ' | b'/' | b':' => {}
            _ => shape.symbols += 1,
        }
    }
    shape
}

/// The entropy of the bytes, in bits a byte.
#[allow(clippy::cast_precision_loss)] // values are short
fn entropy(value: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let whole = value.len() as f64;
    let of = |count: &u32| f64::from(*count) / whole;
    counts.iter().filter(|count| **count > 0).map(of).map(|share| -share * share.log2()).sum()
}

/// The words of a value: its runs of letters and digits.
fn words(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// Is it words and numbers, alone or in a row, as in `my-first-key`, `claude-3-5-sonnet`,
/// `circle-dot1`?
pub(super) fn is_wordy(value: &[u8]) -> bool {
    words(value).all(|word| {
        let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (name, number) = word.split_at(letters);
        let is_number = number.iter().all(u8::is_ascii_digit);
        let tail = name.get(1..).unwrap_or_default();
        let is_one_case =
            tail.iter().all(u8::is_ascii_lowercase) || name.iter().all(u8::is_ascii_uppercase);
        is_number && (letters == 0 || number.is_empty() || (number.len() <= 3 && is_one_case))
    })
}

/// Words that stand where a secret would be put.
const STAND_INS: &[&[u8]] = &[
    b"your",
    b"example",
    b"sample",
    b"placeholder",
    b"changeme",
    b"change",
    b"dummy",
    b"fake",
    b"insert",
    b"replace",
    b"here",
    b"todo",
    b"redacted",
    b"masked",
    b"hidden",
    b"none",
    b"null",
    b"undefined",
    b"true",
    b"false",
    b"required",
    b"optional",
    b"string",
];

/// In documentation, these stand for what a user types.
const WRITTEN: &[&[u8]] = &[b"PASSWORD", b"PASS", b"SECRET", b"TOKEN", b"VALUE", b"KEY"];

/// What the documentation of AWS ends its keys with.
const EXAMPLES: &[&[u8]] = &[b"EXAMPLE", b"EXAMPLEKEY"];

/// Is it one byte again and again?
pub(super) fn is_filler(word: &[u8]) -> bool {
    word.windows(2).all(|pair| matches!(pair, [a, b] if a == b))
}

/// Is it a template, or a word for a secret that is not there: `$TOKEN`, `<key>`, `xxxx`, `your-key`?
pub(super) fn is_stand_in(value: &[u8]) -> bool {
    let is_blank =
        |byte: &u8| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'0' | b'-' | b'_' | b'#');
    if value.iter().all(is_blank) {
        return true;
    }
    if matches!(value, [b'$' | b'<' | b'%' | b'{' | b'[', ..])
        || value.windows(2).any(|pair| matches!(pair, b"${" | b"{{" | b"$(" | b"%{"))
        || matches!(value, [b'\'' | b'"', b'$', ..])
        || value.starts_with("…".as_bytes())
        || holds(value, b"[redacted")
        || EXAMPLES.iter().any(|end| value.ends_with(end))
    {
        return true;
    }
    is_wordy(value)
        && words(value).any(|word| STAND_INS.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

pub(super) fn holds(value: &[u8], text: &[u8]) -> bool {
    value.windows(text.len()).any(|window| window.eq_ignore_ascii_case(text))
}

/// A path, an address, an element of a page or a data URL, not a secret.
fn is_place(value: &[u8]) -> bool {
    let is_named = |byte: &u8| byte.is_ascii_lowercase() || b"/#_-".contains(byte);
    let is_route = value.starts_with(b"#") || value.contains(&b'/');
    (is_route && value.iter().all(is_named))
        || value.starts_with(b"/")
        || value.starts_with(b"./")
        || value.starts_with(b"../")
        || value.starts_with(b"~/")
        || value.starts_with(b"data:")
        || value.windows(3).any(|three| three == b"://")
}

/// 8-4-4-4-12 hexadecimal digits.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Does what follows a known beginning look random?
pub(super) fn is_random(body: &[u8]) -> bool {
    let counts = shape(body);
    let is_mixed = counts.digits > 0 && counts.lower + counts.upper > 0 && !is_wordy(body);
    (is_mixed && entropy(body) >= 2.8) || is_jumbled(body)
}

/// Do capitals stand among small letters as nobody writes a name? Some of what is random has no digit.
fn is_jumbled(body: &[u8]) -> bool {
    let is_rise =
        |pair: &&[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let is_word_jumbled = |word: &[u8]| {
        let Shape { lower, upper, .. } = shape(word);
        let quarter = word.len() / 4;
        word.len() >= 16
            && lower >= quarter
            && upper >= quarter
            && word.windows(2).filter(is_rise).count() >= 3
    };
    words(body).any(is_word_jumbled) && !is_stand_in(body)
}

/// Can it be a password that somebody chose? Words alone are taken for labels and names.
pub(super) fn is_password(value: &[u8]) -> bool {
    let shape = shape(value);
    let letters = shape.lower + shape.upper;
    (6..=256).contains(&value.len())
        && shape.digits + shape.symbols + shape.foreign > 0
        && letters + shape.digits + shape.foreign >= 4
        // A sentence of a language without blanks.
        && (shape.foreign < 12 || shape.foreign < value.len() / 2)
        // A number, a date, a version.
        && (letters > 0 || shape.symbols + shape.foreign > 0 || shape.digits >= 8)
        && !is_stand_in(value)
        && !is_place(value)
}

/// Can it be a key or a token that a machine made?
pub(super) fn is_machine_made(value: &[u8]) -> bool {
    let shape = shape(value);
    let least = if value.len() < 12 { 2.5 } else { 3.0 };
    (8..=4096).contains(&value.len())
        && shape.lower + shape.upper > 0
        && shape.digits > 0
        && !(is_wordy(value) && words(value).count() > 1 && !is_uuid(value))
        && entropy(value) >= least
        && !is_stand_in(value)
        && !is_place(value)
}

/// Letters in both cases without order, and a sign among them, as in passwords that a program made; some have no digit.
pub(super) fn is_tangled(value: &[u8]) -> bool {
    let is_rise =
        |pair: &&[u8]| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let is_sign = |three: &[u8]| {
        matches!(three, [a, b'!' | b'@' | b'#' | b'^' | b'*', c]
            if a.is_ascii_alphanumeric() && c.is_ascii_alphanumeric())
    };
    (12..=128).contains(&value.len())
        && value.windows(2).filter(is_rise).count() >= 2
        && value.windows(3).any(is_sign)
        && words(value).count() == 2
        && !is_stand_in(value)
        && !is_place(value)
}

/// Does it look random where only a blank, a comma or a tag parts it from its name? Letters and digits take turns in it
/// more often than in a name of code, as `Http2Stream` or `sha256sum`.
pub(super) fn is_evident(value: &[u8]) -> bool {
    let is_turn = |pair: &&[u8]| {
        matches!(pair, [a, b] if a.is_ascii_alphanumeric()
            && b.is_ascii_alphanumeric()
            && a.is_ascii_digit() != b.is_ascii_digit())
    };
    // A sign within, as passwords have it.
    let is_signed = value.len() >= 12 && value.iter().any(|byte| b"!@#$%^&*".contains(byte));
    let least = if is_signed { 1 } else { 3 };
    let body = value.strip_suffix(b"=").unwrap_or(value);
    let body = body.strip_suffix(b"=").unwrap_or(body);
    let is_made = is_machine_made(value)
        && value.len() >= 10
        && value.windows(2).filter(is_turn).count() >= least;
    (is_made || is_tangled(value))
        && !is_wordy(value)
        && !body.iter().any(|byte| matches!(byte, b'|' | b'=') || byte.is_ascii_whitespace())
        && !holds(value, b"::")
}

/// What stands behind `Bearer` or in a header that is known to carry a secret.
pub(super) fn is_credential(value: &[u8]) -> bool {
    let shape = shape(value);
    (8..=8192).contains(&value.len())
        && (shape.digits > 0 || value.len() >= 24)
        && !is_stand_in(value)
        && !is_place(value)
}

/// At a place that only a password can have: is it one, and no variable or placeholder?
pub(super) fn is_given(value: &[u8]) -> bool {
    let is_variable = matches!(value, [b'$' | b'<' | b'{' | b'[', ..])
        || matches!(value, [b'%', .., b'%'])
        || value.windows(2).any(|pair| matches!(pair, b"${" | b"{{" | b"$("));
    !value.is_empty()
        && !is_variable
        && !is_stand_in(value)
        && !WRITTEN.contains(&value)
        && value.iter().any(|byte| is_word(*byte))
}
