//! Why frontmatter cannot be read.

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct YamlFault {
    pub(super) rule: &'static str,
    /// A byte of the frontmatter.
    pub(super) offset: usize,
    /// A JSON Pointer.
    pub(super) path: String,
    pub(super) message: String,
    /// The syntax is wrong, or an alias names nothing: a text without quotes may be the cause.
    pub(super) is_syntax: bool,
}

impl YamlFault {
    pub(super) fn new(offset: usize, path: String, message: impl Into<String>) -> YamlFault {
        YamlFault { rule: "SK-03", offset, path, message: message.into(), is_syntax: false }
    }
}
