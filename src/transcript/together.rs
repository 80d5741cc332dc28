//! What a file was put together to, as it is shown: the messages of each session.

use super::Session;
use super::list::List;
use super::maker::Made;
use crate::check::Ids;
use crate::model::{Path, Problem};

/// The sessions that were put together, each with its messages: all of the file, or what there was
/// of it at the last refresh.
#[derive(Debug, Default)]
pub(super) struct Together {
    pub(super) sessions: Vec<Session>,
    /// The messages of each.
    pub(super) lists: Vec<List>,
    /// The JSON that the file has of the first.
    pub(super) info: Option<Vec<u8>>,
    /// What was lost on the way.
    pub(super) problems: Vec<Problem>,
}

impl Together {
    pub(super) fn of(made: Made, ids: Ids) -> Together {
        let mut together = Together { problems: made.problems, ..Together::default() };
        for (i, session) in made.sessions.into_iter().enumerate() {
            let root = Path::ROOT;
            let all = root.name("sessions");
            let own = all.name(&session.id);
            let path = if i == 0 { &root } else { &own };
            together.lists.push(List::made(session.messages, ids, path));
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
