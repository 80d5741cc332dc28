//! Why `opencode import` of OpenCode 2 would stop at a file.

use super::conversion::OpenCode2Conversion;
use super::import_shape::{info_problems, record_problems};
use crate::opencode::session_of;
use apex_parts_json::tape::Tape;
use apex_parts_model::problem_list::ProblemList;
use apex_parts_model::{Error, Path, Problem, Severity};
use apex_parts_transcript::{Format, Transcript};

/// The rule that is broken.
const RULE: &str = "opencode";

/// The problems of a file as input of OpenCode 2's import: an error for each reason for which it would stop, a warning for
/// each field that it drops.
///
/// # Errors
/// `TranscriptError` if a message cannot be read.
pub fn import_problems(transcript: &Transcript) -> Result<Vec<Problem>, Error> {
    let mut problems = ProblemList::default();
    let root = Path::ROOT;
    if transcript.format() == Some(Format::OpenCode2Export) {
        check(transcript, &mut problems)?;
    } else {
        let name = transcript.format().map_or("of an unknown format", Format::as_str);
        let message = format!(
            "import accepts {{info, messages}} with records of OpenCode 2, and this is {name}: \
             `apex-parts convert --to opencode2` converts it"
        );
        problems.push(Problem::new(Severity::Error, RULE, &root, message));
    }
    for mut problem in transcript.lost() {
        // What is no UTF-8 is read with U+FFFD in its place, as here; a session may be empty.
        if matches!(problem.rule.as_str(), "encoding" | "no-messages") {
            problem.severity = Severity::Warning;
        }
        problems.push(problem);
    }
    Ok(problems.into_iter().collect())
}

/// Checks the session and each of its records, which are written as they stand in the file.
fn check(transcript: &Transcript, problems: &mut ProblemList) -> Result<(), Error> {
    let root = Path::ROOT;
    let (info_path, list) = (root.name("info"), root.name("messages"));
    let missing = "the session's record is missing: an object is required";
    let Some((place, source)) = session_of(transcript, None) else {
        problems.push(Problem::new(Severity::Error, RULE, &info_path, missing));
        return Ok(());
    };
    let messages = transcript.session_messages(place);
    let mut records = OpenCode2Conversion::unchanged(&messages, &source)?;
    let mut tape = Tape::default();
    if source.info.is_none() {
        problems.push(Problem::new(Severity::Error, RULE, &info_path, missing));
    } else if tape.read(records.info().as_bytes(), 0).is_ok() {
        info_problems(tape.root_of(records.info()), &info_path, &mut |severity, path, message| {
            problems.push(Problem::new(severity, RULE, path, message));
        });
    }
    let mut index = 0;
    while let Some(record) = records.next(&messages)? {
        if tape.read(record.as_bytes(), 0).is_ok() {
            let path = list.index(index);
            record_problems(tape.root_of(&record), &path, &mut |severity, path, message| {
                problems.push(Problem::new(severity, RULE, path, message));
            });
        }
        index += 1;
    }
    Ok(())
}
