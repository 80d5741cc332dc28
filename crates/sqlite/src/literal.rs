//! What a column has in a row that was written before the column was added: the literal behind `DEFAULT`, as the type of
//! the column makes it.

use crate::record::SqliteValue;
use crate::sql_tokens::SqlToken;
use apex_parts_json::float;

/// The most parentheses and signs around a literal.
const DEEPEST: u32 = 32;

/// What a column's type makes of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Affinity {
    Integer,
    Text,
    Blob,
    Real,
    Numeric,
}

impl Affinity {
    /// That of a type as `CREATE TABLE` states it.
    pub(crate) fn of_type(stated: &str) -> Affinity {
        let stated = stated.to_ascii_uppercase();
        let has = |part: &str| stated.contains(part);
        if has("INT") {
            Affinity::Integer
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            Affinity::Text
        } else if stated.is_empty() || has("BLOB") {
            Affinity::Blob
        } else if has("REAL") || has("FLOA") || has("DOUB") {
            Affinity::Real
        } else {
            Affinity::Numeric
        }
    }
}

/// A literal.
struct DefaultLiteral {
    value: SqliteValue,
    /// A number as a text.
    digits: Option<String>,
}

impl From<SqliteValue> for DefaultLiteral {
    fn from(value: SqliteValue) -> DefaultLiteral {
        DefaultLiteral { value, digits: None }
    }
}

/// The number that a text is, if it is nothing but a decimal number.
fn number_of(text: &str) -> Option<SqliteValue> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let is_part =
        |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    if !text.bytes().all(is_part) {
        return None;
    }
    match text.parse() {
        Ok(number) => Some(SqliteValue::Integer(number)),
        Err(_) => float::parse(text.strip_prefix('+').unwrap_or(text)).map(SqliteValue::Real),
    }
}

impl DefaultLiteral {
    /// A number of `CREATE TABLE`, with its sign or without.
    fn number(sign: &str, text: &str) -> Option<DefaultLiteral> {
        let text = text.replace('_', "");
        let hex = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let value = match hex {
            Some(hex) => {
                #[allow(clippy::cast_possible_wrap)] // as SQLite reads it
                let number = u64::from_str_radix(hex, 16).ok()? as i64;
                SqliteValue::Integer(if sign.is_empty() { number } else { number.wrapping_neg() })
            }
            None => number_of(&format!("{sign}{text}"))?,
        };
        let digits = match &value {
            SqliteValue::Integer(number) => number.to_string(),
            _ => format!("{sign}{text}"),
        };
        Some(DefaultLiteral { value, digits: Some(digits) })
    }

    /// The literal with the other sign.
    fn negative(self) -> DefaultLiteral {
        let value = match self.value {
            SqliteValue::Text(text) => number_of(&text).unwrap_or(SqliteValue::Integer(0)),
            value => value,
        };
        match value {
            SqliteValue::Integer(number) => {
                let number = number.wrapping_neg();
                DefaultLiteral {
                    value: SqliteValue::Integer(number),
                    digits: Some(number.to_string()),
                }
            }
            SqliteValue::Real(number) => DefaultLiteral {
                value: SqliteValue::Real(-number),
                digits: self.digits.map(|digits| format!("-{digits}")),
            },
            _ => SqliteValue::Null.into(),
        }
    }

    /// What a column of this type has.
    fn with(self, affinity: Affinity) -> SqliteValue {
        let affinity = match (&self.digits, affinity) {
            (Some(digits), Affinity::Text) => return SqliteValue::Text(digits.clone()),
            (Some(_), Affinity::Blob) => Affinity::Numeric,
            _ => affinity,
        };
        if matches!(affinity, Affinity::Text | Affinity::Blob) {
            return self.value;
        }
        let value = match self.value {
            SqliteValue::Text(text) => number_of(&text).unwrap_or(SqliteValue::Text(text)),
            value => value,
        };
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // compared
        match value {
            SqliteValue::Integer(number) if affinity == Affinity::Real => {
                SqliteValue::Real(number as f64)
            }
            SqliteValue::Real(number) if affinity != Affinity::Real => {
                let whole = number as i64;
                let is_whole = whole as f64 == number && whole != i64::MAX && whole != i64::MIN;
                if is_whole { SqliteValue::Integer(whole) } else { SqliteValue::Real(number) }
            }
            value => value,
        }
    }
}

/// The bytes that hexadecimal digits are.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| {
        let digit =
            |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let [high, low] = *pair;
        Some(digit(high)? << 4 | digit(low)?)
    };
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}

/// A literal, and what follows it; `None` for what must be computed.
fn literal<'t, 'a>(
    tokens: &'t [SqlToken<'a>],
    depth: u32,
) -> Option<(DefaultLiteral, &'t [SqlToken<'a>])> {
    let deeper = if depth < DEEPEST { Some(depth + 1) } else { None };
    Some(match tokens {
        [SqlToken::Mark('('), rest @ ..] => match literal(rest, deeper?)? {
            (inner, [SqlToken::Mark(')'), rest @ ..]) => (inner, rest),
            _ => return None,
        },
        [SqlToken::Mark('-'), SqlToken::Number(number), rest @ ..] => {
            (DefaultLiteral::number("-", number)?, rest)
        }
        [SqlToken::Mark('-'), rest @ ..] => {
            let (inner, rest) = literal(rest, deeper?)?;
            (inner.negative(), rest)
        }
        [SqlToken::Mark('+'), rest @ ..] => literal(rest, deeper?)?,
        [SqlToken::Number(number), rest @ ..] => (DefaultLiteral::number("", number)?, rest),
        [SqlToken::Word(x), SqlToken::Quoted('\'', digits), rest @ ..]
            if x.eq_ignore_ascii_case("x") =>
        {
            (SqliteValue::Blob(bytes_of(digits)?).into(), rest)
        }
        [word, rest @ ..] if word.is("TRUE") => (SqliteValue::Integer(1).into(), rest),
        [word, rest @ ..] if word.is("FALSE") => (SqliteValue::Integer(0).into(), rest),
        [word, ..] if word.is_any(&COMPUTED) => return None,
        // A name is a text, but in parentheses it would be a column.
        [text @ (SqlToken::Word(_) | SqlToken::Quoted(..)), rest @ ..]
            if depth == 0 || matches!(text, SqlToken::Quoted('\'', _)) =>
        {
            (SqliteValue::Text(text.name()?).into(), rest)
        }
        _ => return None,
    })
}

/// Words that are no text.
const COMPUTED: [&str; 4] = ["NULL", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"];

/// What the tokens behind `DEFAULT` give a column of a type; null for what must be computed.
pub(crate) fn default_of(tokens: &[SqlToken<'_>], affinity: Affinity) -> SqliteValue {
    literal(tokens, 0).map_or(SqliteValue::Null, |(literal, _)| literal.with(affinity))
}

#[cfg(test)]
mod tests;
