//! [`MessageGlance`]: a message of a log as statistics and summaries look at it, before its JSON is written. What they do
//! not look at is not made: ids of messages and sessions, texts, the middle of long outputs.

use super::log_call::CallDetail;
use super::log_message::{LogMessage, LogPiece};
use super::log_part::{LogPart, PartFields};
use super::log_rules::LogRules;
use super::log_session::LogSession;
use crate::token_counts::{TokenCounts, count};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_json::writer::object;
use apex_parts_model::Word;
use std::borrow::Cow;
use std::fmt;

/// A message that is not written yet.
#[derive(Clone, Copy, Debug)]
pub struct MessageGlance<'a> {
    pub(super) message: &'a LogMessage,
    pub(super) session: &'a LogSession,
    pub(super) rules: &'a LogRules,
    /// Its index in its session, and whether it has the id of its file.
    pub(super) index: usize,
    pub(super) has_own_id: bool,
    /// The index of its first part among those of its session.
    pub first_part: usize,
}

impl<'a> MessageGlance<'a> {
    /// Is it an answer of the model? Otherwise it is a user's message.
    #[must_use]
    pub fn is_answer(&self) -> bool {
        self.message.is_answer()
    }

    /// When it was created, and when it was complete, in milliseconds since the Unix epoch; `NaN` where that is not known.
    #[must_use]
    pub fn times(&self) -> (f64, f64) {
        let completed = self.message.completed(self.rules).filter(|_| self.is_answer());
        (known(self.message.created), known(completed.unwrap_or(f64::NAN)))
    }

    /// The provider and the model of an answer. A user's message names them for the next answer: here they are empty.
    #[must_use]
    pub fn model(&self) -> (&'a str, &'a str) {
        if self.is_answer() { (&self.message.provider, &self.message.model) } else { ("", "") }
    }

    /// The name of its agent.
    #[must_use]
    pub fn agent(&self) -> &'a str {
        &self.session.agent
    }

    /// What an answer cost, in US dollars.
    #[must_use]
    pub fn cost(&self) -> f64 {
        if self.is_answer() { count(self.message.cost) } else { f64::NAN }
    }

    /// Why an answer ended, in OpenCode's words; empty if that is not known.
    #[must_use]
    pub fn finish(&self) -> &'a str {
        let finish = self.message.completed(self.rules).and(self.message.finish(self.rules));
        finish.filter(|_| self.is_answer()).unwrap_or_default()
    }

    /// An answer's error, on the tape of `scratch`; missing if there is none.
    pub fn error<'s>(&self, scratch: &'s mut GlanceScratch) -> Node<'s> {
        scratch.text.clear();
        if self.is_answer() {
            scratch.text.push_str(&self.message.error);
        }
        scratch.root()
    }

    pub(super) fn id(&self) -> Cow<'a, str> {
        self.message.id_in(self.session, self.index, self.has_own_id)
    }

    /// Its parts, in order.
    pub fn parts(self) -> impl Iterator<Item = PartGlance<'a>> {
        let pieces = (0..).map_while(move |number| Some((number, self.message.piece(number)?)));
        pieces.map(move |(number, piece)| PartGlance { of: self, number, piece })
    }
}

/// A part of a message that is not written yet.
#[derive(Clone, Copy, Debug)]
pub struct PartGlance<'a> {
    of: MessageGlance<'a>,
    number: usize,
    piece: LogPiece<'a>,
}

/// What a part is.
#[derive(Clone, Copy, Debug)]
pub enum PartKind<'a> {
    /// Where a step starts.
    StepStart,
    /// Where it ends: what it used.
    StepFinish(TokenCounts, f64),
    /// A text; raw.
    Text(&'a str),
    /// A reasoning.
    Reasoning,
    /// A file.
    File,
    /// A call.
    Call,
    /// Another one, with its type if that is one of the model's.
    Other(Option<Word>),
}

