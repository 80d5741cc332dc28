//! To which session each line belongs. The lines of Claude Code are trees: a person can go back and go on from
//! there. The main session is the path to the last line, what was left is in branches, and lines of sub-agents are
//! sessions of their own.

use super::line::{ClaudeLine, LineBody, LineParent};
use super::line_marks::{LineMarks, is_marked, mark};
use super::lines_by_name::LinesByName;
use super::sessions::LineAbouts;
use super::unions::Unions;
use apex_parts_model::order;
use apex_parts_model::text_map::TextMap;

/// A session: its lines in order.
#[derive(Debug)]
pub(super) struct LineSession {
    pub(super) id: String,
    pub(super) kind: LineSessionKind,
    pub(super) lines: Vec<usize>,
}

/// What a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineSessionKind {
    Main,
    /// What was left of the session with this index.
    Branch(usize),
    /// A sub-agent of the session with this id.
    SubAgent,
}

/// The sessions, and for each line the index of its own.
#[derive(Debug, Default)]
pub(super) struct LinePaths {
    pub(super) sessions: Vec<LineSession>,
    pub(super) places: Vec<Option<usize>>,
}

/// The lines while they are placed.
struct Tree<'a> {
    lines: &'a [ClaudeLine],
    /// The line that each follows.
    parents: Vec<Option<usize>>,
    /// The tree that each is of.
    trees: Vec<usize>,
    places: Vec<Option<usize>>,
    /// The place of each on its path.
    steps: Vec<Option<usize>>,
    /// Marks of each, which only its tree sets: a buffer of each tree would make many trees slow.
    marks: LineMarks,
    sessions: Vec<LineSession>,
}

/// Where the lines of each message and the results of each call are.
#[derive(Default)]
struct Kin {
    messages: LinesByName,
    results: LinesByName,
}

/// The sessions of a file. `find` tells the index of the line with an id.
pub(super) fn line_paths<'a>(
    lines: &'a [ClaudeLine],
    abouts: &'a LineAbouts,
    find: &dyn Fn(&str) -> Option<usize>,
) -> LinePaths {
    let mut tree = Tree {
        lines,
        parents: vec![None; lines.len()],
        trees: vec![usize::MAX; lines.len()],
        places: vec![None; lines.len()],
        steps: vec![None; lines.len()],
        marks: LineMarks::new(lines.len()),
        sessions: Vec::new(),
    };
    tree.link(abouts, find);
    let mut of_tree: Vec<Vec<usize>> = Vec::new();
    for index in 0..lines.len() {
        let number = tree.tree(index);
        if number < lines.len() {
            of_tree.resize_with(of_tree.len().max(number + 1), Vec::new);
            of_tree.get_mut(number).into_iter().for_each(|members| members.push(index));
        }
    }
    for members in of_tree.iter().filter(|members| !members.is_empty()) {
        let id = members.last().and_then(|last| lines.get(*last));
        tree.sessions_of(members, id.map_or("", |line| abouts.session(line.about)));
    }
    tree.sub_agents();
    LinePaths { sessions: tree.sessions, places: tree.places }
}

