//! How the documents are laid out in a file.

/// How the documents are laid out in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentLayout {
    /// In the array `messages` of an object.
    Export,
    /// In an array.
    List,
    /// One after another, usually one per line.
    Lines,
}
