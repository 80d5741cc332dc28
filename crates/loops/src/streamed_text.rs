//! Loops in streamed text: chanting while it streams, repeated answers and reasoning when a message
//! ends.

use super::call::Channel;
use super::detector::Detector;
use super::verdict::{Action, LoopKind, Verdict, advice, clip};
use apex_parts_json::scan::joined;
use apex_parts_model::delta::Piece;
use apex_parts_model::fingerprint;

impl Detector {
    /// Takes the next chunk of an answer or of reasoning. Returns a verdict of [`LoopKind::Chanting`] if
    /// the text repeats itself, else one without a loop.
    pub fn text(&mut self, chunk: &str, channel: Channel) -> Verdict {
        self.push_text(&chunk.into(), channel).unwrap_or_else(|| self.no_loop())
    }

    /// The same as [`text`](Self::text) for chunks that may begin or end within a surrogate pair. Builds
    /// a verdict only if there is a loop, because a run has hundreds of thousands of chunks.
    pub fn push_text(&mut self, piece: &Piece<'_>, channel: Channel) -> Option<Verdict> {
        if piece.text.is_empty() && piece.low.is_none() && piece.high.is_none() {
            return None;
        }
        self.compactions = 0;
        let is_reasoning = channel == Channel::Reasoning;
        let stream = if is_reasoning { &mut self.reasoning } else { &mut self.text };
        let mut chant = None;
        if stream.high_surrogate.is_some() || piece.low.is_some() {
            let joined =
                stream.high_surrogate.take().zip(piece.low).map(|(high, low)| joined(high, low));
            let joined = joined.unwrap_or(char::REPLACEMENT_CHARACTER);
            chant = stream.take(joined.encode_utf8(&mut [0; 4]), is_reasoning);
        }
        let chant = stream.take(&piece.text, is_reasoning).or(chant);
        stream.high_surrogate = piece.high;
        let chant = chant?;
        let pattern = clip(chant.unit.trim(), 160);
        let loop_of = fingerprint::of(chant.unit.trim().as_bytes(), 0);
        let quoted = format!("{:?}", clip(&pattern, 60));
        Some(self.set_verdict(Verdict {
            action: Action::Interrupt,
            kind: Some(LoopKind::Chanting),
            message: advice(LoopKind::Chanting, &quoted, chant.repeats, false),
            pattern,
            period: chant.unit.chars().count() as u64,
            repeats: chant.repeats,
            loop_of,
            ..Verdict::default()
        }))
    }

    /// Ends an assistant message: compares its text and its reasoning with those of the messages before.
    pub(super) fn end_message(&mut self) -> Verdict {
        let mut verdict = Verdict::default();
        for kind in [LoopKind::Monologue, LoopKind::RepeatedReasoning] {
            let is_text = kind == LoopKind::Monologue;
            let stream = if is_text { &mut self.text } else { &mut self.reasoning };
            let Some((fingerprint, repeats)) = stream.close(!is_text) else { continue };
            if self.config.is_disabled(kind) {
                continue;
            }
            let action = self.escalation.escalate(kind, fingerprint, None, 0);
            if action > verdict.action {
                let what = if is_text { "answer" } else { "thought" };
                verdict = Verdict {
                    action,
                    kind: Some(kind),
                    pattern: format!("the same {what}"),
                    period: 1,
                    repeats,
                    message: advice(kind, "", repeats, false),
                    loop_of: fingerprint,
                    ..Verdict::default()
                };
            }
        }
        if verdict.is_detected() { self.set_verdict(verdict) } else { self.no_loop() }
    }
}
