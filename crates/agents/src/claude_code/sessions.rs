//! What lines say of their session: its id, folder, version and branch of git; and titles.

use super::line::ClaudeLine;
use super::totals::RunTotals;
use crate::fields::{pick, string};
use crate::token_counts::count;
use crate::transcript_format::MODEL_USAGE;
use apex_parts_json::tape::Node;
use apex_parts_json::writer::object;
use apex_parts_model::bytes::same;
use apex_parts_model::text_map::TextMap;

/// What a line says of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineAbout {
    /// Its `sessionId`, or the format's name.
    pub(super) session: Box<str>,
    pub(super) directory: Box<str>,
    version: Box<str>,
    branch: Box<str>,
}

/// What the lines of a file say of their sessions: each different thing once.
#[derive(Debug, Default)]
pub(super) struct LineAbouts {
    all: Vec<LineAbout>,
    /// The index in `all` of what the last line said.
    last: usize,
    places: TextMap,
}

impl LineAbouts {
    /// The index of what a line says.
    pub(super) fn number(&mut self, root: Node<'_>) -> usize {
        let [session, cwd, version, branch] =
            pick(root, ["sessionId", "cwd", "version", "gitBranch"]).map(string);
        let is_last = self.all.get(self.last).is_some_and(|last| {
            let is = |own: &str, told: &Option<std::borrow::Cow<'_, str>>| {
                same(own.as_bytes(), told.as_deref().unwrap_or_default().as_bytes())
            };
            (is(&last.session, &session) || (session.is_none() && &*last.session == NO_SESSION))
                && is(&last.directory, &cwd)
                && is(&last.version, &version)
                && is(&last.branch, &branch)
        });
        if is_last {
            return self.last;
        }
        let session: Box<str> = session.unwrap_or(NO_SESSION.into()).into();
        let [cwd, version, branch] = [cwd, version, branch].map(|t| t.unwrap_or_default().into());
        let [directory, version, branch]: [Box<str>; 3] = [cwd, version, branch];
        let key = [&*session, &*directory, &*version, &*branch].join("\0");
        if let Some(known) = self.places.get(&key) {
            self.last = known;
            return known;
        }
        self.last = self.all.len();
        self.places.insert(&key, self.last);
        self.all.push(LineAbout { session, directory, version, branch });
        self.last
    }

    /// What a line says.
    pub(super) fn get(&self, about: usize) -> Option<&LineAbout> {
        self.all.get(about)
    }

    /// The id of the session that a line names.
    pub(super) fn session(&self, about: usize) -> &str {
        self.get(about).map_or("", |about| &about.session)
    }
}

/// The id of a session whose lines name none.
const NO_SESSION: &str = "claude-code";

/// The object of a session.
#[derive(Debug, Default)]
pub(super) struct SessionFacts<'a> {
    pub(super) id: &'a str,
    pub(super) parent: Option<&'a str>,
    pub(super) title: Option<&'a str>,
    pub(super) agent: &'a str,
    pub(super) totals: Option<&'a RunTotals>,
}

impl SessionFacts<'_> {
    /// The `info` of the session with these lines, in OpenCode's form.
    pub(super) fn info<'l>(
        &self,
        lines: impl Iterator<Item = &'l ClaudeLine>,
        abouts: &LineAbouts,
    ) -> String {
        let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut told: [&str; 3] = [""; 3];
        for line in lines {
            (first, last) = (first.min(line.at), last.max(line.at));
            let Some(about) = abouts.get(line.about) else { continue };
            let own = [&about.directory, &about.version, &about.branch];
            for (told, own) in told.iter_mut().zip(own) {
                if told.is_empty() {
                    *told = own;
                }
            }
        }
        let [directory, version, branch] = told;
        let mut out = String::new();
        object(&mut out, |info| {
            info.string("id", self.id);
            let texts = [
                ("parentID", self.parent.unwrap_or_default()),
                ("title", self.title.unwrap_or_default()),
                ("agent", self.agent),
                ("directory", directory),
                ("version", version),
                ("gitBranch", branch),
            ];
            for (name, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
                info.string(name, text);
            }
            info.object("time", |time| {
                let known = |at: f64| if at.is_finite() { at } else { 0.0 };
                time.number("created", known(first)).number("updated", known(last));
            });
            if let Some(totals) = self.totals {
                if let Some(cost) = totals.cost {
                    info.number("cost", count(cost));
                }
                info.object("tokens", |out| totals.tokens.write(out));
                info.key(MODEL_USAGE).push_str(&totals.models);
            }
        });
        out
    }
}

/// The title that a line has, with the `uuid` of the line or the `sessionId` that it is about.
pub(super) fn title(root: Node<'_>) -> Option<(Box<str>, Box<str>)> {
    let names = ["summary", "customTitle", "aiTitle", "leafUuid", "sessionId"];
    let [summary, custom, made, leaf, session] = pick(root, names);
    let title = string(summary).or_else(|| string(custom)).or_else(|| string(made))?;
    let about = string(leaf).or_else(|| string(session)).unwrap_or_default();
    Some((about.into(), title.into()))
}
