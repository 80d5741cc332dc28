//! A compiled schema: nodes that refer to each other by index.

use super::literal::Literal;
use apex_parts_model::Kind;

/// The types of JSON Schema, as bits of a set.
pub(crate) type TypeSet = u8;

pub(crate) const NULL: TypeSet = 1;
pub(crate) const BOOLEAN: TypeSet = 2;
pub(crate) const INTEGER: TypeSet = 4;
/// Also of whole numbers.
pub(crate) const NUMBER: TypeSet = 8;
pub(crate) const NUMBERS: TypeSet = INTEGER | NUMBER;
pub(crate) const STRING: TypeSet = 16;
pub(crate) const ARRAY: TypeSet = 32;
pub(crate) const OBJECT: TypeSet = 64;
/// The names of the types, in the order of their bits.
pub(crate) const TYPE_NAMES: [&str; 7] =
    ["null", "boolean", "integer", "number", "string", "array", "object"];

/// The set that contains the type of a value; empty for what JSON has not.
pub(crate) fn type_of(kind: Kind, number: f64) -> TypeSet {
    match kind {
        Kind::Null => NULL,
        Kind::True | Kind::False => BOOLEAN,
        Kind::Number if number.fract() == 0.0 => INTEGER | NUMBER,
        Kind::Number => NUMBER,
        Kind::String | Kind::EmptyString => STRING,
        Kind::Array => ARRAY,
        Kind::Object => OBJECT,
        _ => 0,
    }
}

/// A limit of a number, a length or a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
    MultipleOf,
    MinLength,
    MaxLength,
    MinItems,
    MaxItems,
    MinProperties,
    MaxProperties,
}

impl Bound {
    /// The keywords, each with the words for what it wants: "a number of at least 1".
    pub(crate) const ALL: [(&'static str, Bound, &'static str); 11] = [
        ("minimum", Bound::Minimum, "of at least "),
        ("maximum", Bound::Maximum, "of at most "),
        ("exclusiveMinimum", Bound::ExclusiveMinimum, "above "),
        ("exclusiveMaximum", Bound::ExclusiveMaximum, "below "),
        ("multipleOf", Bound::MultipleOf, "that is a multiple of "),
        ("minLength", Bound::MinLength, "of at least "),
        ("maxLength", Bound::MaxLength, "of at most "),
        ("minItems", Bound::MinItems, "of at least "),
        ("maxItems", Bound::MaxItems, "of at most "),
        ("minProperties", Bound::MinProperties, "of at least "),
        ("maxProperties", Bound::MaxProperties, "of at most "),
    ];

    /// What its number counts.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Bound::MinLength | Bound::MaxLength => " characters",
            Bound::MinItems | Bound::MaxItems => " elements",
            Bound::MinProperties | Bound::MaxProperties => " fields",
            _ => "",
        }
    }

    /// Whether a size of this kind of value meets the limit.
    pub(crate) fn holds(self, size: f64, limit: f64) -> bool {
        match self {
            Bound::Minimum | Bound::MinLength | Bound::MinItems | Bound::MinProperties => {
                size >= limit
            }
            Bound::Maximum | Bound::MaxLength | Bound::MaxItems | Bound::MaxProperties => {
                size <= limit
            }
            Bound::ExclusiveMinimum => size > limit,
            Bound::ExclusiveMaximum => size < limit,
            Bound::MultipleOf => {
                let times = size / limit;
                // 0.3 is a multiple of 0.1, although not exactly as a double.
                (times - times.round()).abs() <= 1e-9 * times.abs().max(1.0)
            }
        }
    }

    /// The type of the values that it limits.
    pub(crate) fn of_type(self) -> TypeSet {
        match self {
            Bound::MinLength | Bound::MaxLength => STRING,
            Bound::MinItems | Bound::MaxItems => ARRAY,
            Bound::MinProperties | Bound::MaxProperties => OBJECT,
            _ => NUMBERS,
        }
    }
}

/// What other fields of an object, or elements of an array, must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Others {
    #[default]
    Any,
    None,
    Fit(usize),
}

/// One schema; the others that it names are indexes into the list of all.
#[derive(Clone, Debug, Default)]
pub(crate) struct SchemaNode {
    /// `false`: nothing fits.
    pub(crate) is_never: bool,
    /// The types that fit; empty if all do.
    pub(crate) types: TypeSet,
    /// `enum`, or `const` as the only one.
    pub(crate) literals: Option<Vec<Literal>>,
    pub(crate) properties: Vec<(String, usize)>,
    pub(crate) required: Vec<String>,
    pub(crate) other_fields: Others,
    pub(crate) prefix: Vec<usize>,
    pub(crate) other_elements: Others,
    pub(crate) bounds: Vec<(Bound, f64)>,
    pub(crate) pattern: Option<String>,
    pub(crate) all_of: Vec<usize>,
    pub(crate) any_of: Vec<usize>,
    pub(crate) one_of: Vec<usize>,
    pub(crate) not: Option<usize>,
    /// The pointer of `$ref`, and the index of the node that it leads to.
    pub(crate) reference: Option<(String, usize)>,
}
