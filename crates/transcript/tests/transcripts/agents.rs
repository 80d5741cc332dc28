//! Files of other agents whose lines are in another order, or among those of another format: they open twice the
//! same, or are refused, and problems name places in the file. Tested with the fixtures of this repository.

use super::bad_input::Random;
use apex_parts_model::Agent;
use apex_parts_transcript::{Env, Format, Transcript, TranscriptOptions};
use std::fs;
use std::path::Path;

/// Is it the session of another agent, in the only format of that agent?
fn is_of_agent(format: Format) -> bool {
    let is_own = |agent: Agent| agent.id == format.as_str();
    !matches!(format, Format::Stream(_)) && format.agent().is_some_and(is_own)
}

/// The fixtures of all formats, with their names.
fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = apex_parts_fixtures::path("formats");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort_unstable();
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).unwrap())).collect()
}

pub(crate) fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Everything that a file shows, or why it does not open.
fn shown(bytes: &[u8], format: Option<Format>) -> Result<String, String> {
    let mut count = 0;
    let mut new_id = || {
        count += 1;
        format!("id-{count}")
    };
    let mut env = Env { now_ms: 0.0, new_id: &mut new_id };
    let options = TranscriptOptions { format, ..TranscriptOptions::default() };
    let t = Transcript::open(bytes, options, &mut env).map_err(|error| {
        assert_eq!(error.name(), "TranscriptError");
        error.to_string()
    })?;
    let problems = t.problems();
    let is_agents = t.format().is_some_and(is_of_agent);
    for problem in &problems {
        // What validation says has a path instead; that a stream of deltas has no end has neither.
        let is_inside = problem.offset.map_or(!is_agents || !problem.path.is_empty(), |offset| {
            (0.0..=bytes.len() as f64).contains(&offset)
        });
        assert!(is_inside, "{problem:?} of {} bytes", bytes.len());
    }
    let mut all = format!("{:?} {problems:?}", t.format());
    for session in t.sessions() {
        all.push_str(&session.id);
        for message in t.messages_of(&session.id).unwrap() {
            all.push_str(&String::from_utf8(message).unwrap());
        }
    }
    Ok(all)
}

/// The bytes open twice the same: in the format that is told from them, and in the agent's.
fn open_twice(bytes: &[u8], format: Format) {
    for given in [None, Some(format)] {
        assert_eq!(shown(bytes, given), shown(bytes, given), "{format:?}");
    }
}

fn shuffle(random: &mut Random, lines: &mut [&[u8]]) {
    for i in (1..lines.len()).rev() {
        lines.swap(i, random.below(i + 1));
    }
}

/// The formats of other agents, each with its fixture.
pub(crate) fn agents() -> impl Iterator<Item = (Format, Vec<u8>)> {
    let read = |format: Format| {
        let path = apex_parts_fixtures::path("formats").join(format!("{}.txt", format.as_str()));
        let bytes = fs::read(&path).unwrap_or_default();
        let length = bytes.len();
        assert!(
            length >= 700,
            "{} has {length} bytes: write a session of at least 700",
            path.display()
        );
        (format, bytes)
    };
    Format::all().filter(|format| is_of_agent(*format)).map(read)
}

#[test]
fn each_is_told_from_its_content() {
    for (format, bytes) in agents() {
        let name = format.as_str();
        let mut env = Env { now_ms: 0.0, new_id: &mut || panic!("no id is made up") };
        let t = Transcript::open(&bytes, TranscriptOptions::default(), &mut env).unwrap();
        assert_eq!(t.format(), Some(format));
        let problems: Vec<_> =
            t.problems().into_iter().filter(|problem| problem.rule != "BR-09").collect();
        assert_eq!(problems, [], "{name}");
    }
}

#[test]
fn lines_in_another_order() {
    let mut random = Random(3);
    for (format, bytes) in agents() {
        for round in 0..20 {
            let mut lines = lines(&bytes);
            // The header first, so that the format is told, or anywhere.
            let first = round % 2;
            shuffle(&mut random, &mut lines[first..]);
            open_twice(&lines.concat(), format);
        }
        let mut lines = lines(&bytes);
        lines.reverse();
        open_twice(&lines.concat(), format);
        open_twice(&[&bytes[..], &bytes[..]].concat(), format);
    }
}

#[test]
fn lines_of_two_formats() {
    let mut random = Random(4);
    for (format, bytes) in agents() {
        for (other, foreign) in fixtures() {
            if other == format.as_str() {
                continue;
            }
            let foreign = lines(&foreign);
            // Line by line, each in its order.
            let mut mixed = Vec::new();
            let (mut ours, mut theirs) = (lines(&bytes).into_iter(), foreign.iter().copied());
            while ours.len() + theirs.len() > 0 {
                let is_ours = mixed.is_empty() || random.below(2) == 0;
                mixed.extend(if is_ours { ours.next() } else { theirs.next() });
            }
            open_twice(&mixed.concat(), format);
            // In any order, behind the first line.
            shuffle(&mut random, &mut mixed[1..]);
            open_twice(&mixed.concat(), format);
            // In their order.
            let file = [&bytes[..], &foreign.concat()].concat();
            open_twice(&file, format);
            open_twice(&[&foreign.concat()[..], &bytes[..]].concat(), format);
        }
    }
}
