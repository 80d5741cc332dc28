//! The core schema of YAML 1.2: which plain scalars are something else than texts.

use super::yaml_tree::{YamlContent, YamlNode, YamlScalar};
use apex_parts_json::writer;

/// A value of frontmatter. Integers beyond 2^53, which a number would change, are texts, and so are `.inf` and
/// `.nan`, which JSON does not have.
#[derive(Debug, Clone, PartialEq)]
pub enum YamlValue {
    /// `~`, `null`, or nothing.
    Null,
    /// `true` or `false`. (`yes` and `no` are texts.)
    Bool(bool),
    /// A finite number.
    Number(f64),
    /// A text.
    Text(String),
    /// A sequence.
    List(Vec<YamlValue>),
    /// A mapping, in the order of the file.
    Map(Vec<(String, YamlValue)>),
}

impl YamlValue {
    pub(super) fn from_node(node: &YamlNode) -> YamlValue {
        match &node.content {
            YamlContent::Scalar(scalar) => YamlValue::of_scalar(scalar),
            YamlContent::List(items) => {
                YamlValue::List(items.iter().map(YamlValue::from_node).collect())
            }
            YamlContent::Map(entries) => {
                let fields =
                    entries.iter().map(|e| (e.key.clone(), YamlValue::from_node(&e.value)));
                YamlValue::Map(fields.collect())
            }
        }
    }

    fn of_scalar(scalar: &YamlScalar) -> YamlValue {
        if scalar.is_null() {
            return YamlValue::Null;
        }
        let text = scalar.text.as_str();
        if scalar.is_plain {
            match text {
                "true" | "True" | "TRUE" => return YamlValue::Bool(true),
                "false" | "False" | "FALSE" => return YamlValue::Bool(false),
                _ => {}
            }
            if let Some(number) = number(text) {
                return YamlValue::Number(number);
            }
        }
        YamlValue::Text(text.to_owned())
    }
}

/// The number that a plain scalar is; `None` for a text, and for a number that would not stay what it is.
fn number(text: &str) -> Option<f64> {
    const LARGEST: u64 = 1 << 53;
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_signed = unsigned.len() < text.len();
    let is_negative = text.starts_with('-');
    let (digits, radix) = match (unsigned.get(..2), unsigned.get(2..)) {
        (Some("0x"), Some(digits)) if !is_signed => (digits, 16),
        (Some("0o"), Some(digits)) if !is_signed => (digits, 8),
        _ => (unsigned, 10),
    };
    if !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix)) {
        let whole = u64::from_str_radix(digits, radix).ok().filter(|whole| *whole <= LARGEST)?;
        #[allow(clippy::cast_precision_loss)] // at most 2^53
        let number = whole as f64;
        return Some(if is_negative && whole > 0 { -number } else { number });
    }
    float(unsigned).map(|number| if is_negative { -number } else { number })
}

/// `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn float(text: &str) -> Option<f64> {
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (significand, exponent) = match text.split_once(['e', 'E']) {
        Some((significand, exponent)) => {
            let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            if digits.is_empty() || !all_digits(digits) {
                return None;
            }
            (significand, exponent)
        }
        None => (text, "0"),
    };
    let (whole, fraction) = significand.split_once('.').unwrap_or((significand, ""));
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let whole = if whole.is_empty() { "0" } else { whole };
    let json = format!("{whole}.{fraction}0e{exponent}");
    Some(apex_parts_json::float::parse(&json)?).filter(|number| number.is_finite())
}

/// A value as JSON text. Numbers stay as they are written where JSON writes them so.
pub(super) fn json_text(node: &YamlNode) -> String {
    let mut out = String::new();
    write_json(&mut out, node);
    out
}

fn write_json(out: &mut String, node: &YamlNode) {
    match &node.content {
        YamlContent::Scalar(scalar) => match YamlValue::of_scalar(scalar) {
            YamlValue::Null => out.push_str("null"),
            YamlValue::Bool(true) => out.push_str("true"),
            YamlValue::Bool(false) => out.push_str("false"),
            YamlValue::Number(_) if is_json_number(&scalar.text) => out.push_str(&scalar.text),
            _ => writer::string(out, &scalar.text),
        },
        YamlContent::List(items) => {
            writer::list(out, items, write_json);
        }
        YamlContent::Map(entries) => {
            out.push('{');
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                writer::string(out, &entry.key);
                out.push(':');
                write_json(out, &entry.value);
            }
            out.push('}');
        }
    }
}

fn is_json_number(text: &str) -> bool {
    apex_parts_json::scan::number(text.as_bytes(), 0).is_ok_and(|end| end == text.len())
}
