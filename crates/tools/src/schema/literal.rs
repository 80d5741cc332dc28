//! A value of `enum` or `const`.

use apex_parts_json::writer;
use apex_parts_model::view::number_text;
use apex_parts_model::{Kind, View};

/// The most levels of arrays and objects within each other.
const DEPTH: usize = 32;

/// A JSON value that a schema names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Literal>),
    Fields(Vec<(String, Literal)>),
}

impl Literal {
    /// The value as a literal; `None` if JSON has no such value, or it nests too deep.
    pub(crate) fn new<V: View>(value: &V) -> Option<Literal> {
        read(value, DEPTH)
    }

    /// Whether a value equals it: objects whatever the order of their fields.
    pub(crate) fn is<V: View>(&self, value: &V) -> bool {
        let kind = value.kind();
        match self {
            Literal::Null => kind == Kind::Null,
            Literal::Bool(is) => kind == if *is { Kind::True } else { Kind::False },
            Literal::Number(number) => value.number() == *number,
            Literal::Text(text) => value.text().is_some_and(|other| other == text.as_str()),
            Literal::List(list) => {
                kind == Kind::Array
                    && value.len() == list.len()
                    && list.iter().enumerate().all(|(i, element)| element.is(&value.at(i)))
            }
            Literal::Fields(fields) => {
                let mut found = 0;
                let mut same = kind == Kind::Object;
                same &= value.each_field(&mut |name, value| {
                    found += 1;
                    let field = fields.iter().find(|(own, _)| own == name);
                    same &= field.is_some_and(|(_, literal)| literal.is(value));
                });
                same && found == fields.len()
            }
        }
    }

    /// Its JSON text.
    pub(crate) fn write(&self, out: &mut String) {
        match self {
            Literal::Null => out.push_str("null"),
            Literal::Bool(is) => out.push_str(if *is { "true" } else { "false" }),
            Literal::Number(number) => out.push_str(&number_text(*number)),
            Literal::Text(text) => writer::string(out, text),
            Literal::List(list) => {
                out.push('[');
                for (i, element) in list.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Literal::Fields(fields) => {
                out.push('{');
                for (i, (name, literal)) in fields.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    writer::string(out, name);
                    out.push(':');
                    literal.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn read<V: View>(value: &V, depth: usize) -> Option<Literal> {
    let depth = depth.checked_sub(1)?;
    Some(match value.kind() {
        Kind::Null => Literal::Null,
        Kind::True => Literal::Bool(true),
        Kind::False => Literal::Bool(false),
        Kind::Number => Literal::Number(value.number()),
        Kind::String | Kind::EmptyString => Literal::Text(value.text()?.into_owned()),
        Kind::Array => {
            let mut list = Some(Vec::new());
            value.each(usize::MAX, &mut |_, element| match (read(element, depth), &mut list) {
                (Some(element), Some(list)) => list.push(element),
                _ => list = None,
            });
            Literal::List(list?)
        }
        Kind::Object => {
            let mut fields = Some(Vec::new());
            value.each_field(&mut |name, value| match (read(value, depth), &mut fields) {
                (Some(value), Some(fields)) => fields.push((name.to_owned(), value)),
                _ => fields = None,
            });
            Literal::Fields(fields?)
        }
        _ => return None,
    })
}
