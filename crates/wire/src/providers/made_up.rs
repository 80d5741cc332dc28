//! A provider that does not exist. It proves that a format needs only a module and a line in the
//! registry, and is the shortest example of one.
//!
//! Its records are `{"madeUp": "begin" | "text" | "end", "text"?}`.

use super::checks::must_string;
use super::output::emit;
use super::phase::StreamPhase;
use crate::provider_format::{Clues, Evidence, ProviderFormat};
use crate::reader::Sink;
use apex_parts_json::record::Val;
use apex_parts_json::saved::state;
use apex_parts_model::Violation;
use apex_parts_model::delta::Payload;

/// The state of the reader.
#[derive(Debug, Default)]
pub(crate) struct MadeUp {
    phase: StreamPhase,
}

state!(MadeUp { phase });

impl ProviderFormat for MadeUp {
    const NAME: &'static str = "made-up";
    const TITLE: &'static str = "Made up";

    fn sniff(clues: &Clues<'_>) -> Option<Evidence> {
        clues.root.get("madeUp").is_string().then_some(Evidence::Marker)
    }

    fn check(&self, _event: &str, root: Val<'_>) -> Result<(), Violation> {
        let [kind, text] = root.fields(&["madeUp", "text"]);
        must_string(kind, "madeUp")?;
        if &*kind.text() == "text" { must_string(text, "text") } else { Ok(()) }
    }

    fn apply(&mut self, _event: &str, root: Val<'_>, out: &mut Sink<'_>) {
        let [kind, text] = root.fields(&["madeUp", "text"]);
        match &*kind.text() {
            "begin" => {
                self.phase = StreamPhase::Open;
                emit(out, Payload::Start { model_id: "made-up-1".into(), request_id: "r".into() });
            }
            "text" => {
                if let Some(piece) = text.piece() {
                    emit(out, Payload::Text(piece));
                }
            }
            _ => self.done(out),
        }
    }

    fn fail(&mut self, _root: Val<'_>, out: &mut Sink<'_>) {
        if self.phase != StreamPhase::Open {
            emit(out, Payload::Start { model_id: "made-up-1".into(), request_id: "r".into() });
        }
        self.phase = StreamPhase::Ended;
    }

    fn done(&mut self, out: &mut Sink<'_>) {
        if self.phase == StreamPhase::Open {
            self.phase = StreamPhase::Ended;
            emit(out, Payload::Done { finish_reason: "stop".into() });
        }
    }

    fn end(&mut self, _out: &mut Sink<'_>) {}
}
