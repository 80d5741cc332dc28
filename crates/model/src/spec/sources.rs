//! What a file part was taken from. The sources differ by `type`.

use super::field::FieldKind::{Number, Object, Text};
use super::field::{FieldSpec, required};
use super::shared::{RANGE, SOURCE_TEXT};
use crate::names::{Key, Word};

/// A type of file source.
#[derive(Clone, Copy, Debug)]
pub struct SourceSpec {
    /// Its `type`.
    pub word: Word,
    /// The name of its Rust struct and its TypeScript interface.
    pub type_name: &'static str,
    /// Its fields after `type`.
    pub fields: &'static [FieldSpec],
}

/// Every type of file source.
pub const SOURCES: &[SourceSpec] = &[
    SourceSpec {
        word: Word::File,
        type_name: "FileSource",
        fields: &[required(Key::Path, Text), required(Key::Text, Object(SOURCE_TEXT))],
    },
    SourceSpec {
        word: Word::Symbol,
        type_name: "SymbolSource",
        fields: &[
            required(Key::Path, Text),
            required(Key::Range, Object(RANGE)),
            required(Key::Name, Text),
            required(Key::Kind, Number),
            required(Key::Text, Object(SOURCE_TEXT)),
        ],
    },
    SourceSpec {
        word: Word::Resource,
        type_name: "ResourceSource",
        fields: &[
            required(Key::ClientName, Text),
            required(Key::Uri, Text),
            required(Key::Text, Object(SOURCE_TEXT)),
        ],
    },
];
