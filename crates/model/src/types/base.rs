//! What the structs of the model have in common: tags, unknown fields, ids, times, counts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use crate::names::Word;
use serde::de::{Deserializer, Error as _};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Number, Value};
use std::marker::PhantomData;

/// Reads an optional field that is present: a `null` is kept, because it differs from a missing
/// field.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    given: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(given).map(Some)
}

/// The fields of an object that the model does not name, kept as they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "{}"))]
#[serde(transparent)]
pub struct UnknownFields(pub Map<String, Value>);

/// A field that always holds the same word, such as `type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tag<T>(PhantomData<T>);

/// The word that a [`Tag`] holds.
pub trait Tagged {
    /// The word.
    const WORD: Word;
}

impl<T: Tagged> Serialize for Tag<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(T::WORD.as_str())
    }
}

impl<'de, T: Tagged> Deserialize<'de> for Tag<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text == T::WORD.as_str() {
            return Ok(Tag(PhantomData));
        }
        Err(D::Error::custom(format!("expected {:?}, got {text:?}", T::WORD.as_str())))
    }
}

macro_rules! tag {
    ($name:ident, $word:expr) => {
        #[doc = "Names the one value of a tag."]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name;
        impl $crate::types::base::Tagged for $name {
            const WORD: $crate::names::Word = $word;
        }
    };
}
pub(crate) use tag;

/// Which part of which message of which session (BR-01).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
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

/// A span of time, in milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// When it began.
    pub start: Number,
    /// When it ended.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub end: Option<Number>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A point in time, in milliseconds since the Unix epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Created {
    /// When.
    pub created: Number,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// A model of a provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRef {
    /// The provider.
    #[serde(rename = "providerID")]
    pub provider_id: String,
    /// The model.
    #[serde(rename = "modelID")]
    pub model_id: String,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// Tokens used, in disjoint counts: `input` without cache, `output` without reasoning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TokenStats {
    /// The sum, if the provider gives it.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub total: Option<Number>,
    /// Sent and not cached.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub input: Number,
    /// Received, without reasoning.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub output: Number,
    /// Reasoning.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub reasoning: Number,
    /// Read from and written to the provider's cache.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "{ read: number; write: number }"))]
    pub cache: CacheStats,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// Tokens read from and written to the provider's cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheStats {
    /// Read.
    pub read: Number,
    /// Written.
    pub write: Number,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}
