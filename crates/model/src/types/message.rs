//! The two messages and their parts.
//! For Rust users and the generated `.d.ts`; the rules run over [`View`](crate::View).

use super::base::{Created, ModelRef, TOKENS, Tag, TokenStats, UnknownFields, present};
use super::error::MessageError;
use super::part::Part;
use crate::names::{Key, Word};
use crate::spec::field::{FieldKind, FieldSpec, Origin, optional, required};
use crate::spec::object::{ModelObject, ObjectDocs, kind_spec, kind_type, object};
use crate::spec::rows::MessageSpec;
use serde::{Deserialize, Serialize};

/// A message with its parts, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WithParts {
    /// The message.
    pub info: MessageInfo,
    /// Its parts. Their order is the order of the conversation and is never changed.
    pub parts: Vec<Part>,
    /// Fields that the model does not name.
    #[serde(flatten)]
    pub unknown: UnknownFields,
}

/// The fields of every message before its `role` (BR-01, BR-04).
pub const MESSAGE_BASE: &[FieldSpec] = &[
    required(Key::Id, FieldKind::Text).from(Origin::IdOrNew).by_rule(),
    required(Key::SessionID, FieldKind::Text).by_rule(),
];

/// Their documentation.
pub const MESSAGE_BASE_DOCS: &[&[&str]] = &[&[" Its id."], &[" The session's id (BR-04)."]];

/// The messages, one statement each: their structs, their rows, their union.
macro_rules! messages {
    ($($(#[doc = $about:literal])+ $role:ident: $name:ident, $row:ident { $($body:tt)* })+) => {
        $(object! {
            $(#[doc = $about])+
            struct $name [
                /// Its id.
                pub id: String,
                /// The session's id (BR-04).
                #[serde(rename = "sessionID")]
                pub session_id: String,
                /// Always the word of this type.
                pub role: Tag<{ Word::$role as u8 }>,
            ] { $($body)* }
        }

        $(#[doc = $about])+
        pub const $row: MessageSpec = MessageSpec {
            role: Word::$role,
            type_name: stringify!($name),
            constructor: concat!("create", stringify!($name)),
            fields: <$name as ModelObject>::FIELDS,
        };)+

        /// A message; `role` says which.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(untagged)]
        pub enum MessageInfo {
            $($(#[doc = $about])+ $role(Box<$name>),)+
        }

        /// Every type of message.
        pub const MESSAGES: &[&MessageSpec] = &[$(&$row),+];

        /// Their documentation.
        pub const MESSAGE_DOCS: &[ObjectDocs] = &[$(<$name as ModelObject>::DOCS),+];
    };
}

messages! {
    /// What a person said, and how it is to be answered.
    User: UserMessage, USER {
        /// When it was created, in milliseconds since the Unix epoch.
        time: Time = Object(MessageTime, <Created as ModelObject>::FIELDS), from(Now);
        /// A summary, written when the context is compacted (BR-11).
        optional summary: Summary = Object(Summary);
        /// The agent that answers it.
        agent: Agent = Text;
        /// The model that answers it.
        model: Model = Object(ModelRef), from(OptionsInside);
        /// System instructions of its own.
        optional system: System = Text;
        /// Tools turned on and off.
        optional tools: Tools = MapOf(Flag);
        /// The variant of the model.
        optional variant: Variant = Text;
    }
    /// What a model answered.
    Assistant: AssistantMessage, ASSISTANT {
        /// When it was created and completed (BR-14), in milliseconds since the Unix epoch.
        time: Time = Object(MessageTime), from(Now);
        /// The user message that it answers.
        parent_id ("parentID"): ParentID = Text;
        /// The model.
        model_id ("modelID"): ModelID = Text;
        /// Its provider.
        provider_id ("providerID"): ProviderID = Text;
        /// The agent.
        agent: Agent = Text;
        /// Where it worked.
        path: Path = Object(WorkPath), from(OptionsInside);
        /// It is a summary of the messages before it.
        optional summary: Summary = Flag;
        /// What it cost, in US dollars (BR-12).
        cost: Cost = Number, from(Zero);
        /// What it used (BR-13).
        tokens: Tokens = Named(TokenStats, TOKENS), from(Zero), by_rule;
        /// Why it ended.
        optional finish: Finish = Text, from(Later);
        /// Why it failed, in either form; kept as it came.
        optional error: Error = OneOf(MessageError), from(Later), by_rule;
    }
}

object! {
    /// The times of a message, in milliseconds since the Unix epoch.
    struct MessageTime [] {
        /// When it was created.
        created: Created = Number;
        /// When it was completed.
        optional completed: Completed = Number;
    }
}

object! {
    /// A summary of a user message.
    struct Summary [] {
        /// In a few words.
        optional title: Title = Text;
        /// At more length.
        optional body: Body = Text;
        /// What changed in files.
        optional diffs: Diffs = List(FileDiff);
    }
}

object! {
    /// Where an agent worked.
    struct WorkPath [] {
        /// The working directory.
        cwd: Cwd = Text;
        /// The root of the project.
        root: Root = Text;
    }
}
