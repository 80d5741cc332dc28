//! Parts that are nothing out of the ordinary, as a host measures them without a look at each field from here.

use super::config::Estimator;
use super::head::Head;
use super::token_count::{
    ANSWERS, COMPLETED, MessageTokens, OWN_WORDS, PartTokens, SAYS, SENT, whole,
};
use super::tokens::chars::of_units;
use apex_parts_model::Word;

/// What a part is; the number is its place in [`PlainKind::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainKind {
    /// Nothing of it is sent.
    Other,
    /// The same: the beginning of a step, or a thought of the user's.
    Silent,
    /// Text of the model.
    Text,
    /// Reasoning.
    Thought,
    /// Text of a message of the user that is not the user's own, or blank.
    Synthetic,
    /// Text of the user's own.
    OwnWords,
    /// A call that ended well.
    Completed,
    /// A call that failed.
    Failed,
    /// A call that has not ended.
    Open,
}

impl PlainKind {
    /// Every kind.
    pub const ALL: &'static [PlainKind] = &[
        PlainKind::Other,
        PlainKind::Silent,
        PlainKind::Text,
        PlainKind::Thought,
        PlainKind::Synthetic,
        PlainKind::OwnWords,
        PlainKind::Completed,
        PlainKind::Failed,
        PlainKind::Open,
    ];
}

/// A part without files whose output is not cleared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainPart {
    /// What it is.
    pub kind: PlainKind,
    /// The lengths in UTF-16 units of its text, or of a call's tool, its input as JSON, and its output or error.
    pub units: [u32; 3],
}

impl PlainPart {
    /// Counts it with the estimator "chars".
    fn tokens(self) -> PartTokens {
        let PlainPart { kind, units } = self;
        let count = |units: u32| whole(of_units(units as usize));
        let [own, input, result] = units.map(count);
        let call = PartTokens { own: own.saturating_add(input), ..PartTokens::default() };
        let (mut tokens, bits) = match kind {
            PlainKind::Other => (PartTokens::default(), ANSWERS),
            PlainKind::Silent => (PartTokens::default(), 0),
            PlainKind::Text | PlainKind::Synthetic => (call, SENT | SAYS | ANSWERS),
            PlainKind::Thought => (call, SENT | SAYS),
            PlainKind::OwnWords => (call, SENT | SAYS | ANSWERS | OWN_WORDS),
            PlainKind::Completed => {
                (PartTokens { result, ..call }, SENT | SAYS | ANSWERS | COMPLETED)
            }
            PlainKind::Failed => (PartTokens { result, ..call }, SENT | SAYS | ANSWERS),
            PlainKind::Open => {
                let result = Estimator::Chars.of_text(Word::Interrupted.as_str());
                (PartTokens { result, ..call }, SENT | SAYS | ANSWERS)
            }
        };
        tokens.bits = bits;
        tokens
    }
}

impl MessageTokens {
    /// Counts a message with the estimator "chars". Must equal [`MessageTokens::read`], proven by the test
    /// `plain_parts_count_as_they_do_when_read` and by tests/package/compaction/walked.test.mjs.
    pub fn read_plain(&mut self, head: &Head, parts: impl Iterator<Item = PlainPart>) {
        self.begin(head);
        self.parts.extend(parts.map(PlainPart::tokens));
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn plain_parts_count_as_they_do_when_read() {
        let text = "seven, eight, nine";
        let units = u32::try_from(text.len()).unwrap();
        let call = |status: &str, field: &str| json!({"type": "tool", "tool": "read", "state": {"status": status, "input": {"a": 1}, field: text}});
        let of_call = [4, 7, units];
        let cases: Vec<(&str, Value, PlainKind, [u32; 3])> = vec![
            ("user", json!({"type": "agent"}), PlainKind::Other, [0; 3]),
            ("user", json!({"type": "step-start"}), PlainKind::Silent, [0; 3]),
            ("user", json!({"type": "text", "text": text}), PlainKind::OwnWords, [units, 0, 0]),
            ("user", json!({"type": "text", "text": "   "}), PlainKind::Synthetic, [3, 0, 0]),
            (
                "user",
                json!({"type": "text", "text": text, "synthetic": true}),
                PlainKind::Synthetic,
                [units, 0, 0],
            ),
            ("assistant", json!({"type": "step-finish"}), PlainKind::Other, [0; 3]),
            ("assistant", json!({"type": "step-start"}), PlainKind::Silent, [0; 3]),
            ("assistant", json!({"type": "text", "text": text}), PlainKind::Text, [units, 0, 0]),
            (
                "assistant",
                json!({"type": "reasoning", "text": text}),
                PlainKind::Thought,
                [units, 0, 0],
            ),
            ("assistant", call("completed", "output"), PlainKind::Completed, of_call),
            ("assistant", call("error", "error"), PlainKind::Failed, of_call),
            ("assistant", call("pending", "output"), PlainKind::Open, of_call),
            ("assistant", call("running", "output"), PlainKind::Open, of_call),
        ];
        for (role, part, kind, units) in cases {
            let message = json!({"info": {"role": role}, "parts": [&part, &part]});
            let head = Head::read(&Some(&message));
            let (mut read, mut plain) = (MessageTokens::default(), MessageTokens::default());
            read.read(&Some(&message), &head, Estimator::Chars);
            plain.read_plain(&head, [PlainPart { kind, units }; 2].into_iter());
            assert_eq!(plain.parts, read.parts, "{part}");
            assert_eq!(plain.sums(Estimator::Chars), read.sums(Estimator::Chars), "{part}");
        }
    }
}
