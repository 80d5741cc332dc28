//! The shapes of values that a reader of JSON demands, as data: one table serves to check and to fit.

/// What a value must be.
#[derive(Debug)]
pub(super) enum Shape {
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
    Record(&'static Shape),
    /// An array, whose elements have a shape.
    List(&'static Shape),
    /// An object with these fields. Others are dropped.
    Fields(&'static [ShapeField]),
    /// An object whose field of this name says which fields it has.
    Kinds(&'static str, &'static [ShapeKind]),
}

/// A field of an object.
#[derive(Debug)]
pub(super) struct ShapeField {
    pub(super) name: &'static str,
    pub(super) shape: &'static Shape,
    pub(super) is_required: bool,
}

/// One kind of an object: its word, and its fields beside that.
#[derive(Debug)]
pub(super) struct ShapeKind {
    pub(super) word: &'static str,
    pub(super) fields: &'static [ShapeField],
}

pub(super) const fn required(name: &'static str, shape: &'static Shape) -> ShapeField {
    ShapeField { name, shape, is_required: true }
}

pub(super) const fn optional(name: &'static str, shape: &'static Shape) -> ShapeField {
    ShapeField { name, shape, is_required: false }
}

pub(super) const fn kind(word: &'static str, fields: &'static [ShapeField]) -> ShapeKind {
    ShapeKind { word, fields }
}

/// The largest integer such that it and all below are exact in a double.
pub(super) const MOST_EXACT: f64 = 9_007_199_254_740_991.0;

impl Shape {
    /// What it demands, for messages: "expected …".
    pub(super) fn describe(&self) -> String {
        match self {
            Shape::Text => "a string".to_owned(),
            Shape::Id(prefix) => format!("a string that begins with {prefix:?}"),
            Shape::Integer | Shape::Moment => "an integer that is not negative".to_owned(),
            Shape::Number => "a finite number".to_owned(),
            Shape::Positive => "a finite number that is not negative".to_owned(),
            Shape::Flag => "true or false".to_owned(),
            Shape::Word(words) => format!("one of {}", words.join(", ")),
            Shape::Anything => "a value".to_owned(),
            Shape::Record(_) | Shape::Fields(_) => "an object".to_owned(),
            Shape::List(_) => "an array".to_owned(),
            Shape::Kinds(tag, kinds) => {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word).collect();
                format!("an object whose `{tag}` is one of {}", words.join(", "))
            }
        }
    }
}
