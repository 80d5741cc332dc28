//! The session of a transcript, for the conversion.

use super::picked::object;
use super::session::created_of;
use super::source::{MessageSource, SessionSource};
use apex_parts_json::tape::Tape;
use apex_parts_model::Error;
use apex_parts_transcript::{Format, SessionMessages, SessionPlace, Transcript};
use std::borrow::Cow;

impl MessageSource for SessionMessages<'_> {
    fn count(&self) -> usize {
        SessionMessages::count(self)
    }

    fn json(&self, index: usize) -> Result<Option<Cow<'_, [u8]>>, Error> {
        SessionMessages::json(self, index)
    }
}

/// Where the messages of a session are, and what is known of it; without an id, of the main one. `None` if there is no such
/// session.
#[must_use]
pub fn session_of<'a>(
    transcript: &'a Transcript,
    id: Option<&str>,
) -> Option<(SessionPlace, SessionSource<'a>)> {
    let (place, session) = transcript.session_place(id)?;
    let format = transcript.format();
    let parent = session.parent_id.map(|parent| {
        let created = created_in(transcript.session_info(&parent).unwrap_or_default());
        (parent, created.unwrap_or(0.0))
    });
    let is_own = id.is_none() && transcript.content().is_none();
    let info = transcript.session_info(&session.id);
    let source = SessionSource {
        parent,
        title: session.title,
        info: info.or_else(|| transcript.session().filter(|_| is_own)),
        format: format.map_or("", Format::as_str),
        is_opencode: matches!(format, Some(Format::OpenCodeExport | Format::OpenCodeEvents)),
        is_export: format == Some(Format::OpenCodeExport),
        is_foreign: format.is_some_and(Format::is_of_other_agent),
        content: transcript.content(),
        id: session.id,
    };
    Some((place, source))
}

fn created_in(info: &[u8]) -> Option<f64> {
    let mut tape = Tape::default();
    tape.read(info, 0).ok()?;
    created_of(object(Some(tape.root(info))))
}
