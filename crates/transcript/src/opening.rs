//! Begins to read a file when its first bytes show its format; one that is recognised but not read stays
//! without a format.

use crate::copy::note::begins_with_note;
use crate::copy::reader::CopyReader;
use crate::detect::detection::{Detection, DetectionResult, FIRST_LOOK, detect_surely};
use crate::detect::recognised;
use crate::documents::splitter::DocumentSplitter;
use crate::formats::opencode_export;
use crate::formats::registry::Format;
use crate::load_state::LoadState;
use crate::transcript::Transcript;
use apex_parts_agents::FormatReader;
use apex_parts_model::Error;
use apex_parts_wire::Framing;

impl Transcript {
    /// Detects the format from the first bytes; `is_end` says that there are no more.
    pub(crate) fn detect(&mut self, is_end: bool) -> Result<(), Error> {
        match detect_surely(&self.list.window, self.format, &mut self.looked, is_end)? {
            DetectionResult::Is(detection) => self.start(detection),
            DetectionResult::Unread(unread, at) => {
                self.damage.error("schema", recognised::message(unread), at as u64);
                self.looks_like = Some(unread);
                self.state = LoadState::Unread;
            }
            DetectionResult::UnknownOpenCode(at) => {
                let export = self.list.window.get(at..).unwrap_or_default();
                let message = opencode_export::unknown_message(export);
                self.damage.error("unknown-opencode", message, at as u64);
                self.looks_like = Some(opencode_export::UNKNOWN);
                self.state = LoadState::Unread;
            }
            DetectionResult::More => {}
        }
        Ok(())
    }

    /// Starts to read the file in the detected format.
    pub(crate) fn start(&mut self, detection: Detection) {
        let Detection { format, shape, start, first } = detection;
        if start > first {
            let message = format!("{} bytes of text before the JSON, skipped", start - first);
            self.damage.error("prefix", message, first as u64);
        }
        let is_given = self.format.replace(format).is_some();
        self.is_given = is_given;
        // By the bytes that are looked at first, whatever pieces the file arrives in.
        let head = self.list.window.get(..self.list.window.len().min(FIRST_LOOK));
        let is_copy = format == Format::WithParts && begins_with_note(head.unwrap_or_default());
        let mut reader: Option<Box<dyn FormatReader>> =
            if is_copy { Some(Box::new(CopyReader::default())) } else { format.reader() };
        if let Some(reader) = &mut reader {
            reader.begin(is_given);
        }
        self.state = match (shape, reader) {
            (_, Some(reader)) if format.is_whole() => LoadState::Whole(start as u64, reader),
            (Some(shape), reader) => {
                let mut scan = DocumentSplitter::new(shape);
                scan.skip(start);
                LoadState::Documents(scan, reader)
            }
            (None, Some(reader)) => {
                self.list.window.drain(..start);
                self.list.base += start as u64;
                LoadState::Frames(Framing::default(), start as u64, reader)
            }
            (None, None) => LoadState::Detecting,
        };
    }
}
