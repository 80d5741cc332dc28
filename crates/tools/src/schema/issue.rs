//! What is wrong with a value, and the change that would make it right.

/// A step from a value to one inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueStep {
    /// The field of an object.
    Field(String),
    /// The element of an array.
    Element(usize),
}

/// A change that a schema allows to be made to a value that does not fit it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairKind {
    /// A string that is a number is replaced by the number.
    Number,
    /// The string `true` or `false` is replaced by the boolean.
    Boolean,
    /// A string that is JSON text is replaced by the object or array in it.
    Parse,
    /// The optional field that is `null` is removed.
    Remove,
    /// The value becomes the only element of an array.
    Wrap,
}

impl RepairKind {
    /// Its name in the answer to the host.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RepairKind::Number => "number",
            RepairKind::Boolean => "boolean",
            RepairKind::Parse => "parse",
            RepairKind::Remove => "remove",
            RepairKind::Wrap => "wrap",
        }
    }
}

/// A place where a value does not fit its schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaIssue {
    /// Where, from the whole value.
    pub path: Vec<ValueStep>,
    /// What is wrong: `required, a string`, or `expected true or false, got the string "maybe"`.
    pub message: String,
    /// What the schema wants.
    pub expected: String,
    /// What the value is.
    pub received: String,
    /// What would make it right, perhaps.
    pub repair: Option<RepairKind>,
}
