//! Frontmatter as it was written: scalars keep their text, and everything its place.

/// A value and the byte at which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlNode {
    pub(super) offset: usize,
    pub(super) content: YamlContent,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum YamlContent {
    Scalar(YamlScalar),
    List(Vec<YamlNode>),
    Map(Vec<YamlEntry>),
}

/// A field of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlEntry {
    pub(super) key: String,
    /// The byte at which the key begins.
    pub(super) offset: usize,
    pub(super) value: YamlNode,
}

/// A text, and whether it may be something else than a text: written without quotes and without `!!str`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlScalar {
    pub(super) text: String,
    pub(super) is_plain: bool,
}

impl YamlScalar {
    pub(super) fn is_null(&self) -> bool {
        self.is_plain && matches!(&*self.text, "" | "~" | "null" | "Null" | "NULL")
    }
}

impl YamlNode {
    /// The text of a scalar that is not null.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            YamlContent::Scalar(scalar) if !scalar.is_null() => Some(&scalar.text),
            _ => None,
        }
    }

    pub(super) fn is_null(&self) -> bool {
        matches!(&self.content, YamlContent::Scalar(scalar) if scalar.is_null())
    }

    /// What it is, in a sentence.
    pub(super) fn kind(&self) -> &'static str {
        match &self.content {
            YamlContent::Scalar(scalar) if scalar.is_null() => "empty",
            YamlContent::Scalar(_) => "a text",
            YamlContent::List(_) => "a list",
            YamlContent::Map(_) => "a mapping",
        }
    }
}

/// A name as a step of a JSON Pointer.
pub(super) fn pointer_step(path: &mut String, name: &str) {
    path.push('/');
    for c in name.chars() {
        match c {
            '~' => path.push_str("~0"),
            '/' => path.push_str("~1"),
            c => path.push(c),
        }
    }
}

/// The JSON Pointer of a field at the root.
pub(super) fn pointer(name: &str) -> String {
    let mut path = String::new();
    pointer_step(&mut path, name);
    path
}
