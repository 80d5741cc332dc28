//! [`PiSessions`]: the sessions of a file, from the paths through its entries.

use super::entry::{PiEntry, PiHeader};
use super::entry_tree::EntryPath;
use super::kept_lines::KeptLines;
use crate::log::SharedText;
use crate::log::log_call::{LogResult, LogStatus};
use crate::log::session_log::SessionLog;
use crate::reader::LoadedSessions;
use crate::session_kind::SessionKind;
use apex_parts_json::tape::{Node, Tape};
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::sorted_map::SortedMap;

/// The sessions while they are made.
#[derive(Debug)]
pub(crate) struct PiSessions {
    tape: Tape,
    pub(crate) log: SessionLog,
    /// The places of the entries that were read on a path; of others there is none.
    places: SortedMap<usize, EntryPlace>,
    /// The models that were named, as provider and model.
    models: Vec<(SharedText, SharedText)>,
    /// The answers that ended early: the calls that they leave open have ended with them.
    pub(crate) stopped: Vec<StoppedAnswer>,
}

/// The entries of a file, and their lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PiLines<'a> {
    pub(crate) lines: &'a KeptLines,
    pub(crate) entries: &'a [PiEntry],
}

/// An entry, its line, and what it says, if there is something to show of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PiLine<'a> {
    pub(crate) entry: &'a PiEntry,
    pub(crate) json: &'a str,
    pub(crate) root: Option<Node<'a>>,
}

/// Where an entry is.
#[derive(Clone, Copy, Debug)]
struct EntryPlace {
    session: usize,
    /// The index of the model.
    model: usize,
}

/// An answer that ended early, by an error or by the user; the reason is raw.
#[derive(Debug)]
pub(crate) struct StoppedAnswer {
    pub(crate) message: usize,
    pub(crate) reason: String,
    pub(crate) at: f64,
}

/// The session that an entry belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PiSession {
    pub(crate) session: usize,
    /// The session that it branches off from.
    pub(crate) of: Option<usize>,
}

impl PiSessions {
    pub(crate) fn new(header: Option<&PiHeader>) -> PiSessions {
        let mut log = SessionLog::new("pi", "");
        let root = log.begin_session(header.map_or("", |header| header.id.as_str()));
        let mut model = (SharedText::default(), SharedText::default());
        if let (Some(header), Some(session)) = (header, log.session(root)) {
            session.directory.set(&header.cwd);
            session.cwd.clone_from(&session.directory);
            session.created = Some(header.at);
            session.touch(header.at);
            session.provider.set(&header.provider);
            session.model.set(&header.model);
            model = (session.provider.clone(), session.model.clone());
        }
        PiSessions {
            tape: Tape::default(),
            log,
            places: SortedMap::new(),
            models: vec![model],
            stopped: Vec::new(),
        }
    }

    /// Reads the run.
    pub(crate) fn run(&mut self, lines: PiLines<'_>, path: &EntryPath) {
        let session = self.log.root();
        self.path(PiSession { session, of: None }, lines, path, 0);
    }

    /// Reads the next entry of a run that has no branches.
    pub(crate) fn read_next(&mut self, line: PiLine<'_>) {
        let session = self.log.root();
        self.read(PiSession { session, of: None }, line);
    }

    fn read(&mut self, place: PiSession, line: PiLine<'_>) {
        if let Some(session) = self.log.session(place.session) {
            session.touch(line.entry.at);
        }
        if let Some(root) = line.root {
            self.entry(place, line, root);
        }
    }

    /// Reads a branch: a session of its own, unless there is nothing to show.
    pub(crate) fn branch(&mut self, lines: PiLines<'_>, path: &EntryPath) {
        let root = self.log.root();
        let from = path.from.and_then(|entry| self.places.get(&entry).copied());
        let number = self.log.session(root).map_or(0, |root| root.branches) + 1;
        let session = self.log.child(root, &format!("branch-{number}"));
        if let Some(branch) = self.log.session(session) {
            branch.kind = Some(SessionKind::Branch);
        }
        let model = from.map_or(0, |from| from.model);
        if let (Some((provider, model)), Some(session)) =
            (self.models.get(model), self.log.session(session))
        {
            session.provider.clone_from(provider);
            session.model.clone_from(model);
        }
        let place = PiSession { session, of: from.map(|from| from.session) };
        self.path(place, lines, path, model);
        if self.log.last(session).is_none() {
            self.log.sessions.pop();
        } else if let Some(root) = self.log.session(root) {
            root.branches = number;
        }
    }

    /// Reads the entries of a path, which begins with this model.
    fn path(&mut self, place: PiSession, lines: PiLines<'_>, path: &EntryPath, model: usize) {
        let mut model = model;
        for index in &path.entries {
            let Some(entry) = lines.entries.get(*index) else { continue };
            let json = lines.lines.get(&entry.line);
            let mut tape = std::mem::take(&mut self.tape);
            let is_shown = !json.is_empty() && tape.read_foreign(json).is_ok();
            let root = is_shown.then(|| tape.root_of(json));
            self.read(place, PiLine { entry, json, root });
            self.tape = tape;
            if let (Some(session), Some(last)) =
                (self.log.session(place.session), self.models.get(model))
                && (session.provider != last.0 || session.model != last.1)
            {
                self.models.push((session.provider.clone(), session.model.clone()));
                model = self.models.len() - 1;
            }
            self.places.insert(*index, EntryPlace { session: place.session, model });
        }
    }

    /// The sessions, with this title; `problems` are those of the lines.
    pub(crate) fn finish(mut self, title: Option<&str>, problems: &ProblemList) -> LoadedSessions {
        let own = std::mem::replace(&mut self.log.problems, problems.clone());
        own.into_iter().for_each(|problem| self.log.problems.push(problem));
        for StoppedAnswer { message, reason, at } in std::mem::take(&mut self.stopped) {
            let Some(message) = self.log.message(message) else { continue };
            for call in message.open_calls() {
                call.result = Some(LogResult {
                    status: LogStatus::Aborted,
                    text: reason.as_str().into(),
                    end: at,
                    ..LogResult::default()
                });
            }
        }
        let root = self.log.root();
        if let Some(root) = self.log.session(root) {
            root.title = title.map(str::to_owned);
        }
        self.log.place_system();
        self.log.into_loaded()
    }
}
