//! Why `opencode import` would stop. It is not atomic: the session, then message by message, and what stood before a
//! bad record stays. So this is asked before.

use super::check::{TellProblem, check, check_fields};
use super::ids;
use super::import_shape::{MESSAGE, PART, SESSION};
use super::picked::{elements, field, number, object, text};
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::fingerprint::Fingerprint;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::{Error, Kind, Path, Problem, Severity, View};
use apex_parts_transcript::{Format, Transcript};
use std::collections::BTreeSet;

/// The rule that is broken.
const RULE: &str = "opencode";
/// The most kinds of warnings that are told.
const MOST_WARNINGS: usize = 1000;

/// The problems of a file as input of `opencode import`: an error for each reason for which it would stop, a warning
/// for what it drops or sorts in another way. `now_ms` is the time.
///
/// # Errors
/// `TranscriptError` if a message cannot be read.
pub fn import_problems(transcript: &Transcript, now_ms: f64) -> Result<Vec<Problem>, Error> {
    let mut checking = ImportCheck { now_ms, ..ImportCheck::default() };
    let root = Path::ROOT;
    let messages = root.name("messages");
    let list = match transcript.format() {
        Some(Format::OpenCodeExport) => {
            checking.session(transcript.session());
            &messages
        }
        format => {
            let name = format.map_or("of an unknown format", Format::as_str);
            let message = format!(
                "import accepts {{info, messages}}, and this is {name}: `apex-parts convert --to opencode` converts it"
            );
            checking.problems.push(Problem::new(Severity::Error, RULE, &root, message));
            &root
        }
    };
    if matches!(transcript.format(), Some(Format::OpenCodeExport | Format::WithParts)) {
        let mut tape = Tape::default();
        for index in 0..transcript.message_count() {
            let Some(bytes) = transcript.message_in_file(index)? else { break };
            #[allow(clippy::cast_precision_loss)] // no file has 2^53 bytes
            let offset = transcript.messages().get(index).map(|fact| fact.start as f64);
            let text = String::from_utf8_lossy(&bytes);
            if tape.read(text.as_bytes(), 0).is_ok() {
                let path = list.index(index);
                checking.message(tape.root_of(&text), &path, offset);
            }
        }
    }
    let mut problems = checking.problems;
    for mut problem in transcript.lost() {
        // What is no UTF-8 is read with U+FFFD in its place, as here, and a session may be empty.
        if matches!(problem.rule.as_str(), "encoding" | "no-messages") {
            problem.severity = Severity::Warning;
        }
        problems.push(problem);
    }
    Ok(problems.into_iter().collect())
}

#[derive(Default)]
struct ImportCheck {
    now_ms: f64,
    problems: ProblemList,
    /// The warnings that were told, without the numbers in their paths.
    told: BTreeSet<String>,
    messages: SortedSet<Fingerprint>,
    parts: SortedSet<Fingerprint>,
    /// The time and the id of the message before.
    last: Option<(f64, String)>,
}

/// The path without the indices in it.
fn kind_of_path(path: &Path<'_>) -> String {
    let path = path.to_string();
    let steps = path.split('/').filter(|step| step.parse::<usize>().is_err());
    steps.collect::<Vec<_>>().join("/")
}

impl ImportCheck {
    fn tell(&mut self, severity: Severity, path: &Path<'_>, message: String, offset: Option<f64>) {
        if severity == Severity::Warning {
            let kind = format!("{}: {message}", kind_of_path(path));
            if self.told.len() >= MOST_WARNINGS || !self.told.insert(kind) {
                return;
            }
        }
        let problem = Problem::new(severity, RULE, path, message);
        self.problems.push(Problem { offset, ..problem });
    }

    fn session(&mut self, info: Option<&[u8]>) {
        let root = Path::ROOT;
        let path = root.name("info");
        let mut tape = Tape::default();
        let bytes = info.unwrap_or_default();
        let read = tape.read(bytes, 0).is_ok().then(|| tape.root(bytes));
        let Some(info) = object(read) else {
            let message = "the session's record is missing: an object is required".to_owned();
            return self.tell(Severity::Error, &path, message, None);
        };
        let mut tell =
            |severity, path: &Path<'_>, message| self.tell(severity, path, message, None);
        check_fields(info, SESSION, "", &path, &mut tell);
    }

