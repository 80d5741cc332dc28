//! [`PiSessions`]: the sessions of a file, from the paths through its entries.

use super::entry::{PiEntry, PiHeader};
use super::entry_tree::EntryPath;
use crate::log::log_call::{LogResult, LogStatus};
use crate::log::session_log::SessionLog;
use crate::reader::LoadedSessions;
use crate::session_kind::SessionKind;
use apex_parts_json::tape::Tape;
use apex_parts_model::problem_list::ProblemList;

/// The sessions while they are made.
#[derive(Debug)]
pub(crate) struct PiSessions<'a> {
    entries: &'a [PiEntry],
    tape: Tape,
    pub(crate) log: SessionLog,
    /// For each entry that was shown: the session it is in, and the model after it.
    places: Vec<Option<EntryPlace>>,
    /// The models that were named, as provider and model.
    models: Vec<(String, String)>,
    /// The answers that ended early: the calls that they leave open have ended with them.
    pub(crate) stopped: Vec<StoppedAnswer>,
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

impl<'a> PiSessions<'a> {
    pub(crate) fn new(
        entries: &'a [PiEntry],
        header: Option<&PiHeader>,
        problems: &ProblemList,
    ) -> PiSessions<'a> {
        let mut log = SessionLog::new("pi", "");
        log.problems = problems.clone();
        let root = log.begin_session(header.map_or("", |header| header.id.as_str()));
        let mut model = (String::new(), String::new());
        if let (Some(header), Some(session)) = (header, log.session(root)) {
            session.directory.clone_from(&header.cwd);
            session.cwd.clone_from(&header.cwd);
            session.created = Some(header.at);
            session.touch(header.at);
            session.provider.clone_from(&header.provider);
            session.model.clone_from(&header.model);
            model = (header.provider.clone(), header.model.clone());
        }
        PiSessions {
            entries,
            tape: Tape::default(),
            log,
            places: vec![None; entries.len()],
            models: vec![model],
            stopped: Vec::new(),
        }
    }

    /// Reads the run.
    pub(crate) fn run(&mut self, path: &EntryPath) {
        let session = self.log.root();
        self.path(PiSession { session, of: None }, path, 0);
    }

    /// Reads a branch: a session of its own, unless there is nothing to show.
    pub(crate) fn branch(&mut self, path: &EntryPath) {
        let root = self.log.root();
        let from = path.from.and_then(|entry| self.places.get(entry).copied().flatten());
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
        self.path(PiSession { session, of: from.map(|from| from.session) }, path, model);
        if self.log.last(session).is_none() {
            self.log.sessions.pop();
        } else if let Some(root) = self.log.session(root) {
            root.branches = number;
        }
    }

    /// Reads the entries of a path, which begins with this model.
    fn path(&mut self, place: PiSession, path: &EntryPath, model: usize) {
        let mut model = model;
        let entries = self.entries;
        for index in &path.entries {
            let Some(entry) = entries.get(*index) else { continue };
            if let Some(session) = self.log.session(place.session) {
                session.touch(entry.at);
            }
            let json = entry.json.as_bytes();
            let mut tape = std::mem::take(&mut self.tape);
            if !json.is_empty() && tape.read(json, 0).is_ok() {
                self.entry(place, entry, tape.root(json));
            }
            self.tape = tape;
            if let (Some(session), Some(last)) =
                (self.log.session(place.session), self.models.get(model))
                && (session.provider != last.0 || session.model != last.1)
            {
                self.models.push((session.provider.clone(), session.model.clone()));
                model = self.models.len() - 1;
            }
            if let Some(shown) = self.places.get_mut(*index) {
                *shown = Some(EntryPlace { session: place.session, model });
            }
        }
    }

    /// The sessions, with this title.
    pub(crate) fn finish(mut self, title: Option<&str>) -> LoadedSessions {
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
