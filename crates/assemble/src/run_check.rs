//! Checks the messages of a run against each other: DC-8, DC-9, DC-10, DC-14.

use apex_parts_json::saved::Numbering;
use apex_parts_model::bounds::{BoundedReport, each};
use apex_parts_model::view::MAX_ELEMENTS;
use apex_parts_model::{Key, Kind, Path, Problem, Report, Severity, View};
use std::borrow::Cow;

/// The kinds of part, and the roles that may have them (DC-14).
const KINDS: [(&str, &[&str]); 7] = [
    ("text", &["system", "user", "assistant"]),
    ("thinking", &["system", "assistant"]),
    ("tool_call", &["assistant"]),
    ("tool_result", &["tool"]),
    ("image", &["user"]),
    ("file_ref", &["user"]),
    ("custom", &["assistant"]),
];
const ROLES: [&str; 4] = ["system", "user", "assistant", "tool"];

/// The calls of one run.
#[derive(Default)]
struct RunCalls {
    /// The index of each call in `all`, by its id.
    numbers: Numbering,
    all: Vec<RunCall>,
    /// The number of messages of the assistant so far.
    turns: u64,
}

/// A call.
struct RunCall {
    /// Whether its result has come.
    done: bool,
    /// The number of the assistant's message that it is in.
    turn: u64,
    /// The problem to report if no result comes.
    missing: Option<Problem>,
}

impl RunCalls {
    fn call(&mut self, id: &str) -> Option<&mut RunCall> {
        let number = usize::try_from(*self.numbers.get(id)?).ok()?;
        self.all.get_mut(number)
    }
}

/// Checks the messages of a run against each other: an array of `Message`. Messages with different
/// `runId`s belong to different runs, each of which is checked by itself.
///
/// A call without a result is a warning (DC-9) if a later message of the assistant shows that the
/// run went on without it; an output in `meta.toolResults` counts as a result. A part of an unknown kind is a
/// warning too (DC-14). Everything else is an error: the id of an earlier call (DC-8), a second result (DC-9), a result without a call
/// before it (DC-10), a part that the message's role cannot have (DC-14), and values of the wrong
/// shape (`schema`).
///
/// ```
/// use apex_parts_assemble::check_run;
/// let messages = serde_json::json!([{"runId": "r", "role": "tool", "timestamp": "", "parts": [
///     {"kind": "tool_result", "payload": {"toolCallId": "c", "isError": false, "content": ""}}]}]);
/// let mut problems = Vec::new();
/// check_run(&Some(&messages), &mut problems);
/// assert_eq!(problems[0].to_string(), "error DC-10 at /0/parts/0/payload/toolCallId: \
///     a result of the call \"c\", which does not come before it");
/// ```
pub fn check_run<V: View, R: Report>(messages: &V, report: &mut R) {
    let root = Path::ROOT;
    let report = &mut BoundedReport::new(report);
    if messages.kind() != Kind::Array {
        expected("an array of messages", messages.kind(), &root, report);
        return;
    }
    let mut runs = Numbering::new();
    let mut all: Vec<RunCalls> = Vec::new();
    each(messages, &root, report, |message, path, report| {
        if message.kind() != Kind::Object {
            expected("a message, which is an object", message.kind(), path, report);
            return;
        }
        let run = named(message, "runId", text_of);
        if let Err(kind) = run {
            expected("a string", kind, &path.name("runId"), report);
        }
        let next = all.len() as u64;
        let run = *runs.entry(run.unwrap_or_default()).or_insert(next);
        if run == next {
            all.push(RunCalls::default());
        }
        if let Some(calls) = usize::try_from(run).ok().and_then(|run| all.get_mut(run)) {
            check_message(message, calls, path, report);
        }
    });
    // The last message of a run may still wait for its results.
    for RunCalls { all, turns, .. } in all {
        let unanswered = all.into_iter().filter(|call| call.turn < turns);
        unanswered.filter_map(|call| call.missing).for_each(|problem| report.report(problem));
    }
}

fn expected<R: Report>(what: &str, got: Kind, path: &Path<'_>, report: &mut R) {
    report.error("schema", path, format!("expected {what}, got {}", got.describe()));
}

/// A string, or the kind of the value that is there instead.
type StringOrKind = Result<String, Kind>;

