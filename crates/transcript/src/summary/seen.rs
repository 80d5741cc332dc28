//! [`SeenMessage`]: a message as a summary looks at it: its JSON or, before that is written, what its reader knows of it.

use super::said_text::{is_said, said_text};
use crate::index::step_tokens::StepTokens;
use apex_parts_agents::fields::string;
use apex_parts_agents::log::{GlanceScratch, MessageGlance, NOTICE, PartGlance, PartKind};
use apex_parts_agents::request_in;
use apex_parts_json::string::is_blank_string;
use apex_parts_json::tape::{Node, unescape};
use apex_parts_model::{Key, Kind, View, Word, first_chars};
use std::borrow::Cow;

/// A message.
#[derive(Clone, Copy)]
pub(super) enum SeenMessage<'a> {
    Json(Node<'a>),
    Glance(MessageGlance<'a>),
}

/// What a message says of itself. Texts are empty where it does not say them.
pub(super) struct SeenInfo<'a> {
    pub(super) role: Option<Word>,
    /// In milliseconds since the Unix epoch; `NaN` if it does not say them.
    pub(super) created: f64,
    pub(super) completed: f64,
    pub(super) provider: Cow<'a, str>,
    pub(super) model: Cow<'a, str>,
    pub(super) agent: Cow<'a, str>,
    pub(super) finish: Cow<'a, str>,
}

impl<'a> SeenMessage<'a> {
    /// What it says of itself.
    pub(super) fn info(self) -> SeenInfo<'a> {
        match self {
            SeenMessage::Json(message) => {
                let info = message.get(Key::Info);
                let time = info.get(Key::Time);
                let text = |key| string(Some(info.get(key))).unwrap_or_default();
                SeenInfo {
                    role: info.get(Key::Role).word(),
                    created: time.get(Key::Created).number(),
                    completed: time.get(Key::Completed).number(),
                    provider: text(Key::ProviderID),
                    model: text(Key::ModelID),
                    agent: text(Key::Agent),
                    finish: text(Key::Finish),
                }
            }
            SeenMessage::Glance(message) => {
                let (created, completed) = message.times();
                let (provider, model) = message.model();
                SeenInfo {
                    role: Some(if message.is_answer() { Word::Assistant } else { Word::User }),
                    created,
                    completed,
                    provider: provider.into(),
                    model: model.into(),
                    agent: message.agent().into(),
                    finish: message.finish().into(),
                }
            }
        }
    }

    /// Calls `look` with its error, which is missing if there is none.
    pub(super) fn error<T>(self, look: impl FnOnce(Node<'_>) -> T) -> T {
        match self {
            SeenMessage::Json(message) => look(message.get(Key::Info).get(Key::Error)),
            SeenMessage::Glance(message) => {
                let mut scratch = GlanceScratch::default();
                look(message.error(&mut scratch))
            }
        }
    }

    /// The tokens and the cost that it says itself.
    pub(super) fn told(self) -> (StepTokens, f64) {
        match self {
            SeenMessage::Json(message) => {
                let info = message.get(Key::Info);
                (StepTokens::read(info.get(Key::Tokens)), info.get(Key::Cost).number())
            }
            // The tokens of an answer are those of its step.
            SeenMessage::Glance(message) => (StepTokens::NONE, message.cost()),
        }
    }

    /// Its parts, in order.
    pub(super) fn parts(self) -> impl Iterator<Item = SeenPart<'a>> {
        let (nodes, glances) = match self {
            SeenMessage::Json(message) => (Some(message.get(Key::Parts).children()), None),
            SeenMessage::Glance(message) => (None, Some(message.parts())),
        };
        let nodes = nodes.into_iter().flatten().map(SeenPart::Json);
        nodes.chain(glances.into_iter().flatten().map(SeenPart::Glance))
    }
}

