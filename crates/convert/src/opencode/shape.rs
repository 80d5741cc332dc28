//! The shapes of values that a reader of JSON demands, as data: one table serves to check and to fit.

use apex_parts_json::tape::Node;

/// What a value must be.
#[derive(Debug)]
pub(crate) enum JsonShape {
    /// A string.
    Text,
    /// A string that begins with this.
    Id(&'static str),
    /// An integer that is not negative and that a double holds exactly.
    Integer,
    /// The same, in milliseconds since the Unix epoch.
    Moment,
    /// A finite number.
    Number,
    /// A finite number that is not negative.
    Positive,
    /// `true` or `false`.
    Flag,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// Any value, also `null`.
    Anything,
    /// An object with any names, whose values have a shape.
    Record(&'static JsonShape),
    /// An array, whose elements have a shape.
    List(&'static JsonShape),
    /// The same, and not empty.
    Filled(&'static JsonShape),
    /// What a function knows, described for messages.
    Told(&'static str, fn(Node<'_>) -> bool),
    /// An object with these fields. Others are dropped.
    Fields(&'static [ShapeField]),
    /// An object whose field of this name says which fields it has.
    Kinds(&'static str, &'static [ShapeKind]),
}

/// A field of an object.
#[derive(Debug)]
pub(crate) struct ShapeField {
    pub(crate) name: &'static str,
    pub(crate) shape: &'static JsonShape,
    pub(crate) is_required: bool,
}

/// One kind of an object: its word, and its fields beside that.
#[derive(Debug)]
pub(crate) struct ShapeKind {
    pub(crate) word: &'static str,
    pub(crate) fields: &'static [ShapeField],
}

pub(crate) const fn required(name: &'static str, shape: &'static JsonShape) -> ShapeField {
    ShapeField { name, shape, is_required: true }
}

pub(crate) const fn optional(name: &'static str, shape: &'static JsonShape) -> ShapeField {
    ShapeField { name, shape, is_required: false }
}

pub(crate) const fn kind(word: &'static str, fields: &'static [ShapeField]) -> ShapeKind {
    ShapeKind { word, fields }
}

/// The largest integer such that it and all below are exact in a double.
pub(crate) const MOST_EXACT: f64 = 9_007_199_254_740_991.0;

impl JsonShape {
    /// What it demands, for messages: "expected …".
    pub(crate) fn describe(&self) -> String {
        match self {
            JsonShape::Text => "a string".to_owned(),
            JsonShape::Id(prefix) => format!("a string that begins with {prefix:?}"),
            JsonShape::Integer | JsonShape::Moment => "an integer that is not negative".to_owned(),
            JsonShape::Number => "a finite number".to_owned(),
            JsonShape::Positive => "a finite number that is not negative".to_owned(),
            JsonShape::Flag => "true or false".to_owned(),
            JsonShape::Word(words) => format!("one of {}", words.join(", ")),
            JsonShape::Anything => "a value".to_owned(),
            JsonShape::Record(_) | JsonShape::Fields(_) => "an object".to_owned(),
            JsonShape::List(_) => "an array".to_owned(),
            JsonShape::Filled(_) => "an array that is not empty".to_owned(),
            JsonShape::Told(what, _) => (*what).to_owned(),
            JsonShape::Kinds(tag, kinds) => {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word).collect();
                format!("an object whose `{tag}` is one of {}", words.join(", "))
            }
        }
    }
}
