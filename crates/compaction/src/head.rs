//! What compaction knows of a message without its parts' texts.

use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, Kind, View, Word};

/// Who said a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaker {
    /// Neither of them: the message is not sent.
    #[default]
    Nobody,
    /// The user.
    User,
    /// The model.
    Assistant,
}

/// The facts of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Head {
    /// Who said it.
    pub speaker: Speaker,
    /// The bits below.
    bits: u8,
    /// The hash of its `modelID`; 0 for none.
    pub(crate) model: u32,
    /// The tokens of the prompt as the provider reported them; 0 if it did not.
    pub(crate) prompt: u32,
    /// The tokens of the answer, like `prompt`.
    pub(crate) output: u32,
}

/// When a message was created and completed, in milliseconds since the Unix epoch; `NaN` if that is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// When it was created.
    pub created: f64,
    /// When it was completed.
    pub completed: f64,
}

impl Times {
    /// Reads a message with parts.
    pub fn read<V: View>(message: &V) -> Times {
        let time = message.get(Key::Info).get(Key::Time);
        let (created, completed) = (time.get(Key::Created), time.get(Key::Completed));
        Times { created: created.number(), completed: completed.number() }
    }
}

// Three of them are known to src/wasm/api/walked_messages.js, too.
const COMPACTION: u8 = 1;
const BARE: u8 = 2;
const SUMMARY: u8 = 4;
const FINISH: u8 = 8;
const FAILED: u8 = 16;
const GOES_ON: u8 = 32;

impl Head {
    /// Reads a message with parts.
    pub fn read<V: View>(message: &V) -> Head {
        let info = message.get(Key::Info);
        let speaker = match info.get_word(Key::Role) {
            Some(Word::User) => Speaker::User,
            Some(Word::Assistant) => Speaker::Assistant,
            _ => Speaker::Nobody,
        };
        let mut head = Head { speaker, ..Head::default() };
        match speaker {
            Speaker::User => head.bits = compaction_bits(&message.get(Key::Parts)),
            Speaker::Assistant => head.read_answer(&info),
            Speaker::Nobody => {}
        }
        head
    }

    fn read_answer<V: View>(&mut self, info: &V) {
        let finish = info.get(Key::Finish);
        let is_finished = finish.kind() == Kind::String;
        // A step after which the model is called again, or one of which nobody knows how it ended.
        let goes_on =
            !is_finished || matches!(finish.text().as_deref(), Some("tool-calls" | "unknown"));
        let bits = [
            (SUMMARY, info.get(Key::Summary).kind() == Kind::True),
            (FINISH, is_finished),
            (FAILED, !info.get(Key::Error).kind().is_nullish()),
            (GOES_ON, goes_on),
        ];
        self.bits = bits.iter().filter(|(_, is)| *is).map(|(bit, _)| bit).sum();
        let model = info.get(Key::ModelID);
        self.model = model.text().map_or(0, |model| short_hash(&model));
        let tokens = info.get(Key::Tokens);
        let cache = tokens.get(Key::Cache);
        let prompt =
            tokens.get_count(Key::Input) + cache.get_count(Key::Read) + cache.get_count(Key::Write);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // they saturate
        let whole = |count: f64| count as u32;
        (self.prompt, self.output) = (whole(prompt), whole(tokens.get_count(Key::Output)));
    }

    /// A message that is nothing out of the ordinary, as a host reads it: of the user without a compaction, or an
    /// answer, that is no summary, with these bits. Must equal [`Head::read`], proven by
    /// tests/package/compaction/walked.test.mjs.
    pub fn plain(
        is_answer: bool,
        bits: u8,
        model: Option<&str>,
        [prompt, output]: [u32; 2],
    ) -> Head {
        let speaker = if is_answer { Speaker::Assistant } else { Speaker::User };
        Head { speaker, bits, model: model.map_or(0, short_hash), prompt, output }
    }

    const fn has(self, bit: u8) -> bool {
        self.bits & bit != 0
    }

    /// A message of the user with a compaction part.
    pub(crate) const fn is_compaction(self) -> bool {
        self.has(COMPACTION)
    }

    /// A message of the user with compaction parts and no others.
    pub(crate) const fn is_bare_compaction(self) -> bool {
        self.has(BARE)
    }

    /// A summary, good or failed.
    pub(crate) const fn is_summary(self) -> bool {
        self.has(SUMMARY)
    }

    /// A summary that ended well.
    pub(crate) const fn is_good_summary(self) -> bool {
        self.has(SUMMARY) && self.has(FINISH) && !self.has(FAILED)
    }

    /// Has it an error?
    pub const fn has_failed(self) -> bool {
        self.has(FAILED)
    }

    /// An answer of the model with what a provider reported of it.
    pub(crate) const fn is_reported(self) -> bool {
        self.has(FINISH) && !self.has(FAILED) && !self.has(SUMMARY) && self.prompt > 0
    }

    /// An answer after which the model was to be called again.
    pub(crate) const fn goes_on(self) -> bool {
        self.has(GOES_ON)
    }

    /// A message with which a turn begins.
    pub(crate) fn begins_turn(self) -> bool {
        self.speaker == Speaker::User && !self.is_compaction()
    }
}

/// 32 bits that stand for a name; never 0.
fn short_hash(name: &str) -> u32 {
    #[allow(clippy::cast_possible_truncation)] // the lowest bits
    let low = super::print::hash(name) as u32;
    low.max(1)
}

fn compaction_bits<V: View>(parts: &V) -> u8 {
    let (mut is_compaction, mut is_bare) = (false, true);
    parts.each(MAX_ELEMENTS, &mut |_, part| {
        let is = part.get_word(Key::Type) == Some(Word::Compaction);
        is_compaction |= is;
        is_bare &= is;
    });
    if is_compaction { COMPACTION | if is_bare { BARE } else { 0 } } else { 0 }
}