fn text_of<V: View>(value: &V) -> StringOrKind {
    value.text().map(Cow::into_owned).ok_or(value.kind())
}

/// Reads a string from a field whose name is not a [`Key`]. `read` gets the value only for its own
/// call: hosts free it afterwards.
fn named<V: View>(value: &V, name: &str, read: impl Fn(&V) -> StringOrKind) -> StringOrKind {
    let mut found = Err(Kind::Missing);
    with(value, name, &mut |value| found = read(value));
    found
}

/// Shows the field of this name, if there is one.
fn with<V: View>(value: &V, name: &str, look: &mut dyn FnMut(&V)) {
    value.each_field(&mut |field, value| {
        if field == name {
            look(value);
        }
    });
}

fn check_message<V: View, R: Report>(
    message: &V,
    calls: &mut RunCalls,
    path: &Path<'_>,
    report: &mut R,
) {
    let role = message.get(Key::Role);
    let known = role.text().and_then(|text| ROLES.into_iter().find(|r| *r == text));
    if known.is_none() {
        let message = match role.text() {
            Some(text) => {
                format!("a role must be system, user, assistant or tool, not {:?}", short(&text))
            }
            None => format!("expected a string, got {}", role.kind().describe()),
        };
        report.error("schema", &path.key(Key::Role), message);
    }
    calls.turns += u64::from(known == Some("assistant"));
    let parts = message.get(Key::Parts);
    let path = path.key(Key::Parts);
    if parts.kind() != Kind::Array {
        expected("an array", parts.kind(), &path, report);
        return;
    }
    each(&parts, &path, report, |part, path, report| {
        check_part(part, known, calls, path, report);
    });
    // The outputs of tools that ran on the provider's side.
    with(message, "meta", &mut |meta| {
        with(meta, "toolResults", &mut |results| {
            results.each(MAX_ELEMENTS, &mut |_, result| {
                let id = result.get(Key::ToolCallId);
                if let Some(call) = id.text().and_then(|id| calls.call(&id)) {
                    call.missing = None;
                }
            });
        });
    });
}

fn check_part<V: View, R: Report>(
    part: &V,
    role: Option<&str>,
    calls: &mut RunCalls,
    path: &Path<'_>,
    report: &mut R,
) {
    if part.kind() != Kind::Object {
        expected("a part, which is an object", part.kind(), path, report);
        return;
    }
    let kind = part.get(Key::Kind);
    let Some(kind) = kind.text() else {
        expected("a string", kind.kind(), &path.key(Key::Kind), report);
        return;
    };
    let Some((kind, roles)) = KINDS.into_iter().find(|(name, _)| *name == kind) else {
        // Not an error (as in DC-15): a later version may define it.
        let message = format!("no role has a part of kind {:?}: it is not checked", short(&kind));
        report.warning("DC-14", &path.key(Key::Kind), message);
        return;
    };
    if let Some(role) = role
        && !roles.contains(&role)
    {
        let message = format!("a message of role {role} has no part of kind {kind}");
        report.error("DC-14", &path.key(Key::Kind), message);
    }
    if !matches!(kind, "tool_call" | "tool_result") {
        return;
    }
    let id = named(part, "payload", |payload| text_of(&payload.get(Key::ToolCallId)));
    let payload = path.name("payload");
    let path = payload.key(Key::ToolCallId);
    let text = match id {
        Ok(text) => text,
        Err(kind) => return expected("a string", kind, &path, report),
    };
    let shown = short(&text);
    if kind == "tool_call" {
        let number = calls.all.len() as u64;
        if *calls.numbers.entry(text).or_insert(number) < number {
            let message = format!("another call of this run has the id {shown:?}");
            return report.error("DC-8", &path, message);
        }
        let message = format!("the run continued, but the call {shown:?} has no result");
        let missing = Some(Problem::new(Severity::Warning, "DC-9", &path, message));
        calls.all.push(RunCall { done: false, turn: calls.turns, missing });
        return;
    }
    match calls.call(&text) {
        None => {
            let message = format!("a result of the call {shown:?}, which does not come before it");
            report.error("DC-10", &path, message);
        }
        Some(call) if call.done => {
            report.error("DC-9", &path, format!("a second result of the call {shown:?}"));
        }
        Some(call) => (call.done, call.missing) = (true, None),
    }
}

/// The first 60 characters of a text from the input, for an error message.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
