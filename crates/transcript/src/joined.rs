//! One transcript of the files of a run: the session with what its sub-agents did.

use crate::message_list::ListPath;
use crate::run_files::{SessionFiles, run_files};
use crate::transcript::Transcript;
use apex_parts_agents::fields::get;
use apex_parts_agents::{SessionKind, described};
use apex_parts_json::tape::Tape;
use apex_parts_json::writer::string as write_string;
use apex_parts_model::problem_list::problem;
use apex_parts_model::{Error, Severity};

impl Transcript {
    /// Opens the files of one run, in any order: a session, what it went on in after a part of it was taken back, and those
    /// of its sub-agents, which are its sessions of tasks. A file is its path and its beginning, as for [`run_files`], which
    /// says which files are of one run. `open` opens the files of one session, in their order.
    ///
    /// What is wrong with a file of a sub-agent is a problem of the transcript, and begins with the path of the file.
    ///
    /// # Errors
    /// `TranscriptError` (`schema`) if the files are of several runs, or no transcript can be read from those of the session
    /// itself.
    pub fn open_files(
        files: &[(&str, &[u8])],
        open: &mut dyn FnMut(&[usize]) -> Result<Transcript, Error>,
    ) -> Result<Transcript, Error> {
        let mut runs = run_files(files);
        runs.retain(|run| run.iter().any(|session| !session.files.is_empty()));
        let path = |index: usize| files.get(index).map_or("", |(path, _)| *path);
        let run = match &runs[..] {
            [run] => run,
            [] => return Err(Error::transcript("schema", "there is no file of a session", 0)),
            [first, second, ..] => {
                let of = |run: &[SessionFiles]| {
                    run.iter().find_map(|session| session.files.first()).map_or("", |at| path(*at))
                };
                let (count, first, second) = (runs.len(), of(first), of(second));
                let message = format!(
                    "these are the files of {count} runs, as {first} and {second}: open each run by itself"
                );
                return Err(Error::transcript("schema", message, 0));
            }
        };
        let Some((root, others)) = run.split_first() else {
            return Err(Error::transcript("schema", "there is no file of a session", 0));
        };
        let mut transcript = open(&root.files)?;
        let main = transcript.sessions().into_iter().next().unwrap_or_default();
        let mut ids = vec![main.id];
        for session in others {
            let file = session.files.first().map_or("", |at| path(*at));
            let parent = session.parent.and_then(|at| ids.get(at)).or(ids.first());
            let parent = parent.cloned().unwrap_or_default();
            let about = session.description.and_then(|at| files.get(at));
            let about = about.map_or([None, None], |(_, bytes)| described(bytes));
            if session.files.is_empty() {
                ids.push(String::new());
                continue;
            }
            ids.push(match open(&session.files) {
                Ok(other) => transcript.join(other, file, &parent, about),
                Err(error) => {
                    transcript.problem_in(file, &error.to_string());
                    String::new()
                }
            });
        }
        Ok(transcript)
    }

    /// A file of the run has lost something.
    fn problem_in(&mut self, file: &str, message: &str) {
        let message = format!("{file}: {message}");
        self.session_set.problems.push(problem(Severity::Error, "schema", message, 0));
    }

    /// Adds the sessions of a sub-agent's file, which the session `parent` started. Returns the id of the first.
    fn join(
        &mut self,
        other: Transcript,
        file: &str,
        parent: &str,
        [title, agent]: [Option<String>; 2],
    ) -> String {
        let Some(id) = other.session_set.sessions.first().map(|session| session.id.clone()) else {
            let message =
                other.lost().into_sorted().into_iter().next().map(|problem| problem.message);
            self.problem_in(file, &message.unwrap_or_else(|| "it contains no message".to_owned()));
            return String::new();
        };
        let known = |id: &str| self.session_set.sessions.iter().any(|session| session.id == id);
        if other.session_set.sessions.iter().any(|session| known(&session.id)) {
            self.problem_in(file, &format!("another file of the run has the session {id}"));
            return String::new();
        }
        for mut lost in other.lost().into_sorted() {
            lost.message = format!("{file}: {}", lost.message);
            self.session_set.problems.push(lost);
        }
        // The file tells the sums of the run: those of a sub-agent are among them.
        let (tokens, cost) = self.session_set.told.first().copied().unwrap_or_default();
        let set = other.session_set;
        let each = set.sessions.into_iter().zip(set.lists).zip(set.told).zip(set.infos);
        for (i, (((mut session, mut list), told), mut info)) in each.enumerate() {
            if i == 0 {
                list.path = ListPath::Session(session.id.clone());
                session.kind = SessionKind::Task;
                session.parent_id = Some(parent.to_owned());
                session.title = title.clone().or(session.title);
                session.agent.clone_from(&agent);
                info = info.map(|info| with_field(info, "title", title.as_deref()));
                info = info.map(|info| with_field(info, "agent", agent.as_deref()));
            }
            self.session_set
                .told
                .push((told.0.filter(|_| tokens.is_none()), told.1.filter(|_| cost.is_none())));
            session.file = Some(file.to_owned());
            self.session_set.sessions.push(session);
            self.session_set.lists.push(list);
            self.session_set.infos.push(info);
        }
        id
    }
}

/// A JSON object with a field more, if it does not have it.
fn with_field(object: Vec<u8>, name: &str, text: Option<&str>) -> Vec<u8> {
    let mut tape = Tape::default();
    let Some(text) = text else { return object };
    if tape.read(&object, 0).is_err() || get(Some(tape.root(&object)), name).is_some() {
        return object;
    }
    let trimmed = object.trim_ascii_end();
    let Some(fields) = trimmed.strip_suffix(b"}") else { return object };
    let mut out = fields.to_vec();
    let mut field = String::new();
    if !fields.trim_ascii().ends_with(b"{") {
        field.push(',');
    }
    write_string(&mut field, name);
    field.push(':');
    write_string(&mut field, text);
    field.push('}');
    out.extend(field.into_bytes());
    out
}

#[cfg(test)]
mod tests;
