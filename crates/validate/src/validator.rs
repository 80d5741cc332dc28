//! The validator of parts, messages and transcripts.

use super::part::{self, MessageIds, PartFacts};
use super::rules::{self, Ids, Wp2};
use super::schema;
use apex_parts_compaction::MessageArray;
use apex_parts_model::bounds::{BoundedReport, each};
use apex_parts_model::spec;
use apex_parts_model::{Key, Kind, Path, Report, Status, View, Word};

/// Checks a part and reports every problem. Custom parts are checked for their base fields
/// only.
pub fn part<V: View, R: Report>(value: &V, ids: Ids, report: &mut R) {
    part::part(value, ids, None, &Path::ROOT, &mut BoundedReport::new(report));
}

/// Checks a message with its parts, `{info, parts}`, and reports every problem.
pub fn message<V: View, R: Report>(value: &V, ids: Ids, report: &mut R) {
    message_at(value, ids, &Path::ROOT, &mut BoundedReport::new(report));
}

/// Checks messages with their parts: an array of them, or an export that has them under `messages`.
/// Reports every problem, with a path from the given value.
pub fn transcript<V: View, R: Report>(value: &V, ids: Ids, report: &mut R) {
    let report = &mut BoundedReport::new(report);
    let root = Path::ROOT;
    let messages = value.get(Key::Messages);
    if value.kind() == Kind::Array {
        each(value, &root, report, |m, path, report| message_at(m, ids, path, report));
        compactions(value, &root, report);
    } else if messages.kind() == Kind::Array {
        let path = root.key(Key::Messages);
        each(&messages, &path, report, |m, path, report| message_at(m, ids, path, report));
        compactions(&messages, &path, report);
    } else {
        let got = value.kind().describe();
        report.error(
            "schema",
            &root,
            format!("a transcript must be an array of messages, got {got}"),
        );
    }
}

/// CP-1 to CP-4: what is wrong between messages with compactions.
fn compactions<V: View, R: Report>(messages: &V, path: &Path<'_>, report: &mut R) {
    // An array of messages can always be read.
    let history = MessageArray::new(messages.clone());
    let _ = apex_parts_compaction::report_links(&history, path, &mut |_, problem| {
        report.report(problem)
    });
}

/// Checks a message at this path of a transcript.
pub fn message_at<V: View, R: Report>(message: &V, ids: Ids, path: &Path<'_>, report: &mut R) {
    if message.kind() != Kind::Object {
        let message = format!("a message must be an object, got {}", message.kind().describe());
        report.error("schema", path, message);
        return;
    }
    let info = message.get(Key::Info);
    let CheckedInfo { context, completed } = info_at(&info, ids, &path.key(Key::Info), report);
    let parts = message.get(Key::Parts);
    let path = path.key(Key::Parts);
    if parts.kind() != Kind::Array {
        let got = parts.kind().describe();
        report.error("schema", &path, format!("`parts` must be an array of parts, got {got}"));
        return;
    }
    let (mut seen_ids, mut steps, mut index) = (V::Ids::default(), Wp2::default(), 0);
    each(&parts, &path, report, |value, at, report| {
        if let Some(PartFacts { id, kind, status }) =
            part::part(value, ids, Some(&context), at, report)
        {
            rules::br_02(&id, &mut seen_ids, at, report);
            match kind {
                Some(Word::StepStart) => steps.start(index, &path, report),
                Some(Word::StepFinish) => steps.finish(at, report),
                _ => {}
            }
            if let Some(status @ (Status::Pending | Status::Running)) = status
                && completed
            {
                rules::wp_3(&at.key(Key::State), status.as_str(), report);
            }
            if status.is_some() {
                rules::cp_5(value, at, report);
            }
        }
        index += 1;
    });
    steps.close(&path, report);
}

/// What the checks of a message's parts need to know of the message.
struct CheckedInfo<V> {
    context: MessageIds<V>,
    completed: bool,
}

/// Checks `info`, the message itself.
fn info_at<V: View, R: Report>(
    info: &V,
    ids: Ids,
    path: &Path<'_>,
    report: &mut R,
) -> CheckedInfo<V> {
    if info.kind() != Kind::Object {
        let got = info.kind().describe();
        report.error("schema", path, format!("`info` must be an object, the message; got {got}"));
        let nothing = || (info.get(Key::Id), true);
        return CheckedInfo {
            context: MessageIds { message: nothing(), session: nothing() },
            completed: false,
        };
    }
    let mut own_id = |key: Key| {
        let id = info.get(key);
        let good =
            rules::br_01(&id, key, path, report) && rules::br_04(&id, ids, None, key, path, report);
        (id, good)
    };
    let context = MessageIds { message: own_id(Key::Id), session: own_id(Key::SessionID) };
    match info.get(Key::Role).word() {
        Some(Word::User) => schema::fields(info, spec::USER.fields, path, report),
        Some(Word::Assistant) => {
            schema::fields(info, spec::ASSISTANT.fields, path, report);
            rules::br_13(info, path, report);
            rules::br_14(info, path, report);
            let error = info.get(Key::Error);
            if error.kind() != Kind::Missing {
                part::error(&error, &path.key(Key::Error), report);
            }
        }
        _ => report.error("schema", &path.key(Key::Role), "`role` must be user or assistant"),
    }
    let completed = info.get(Key::Time).get(Key::Completed).kind() == Kind::Number;
    CheckedInfo { context, completed }
}

#[cfg(test)]
mod tests;
