//! [`Summarizer`]: reads a transcript's messages once, at once or in steps, and sums up what the run did.

use super::asked_text::{AskedText, first_line};
use super::busy_time::BusyTime;
use super::call_subject::CallSubject;
use super::columns::{NO_MODEL, SummaryColumns, SummaryNames};
use super::commits::commits;
use super::ending::{Exit, FileEnd, LastMessage};
use super::error_line::describe;
use super::failure_groups;
use super::file_changes::changed_files;
use super::message_at::{MessageAt, next_number};
use super::model_work::ModelWork;
use super::seen::{SeenInfo, SeenMessage, SeenPart};
use super::transcript_summary::{
    CallFailure, CommitMade, FileChange, ModelError, SummaryText, TranscriptSummary,
};
use crate::Transcript;
use apex_parts_agents::SUBMISSION;
use apex_parts_agents::fields::{get, string};
use apex_parts_agents::log::GlanceScratch;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::fingerprint::{self, Fingerprint};
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::sorted_set::SortedSet;
use apex_parts_model::{CallEnd, Error, Key, Outcome, View, Word, first_chars};
use std::collections::BTreeMap;

/// The most failures, files and commits that are listed.
const MOST_FAILURES: usize = 10_000;
const MOST_FILES: usize = 10_000;
const MOST_COMMITS: usize = 1_000;
/// The most files beyond the list that are told apart, to be counted once.
const MOST_UNLISTED: usize = 1_000_000;
/// The most errors of messages that are listed.
const MOST_ERRORS: usize = 1_000;
/// The most models and agents that are listed, and the most characters of their names.
const MOST_NAMES: usize = 100;
const LONGEST_NAME: usize = 200;
/// The most characters of a text.
const LONGEST_TEXT: usize = 500;
/// The most characters of what a call is about.
const LONGEST_SUBJECT: usize = 1000;

/// Sums up what a run did.
///
/// ```
/// use apex_parts_transcript::{Env, Summarizer, Transcript, TranscriptOptions};
/// let bytes = br#"[{"info":{"id":"m","sessionID":"s","role":"user"},"parts":[
///     {"id":"p","messageID":"m","sessionID":"s","type":"text","text":"Fix the tests"}]}]"#;
/// let mut env = Env { now_ms: 0.0, new_id: &mut || "id".to_owned() };
/// let t = Transcript::open(bytes, TranscriptOptions::default(), &mut env)?;
/// let mut summarizer = Summarizer::default();
/// t.summarize(&mut summarizer, usize::MAX)?;
/// let summary = t.summary(&summarizer);
/// assert_eq!(summary.asked.map(|asked| asked.text).as_deref(), Some("Fix the tests"));
/// # Ok::<(), apex_parts_model::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Summarizer {
    /// The session that is summed up; all if there is none.
    session: Option<String>,
    looked: usize,
    summary: TranscriptSummary,
    asked: AskedText,
    models: Vec<ModelWork>,
    time: BusyTime,
    pub(super) last: Option<LastMessage>,
    /// Failures by the hash of what they were about, as indexes of the list, until they are mended.
    failing: SortedMap<Fingerprint, Vec<usize>>,
    /// The place of each file in the list.
    files: BTreeMap<Box<str>, usize>,
    /// The hashes of the paths of files that the list has no room for.
    unlisted: SortedSet<Fingerprint>,
    /// Of each list that was read.
    pub(super) columns: Vec<SummaryColumns>,
    pub(super) names: SummaryNames,
    scratch: GlanceScratch,
}

impl Summarizer {
    /// One that sums up a session instead of the whole file.
    #[must_use]
    pub fn of_session(id: &str) -> Summarizer {
        Summarizer { session: Some(id.to_owned()), ..Summarizer::default() }
    }

    /// The session that it sums up; `None` for the whole file.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// How many messages it has read.
    #[must_use]
    pub fn looked(&self) -> usize {
        self.looked
    }

    fn columns_of(&mut self, list: usize) -> Option<&mut SummaryColumns> {
        self.columns.resize_with(self.columns.len().max(list + 1), SummaryColumns::default);
        self.columns.get_mut(list)
    }

