//! [`SubAgents`]: which call started which sub-agent.

use super::line::{CallPiece, ClaudeLine, LinePiece, TaskCall};
use super::lines_by_name::LinesByName;
use super::paths::{LinePaths, LineSessionKind};
use apex_parts_model::text_map::TextMap;

/// The sub-agents of a file, and the calls that started them.
#[derive(Debug, Default)]
pub(super) struct SubAgents<'a> {
    /// The ids of the sessions that calls started, and the place there by the call's id.
    children: Vec<&'a str>,
    places: TextMap,
    /// Of each session, if its call is known: the session of that, and what it says.
    starts: Vec<Option<(usize, &'a TaskCall)>>,
}

impl<'a> SubAgents<'a> {
    /// The session that a call started; empty if it started none.
    pub(super) fn child(&self, call: &str) -> &'a str {
        let place = self.places.get(call).and_then(|place| self.children.get(place));
        place.copied().unwrap_or_default()
    }

    /// What started a session: the session of the call, and what it says.
    pub(super) fn start(&self, session: usize) -> Option<(usize, &'a TaskCall)> {
        self.starts.get(session).copied().flatten()
    }

    fn link(&mut self, call: &str, child: &'a str) {
        self.places.insert(call, self.children.len());
        self.children.push(child);
    }

    pub(super) fn new(lines: &'a [ClaudeLine], paths: &'a LinePaths) -> SubAgents<'a> {
        let mut found = SubAgents { starts: vec![None; paths.sessions.len()], ..Self::default() };
        // The calls that start sub-agents: by their ids, by their prompts, and by the agent of their result.
        let mut calls: Vec<(usize, &CallPiece, &TaskCall)> = Vec::new();
        let (mut by_id, mut by_prompt) = (LinesByName::default(), LinesByName::default());
        let mut by_agent = LinesByName::default();
        for (index, line) in lines.iter().enumerate() {
            let session = paths.places.get(index).copied().flatten().unwrap_or_default();
            for call in line.calls() {
                let Some(task) = &call.task else { continue };
                by_id.add(&call.call_id, calls.len());
                by_prompt.add(&task.prompt, calls.len());
                calls.push((session, call, task));
            }
            for result in line.results() {
                let Some(agent) = &result.agent else { continue };
                found.link(&result.call_id, agent);
                for call in by_id.get(&result.call_id).into_iter().flatten() {
                    by_agent.add(agent, *call);
                }
            }
        }
        let all = paths.sessions.iter().enumerate();
        for (place, session) in all.filter(|(_, s)| s.kind == LineSessionKind::SubAgent) {
            let mut known = by_agent.take(&session.id).pop_back();
            if known.is_none() {
                let text =
                    session.lines.iter().filter_map(|line| lines.get(*line)).find_map(first_text);
                // Those behind it are for others with the same prompt.
                let mut same = std::iter::from_fn(|| by_prompt.next(text.as_deref()?));
                known = same.find(|call| {
                    calls
                        .get(*call)
                        .is_some_and(|(_, call, _)| found.child(&call.call_id).is_empty())
                });
            }
            if let Some((of, call, task)) = known.and_then(|call| calls.get(call)) {
                found.link(&call.call_id, &session.id);
                if let Some(start) = found.starts.get_mut(place) {
                    *start = Some((*of, task));
                }
            }
        }
        found
    }
}

/// The first text of a line of the user.
fn first_text(line: &ClaudeLine) -> Option<String> {
    line.user()?.pieces.iter().find_map(|piece| match piece {
        LinePiece::Part(part) if &*part.kind == "text" => part.text_said(),
        _ => None,
    })
}
