//! What the objects of the model have in common: tags, unknown fields, ids, times, counts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, ObjectSpec, Origin, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object};
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Reads an optional field that is present: a `null` is kept, because it differs from a missing
/// field.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    given: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(given).map(Some)
}

/// The fields of an object that the model does not name, kept as they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnknownFields(pub Map<String, Value>);

/// A field that always holds the same word, such as `type`; `WORD` is the number of the [`Word`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tag<const WORD: u8>;

impl<const WORD: u8> Tag<WORD> {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        Word::ALL.get(usize::from(WORD)).map_or("", |word| word.as_str())
    }
}

impl<const WORD: u8> Serialize for Tag<WORD> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de, const WORD: u8> Deserialize<'de> for Tag<WORD> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let word = Tag::<WORD>.word();
        if text == word {
            return Ok(Tag);
        }
        Err(D::Error::custom(format!("expected {word:?}, got {text:?}")))
    }
}

/// Which part of which message of which session (BR-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartBase {
    /// The part's id, unique in its message (BR-02).
    pub id: String,
    /// The session's id (BR-04).
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// The message's id (BR-04).
    #[serde(rename = "messageID")]
    pub message_id: String,
}

/// The fields of every part before its `type` (BR-01, BR-04).
pub const BASE: &[FieldSpec] = &[
    required(Key::Id, FieldKind::Text).from(Origin::IdOrNew).by_rule(),
    required(Key::SessionID, FieldKind::Text).by_rule(),
    required(Key::MessageID, FieldKind::Text).by_rule(),
];

impl ModelObject for PartBase {
    const FIELDS: &'static [FieldSpec] = BASE;
    const DOCS: ObjectDocs = ObjectDocs {
        about: &[" Which part of which message of which session (BR-01)."],
        fields: &[
            &[" The part's id, unique in its message (BR-02)."],
            &[" The session's id (BR-04)."],
            &[" The message's id (BR-04)."],
        ],
    };
}

object! {
    /// A span of time, in milliseconds since the Unix epoch.
    struct TimeSpan [] {
        /// When it began.
        start: Start = Number;
        /// When it ended.
        optional end: End = Number;
    }
}

object! {
    /// When a text was written, in milliseconds since the Unix epoch. A text may have one field,
    /// both or neither.
    struct WritingTime [] {
        /// When it began. The types of apex-bridge and OpenCode demand it.
        optional start: Start = Number, required_in_type;
        /// When it ended.
        optional end: End = Number;
    }
}

object! {
    /// A point in time, in milliseconds since the Unix epoch.
    struct Created [] {
        /// When.
        created: Created = Number;
    }
}

object! {
    /// A model of a provider.
    struct ModelRef [] {
        /// The provider.
        provider_id ("providerID"): ProviderID = Text;
        /// The model.
        model_id ("modelID"): ModelID = Text;
    }
}

object! {
    /// Tokens used, in disjoint counts: `input` without cache, `output` without reasoning.
    struct TokenStats [] {
        /// The sum, if the provider gives it.
        optional total: Total = Number;
        /// Sent and not cached.
        input: Input = Number;
        /// Received, without reasoning.
        output: Output = Number;
        /// Reasoning.
        reasoning: Reasoning = Number;
        /// Read from and written to the provider's cache.
        cache: Cache = Object(CacheStats);
    }
}

/// The counts of a step or a message.
pub const TOKENS: ObjectSpec =
    ObjectSpec { type_name: "TokenStats", fields: <TokenStats as ModelObject>::FIELDS };

object! {
    /// Tokens read from and written to the provider's cache.
    struct CacheStats [] {
        /// Read.
        read: Read = Number;
        /// Written.
        write: Write = Number;
    }
}
