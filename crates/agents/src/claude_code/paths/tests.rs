use super::super::line::{AnswerLine, CallPiece, LinePiece, ResultPiece, UserLine};
use super::*;
use crate::log::log_part::LogPart;

/// A line `[KIND][ID] < [PARENT]`: `u` a prompt, `a` an answer (`a1:m` of the message m, `a1!c` with the call c),
/// `r` a result (`r1!c`), `p` progress, `s` a line of a sub-agent. `-` names a parent that is not in the file.
fn line(text: &str) -> ClaudeLine {
    let (head, parent) = text.split_once('<').map_or((text, None), |(head, p)| (head, Some(p)));
    let (head, call) = head.split_once('!').map_or((head, None), |(head, c)| (head, Some(c)));
    let (id, message) = head.split_once(':').map_or((head, head), |(head, m)| (head, m));
    let said = LinePiece::Part(LogPart::text("", 0.0));
    let piece = |call: &str| match id.starts_with('r') {
        true => LinePiece::Result(ResultPiece {
            call_id: call.into(),
            is_error: false,
            output: "".into(),
            files: Vec::new(),
            metadata: Vec::new(),
            agent: None,
        }),
        false => LinePiece::Call(CallPiece {
            call_id: call.into(),
            tool: "t".into(),
            input: "{}".into(),
            is_of_provider: false,
            task: None,
        }),
    };
    let pieces = vec![call.map_or(said, piece)];
    ClaudeLine {
        id: id.into(),
        parent: parent.map_or(LineParent::None, |parent| LineParent::Named(parent.into())),
        about: 0,
        is_side: id.starts_with('s'),
        agent: None,
        at: 0.0,
        offset: 0,
        body: match id.get(..1) {
            Some("p") => LineBody::Link { is_progress: true },
            Some("x") => LineBody::Link { is_progress: false },
            Some("a") => LineBody::Answer(AnswerLine {
                message: message.into(),
                pieces,
                ..AnswerLine::default()
            }),
            _ => LineBody::User(UserLine { pieces, ..UserLine::default() }),
        },
    }
}

/// The lines of each session.
fn sessions(text: &str) -> Vec<String> {
    let mut lines: Vec<ClaudeLine> = Vec::new();
    for text in text.split_whitespace() {
        let mut line = line(text);
        if let LineParent::Named(id) = &line.parent
            && let Some(known) = lines.iter().position(|line| line.id == *id)
        {
            line.parent = LineParent::Line(known);
        }
        lines.push(line);
    }
    let find = |id: &str| lines.iter().position(|line| &*line.id == id);
    let paths = line_paths(&lines, &LineAbouts::default(), &find);
    let ids = |session: &LineSession| {
        let shown = session.lines.iter().filter(|line| lines[**line].is_message());
        shown.map(|line| lines[*line].id.to_string()).collect::<Vec<_>>().join(" ")
    };
    paths.sessions.iter().map(ids).collect()
}

#[test]
fn what_was_rewound_is_a_branch() {
    assert_eq!(sessions("u1 a1<u1 u2<a1 a2<u2"), ["u1 a1 u2 a2"]);
    assert_eq!(sessions("u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3"), ["u1 a1 u3 a3", "u2 a2"]);
    let twice = "u1 a1<u1 u2<a1 a2<u2 u3<a1 a3<u3 u4<a1 a4<u4";
    assert_eq!(sessions(twice), ["u1 a1 u4 a4", "u2 a2", "u3 a3"]);
    // What two branches share is in the one that was left first.
    let shared = "u1 a1<u1 u2<a1 a2<u2 u3<a2 a3<u3 u4<a2 a4<u4 u5<a1 a5<u5";
    assert_eq!(sessions(shared), ["u1 a1 u5 a5", "u2 a2 u3 a3", "u4 a4"]);
    // Through lines without a message; progress ends no path, other lines do.
    assert_eq!(sessions("u1 p1<u1 x1<p1 a1<x1 p2<u1"), ["u1 a1"]);
    assert_eq!(sessions("u1 a1<u1 u2<a1 a2<u2 x1<a1"), ["u1 a1", "u2 a2"]);
}

#[test]
fn parallel_calls_fork_the_tree() {
    assert_eq!(sessions("u1 a1:m!c1<u1 a2:m!c2<a1 r1!c1<a1 r2!c2<a2 a3<r2"), ["u1 a1 a2 r1 r2 a3"]);
    // The same in a branch, and a prompt after the result of the first call.
    let branch = "u0 a0<u0 u1<a0 a1:m!c1<u1 r1!c1<a1 a2:m!c2<a1 r2!c2<a2 a3<r2 u2<a0 a4<u2";
    assert_eq!(sessions(branch), ["u0 a0 u2 a4", "u1 a1 r1 a2 r2 a3"]);
}

#[test]
fn lines_that_name_no_line_go_on() {
    // A parent that is not in the file.
    assert_eq!(sessions("u1<- a1<u1 u2<- a2<u2"), ["u1 a1 u2 a2"]);
    // Every answer names its line: a prompt that does not goes back to the start.
    assert_eq!(sessions("u1 a1<u1 u2 a2<u2"), ["u2 a2", "u1 a1"]);
    assert_eq!(sessions("u1 a1 u2 a2"), ["u1 a1 u2 a2"]);
}

#[test]
fn lines_in_circles_and_before_their_parents() {
    assert_eq!(sessions("a1<u1 u1<- u2<a1"), ["u1 a1 u2"]);
    assert_eq!(sessions("u1<a1 a1<u1"), ["u1 a1"]);
    assert_eq!(sessions("u1 a1<u1 u2<a2 a2<u2 a3<a1"), ["u1 a1 a3", "u2 a2"]);
    assert_eq!(sessions("u1<u1"), ["u1"]);
    assert_eq!(sessions(""), Vec::<String>::new());
}

#[test]
fn sub_agents_never_take_part() {
    assert_eq!(sessions("u1 a1<u1 s1 s2<s1 a2<a1 s3<a1"), ["u1 a1 a2", "s1 s2", "s3"]);
    // A line that hangs on one of a sub-agent hangs on the line that this hangs on.
    assert_eq!(sessions("u1 a1<u1 u2<a1 s1<a1 a2<s1"), ["u1 a1 a2", "u2", "s1"]);
    assert_eq!(sessions("s1 s2<s1"), ["s1 s2"]);
}
