//! Stretches of a log: what was abandoned, what was copied, and texts that no message took.

use super::log_message::LogRole;
use super::log_part::LogPart;
use super::session_log::SessionLog;
use crate::session_kind::SessionKind;

impl SessionLog {
    /// Moves messages of a session, and all behind them, into the next branch of it: `keep` is how many of its
    /// messages stay. Returns the branch; `None` if nothing would be in it.
    pub(crate) fn abandon(&mut self, session: usize, keep: usize) -> Option<usize> {
        let of = self.sessions.get_mut(session)?;
        if keep >= of.messages.len() {
            return None;
        }
        let left = of.messages.split_off(keep);
        // What happens to the session later does not end the calls that were left.
        let first = left.first().copied().unwrap_or(usize::MAX);
        let open = of.open.split_off(of.open.partition_point(|(message, _)| *message < first));
        let branch = self.branch(session, left)?;
        self.sessions.get_mut(branch)?.open = open;
        Some(branch)
    }

    /// Begins the next branch of a session, with these messages.
    pub(crate) fn branch(&mut self, session: usize, messages: Vec<usize>) -> Option<usize> {
        let of = self.sessions.get_mut(session)?;
        of.branches += 1;
        let name = format!("branch-{}", of.branches);
        let branch = self.child(session, &name);
        if let Some(branch) = self.sessions.get_mut(branch) {
            branch.kind = Some(SessionKind::Branch);
        }
        for message in &messages {
            let span = self.messages.get(*message).map(|m| (m.created, m.last));
            if let (Some((first, last)), Some(of)) = (span, self.sessions.get_mut(branch)) {
                of.touch(first);
                of.touch(last);
            }
        }
        self.sessions.get_mut(branch)?.messages = messages;
        Some(branch)
    }

    /// Texts for the model that no user's message comes after are one of their own, which no person said.
    pub(crate) fn place_system(&mut self) {
        for session in 0..self.sessions.len() {
            let text = self.session(session).map(|of| std::mem::take(&mut of.system));
            let Some(text) = text.filter(|text| !text.is_empty()) else { continue };
            let at = self.session(session).and_then(|of| of.span).map_or(self.last_time, |s| s.1);
            let message = self.begin(session, LogRole::User, "", at);
            self.part(message, LogPart::synthetic(&text, at));
        }
    }

    /// The first messages of a session are a copy of its parent: they become a session `ID/replay`.
    pub(crate) fn replay(&mut self, session: usize, count: usize) {
        let Some(of) = self.sessions.get_mut(session) else { return };
        let kept = of.messages.split_off(count.min(of.messages.len()));
        let copied = std::mem::replace(&mut of.messages, kept);
        let replay = self.child(session, "replay");
        let spans = copied.iter().filter_map(|message| self.messages.get(*message));
        let spans: Vec<(f64, f64)> = spans.map(|m| (m.created, m.last)).collect();
        let Some(replay) = self.sessions.get_mut(replay) else { return };
        replay.kind = Some(SessionKind::Replay);
        for (first, last) in spans {
            replay.touch(first);
            replay.touch(last);
        }
        replay.messages = copied;
    }
}
