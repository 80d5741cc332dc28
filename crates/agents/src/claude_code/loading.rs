//! The sessions of a file of Claude Code, once its lines are read.

use super::assembly::Assembly;
use super::paths::{LinePaths, LineSession, LineSessionKind, line_paths};
use super::reader::ClaudeCode;
use super::sessions::SessionFacts;
use super::sub_agents::SubAgents;
use crate::log::log_rules::LogRules;
use crate::log::session_log::SessionLog;
use crate::reader::LoadedSessions;
use crate::session_kind::SessionKind;
use crate::transcript_format::TranscriptFormat;
use apex_parts_model::text_map::TextMap;

impl ClaudeCode {
    /// The sessions so far, the main one first.
    pub(super) fn loaded(&self) -> LoadedSessions {
        let paths = line_paths(&self.lines, &self.abouts, &|id| self.by_id.get(id));
        let agents = SubAgents::new(&self.lines, &paths);
        let agent_of = |session| agents.start(session).map_or("", |(_, task)| &*task.agent);
        let mut log = SessionLog::new(Self::NAME, "anthropic").with(LogRules::STATED);
        log.problems = self.problems.clone();
        for (index, session) in paths.sessions.iter().enumerate() {
            let place = log.begin_session(&session.id);
            if let Some(session) = log.session(place).filter(|_| !agent_of(index).is_empty()) {
                session.agent = agent_of(index).to_owned();
            }
        }
        let mut assembly =
            Assembly { lines: &self.lines, abouts: &self.abouts, agents: &agents, log };
        assembly.read(&paths);
        assembly.log.name_models();
        let mut loaded = assembly.log.into_loaded();
        loaded.records = self.records;
        let mains = self.mains(&paths);
        let titles = self.titles_of(&paths, &mains);
        let told = paths.sessions.iter().zip(titles).enumerate();
        for ((index, (session, title)), own) in told.zip(&mut loaded.sessions) {
            let start = agents.start(index);
            let parent = match session.kind {
                LineSessionKind::Main => None,
                LineSessionKind::Branch(main) => id_of(&paths, main),
                LineSessionKind::SubAgent => start
                    .and_then(|(caller, _)| id_of(&paths, caller))
                    .or_else(|| self.named_by(&paths, &mains, session)),
            };
            let told = start.map(|(_, task)| &*task.description).filter(|text| !text.is_empty());
            let title = title.or(told);
            let totals = match session.kind {
                LineSessionKind::Main => self.totals.get(session.id.as_str()),
                _ => None,
            };
            let facts =
                SessionFacts { id: &session.id, parent, title, agent: agent_of(index), totals };
            let lines = session.lines.iter().filter_map(|line| self.lines.get(*line));
            (own.tokens, own.cost) =
                (totals.map(|all| all.tokens), totals.and_then(|all| all.cost));
            own.info = Some(facts.info(lines, &self.abouts).into_bytes());
            own.parent_id = parent.map(str::to_owned);
            own.title = title.map(str::to_owned);
            if matches!(session.kind, LineSessionKind::Branch(_)) {
                own.kind = Some(SessionKind::Branch);
            }
        }
        loaded
    }

    /// By the ids that lines name: the session that they are of, without its branches.
    fn mains(&self, paths: &LinePaths) -> TextMap {
        let mut mains = TextMap::default();
        for (line, place) in self.lines.iter().zip(&paths.places).filter(|(line, _)| !line.is_side)
        {
            let main = place.and_then(|place| match paths.sessions.get(place)?.kind {
                LineSessionKind::Branch(main) => Some(main),
                _ => Some(place),
            });
            let name = self.abouts.session(line.about);
            if let Some(main) = main.filter(|_| !mains.contains(name)) {
                mains.insert(name, main);
            }
        }
        mains
    }

    /// The id of the session that a sub-agent's lines name, which may be in another file.
    fn named_by<'a>(
        &'a self,
        paths: &'a LinePaths,
        mains: &TextMap,
        session: &LineSession,
    ) -> Option<&'a str> {
        let line = self.lines.get(*session.lines.first()?)?;
        let named = self.abouts.session(line.about);
        mains.get(named).and_then(|main| id_of(paths, main)).or(Some(named))
    }

    /// The title of each session.
    fn titles_of(&self, paths: &LinePaths, mains: &TextMap) -> Vec<Option<&str>> {
        let mut titles: Vec<Option<&str>> = vec![None; paths.sessions.len()];
        for (about, title) in &self.titles {
            let line = self.by_id.get(about);
            let of_line = line.and_then(|line| paths.places.get(line).copied().flatten());
            let known = of_line.or_else(|| mains.get(about));
            // The line may be in another file, which this session continues.
            let own = titles.get_mut(known.unwrap_or_default());
            if let Some(own) = own.filter(|own| known.is_some() || own.is_none()) {
                *own = Some(title);
            }
        }
        titles
    }
}

fn id_of(paths: &LinePaths, session: usize) -> Option<&str> {
    paths.sessions.get(session).map(|session| session.id.as_str())
}