    fn message(&mut self, message: Node<'_>, path: &Path<'_>, offset: Option<f64>) {
        let info = field(Some(message), "info");
        let id = text(field(object(info), "id")).unwrap_or_default().into_owned();
        {
            let mut tell = |severity, path: &Path<'_>, message| {
                self.tell(severity, path, message, offset);
            };
            let tell: TellProblem<'_> = &mut tell;
            for (key, _) in message.fields() {
                let name = key.str().unwrap_or_default();
                if !matches!(&*name, "info" | "parts") {
                    let what =
                        "OpenCode has no field of this name, and drops it silently".to_owned();
                    tell(Severity::Warning, &path.name(&name), what);
                }
            }
            if let Some(info) = info {
                check(info, &MESSAGE, &path.name("info"), tell);
            }
        }
        self.place(object(info), &id, &path.name("info"), offset);
        let path = path.name("parts");
        let mut last = String::new();
        for (index, part) in elements(field(Some(message), "parts")).enumerate() {
            self.part(part, &id, &mut last, &path.index(index), offset);
        }
    }

    /// Checks what a message is to the others.
    fn place(&mut self, info: Option<Node<'_>>, id: &str, path: &Path<'_>, offset: Option<f64>) {
        let warn = |check: &mut ImportCheck, name: &str, message: &str| {
            let path = path.name(name);
            check.tell(Severity::Warning, &path, message.to_owned(), offset);
        };
        let parent = text(field(info, "parentID")).filter(|id| id.starts_with("msg"));
        let is_answer = text(field(info, "role")).as_deref() == Some("assistant");
        if let Some(parent) = parent.filter(|_| is_answer)
            && !self.messages.contains(&ids::hash(&parent))
        {
            warn(self, "parentID", "the message that this one answers does not come before it");
        }
        if !self.messages.insert(ids::hash(id)) {
            warn(self, "id", "an earlier message has this id: import skips this one");
        }
        let Some(created) = number(field(object(field(info, "time")), "created")) else { return };
        if created > self.now_ms {
            warn(self, "time", "it is in the future: the next message would come before it");
        }
        let is_before = |(time, last): &(f64, String)| {
            created < *time || (created == *time && id < last.as_str())
        };
        if self.last.as_ref().is_some_and(is_before) {
            let what = "OpenCode sorts messages by time and id: it will put this one before the previous one";
            warn(self, "id", what);
        }
        self.last = Some((created, id.to_owned()));
    }

    fn part(
        &mut self,
        part: Node<'_>,
        message: &str,
        last: &mut String,
        path: &Path<'_>,
        offset: Option<f64>,
    ) {
        let mut tell = |severity, path: &Path<'_>, message| {
            self.tell(severity, path, message, offset);
        };
        check(part, &PART, path, &mut tell);
        if part.kind() != Kind::Object {
            return;
        }
        if let Some(of) = text(field(Some(part), "messageID")).filter(|of| *of != message) {
            let path = path.name("messageID");
            if self.messages.contains(&ids::hash(&of)) {
                let what = "it names another message: import adds the part to that one".to_owned();
                self.tell(Severity::Warning, &path, what, offset);
            } else {
                let what = "no message before this part has this id".to_owned();
                self.tell(Severity::Error, &path, what, offset);
            }
        }
        let Some(id) = text(field(Some(part), "id")) else { return };
        let path = path.name("id");
        if !self.parts.insert(ids::hash(&id)) {
            let what = "an earlier part has this id: import skips this one".to_owned();
            self.tell(Severity::Warning, &path, what, offset);
        }
        if *id < **last {
            let what = "OpenCode sorts parts by id: it will put this one before the previous one"
                .to_owned();
            self.tell(Severity::Warning, &path, what, offset);
        }
        *last = id.into_owned();
    }
}
