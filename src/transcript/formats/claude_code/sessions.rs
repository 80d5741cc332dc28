//! The sessions of a file of Claude Code: one per `sessionId`, and one per sidechain.

use crate::json::tape::Node;
use crate::json::writer::object;
use crate::transcript::formats::fields::{is_true, pick, string};
use crate::transcript::formats::reader::LoadedSession;
use std::collections::BTreeMap;

/// The sessions of a file; a session's number is its index in `all`.
#[derive(Debug, Default)]
pub(crate) struct ClaudeSessions {
    all: Vec<ClaudeSession>,
    /// The sessions that are not a sidechain, by `sessionId`.
    roots: BTreeMap<Box<str>, usize>,
    /// Sidechains, by `agentId`.
    agents: BTreeMap<Box<str>, usize>,
    /// The session of every line, by the line's `uuid`.
    lines: BTreeMap<Box<str>, usize>,
    /// Titles, each with the `uuid` of the line or the `sessionId` to which it belongs.
    titles: Vec<(String, String)>,
}

#[derive(Debug, Default)]
struct ClaudeSession {
    id: String,
    parent_id: Option<String>,
    directory: String,
    version: String,
    branch: String,
    created: f64,
    updated: f64,
    /// Its last line was the boundary of a compaction.
    compacted: bool,
}

impl ClaudeSessions {
    /// Has there been a line with this `uuid`?
    pub(crate) fn has(&self, uuid: &str) -> bool {
        self.lines.contains_key(uuid)
    }

    /// The session of a line. `id` is the line's `uuid`, or a substitute.
    pub(crate) fn of(&mut self, root: Node<'_>, id: &str, at: f64) -> usize {
        let names =
            ["sessionId", "isSidechain", "parentUuid", "agentId", "cwd", "version", "gitBranch"];
        let [session, side, parent, agent, cwd, version, branch] = pick(root, names);
        let session = string(session).unwrap_or("claude-code".into());
        let index = if is_true(side) {
            let (agent, parent) = (string(agent), string(parent));
            self.sidechain(&session, agent.as_deref(), parent.as_deref(), id, at)
        } else if let Some(index) = self.roots.get(session.as_ref()) {
            *index
        } else {
            self.roots.insert(session.as_ref().into(), self.all.len());
            self.begin(&session, None, at)
        };
        self.lines.insert(id.into(), index);
        if let Some(session) = self.all.get_mut(index) {
            session.updated = session.updated.max(at);
            session.created = session.created.min(at);
            session.directory = or_first(&mut session.directory, cwd);
            session.version = or_first(&mut session.version, version);
            session.branch = or_first(&mut session.branch, branch);
        }
        index
    }

    /// The sidechain of a line: that of its agent or, without an agent, that of its parent line.
    fn sidechain(
        &mut self,
        session: &str,
        agent: Option<&str>,
        parent: Option<&str>,
        id: &str,
        at: f64,
    ) -> usize {
        let known = match agent {
            Some(agent) => self.agents.get(agent),
            None => parent.and_then(|parent| self.lines.get(parent)),
        };
        // The parent line may be one of the root session: then a sidechain begins here.
        let is_child = |index: &usize| self.all.get(*index).is_some_and(|s| s.parent_id.is_some());
        if let Some(index) = known.copied().filter(is_child) {
            return index;
        }
        let own = agent.unwrap_or(id);
        self.agents.insert(own.into(), self.all.len());
        self.begin(own, Some(session.to_owned()), at)
    }

    fn begin(&mut self, id: &str, parent_id: Option<String>, at: f64) -> usize {
        let (created, updated) = (at, at);
        self.all.push(ClaudeSession {
            id: id.to_owned(),
            parent_id,
            created,
            updated,
            ..ClaudeSession::default()
        });
        self.all.len() - 1
    }

    /// A line that has nothing but a title.
    pub(crate) fn title(&mut self, root: Node<'_>) {
        let names = ["summary", "customTitle", "aiTitle", "leafUuid", "sessionId"];
        let [summary, custom, made, leaf, session] = pick(root, names);
        let title = string(summary).or_else(|| string(custom)).or_else(|| string(made));
        if let Some(title) = title {
            let about = string(leaf).or_else(|| string(session)).unwrap_or_default();
            self.titles.push((about.into_owned(), title.into_owned()));
        }
    }

    pub(crate) fn id(&self, session: usize) -> &str {
        self.all.get(session).map_or("", |session| &session.id)
    }

    /// The ids of all sessions.
    pub(crate) fn ids(&self) -> Vec<&str> {
        self.all.iter().map(|session| session.id.as_str()).collect()
    }

    /// Sets whether the last line of a session is the boundary of a compaction. Returns whether the line
    /// before was one.
    pub(crate) fn set_compacted(&mut self, session: usize, now: bool) -> bool {
        let session = self.all.get_mut(session);
        session.is_some_and(|session| std::mem::replace(&mut session.compacted, now))
    }

    /// The sessions with these messages (a JSON array per session), the root first.
    pub(crate) fn loaded(&self, messages: Vec<String>) -> Vec<LoadedSession> {
        let root = self.all.iter().position(|s| s.parent_id.is_none()).unwrap_or_default();
        let mut titles: Vec<Option<&str>> = vec![None; self.all.len()];
        for (about, title) in &self.titles {
            let index = self.lines.get(about.as_str()).or_else(|| self.roots.get(about.as_str()));
            // The line may be in another file, which this session continues.
            let (index, known) = (index.copied().unwrap_or(root), index.is_some());
            if let Some(own) = titles.get_mut(index).filter(|own| known || own.is_none()) {
                *own = Some(title);
            }
        }
        let all = self.all.iter().zip(titles).zip(messages);
        let made = all.map(|((session, title), messages)| LoadedSession {
            info: Some(session.info(title).into_bytes()),
            messages: messages.into_bytes(),
            id: session.id.clone(),
            parent_id: session.parent_id.clone(),
            title: title.map(str::to_owned),
            ..LoadedSession::default()
        });
        let mut made: Vec<LoadedSession> = made.collect();
        if let Some(before) = made.get_mut(..=root) {
            before.rotate_right(1);
        }
        made
    }
}

/// The text, or what was found if it is still empty.
fn or_first(text: &mut String, found: Option<Node<'_>>) -> String {
    let text = std::mem::take(text);
    if text.is_empty() { string(found).unwrap_or_default().into_owned() } else { text }
}

impl ClaudeSession {
    /// The `info` of the session, in OpenCode's form.
    fn info(&self, title: Option<&str>) -> String {
        let mut out = String::new();
        object(&mut out, |info| {
            info.string("id", &self.id);
            let texts = [
                ("parentID", self.parent_id.as_deref()),
                ("title", title),
                ("directory", Some(self.directory.as_str())),
                ("version", Some(self.version.as_str())),
                ("gitBranch", Some(self.branch.as_str())),
            ];
            for (name, text) in texts {
                if let Some(text) = text.filter(|text| !text.is_empty()) {
                    info.string(name, text);
                }
            }
            info.object("time", |time| {
                time.number("created", self.created).number("updated", self.updated);
            });
        });
        out
    }
}