impl<'a> Tree<'a> {
    fn line(&self, index: usize) -> Option<&'a ClaudeLine> {
        self.lines.get(index)
    }

    fn parent(&self, index: usize) -> Option<usize> {
        self.parents.get(index).copied().flatten()
    }

    fn place(&self, index: usize) -> Option<usize> {
        self.places.get(index).copied().flatten()
    }

    fn tree(&self, index: usize) -> usize {
        self.trees.get(index).copied().unwrap_or(usize::MAX)
    }

    fn put(&mut self, index: usize, session: usize) {
        if let Some(place) = self.places.get_mut(index) {
            *place = Some(session);
        }
    }

    /// Finds the line that each follows. One that is not in the file, or is not named, is the line before; but
    /// where every answer names one, a prompt that names none goes back to the start.
    fn link(&mut self, abouts: &'a LineAbouts, find: &dyn Fn(&str) -> Option<usize>) {
        let own = |line: &&ClaudeLine| !line.is_side;
        let is_linked = !self
            .lines
            .iter()
            .filter(own)
            .any(|line| line.answer().is_some() && line.parent == LineParent::None);
        let mut unions = Unions::default();
        let mut of_session: TextMap = TextMap::default();
        // The last line of each tree.
        let mut last: Vec<Option<usize>> = Vec::new();
        let (mut before, mut ahead) = (None, Vec::new());
        // Of a sub-agent's line: the line of the session that it hangs on.
        let mut above: Vec<Option<usize>> = vec![None; self.lines.len()];
        for (index, line) in self.lines.iter().enumerate() {
            let named = match &line.parent {
                LineParent::None => None,
                LineParent::Line(parent) => Some(*parent),
                LineParent::Named(id) => find(id),
            };
            let named = named.filter(|parent| *parent != index).and_then(|parent| {
                let of_agent = self.lines.get(parent).is_some_and(|line| line.is_side);
                if of_agent { above.get(parent).copied().flatten() } else { Some(parent) }
            });
            if line.is_side {
                above.get_mut(index).into_iter().for_each(|above| *above = named);
                continue;
            }
            let name = abouts.session(line.about);
            let own = of_session.get(name).map(|tree| unions.find(tree));
            let last_own = own.and_then(|tree| last.get(tree).copied().flatten());
            let is_start =
                || is_linked && line.user().is_some_and(super::line::UserLine::is_prompt);
            let parent = match (&line.parent, named) {
                (_, Some(parent)) => Some(parent),
                (LineParent::None, None) if is_start() => None,
                (LineParent::None, None) => last_own,
                (_, None) => last_own.or(before),
            };
            let tree = match parent.filter(|parent| *parent < index).or(last_own) {
                Some(parent) => unions.find(self.trees.get(parent).copied().unwrap_or_default()),
                None => unions.add(),
            };
            if let Some(own) = own {
                unions.join(own, tree);
            }
            ahead.extend(parent.filter(|parent| *parent > index).map(|parent| (index, parent)));
            let tree = unions.find(tree);
            if let (Some(of), Some(above)) =
                (self.trees.get_mut(index), self.parents.get_mut(index))
            {
                (*of, *above) = (tree, parent);
            }
            of_session.insert(name, tree);
            last.resize(last.len().max(tree + 1), None);
            last.get_mut(tree).into_iter().for_each(|last| *last = Some(index));
            before = Some(index);
        }
        for (index, parent) in ahead {
            unions.join(self.tree(index), self.tree(parent));
        }
        for tree in self.trees.iter_mut().filter(|tree| **tree != usize::MAX) {
            *tree = unions.find(*tree);
        }
    }

    /// Makes the session of a tree, and those of its branches.
    fn sessions_of(&mut self, members: &[usize], id: &str) {
        let Some(leaf) = self.leaf(members) else { return };
        let main = self.begin(id.to_owned(), LineSessionKind::Main);
        let path = self.climb(leaf, main);
        let rest = |tree: &Tree<'a>| {
            let unplaced = members.iter().filter(|index| tree.place(**index).is_none());
            unplaced.copied().collect::<Vec<usize>>()
        };
        let others = rest(self);
        let mut kin = Kin::default();
        for index in &others {
            let Some(line) = self.line(*index) else { continue };
            if let Some(answer) = line.answer().filter(|answer| !answer.message.is_empty()) {
                kin.messages.add(&answer.message, *index);
            }
            for result in line.results() {
                kin.results.add(&result.call_id, *index);
            }
        }
        if !others.is_empty() {
            self.gather(path, main, &mut kin);
        }
        let left = rest(self);
        for (number, leaf) in self.leaves(&left).into_iter().enumerate() {
            let branch = self.begin_branch(main, id, number + 1);
            let path = self.climb(leaf, branch);
            self.gather(path, branch, &mut kin);
        }
        // Lines that hang on each other in a circle have no end.
        let circle: Vec<usize> = rest(self).into_iter().filter(|at| self.is_node(*at)).collect();
        if !circle.is_empty() {
            let number = self.sessions.len() - main;
            let branch = self.begin_branch(main, id, number);
            circle.into_iter().for_each(|index| self.put(index, branch));
        }
        // What makes no message is with the line that it hangs on, or with the line before.
        let mut before = main;
        for index in members.iter().copied() {
            let above = self.parent(index).and_then(|parent| self.place(parent));
            before = self.place(index).or(above).unwrap_or(before);
            self.put(index, before);
        }
        self.order(members, main);
    }

    fn begin(&mut self, id: String, kind: LineSessionKind) -> usize {
        self.sessions.push(LineSession { id, kind, lines: Vec::new() });
        self.sessions.len() - 1
    }

    fn begin_branch(&mut self, main: usize, id: &str, number: usize) -> usize {
        self.begin(format!("{id}/branch-{number}"), LineSessionKind::Branch(main))
    }

    /// The last message of the path that was gone last.
    fn leaf(&mut self, members: &[usize]) -> Option<usize> {
        let lines = self.lines;
        let is_progress = |index: usize| {
            let body = lines.get(index).map(|line| &line.body);
            matches!(body, Some(LineBody::Link { is_progress: true }))
        };
        let is_message = |index: usize| lines.get(index).is_some_and(ClaudeLine::is_message);
        for index in members.iter().filter(|index| !is_progress(**index)) {
            if let Some(above) = self.parent(*index) {
                mark(&mut self.marks.is_followed, above);
            }
        }
        for index in members.iter().rev().filter(|index| !is_progress(**index)) {
            let is_last = !is_marked(&self.marks.is_followed, *index);
            let mut next = Some(*index).filter(|_| is_last);
            while let Some(at) = next
                && !mark(&mut self.marks.is_seen, at)
            {
                if is_message(at) {
                    return Some(at);
                }
                next = self.parent(at);
            }
        }
        members.iter().rev().copied().find(|index| is_message(*index))
    }

    /// Gives a session all lines from this one up to the first that has a place. Returns them in order.
    fn climb(&mut self, leaf: usize, session: usize) -> Vec<usize> {
        let (mut path, mut next) = (Vec::new(), Some(leaf));
        while let Some(at) = next
            && let Some(place) = self.places.get_mut(at)
            && place.is_none()
        {
            *place = Some(session);
            path.push(at);
            next = self.parent(at);
        }
        path.reverse();
        for (step, index) in path.iter().enumerate() {
            if let Some(of) = self.steps.get_mut(*index) {
                *of = Some(step);
            }
        }
        path
    }

    /// Gives a session the other lines of its messages, and the results of their calls: parallel calls fork the
    /// tree.
    fn gather(&mut self, path: Vec<usize>, session: usize, kin: &mut Kin) {
        let mut waiting = path;
        while let Some(index) = waiting.pop() {
            let Some(line) = self.line(index) else { continue };
            let mut found =
                line.answer().map(|answer| kin.messages.take(&answer.message)).unwrap_or_default();
            for call in line.calls() {
                found.append(&mut kin.results.take(&call.call_id));
            }
            for found in found {
                if self.place(found).is_none() {
                    self.put(found, session);
                    waiting.push(found);
                }
            }
        }
    }

    /// Does a line begin or continue a branch? Results and interruptions belong to what they end.
    fn is_node(&self, index: usize) -> bool {
        match self.line(index).map(|line| &line.body) {
            Some(LineBody::User(user)) => {
                !user.pieces.is_empty()
                    && !user.has_results_only()
                    && user.said != super::line::UserSaid::Interruption
            }
            Some(LineBody::Answer(_) | LineBody::Boundary { .. }) => true,
            _ => false,
        }
    }

    /// The last lines of the branches, in the order in which they were left.
    fn leaves(&mut self, left: &[usize]) -> Vec<usize> {
        for index in left.iter().copied() {
            if !self.is_node(index) {
                continue;
            }
            // The marks of lines without a message end the way of those who come later.
            let mut next = self.parent(index);
            while let Some(at) = next.filter(|at| self.place(*at).is_none())
                && !mark(&mut self.marks.goes_on, at)
                && !self.is_node(at)
            {
                next = self.parent(at);
            }
        }
        let is_leaf =
            |index: &usize| self.is_node(*index) && !is_marked(&self.marks.goes_on, *index);
        left.iter().copied().filter(is_leaf).collect()
    }

    /// Puts the lines of a tree into its sessions, from `main` on: in the order of their paths, which is that of the
    /// file unless it is muddled; the other lines behind those they followed in the file.
    fn order(&mut self, members: &[usize], main: usize) {
        let own = self.sessions.len() - main;
        let mut last = vec![0; own];
        let mut keyed: Vec<Vec<(usize, usize)>> = vec![Vec::new(); own];
        for index in members.iter().copied() {
            let Some(session) = self.place(index).and_then(|place| place.checked_sub(main)) else {
                continue;
            };
            let step = self.steps.get(index).copied().flatten();
            if let (Some(last), Some(keyed)) = (last.get_mut(session), keyed.get_mut(session)) {
                *last = step.unwrap_or(*last);
                keyed.push((*last, index));
            }
        }
        for (session, mut keyed) in self.sessions.iter_mut().skip(main).zip(keyed) {
            order::sort_by(&mut keyed, |a, b| a.cmp(b));
            session.lines = keyed.into_iter().map(|(_, index)| index).collect();
        }
    }

    /// Makes the sessions of sub-agents: by the agent's id or, without one, by the line that a line follows.
    fn sub_agents(&mut self) {
        let mut agents: TextMap = TextMap::default();
        for (index, line) in self.lines.iter().enumerate().filter(|(_, line)| line.is_side) {
            let known = match (&line.agent, &line.parent) {
                (Some(agent), _) => agents.get(agent),
                // The parent line may be one of the session: then a sub-agent begins here.
                (None, LineParent::Line(parent)) => self
                    .place(*parent)
                    .filter(|_| self.line(*parent).is_some_and(|parent| parent.is_side)),
                _ => None,
            };
            let session = known.unwrap_or_else(|| {
                let id: &str = line.agent.as_deref().unwrap_or(&line.id);
                let session = self.begin(id.to_owned(), LineSessionKind::SubAgent);
                agents.insert(id, session);
                session
            });
            self.put(index, session);
            if let Some(session) = self.sessions.get_mut(session) {
                session.lines.push(index);
            }
        }
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
