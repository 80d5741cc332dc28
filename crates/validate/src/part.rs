//! Checks a part.

use super::rules::{self, Ids};
use super::schema;
use apex_parts_model::bounds::each;
use apex_parts_model::spec;
use apex_parts_model::{Key, Kind, Path, Report, Status, View, Word, shorten};

/// The ids of a message and whether they are valid, so that the same ids in its parts are not
/// checked again (BR-04).
pub(crate) struct MessageIds<V> {
    pub(crate) message: (V, bool),
    pub(crate) session: (V, bool),
}

/// What the rules about whole messages need to know of a part.
pub(crate) struct PartFacts<V> {
    pub(crate) id: V,
    pub(crate) kind: Option<Word>,
    pub(crate) status: Option<Status>,
}

pub(crate) fn part<V: View, R: Report>(
    part: &V,
    ids: Ids,
    context: Option<&MessageIds<V>>,
    path: &Path<'_>,
    report: &mut R,
) -> Option<PartFacts<V>> {
    if part.kind() != Kind::Object {
        let message = format!("a part must be an object, got {}", part.kind().describe());
        report.error("schema", path, message);
        return None;
    }
    let id = part.get(Key::Id);
    rules::br_01(&id, Key::Id, path, report);
    for key in [Key::SessionID, Key::MessageID] {
        let own = part.get(key);
        if !rules::br_01(&own, key, path, report) {
            continue;
        }
        let mut known = None;
        if let Some(context) = context {
            let (of_message, good) =
                if key == Key::SessionID { &context.session } else { &context.message };
            if own.same(of_message) {
                known = Some(*good);
            } else {
                rules::wp_1(&own, of_message, key, path, report);
            }
        }
        rules::br_04(&own, ids, known, key, path, report);
    }
    let kind = part.get(Key::Type);
    if !rules::br_03(&kind, path, report) {
        return Some(PartFacts { id, kind: None, status: None });
    }
    let kind = kind.word();
    let mut status = None;
    if let Some(kind) = kind {
        if let Some(row) = spec::part(kind) {
            schema::fields(part, row.fields, path, report);
        }
        match kind {
            Word::Tool => status = state(&part.get(Key::State), ids, &path.key(Key::State), report),
            Word::StepFinish => rules::step_tokens(part, path, report),
            Word::File => source(&part.get(Key::Source), &path.key(Key::Source), report),
            Word::Retry => {
                let path = path.key(Key::Error);
                let value = part.get(Key::Error);
                if value.kind() == Kind::Missing {
                    report.error("schema", &path, "`error` is missing; it must be an object");
                } else {
                    error(&value, &path, report);
                }
            }
            _ => {}
        }
    }
    Some(PartFacts { id, kind, status })
}

/// Checks the state of a tool part: BR-06 to BR-10.
fn state<V: View, R: Report>(
    state: &V,
    ids: Ids,
    path: &Path<'_>,
    report: &mut R,
) -> Option<Status> {
    match state.kind() {
        Kind::Object => {}
        Kind::Missing => {
            report.error("schema", path, "`state` is missing; it must be an object");
            return None;
        }
        kind => {
            report.error("schema", path, format!("expected an object, got {}", kind.describe()));
            return None;
        }
    }
    let Some(status) = Status::read(state) else {
        let got = state.get(Key::Status);
        let got = match got.text() {
            Some(text) => format!("{:?}", shorten(&text)),
            None => got.kind().describe().to_owned(),
        };
        let message = format!("`status` must be pending, running, completed or error, not {got}");
        report.error("schema", &path.key(Key::Status), message);
        return None;
    };
    schema::fields(state, spec::state(status).fields, path, report);
    match status {
        Status::Pending => rules::br_06(state, path, report),
        Status::Running => rules::br_07(state, path, report),
        Status::Completed => {
            rules::br_08(state, path, report);
            rules::br_09(state, ids, path, report);
            compacted(state, path, report);
            attachments(state, ids, path, report);
        }
        Status::Error => {
            rules::br_08(state, path, report);
            rules::br_10(state, path, report);
        }
    }
    Some(status)
}

fn compacted<V: View, R: Report>(state: &V, path: &Path<'_>, report: &mut R) {
    let kind = state.get(Key::Time).get(Key::Compacted).kind();
    if !matches!(kind, Kind::Missing | Kind::Number) {
        let path = path.key(Key::Time);
        let message = format!("expected a number, got {}", kind.describe());
        report.error("schema", &path.key(Key::Compacted), message);
    }
}

fn attachments<V: View, R: Report>(state: &V, ids: Ids, path: &Path<'_>, report: &mut R) {
    let list = state.get(Key::Attachments);
    let path = path.key(Key::Attachments);
    match list.kind() {
        Kind::Missing => {}
        Kind::Array => each(&list, &path, report, |file, path, report| {
            if let Some(seen) = part(file, ids, None, path, report)
                && seen.kind != Some(Word::File)
            {
                report.error("schema", &path.key(Key::Type), "an attachment must be a file part");
            }
        }),
        kind => {
            report.error("schema", &path, format!("expected an array, got {}", kind.describe()));
        }
    }
}

/// Checks the source of a file part.
fn source<V: View, R: Report>(source: &V, path: &Path<'_>, report: &mut R) {
    match source.kind() {
        Kind::Missing => return,
        Kind::Object => {}
        kind => {
            report.error("schema", path, format!("expected an object, got {}", kind.describe()));
            return;
        }
    }
    let word = source.get(Key::Type).word();
    match spec::SOURCES.iter().find(|row| Some(row.word) == word) {
        Some(row) => schema::fields(source, row.fields, path, report),
        None => {
            let message = "a source's `type` must be file, symbol or resource";
            report.error("schema", &path.key(Key::Type), message);
        }
    }
}

/// Checks the error of a message or a retry: apex-bridge's flat form, or OpenCode's `{name, data}`.
pub(crate) fn error<V: View, R: Report>(error: &V, path: &Path<'_>, report: &mut R) {
    if error.kind() != Kind::Object {
        let message = format!("expected an object, got {}", error.kind().describe());
        report.error("schema", path, message);
        return;
    }
    let name = error.get(Key::Name);
    let has = |key: Key| error.get(key).kind() != Kind::Missing;
    // The flat form may have a `name` too, but not one of OpenCode's.
    if name.kind() == Kind::Missing || (has(Key::IsRetryable) && !has(Key::Data)) {
        schema::fields(error, spec::API_ERROR.fields, path, report);
        return;
    }
    let known = name.word().is_some_and(|word| spec::ERROR_NAMES.contains(&word));
    if !known {
        report.error("schema", &path.key(Key::Name), "not the name of an OpenCode error");
    }
    schema::fields(error, spec::NAMED_ERROR.fields, path, report);
}