    fn message(&mut self, at: &MessageAt<'_>, message: SeenMessage<'_>) {
        let info = message.info();
        let is_main = at.is_main;
        let said = message.parts().enumerate().find(|(_, part)| part.is_said());
        let is_request = info.role == Some(Word::User) && said.is_some();
        let mut last = message.error(|error| {
            let last = LastMessage::new(at.index, &info, error);
            self.error(at, error, &last);
            last
        });
        if is_main {
            self.time.message(is_request, info.created, info.completed);
            if is_request {
                self.summary.requests += 1;
            }
        }
        if last.is_answer {
            self.model(&info, message);
            note(&mut self.summary.agents, &info.agent);
        }
        if let Some((place, part)) = said.filter(|_| is_main) {
            let text =
                || SummaryText { text: part.beginning(LONGEST_TEXT), at: at.part(place, part) };
            match info.role {
                Some(Word::User) => self.asked.request(text),
                Some(Word::Assistant) => self.summary.answered = Some(text()),
                _ => {}
            }
        }
        let is_call = |part: SeenPart<'_>| part.word() == Some(Word::Tool);
        if is_main && last.is_answer && (said.is_some() || message.parts().any(is_call)) {
            self.asked.answered();
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        for (place, part) in message.parts().enumerate() {
            if is_call(part) {
                self.call(at, place, part, (part.json(&mut scratch), &mut last));
            } else {
                last.note(part);
            }
        }
        self.scratch = scratch;
        // What the program itself said is no model's.
        let model = match last.is_said_by_program() {
            true => NO_MODEL,
            false => self.names.models.number_of(&info.model),
        };
        if let Some(columns) = self.columns_of(at.list) {
            columns.message(at.place, model, is_request);
        }
        // A note of the program, such as a summary, does not end a run.
        if is_main && (is_request || (last.is_answer && !last.is_of_program())) {
            self.last = Some(last);
        }
    }

    /// Adds an answer to the work of its model. The name of a provider is none.
    fn model(&mut self, info: &SeenInfo<'_>, message: SeenMessage<'_>) {
        if info.model.is_empty() || info.provider == info.model {
            return;
        }
        let name = first_chars(&info.model, LONGEST_NAME);
        let place = match self.models.iter().position(|model| model.name == name) {
            Some(place) => place,
            None if self.models.len() == MOST_NAMES => return,
            None => {
                self.models.push(ModelWork::new(name.to_owned()));
                self.models.len() - 1
            }
        };
        if let Some(model) = self.models.get_mut(place) {
            model.add(message);
        }
    }

    /// Notes the error of a message.
    fn error(&mut self, at: &MessageAt<'_>, error: Node<'_>, last: &LastMessage) {
        if error.kind().is_nullish() {
            return;
        }
        self.summary.message_errors += 1;
        if self.summary.errors.len() < MOST_ERRORS {
            let (name, said) = last.error.clone().unwrap_or_default();
            let session = at.session.map(str::to_owned);
            self.summary.errors.push(ModelError { message: at.index, session, name, said });
        }
    }

    /// Adds a call, with its JSON. Where all of its output counts, that is asked for.
    fn call(
        &mut self,
        at: &MessageAt<'_>,
        place: usize,
        part: SeenPart<'_>,
        (json, last): (Node<'_>, &mut LastMessage),
    ) {
        let state = json.get(Key::State);
        let tool = string(Some(json.get(Key::Tool))).unwrap_or_default();
        last.has_more = true;
        let subject = CallSubject::new(&tool, state.get(Key::Input));
        let asks = matches!(subject, CallSubject::Question);
        if let CallSubject::Change(path) | CallSubject::Path(path) = &subject
            && let Some(path) = self.names.path_number(path)
        {
            let columns = self.columns_of(at.list);
            columns.into_iter().for_each(|columns| columns.call(at.first_part + place, path));
        }
        if at.is_main {
            let time = state.get(Key::Time);
            self.time.call(time.get(Key::Start).number(), time.get(Key::End).number(), asks);
        }
        let Some(CallEnd { outcome, exit }) = CallEnd::read(&json) else { return };
        match outcome {
            Outcome::Running => last.open = Some((tool.into_owned(), asks)),
            Outcome::Completed => {
                self.passed(|| key(&tool, &subject, state), at, place, part);
                self.changes(json, &subject, at, place, part);
            }
            Outcome::Failed | Outcome::Error => {
                last.call_error(state);
                self.summary.failed += 1;
                let list = &mut self.summary.failures;
                if list.len() == MOST_FAILURES {
                    return;
                }
                self.failing.or_default(key(&tool, &subject, state)).push(list.len());
                let is_error = outcome == Outcome::Error;
                let mut scratch = GlanceScratch::default();
                let whole = part.whole(json, &mut scratch).get(Key::State);
                let said = whole.get(if is_error { Key::Error } else { Key::Output });
                list.push(CallFailure {
                    at: at.part(place, part),
                    tool: tool.into_owned(),
                    subject: first_chars(subject.text(), LONGEST_SUBJECT).to_owned(),
                    outcome: outcome.as_str().to_owned(),
                    exit,
                    said: describe(&said.str().unwrap_or_default()),
                    mended: None,
                });
            }
        }
    }

    /// A call passed: it mends those before it that were about the same.
    fn passed(
        &mut self,
        about: impl FnOnce() -> Fingerprint,
        at: &MessageAt<'_>,
        place: usize,
        part: SeenPart<'_>,
    ) {
        if self.failing.is_empty() {
            return;
        }
        let Some(failed) = self.failing.remove(&about()) else { return };
        for index in failed {
            if let Some(failure) = self.summary.failures.get_mut(index) {
                failure.mended = Some(at.part(place, part));
                self.summary.mended += 1;
            }
        }
    }

    /// Adds the files and commits of a call that passed.
    fn changes(
        &mut self,
        json: Node<'_>,
        subject: &CallSubject<'_>,
        at: &MessageAt<'_>,
        place: usize,
        part: SeenPart<'_>,
    ) {
        for file in changed_files(json.get(Key::State), subject) {
            let totals = &mut self.summary.totals;
            add(&mut totals.added, file.added);
            add(&mut totals.removed, file.removed);
            let list = &mut self.summary.files;
            let known = self.files.get(file.path.as_str()).copied();
            let index = match known {
                Some(index) => index,
                None if list.len() == MOST_FILES => {
                    let path = fingerprint::of(file.path.as_bytes(), 0);
                    if self.unlisted.len() < MOST_UNLISTED && self.unlisted.insert(path) {
                        add(&mut totals.files, 1);
                    }
                    continue;
                }
                None => {
                    add(&mut totals.files, 1);
                    self.files.insert(file.path.as_str().into(), list.len());
                    list.push(FileChange { path: file.path, ..FileChange::default() });
                    list.len() - 1
                }
            };
            if let Some(change) = list.get_mut(index) {
                add(&mut change.added, file.added);
                add(&mut change.removed, file.removed);
                change.changes += 1;
                change.at = at.part(place, part);
            }
        }
        let CallSubject::Command(command) = subject else { return };
        if memchr::memmem::find(command.as_bytes(), b"commit").is_none() {
            return;
        }
        let mut scratch = GlanceScratch::default();
        let output = part.whole(json, &mut scratch).get(Key::State).get(Key::Output);
        for (hash, message) in commits(command, &output.str().unwrap_or_default()) {
            self.summary.totals.commits += 1;
            if self.summary.commits.len() < MOST_COMMITS {
                self.summary.commits.push(CommitMade { at: at.part(place, part), hash, message });
            }
        }
    }
}

/// What a call is about, as a hash: the same command of a shell, a change of the same file, or the same
/// arguments of the same tool.
fn key(tool: &str, subject: &CallSubject<'_>, state: Node<'_>) -> Fingerprint {
    let (kind, text) = match subject {
        CallSubject::Command(command) => ("command", command.trim().as_bytes()),
        CallSubject::Change(path) => ("change", path.as_bytes()),
        CallSubject::Path(path) => (tool, path.as_bytes()),
        CallSubject::Question | CallSubject::Other(_) => (tool, state.get(Key::Input).json()),
    };
    let of_kind = fingerprint::of(kind.as_bytes(), 0);
    fingerprint::mix(of_kind, fingerprint::of(text, 1))
}

fn add(sum: &mut Option<u32>, more: u32) {
    *sum = Some(sum.unwrap_or_default().saturating_add(more));
}

/// Adds a name that is not in the list.
fn note(names: &mut Vec<String>, name: &str) {
    if !name.is_empty() && names.len() < MOST_NAMES && !names.iter().any(|known| known == name) {
        names.push(first_chars(name, LONGEST_NAME).to_owned());
    }
}

impl Transcript {
    /// Goes on summing up, up to the message before `to`. The messages are those of all sessions, counted
    /// together; if sessions were assembled, those of the first session come first.
    ///
    /// # Errors
    /// `TranscriptError` if the host cannot read the bytes; the summarizer can go on.
    pub fn summarize(&self, summarizer: &mut Summarizer, to: usize) -> Result<(), Error> {
        let mut before = 0;
        let only = summarizer.session.clone();
        let scope = self.scope(only.as_deref()).unwrap_or_default();
        let main = self.sessions().into_iter().next();
        let main = main.as_ref().map(|main| main.id.as_str()).filter(|id| !id.is_empty());
        for (of_list, source) in self.sources().enumerate() {
            let count = source.count();
            let within = |at: usize| at.saturating_sub(before).min(count);
            let range = within(summarizer.looked)..within(to);
            let scoped = scope.iter().find(|scoped| scoped.place == of_list);
            let own = self.session_set.sessions.get(of_list).filter(|_| of_list > 0);
            let own = own.map(|session| session.id.as_str());
            let looked = before;
            before += count;
            let Some(scoped) = scoped.filter(|_| !range.is_empty()) else { continue };
            let is_glanced = source.glance(range.clone(), &mut |index, message| {
                summarizer.looked = looked + index + 1;
                let at = MessageAt::new(of_list, index, message.first_part, own, only.is_some());
                summarizer.message(&at, SeenMessage::Glance(message));
            });
            if is_glanced {
                continue;
            }
            let list = source.list();
            // A list in a file may have the messages of several sessions: each counts its own.
            let mut numbers: Vec<u32> = vec![0; list.index.sessions.len()];
            if own.is_none() && list.index.sessions.len() > 1 {
                let earlier = list.index.messages.range(0..range.start);
                earlier.for_each(|fact| _ = next_number(&mut numbers, fact.session));
            }
            list.each_read(range, &mut |index, message| {
                summarizer.looked = looked + index + 1;
                let Some(fact) = list.index.messages.get(index) else { return };
                let named = list.index.sessions.get(fact.session as usize);
                let of_other = named
                    .map(String::as_str)
                    .filter(|named| self.is_in_file() && main.is_some_and(|main| main != *named));
                let in_session = next_number(&mut numbers, fact.session);
                if !scoped.has(fact) {
                    return;
                }
                let (first_part, session) = (fact.first_part as usize, own.or(of_other));
                let mut at = MessageAt::new(of_list, index, first_part, session, only.is_some());
                if of_other.is_some() {
                    at.index = in_session;
                }
                summarizer.message(&at, SeenMessage::Json(message));
            })?;
        }
        summarizer.looked = summarizer.looked.max(to.min(before));
        Ok(())
    }

    /// How its agent says that it ended, where the file has it.
    fn exit(&self, session: Option<Node<'_>>) -> Option<Exit> {
        let status = self.source_format()?.exit_status()?;
        if string(get(session, SUBMISSION)).is_some() {
            return Some(Exit::Finished);
        }
        let words = string(get(session, status.field))?;
        Some(if words == status.finished {
            Exit::Finished
        } else {
            Exit::Early(words.into_owned())
        })
    }

    /// What to call the run.
    fn title(&self, summarizer: &Summarizer, asked: Option<&SummaryText>) -> Option<String> {
        let wanted = summarizer.session.as_deref();
        let mut sessions = self.sessions().into_iter();
        let session = sessions.find(|session| wanted.is_none_or(|id| id == session.id));
        let title = session.and_then(|session| session.title).filter(|title| !title.is_empty());
        title.or_else(|| {
            let mark = self.source_format().and_then(crate::Format::task_mark);
            first_line(&asked?.text, mark).map(str::to_owned)
        })
    }

    /// What the summarizer has found so far.
    #[must_use]
    pub fn summary(&self, summarizer: &Summarizer) -> TranscriptSummary {
        let mut summary = summarizer.summary.clone();
        let info = self.session().unwrap_or_default();
        let mut tape = Tape::default();
        let session = tape.read(info, 0).is_ok().then(|| tape.root(info));
        summary.asked = summarizer.asked.first();
        summary.title = self.title(summarizer, summary.asked.as_ref());
        summary.models = Transcript::model_names(summarizer.models.clone(), session);
        summary.failure_groups = failure_groups::groups(&summary.failures);
        self.state_changes(summarizer, session, &mut summary);
        let is_as_noted = self.ends_as_noted(summarizer.session.as_deref());
        let facts = FileEnd {
            is_cut: self.cut || (is_as_noted && self.is_copy_of_cut()),
            exit: self.exit(session).filter(|_| is_as_noted),
            holds_results: self.holds_results(),
        };
        summary.ended = summarizer.last.as_ref().map(|last| last.ending(&facts));
        summary.time = summarizer.time.split();
        let stats = match &summarizer.session {
            None => Some(self.stats()),
            // What the host cannot read again was told when it was summed up.
            Some(session) => self.stats_of(session).ok().flatten(),
        };
        summary.cost = stats.map(|stats| stats.cost).filter(|cost| *cost > 0.0);
        summary
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
