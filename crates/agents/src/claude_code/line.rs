//! [`ClaudeLine`]: a line of the file. What it becomes is told by the lines after it, so its pieces are kept until
//! the end: texts and results are shared with the messages that are made of them.

use crate::log::SharedText;
use crate::log::log_part::{LogFields, LogPart};
use crate::token_counts::TokenCounts;

/// A line.
#[derive(Debug)]
pub(crate) struct ClaudeLine {
    /// Its `uuid`, or a name with its offset.
    pub(crate) id: Box<str>,
    pub(crate) parent: LineParent,
    /// The index of what it says of its session.
    pub(crate) about: usize,
    /// Is it of a sub-agent?
    pub(crate) is_side: bool,
    /// The sub-agent's id, where the line has one.
    pub(crate) agent: Option<Box<str>>,
    /// Its time.
    pub(crate) at: f64,
    pub(crate) offset: u64,
    pub(crate) body: LineBody,
}

/// The line that a line follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LineParent {
    /// It names none.
    None,
    /// The line with this index.
    Line(usize),
    /// One that has not been read.
    Named(Box<str>),
}

/// What a line has.
#[derive(Debug)]
pub(crate) enum LineBody {
    /// Nothing to show: it only links others. `is_progress`: it ends no path.
    Link {
        is_progress: bool,
    },
    User(UserLine),
    Answer(AnswerLine),
    /// The boundary of a compaction.
    Boundary {
        auto: bool,
    },
    /// A notice of the program: its level, and its raw text.
    Notice {
        level: &'static str,
        text: SharedText,
    },
}

/// A line of the user, or of the program in their name.
#[derive(Debug, Default)]
pub(crate) struct UserLine {
    pub(crate) pieces: Vec<LinePiece>,
    /// It is no person's.
    pub(crate) is_synthetic: bool,
    /// It is the summary after a compaction.
    pub(crate) is_summary: bool,
    /// It was typed while an answer was being made.
    pub(crate) is_queued: bool,
    pub(crate) said: UserSaid,
}

/// What a line of the user is as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum UserSaid {
    /// What a person asks, or what the program adds.
    #[default]
    Text,
    /// A command: whether a person asked it of the model is told by the line after it.
    Command,
    /// What a command of the program itself printed.
    LocalOutput,
    /// A person ended the request.
    Interruption,
}

/// A line of an answer.
#[derive(Debug, Default)]
pub(crate) struct AnswerLine {
    /// The `id` of its message; empty if it has none.
    pub(crate) message: SharedText,
    pub(crate) model: SharedText,
    pub(crate) pieces: Vec<LinePiece>,
    pub(crate) stop: Option<Box<str>>,
    pub(crate) tokens: Option<TokenCounts>,
    pub(crate) cost: Option<f64>,
    /// The raw text of an error of the API.
    pub(crate) error: Option<SharedText>,
}

/// A piece of a line.
#[derive(Debug)]
pub(crate) enum LinePiece {
    /// A part; what tags say of a text is told by [`UserLine::said`] and `synthetic`.
    Part(LogPart),
    Call(CallPiece),
    Result(ResultPiece),
}

/// A call.
#[derive(Debug)]
pub(crate) struct CallPiece {
    /// Empty if it has none.
    pub(crate) call_id: Box<str>,
    pub(crate) tool: Box<str>,
    /// JSON.
    pub(crate) input: SharedText,
    /// The provider ran it.
    pub(crate) is_of_provider: bool,
    /// Of a call that starts a sub-agent.
    pub(crate) task: Option<TaskCall>,
}

/// What a call that starts a sub-agent says of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaskCall {
    pub(crate) prompt: Box<str>,
    pub(crate) description: Box<str>,
    pub(crate) agent: Box<str>,
}

/// The result of a call.
#[derive(Debug)]
pub(crate) struct ResultPiece {
    pub(crate) call_id: Box<str>,
    pub(crate) is_error: bool,
    /// Raw.
    pub(crate) output: SharedText,
    pub(crate) files: Vec<LogPart>,
    /// Fields of the state's metadata.
    pub(crate) metadata: LogFields,
    /// The sub-agent that it is of.
    pub(crate) agent: Option<Box<str>>,
}

impl ClaudeLine {
    /// Does it become a message, or a part of one?
    pub(crate) fn is_message(&self) -> bool {
        !matches!(self.body, LineBody::Link { .. } | LineBody::Notice { .. })
    }

    /// Its answer, if it is a line of one.
    pub(crate) fn answer(&self) -> Option<&AnswerLine> {
        match &self.body {
            LineBody::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    /// What the user said, if it is a line of theirs.
    pub(crate) fn user(&self) -> Option<&UserLine> {
        match &self.body {
            LineBody::User(user) => Some(user),
            _ => None,
        }
    }

    /// Its pieces.
    pub(crate) fn pieces(&self) -> &[LinePiece] {
        match &self.body {
            LineBody::User(user) => &user.pieces,
            LineBody::Answer(answer) => &answer.pieces,
            _ => &[],
        }
    }

    /// Its calls.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &CallPiece> {
        self.pieces().iter().filter_map(|piece| match piece {
            LinePiece::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Its results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &ResultPiece> {
        self.pieces().iter().filter_map(|piece| match piece {
            LinePiece::Result(result) => Some(result),
            _ => None,
        })
    }
}

impl UserLine {
    /// Is it something that a person asks?
    pub(crate) fn is_prompt(&self) -> bool {
        let is_said = |piece: &LinePiece| match piece {
            LinePiece::Part(part) => !part.synthetic,
            _ => false,
        };
        !self.is_synthetic
            && !self.is_summary
            && matches!(self.said, UserSaid::Text | UserSaid::Command)
            && self.pieces.iter().any(is_said)
    }

    /// Has it nothing but results?
    pub(crate) fn has_results_only(&self) -> bool {
        !self.pieces.is_empty()
            && self.pieces.iter().all(|piece| matches!(piece, LinePiece::Result(_)))
    }
}
