//! One function a rule, named by its rule (spec: parts.md, "Rules that the validator checks").

use apex_parts_model::view::number_text;
use apex_parts_model::{Key, Kind, Path, Report, View, Word};

/// Which ids are valid (BR-04).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ids {
    /// UUIDs, of any version and either case.
    #[default]
    Apex,
    /// Any string that is not empty. An empty output (BR-09) is only a warning, because OpenCode
    /// writes such outputs.
    OpenCode,
}

impl Ids {
    /// The rule for ids that a word names.
    #[must_use]
    pub const fn of(word: Word) -> Option<Ids> {
        match word {
            Word::Apex => Some(Ids::Apex),
            Word::OpenCode => Some(Ids::OpenCode),
            _ => None,
        }
    }

    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Ids::Apex => Word::Apex.as_str(),
            Ids::OpenCode => Word::OpenCode.as_str(),
        }
    }
}

/// BR-01: an id is present, a string, and not empty. True when it is.
pub(crate) fn br_01<V: View, R: Report>(id: &V, key: Key, path: &Path<'_>, report: &mut R) -> bool {
    let name = key.as_str();
    let message = match id.kind() {
        Kind::String => return true,
        Kind::Missing => format!("`{name}` is missing"),
        Kind::EmptyString => format!("`{name}` is empty"),
        kind => format!("`{name}` must be a string, not {}", kind.describe()),
    };
    report.error("BR-01", &path.key(key), message);
    false
}

/// BR-02: the ids of parts are unique inside one message.
pub(crate) fn br_02<V: View, R: Report>(
    id: &V,
    seen: &mut V::Ids,
    path: &Path<'_>,
    report: &mut R,
) {
    if id.kind() == Kind::String && !id.note(seen) {
        report.error("BR-02", &path.key(Key::Id), "another part of this message has the same id");
    }
}

/// BR-03: `type` is a string. True when it is.
pub(crate) fn br_03<V: View, R: Report>(kind: &V, path: &Path<'_>, report: &mut R) -> bool {
    match kind.kind() {
        kind if kind.is_string() => return true,
        Kind::Missing => report.error("BR-03", &path.key(Key::Type), "`type` is missing"),
        kind => {
            let message = format!("`type` must be a string, not {}", kind.describe());
            report.error("BR-03", &path.key(Key::Type), message);
        }
    }
    false
}

/// BR-04: the ids of session and message are UUIDs. `good` is the result, if it is known already.
pub(crate) fn br_04<V: View, R: Report>(
    id: &V,
    ids: Ids,
    good: Option<bool>,
    key: Key,
    path: &Path<'_>,
    report: &mut R,
) -> bool {
    let good = ids == Ids::OpenCode || good.unwrap_or_else(|| id.is_uuid());
    if !good {
        report.error(
            "BR-04",
            &path.key(key),
            format!(
                "`{}` is not a UUID; for OpenCode's ids, validate with ids \"opencode\"",
                key.as_str()
            ),
        );
    }
    good
}

/// BR-06: a pending state keeps the arguments as they arrived.
pub(crate) fn br_06<V: View, R: Report>(state: &V, path: &Path<'_>, report: &mut R) {
    let kind = state.get(Key::Raw).kind();
    if !kind.is_string() {
        let message = format!("a pending state must have a string `raw`, got {}", kind.describe());
        report.error("BR-06", &path.key(Key::Raw), message);
    }
}

/// BR-07: a running state has the time at which it started.
pub(crate) fn br_07<V: View, R: Report>(state: &V, path: &Path<'_>, report: &mut R) {
    const WHY: &str = "a running state must have `time.start`, in milliseconds";
    times(state, path, report, &[(Key::Start, "BR-07")], "BR-07", WHY);
}

/// BR-08: a state that ended has the time at which it ended, which is not before its start.
pub(crate) fn br_08<V: View, R: Report>(state: &V, path: &Path<'_>, report: &mut R) {
    const WHY: &str =
        "a completed or failed state must have `time.start` and `time.end`, in milliseconds";
    let needed = [(Key::Start, "schema"), (Key::End, "BR-08")];
    let Some(time) = times(state, path, report, &needed, "BR-08", WHY) else {
        return;
    };
    let (start, end) = (time.get(Key::Start).number(), time.get(Key::End).number());
    if end < start {
        let path = path.key(Key::Time);
        let early = number_text(start - end);
        let message = format!("it ended {early} ms before it started");
        report.warning("BR-08", &path.key(Key::End), message);
    }
}

