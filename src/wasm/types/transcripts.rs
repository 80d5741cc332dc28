//! Declarations of transcripts.

use crate::wasm::declarations::{Declarations, declared};
use apex_parts_transcript::Format;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPTS: &str = declared(include_str!("transcripts.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** The formats of transcripts. */\nexport type TranscriptFormat = ",
        &Format::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMATS: &str = declared(include_str!("transcript-formats.d.ts"));

#[wasm_bindgen(typescript_custom_section)]
const TRANSCRIPT_FORMAT_INFO: &str = {
    const TEXT: &Declarations = &format_info();
    TEXT.as_str()
};

/// The type of a constant that says all there is to say of each format. The build writes its value from it.
#[allow(clippy::indexing_slicing, dead_code)] // as of `Declarations`
const fn format_info() -> Declarations {
    let mut text = Declarations::new();
    text.push("/** What people call each format, the agent that writes it, and how the names of its files end. */\n");
    text.push("export const TRANSCRIPT_FORMAT_INFO: {\n");
    let mut i = 0;
    while i < Format::NAMES.len() {
        let format = Format::at(i);
        text.push("  readonly ");
        text.string(Format::NAMES[i]);
        text.push(": {\n    readonly title: ");
        text.string(format.title());
        text.push(";\n");
        if let Some(agent) = format.agent() {
            text.push("    readonly agent: { readonly id: ");
            text.string(agent.id);
            text.push("; readonly title: ");
            text.string(agent.title);
            text.push(" };\n");
        }
        text.push("    readonly endings: readonly [");
        let endings = format.endings();
        let mut j = 0;
        while j < endings.len() {
            text.push(if j > 0 { ", " } else { "" });
            text.string(endings[j]);
            j += 1;
        }
        text.push("];\n  };\n");
        i += 1;
    }
    text.push("};\n");
    text
}

#[wasm_bindgen(typescript_custom_section)]
const SESSION_KIND: &str = declared(include_str!("sessions.d.ts"));
