//! What a file was put together to, as it is shown: the messages of each session.

use super::session::Session;
use crate::model::{Path, Problem};
use crate::transcript::formats::reader::LoadedSessions;
use crate::transcript::message_list::MessageList;
use crate::validate::Ids;

/// The sessions that were put together, each with its messages: all of the file, or what there was
/// of it at the last refresh.
#[derive(Debug, Default)]
pub(crate) struct SessionSet {
    pub(crate) sessions: Vec<Session>,
    /// The messages of each.
    pub(crate) lists: Vec<MessageList>,
    /// The JSON that the file has of the first.
    pub(crate) info: Option<Vec<u8>>,
    /// What was lost on the way.
    pub(crate) problems: Vec<Problem>,
}

impl SessionSet {
    pub(crate) fn of(made: LoadedSessions, ids: Ids) -> SessionSet {
        let mut together = SessionSet { problems: made.problems, ..SessionSet::default() };
        for (i, session) in made.sessions.into_iter().enumerate() {
            let root = Path::ROOT;
            let all = root.name("sessions");
            let own = all.name(&session.id);
            let path = if i == 0 { &root } else { &own };
            together.lists.push(MessageList::made(session.messages, ids, path));
            if i == 0 {
                together.info = session.info;
            }
            together.sessions.push(Session {
                id: session.id,
                parent_id: session.parent_id,
                title: session.title,
            });
        }
        together
    }
}
