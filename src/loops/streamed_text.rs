//! What the detector does about streamed text: chanting as it comes, repeated answers and repeated
//! reasoning when a message ends.

use super::call::Channel;
use super::detector::Detector;
use super::verdict::{Action, LoopKind, Verdict, advice, clip};
use crate::json::scan::joined;
use crate::loops::fingerprint;
use crate::model::delta::Piece;

impl Detector {
    /// More text of an answer or of reasoning, as it streams.
    pub fn text(&mut self, chunk: &str, channel: Channel) -> Verdict {
        self.push_text(&chunk.into(), channel).unwrap_or_else(|| self.none())
    }

    /// The same as [`text`](Self::text) for text that may be cut within a surrogate pair. Builds
    /// a verdict only if there is a loop: a run has hundreds of thousands of chunks.
    pub fn push_text(&mut self, piece: &Piece<'_>, channel: Channel) -> Option<Verdict> {
        if piece.text.is_empty() && piece.low.is_none() && piece.high.is_none() {
            return None;
        }
        self.compactions = 0;
        let is_reasoning = channel == Channel::Reasoning;
        let stream = if is_reasoning { &mut self.reasoning } else { &mut self.text };
        let mut chanted = None;
        if stream.half.is_some() || piece.low.is_some() {
            let joined = stream.half.take().zip(piece.low).map(|(high, low)| joined(high, low));
            let joined = joined.unwrap_or(char::REPLACEMENT_CHARACTER);
            chanted = stream.take(joined.encode_utf8(&mut [0; 4]), is_reasoning);
        }
        let chanted = stream.take(&piece.text, is_reasoning).or(chanted);
        stream.half = piece.high;
        let chanted = chanted?;
        let pattern = clip(chanted.unit.trim(), 160);
        let loop_of = fingerprint::of(chanted.unit.trim().as_bytes(), 0);
        let said = format!("{:?}", clip(&pattern, 60));
        Some(self.set_verdict(Verdict {
            action: Action::Interrupt,
            kind: Some(LoopKind::Chanting),
            message: advice(LoopKind::Chanting, &said, chanted.repeats, false),
            pattern,
            period: chanted.unit.chars().count() as u64,
            repeats: chanted.repeats,
            loop_of,
            ..Verdict::default()
        }))
    }

    /// An assistant message has ended: compares its text and its reasoning with those before.
    pub(super) fn closed(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        for kind in [LoopKind::Monologue, LoopKind::RepeatedReasoning] {
            let is_text = kind == LoopKind::Monologue;
            let stream = if is_text { &mut self.text } else { &mut self.reasoning };
            let Some((print, repeats)) = stream.close(!is_text) else { continue };
            if self.config.is_off(kind) {
                continue;
            }
            let action = self.escalation.sees(kind, print, None);
            if action > verdict.action {
                let what = if is_text { "answer" } else { "thought" };
                verdict = Verdict {
                    action,
                    kind: Some(kind),
                    pattern: format!("the same {what}"),
                    period: 1,
                    repeats,
                    message: advice(kind, "", repeats, false),
                    loop_of: print,
                    ..Verdict::default()
                };
            }
        }
        if verdict.is_detected() { self.set_verdict(verdict) } else { self.none() }
    }
}