/// The times of a state: each of `needed` is a number; one that is absent breaks its rule.
fn times<V: View, R: Report>(
    state: &V,
    path: &Path<'_>,
    report: &mut R,
    needed: &[(Key, &str)],
    rule: &str,
    why: &str,
) -> Option<V> {
    let time = state.get(Key::Time);
    let path = path.key(Key::Time);
    match time.kind() {
        Kind::Object => {}
        Kind::Missing => {
            report.error(rule, &path, format!("`time` is missing: {why}"));
            return None;
        }
        kind => {
            report.error("schema", &path, format!("expected an object, got {}", kind.describe()));
            return None;
        }
    }
    for (key, rule) in needed {
        match time.get(*key).kind() {
            Kind::Number => {}
            Kind::Missing => {
                let message = format!("`{}` is missing: {why}", key.as_str());
                report.error(rule, &path.key(*key), message);
            }
            kind => {
                let message = format!("expected a number, got {}", kind.describe());
                report.error("schema", &path.key(*key), message);
            }
        }
    }
    Some(time)
}

/// BR-09: the output of a completed tool is not empty.
pub(crate) fn br_09<V: View, R: Report>(state: &V, ids: Ids, path: &Path<'_>, report: &mut R) {
    const MESSAGE: &str = "the output of a completed tool is empty";
    if state.get(Key::Output).kind() == Kind::EmptyString {
        let path = path.key(Key::Output);
        match ids {
            Ids::Apex => report.error("BR-09", &path, MESSAGE),
            Ids::OpenCode => report.warning("BR-09", &path, MESSAGE),
        }
    }
}

/// BR-10: the error of a failed tool is not blank.
pub(crate) fn br_10<V: View, R: Report>(state: &V, path: &Path<'_>, report: &mut R) {
    let error = state.get(Key::Error);
    if error.kind().is_string() && error.is_blank() {
        report.error("BR-10", &path.key(Key::Error), "the error of a failed tool is blank");
    }
}

/// The counts of these tokens that are negative, each with its path below them.
pub fn negative_counts<V: View>(tokens: &V) -> Vec<(&'static [Key], f64)> {
    const COUNTS: [&[Key]; 6] = [
        &[Key::Input],
        &[Key::Output],
        &[Key::Reasoning],
        &[Key::Cache, Key::Read],
        &[Key::Cache, Key::Write],
        &[Key::Total],
    ];
    let number = |path: &'static [Key]| {
        let value = path.iter().fold(tokens.clone(), |value, key| value.get(*key));
        (path, value.number())
    };
    COUNTS.into_iter().map(number).filter(|(_, count)| *count < 0.0).collect()
}

/// The token counts of a step are not negative, as BR-13 requires of an assistant's; for a step this
/// is a warning.
pub(crate) fn step_tokens<V: View, R: Report>(part: &V, path: &Path<'_>, report: &mut R) {
    let path = path.key(Key::Tokens);
    for (keys, count) in negative_counts(&part.get(Key::Tokens)) {
        let message = format!("{} tokens: a count cannot be negative", number_text(count));
        match keys {
            [cache, key] => report.warning("BR-13", &path.key(*cache).key(*key), message),
            [key] => report.warning("BR-13", &path.key(*key), message),
            _ => {}
        }
    }
}

/// BR-13: an assistant's token counts are complete and not negative.
pub(crate) fn br_13<V: View, R: Report>(info: &V, path: &Path<'_>, report: &mut R) {
    let tokens = info.get(Key::Tokens);
    let path = path.key(Key::Tokens);
    if !is_object("BR-13", &tokens, &path, report) {
        return;
    }
    for key in [Key::Input, Key::Output, Key::Reasoning] {
        count(&tokens, key, &path, report);
    }
    let total = tokens.get(Key::Total).kind();
    if !matches!(total, Kind::Missing | Kind::Number) {
        let message = format!("expected a number, got {}", total.describe());
        report.error("schema", &path.key(Key::Total), message);
    }
    let cache = tokens.get(Key::Cache);
    let path = path.key(Key::Cache);
    if is_object("BR-13", &cache, &path, report) {
        for key in [Key::Read, Key::Write] {
            count(&cache, key, &path, report);
        }
    }
}

