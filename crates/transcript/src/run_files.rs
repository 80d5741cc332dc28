//! Which files are of one run: those of a session, in their order, and those of its sub-agents.

use crate::formats::registry::Format;
use apex_parts_agents::{RunFile, RunFileRole};
use apex_parts_json::tape::Tape;
use apex_parts_model::sorted_map::SortedMap;
use apex_parts_model::{Kind, View, order};

/// The files of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFiles {
    /// Those that have its messages, in order: the indexes of the files that were given.
    pub files: Vec<usize>,
    /// The one that describes it.
    pub description: Option<usize>,
    /// The place in the run of the session that started it; the first of a run has none.
    pub parent: Option<usize>,
}

/// What a file says; one that says nothing is told by its path.
fn role(path: &str, head: &[u8]) -> RunFile {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
    let mut tape = Tape::default();
    let root = tape.read(line, 0).is_ok().then(|| tape.root(line));
    let root = root.filter(|root| root.kind() == Kind::Object);
    Format::run_file(path, root).unwrap_or_else(|| {
        let session = path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned();
        RunFile { session, ..RunFile::default() }
    })
}

/// A session among files, before it is known of which run it is.
#[derive(Default)]
struct FoundSession {
    files: Vec<usize>,
    description: Option<usize>,
    parent: Option<String>,
}

/// The runs that files are of, each as its sessions: first the one that nothing among them has started. A file is its path,
/// whose steps are separated by `/`, and its beginning, at least its first line.
///
/// ```
/// # use apex_parts_transcript::run_files;
/// let line = |more| format!(r#"{{"type":"session_meta","payload":{{"id":{more}}}}}"#);
/// let [child, root] = [line(r#""b","parent_thread_id":"a""#), line(r#""a""#)];
/// let files = [("1.jsonl", child.as_bytes()), ("2.jsonl", root.as_bytes()), ("3.json", b"[]")];
/// let runs = run_files(&files);
/// assert_eq!(runs.len(), 2);
/// assert_eq!((&runs[0][0].files, &runs[0][1].files), (&vec![1], &vec![0]));
/// ```
#[must_use]
pub fn run_files(files: &[(&str, &[u8])]) -> Vec<Vec<SessionFiles>> {
    let roles: Vec<RunFile> = files.iter().map(|(path, head)| role(path, head)).collect();
    let mut indexes: Vec<usize> = (0..files.len()).collect();
    // What goes on stands behind what it goes on from.
    order::sort_by(&mut indexes, |a, b| {
        let of = |index: &usize| {
            let (role, path) = (roles.get(*index), files.get(*index).map(|(path, _)| *path));
            let later = role.map(|role| role.role == RunFileRole::Continues);
            (later, role.map(|role| role.begun.as_str()), path)
        };
        of(a).cmp(&of(b))
    });
    let mut sessions: Vec<FoundSession> = Vec::new();
    let mut places: SortedMap<&str, usize> = SortedMap::new();
    for index in indexes {
        let Some(role) = roles.get(index) else { continue };
        let known = places.get(role.session.as_str()).copied();
        // Two files that begin the same session are copies: each is a run.
        let is_copy = |place: &usize| {
            role.role == RunFileRole::Begins
                && sessions.get(*place).is_some_and(|known| !known.files.is_empty())
        };
        let place = known.filter(|place| !is_copy(place)).unwrap_or_else(|| {
            sessions.push(FoundSession::default());
            sessions.len() - 1
        });
        places.or_insert(&role.session, place);
        let Some(session) = sessions.get_mut(place) else { continue };
        match role.role {
            RunFileRole::Describes => session.description = Some(index),
            _ => session.files.push(index),
        }
        session.parent = session.parent.take().or_else(|| role.parent.clone());
    }
    // A description without its session is nothing's.
    let parent_of = |place: usize| {
        let parent = sessions.get(place)?.parent.as_deref()?;
        let parent = places.get(parent).copied().filter(|parent| *parent != place)?;
        sessions.get(parent).filter(|session| !session.files.is_empty()).map(|_| parent)
    };
    let root_of = |place: usize| {
        let mut root = place;
        // Sessions that start each other in a circle have no first one: each is a run.
        for _ in 0..sessions.len() {
            match parent_of(root) {
                Some(parent) => root = parent,
                None => return root,
            }
        }
        place
    };
    let mut runs: SortedMap<usize, Vec<usize>> = SortedMap::new();
    for place in 0..sessions.len() {
        let of = runs.or_default(root_of(place));
        // The first of a run stands first.
        if root_of(place) == place { of.insert(0, place) } else { of.push(place) }
    }
    let files_of = |run: Vec<usize>| {
        let session = |place: &usize| {
            let FoundSession { files, description, .. } = sessions.get(*place)?;
            let parent = parent_of(*place).filter(|_| run.first() != Some(place));
            let parent = parent.and_then(|parent| run.iter().position(|place| *place == parent));
            Some(SessionFiles { files: files.clone(), description: *description, parent })
        };
        run.iter().filter_map(session).collect()
    };
    let mut runs: Vec<Vec<SessionFiles>> = runs.into_iter().map(|(_, run)| files_of(run)).collect();
    let first = |run: &Vec<SessionFiles>| {
        run.first()
            .and_then(|session| session.files.first().or(session.description.as_ref()).copied())
    };
    order::sort_by(&mut runs, |a, b| first(a).cmp(&first(b)));
    runs
}

#[cfg(test)]
mod tests;
