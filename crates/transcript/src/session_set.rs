//! The sessions that were assembled from a file's records, with an index of their messages.

use super::session::Session;
use crate::assembled_list::AssembledList;
use crate::index::file_rules::FileRules;
use crate::message_list::ListPath;
use apex_parts_agents::{LoadedSessions, SessionKind, TokenCounts};
use apex_parts_model::Problem;
use apex_parts_model::fingerprint::Fingerprint;

/// The assembled sessions, each with its messages: of the whole file, or of the bytes before the last
/// refresh.
#[derive(Debug, Default)]
pub(crate) struct SessionSet {
    pub(crate) sessions: Vec<Session>,
    /// The messages of each session.
    pub(crate) lists: Vec<AssembledList>,
    /// Of each session: its tokens and its cost, where the file tells them as one sum.
    pub(crate) told: Vec<(Option<TokenCounts>, Option<f64>)>,
    /// The JSON object of each session, if the file has it.
    pub(crate) infos: Vec<Option<Vec<u8>>>,
    /// The hash of what was read, if the file has no ids of messages and sessions.
    pub(crate) content: Option<Fingerprint>,
    /// What could not be read.
    pub(crate) problems: Vec<Problem>,
}

impl SessionSet {
    pub(crate) fn new(made: LoadedSessions, rules: FileRules) -> SessionSet {
        let LoadedSessions { sessions, problems, content, .. } = made;
        let mut set = SessionSet { problems, content, ..SessionSet::default() };
        for (i, session) in sessions.into_iter().enumerate() {
            let path = if i == 0 { ListPath::Root } else { ListPath::Session(session.id.clone()) };
            set.told.push((session.tokens, session.cost));
            set.lists.push(AssembledList::new(session.messages, rules, path));
            set.infos.push(session.info);
            let by_place = match (i, &session.parent_id) {
                (0, _) => SessionKind::Main,
                (_, Some(_)) => SessionKind::Task,
                (_, None) => SessionKind::Other,
            };
            set.sessions.push(Session {
                id: session.id,
                parent_id: session.parent_id,
                title: session.title,
                kind: session.kind.unwrap_or(by_place),
                ..Session::default()
            });
        }
        set
    }
}