/// A part.
#[derive(Clone, Copy)]
pub(super) enum SeenPart<'a> {
    Json(Node<'a>),
    Glance(PartGlance<'a>),
}

impl<'a> SeenPart<'a> {
    /// Its type, if it is one of the model's.
    pub(super) fn word(&self) -> Option<Word> {
        match self {
            SeenPart::Json(part) => part.get(Key::Type).word(),
            SeenPart::Glance(part) => part.kind().word(),
        }
    }

    /// Its id; empty if it has none.
    pub(super) fn id(&self) -> String {
        match self {
            SeenPart::Json(part) => {
                string(Some(part.get(Key::Id))).unwrap_or_default().into_owned()
            }
            SeenPart::Glance(part) => part.id(),
        }
    }

    /// Its JSON; of a call that is not written yet, a long output may lack its middle, see [`PartGlance::json`].
    pub(super) fn json<'s>(&self, scratch: &'s mut GlanceScratch) -> Node<'s>
    where
        'a: 's,
    {
        match self {
            SeenPart::Json(part) => *part,
            SeenPart::Glance(part) => part.json(false, scratch),
        }
    }

    /// The JSON of a call with all of its output, given what [`json`](Self::json) has made.
    pub(super) fn whole<'s>(&self, json: Node<'s>, scratch: &'s mut GlanceScratch) -> Node<'s> {
        match self {
            SeenPart::Glance(part) if part.is_long() => part.json(true, scratch),
            _ => json,
        }
    }

    /// Is it a text that a person or the model wrote, and none that a program put there?
    pub(super) fn is_said(&self) -> bool {
        match self {
            SeenPart::Json(part) => is_said(part),
            SeenPart::Glance(part) => match part.kind() {
                _ if part.is_synthetic() || part.is_ignored() => false,
                PartKind::Text(raw) => !is_blank_string(raw.as_bytes()),
                PartKind::Other(Some(Word::Text)) => {
                    is_said(&part.json(false, &mut GlanceScratch::default()))
                }
                _ => false,
            },
        }
    }

    /// Is it a text that a program put there?
    pub(super) fn is_synthetic(&self) -> bool {
        self.word() == Some(Word::Text)
            && match self {
                SeenPart::Json(part) => part.get(Key::Synthetic).kind() == Kind::True,
                SeenPart::Glance(part) => part.is_synthetic(),
            }
    }

    /// What the program noted; `None` if it is no notice.
    pub(super) fn notice<T>(&self, look: impl FnOnce(Option<&str>) -> T) -> Option<T> {
        let noted = |part: Node<'_>| {
            let is_notice = part.get(Key::Type).str().is_some_and(|kind| kind == NOTICE);
            is_notice.then(|| look(part.get(Key::Text).str().as_deref()))
        };
        match self {
            SeenPart::Json(part) => noted(*part),
            SeenPart::Glance(part) if matches!(part.kind(), PartKind::Other(None)) => {
                noted(part.json(false, &mut GlanceScratch::default()))
            }
            SeenPart::Glance(_) => None,
        }
    }

    /// What a step took: its tokens and its cost.
    pub(super) fn took(&self) -> (StepTokens, f64) {
        match self {
            SeenPart::Json(part) => {
                (StepTokens::read(part.get(Key::Tokens)), part.get(Key::Cost).number())
            }
            SeenPart::Glance(part) => match part.kind() {
                PartKind::StepFinish(tokens, cost) => (tokens.into(), cost),
                _ => (StepTokens::NONE, f64::NAN),
            },
        }
    }

    /// What a person or the model wrote in it, shortened to so many characters.
    pub(super) fn beginning(&self, most: usize) -> String {
        let shortened = |text: &str| first_chars(text.trim(), most).to_owned();
        if let SeenPart::Glance(part) = self
            && let PartKind::Text(raw) = part.kind()
        {
            return shortened(request_in(&unescape(raw.as_bytes())));
        }
        let mut scratch = GlanceScratch::default();
        let part = self.json(&mut scratch);
        shortened(&said_text(&part, usize::MAX).unwrap_or_default())
    }
}
