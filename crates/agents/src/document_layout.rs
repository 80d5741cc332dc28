//! How the documents are laid out in a file.

/// How the documents are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentLayout {
    /// In the array `messages` of an object.
    Export,
    /// The same, or in the array `data`; its elements are records, not messages.
    Records,
    /// In an array.
    List,
    /// One after another, usually one per line.
    Lines,
}