fn is_object<V: View, R: Report>(rule: &str, value: &V, path: &Path<'_>, report: &mut R) -> bool {
    const WHY: &str =
        "an assistant message must count input, output, reasoning, cache.read, cache.write";
    match value.kind() {
        Kind::Object => return true,
        Kind::Missing => report.error(rule, path, format!("missing: {WHY}")),
        kind => {
            let message = format!("expected an object, got {}", kind.describe());
            report.error("schema", path, message);
        }
    }
    false
}

fn count<V: View, R: Report>(counts: &V, key: Key, path: &Path<'_>, report: &mut R) {
    let value = counts.get(key);
    let path = path.key(key);
    match value.kind() {
        Kind::Number if value.number() < 0.0 => {
            let got = number_text(value.number());
            report.error("BR-13", &path, format!("{got} tokens: a count cannot be negative"));
        }
        Kind::Number => {}
        Kind::Missing => {
            report.error(
                "BR-13",
                &path,
                format!("`{}` is missing; it must be a number", key.as_str()),
            );
        }
        kind => {
            let message = format!("expected a number, got {}", kind.describe());
            report.error("schema", &path, message);
        }
    }
}

/// BR-14: an assistant message that has finished has the time at which it did.
pub(crate) fn br_14<V: View, R: Report>(info: &V, path: &Path<'_>, report: &mut R) {
    if !info.get(Key::Finish).kind().is_nullish()
        && info.get(Key::Time).get(Key::Completed).kind() == Kind::Missing
    {
        let path = path.key(Key::Time);
        let message = "the message has `finish` but no `time.completed`";
        report.warning("BR-14", &path.key(Key::Completed), message);
    }
}

/// WP-1: a part names the message and the session that it is in.
pub(crate) fn wp_1<V: View, R: Report>(
    own: &V,
    of_message: &V,
    key: Key,
    path: &Path<'_>,
    report: &mut R,
) {
    let both = own.kind() == Kind::String && of_message.kind() == Kind::String;
    if both && !own.same(of_message) {
        let of = if key == Key::SessionID { "message's session" } else { "message" };
        let message = format!("`{}` is not the id of the part's {of}", key.as_str());
        report.error("WP-1", &path.key(key), message);
    }
}

/// WP-2: step-start and step-finish pair up, in order.
#[derive(Debug, Default)]
pub(crate) struct Wp2 {
    open: Option<usize>,
}

impl Wp2 {
    /// A step starts with this part.
    pub(crate) fn start<R: Report>(&mut self, index: usize, parts: &Path<'_>, report: &mut R) {
        self.close(parts, report);
        self.open = Some(index);
    }

    /// A step ends with this part.
    pub(crate) fn finish<R: Report>(&mut self, path: &Path<'_>, report: &mut R) {
        if self.open.take().is_none() {
            report.warning("WP-2", path, "a step-finish without a step-start before it");
        }
    }

    /// The message ends, or another step starts.
    pub(crate) fn close<R: Report>(&mut self, parts: &Path<'_>, report: &mut R) {
        if let Some(index) = self.open.take() {
            report.warning("WP-2", &parts.index(index), "a step-start without its step-finish");
        }
    }
}

/// WP-3: in a message that has completed, no tool is still pending or running.
pub(crate) fn wp_3<R: Report>(path: &Path<'_>, status: &str, report: &mut R) {
    let message = format!("the tool is still {status}, though its message has completed");
    report.warning("WP-3", path, message);
}

/// CP-5: only the output of a completed call can be cleared.
pub(crate) fn cp_5<V: View, R: Report>(part: &V, path: &Path<'_>, report: &mut R) {
    if apex_parts_compaction::is_stray_mark(part) {
        report.warning("CP-5", &path.key(Key::State), apex_parts_compaction::STRAY_MARK);
    }
}