impl PartKind<'_> {
    /// Its type, if it is one of the model's.
    #[must_use]
    pub fn word(self) -> Option<Word> {
        Some(match self {
            PartKind::StepStart => Word::StepStart,
            PartKind::StepFinish(..) => Word::StepFinish,
            PartKind::Text(_) => Word::Text,
            PartKind::Reasoning => Word::Reasoning,
            PartKind::File => Word::File,
            PartKind::Call => Word::Tool,
            PartKind::Other(word) => return word,
        })
    }
}

impl<'a> PartGlance<'a> {
    /// What it is.
    #[must_use]
    pub fn kind(&self) -> PartKind<'a> {
        match self.piece {
            LogPiece::StepStart => PartKind::StepStart,
            LogPiece::StepFinish => {
                let message = self.of.message;
                PartKind::StepFinish(
                    message.tokens.unwrap_or_default().counted(),
                    count(message.cost),
                )
            }
            LogPiece::Call(_) => PartKind::Call,
            LogPiece::Part(part) => match (&*part.kind, &part.fields) {
                ("text", PartFields::Text(raw)) => PartKind::Text(raw),
                ("reasoning", _) => PartKind::Reasoning,
                ("file", _) => PartKind::File,
                (kind, _) => PartKind::Other(Word::parse(kind)),
            },
        }
    }

    /// The time of a text or reasoning part; `NaN` if it is unknown.
    #[must_use]
    pub fn at(&self) -> f64 {
        match self.piece {
            LogPiece::Part(part) => known(part.at.unwrap_or(f64::NAN)),
            _ => f64::NAN,
        }
    }

    /// Did the program say it, not a person or the model?
    #[must_use]
    pub fn is_synthetic(&self) -> bool {
        self.part().is_some_and(|part| part.synthetic)
    }

    /// Is it left out of what the model reads?
    #[must_use]
    pub fn is_ignored(&self) -> bool {
        self.part().is_some_and(|part| part.ignored)
    }

    fn part(&self) -> Option<&'a LogPart> {
        if let LogPiece::Part(part) = self.piece { Some(part) } else { None }
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> String {
        match self.of.message.id_of(self.piece) {
            "" => format!("{}:{}", self.of.id(), self.number),
            id => id.to_owned(),
        }
    }

    /// Its JSON without ids, on the tape of `scratch`. Of a call that is completed the title and the files are left out
    /// and, unless it is wanted `whole`, the middle of a long output.
    pub fn json<'s>(&self, whole: bool, scratch: &'s mut GlanceScratch) -> Node<'s> {
        let text = &mut scratch.text;
        text.clear();
        match self.piece {
            LogPiece::Part(part) => object(text, |out| {
                out.string("type", &part.kind);
                part.write_own(out);
            }),
            LogPiece::Call(call) => object(text, |out| {
                let detail = if whole { CallDetail::Output } else { CallDetail::Ends };
                out.string("type", "tool");
                call.write_own(self.of.rules, detail, out);
            }),
            LogPiece::StepStart | LogPiece::StepFinish => text.push_str("{}"),
        }
        scratch.root()
    }

    /// Is something left out of its JSON unless it is wanted whole?
    #[must_use]
    pub fn is_long(&self) -> bool {
        if let LogPiece::Call(call) = self.piece { call.is_long() } else { false }
    }
}

/// Where the JSON of parts is made, one after the other.
#[derive(Default)]
pub struct GlanceScratch {
    text: String,
    tape: Tape,
}

impl fmt::Debug for GlanceScratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GlanceScratch")
    }
}

impl GlanceScratch {
    fn root(&mut self) -> Node<'_> {
        // It is made of what was JSON in the file.
        let _ = self.tape.read(self.text.as_bytes(), 0);
        self.tape.root(self.text.as_bytes())
    }
}

/// The number as JSON has it, where one that is not finite is `null`.
fn known(number: f64) -> f64 {
    if number.is_finite() { number } else { f64::NAN }
}
