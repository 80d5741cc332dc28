//! Edits of the input with texts that are pieces of it, as they are or changed as models change them.

use super::dice::Dice;
use apex_parts::tools::diff::unified_diff;
use apex_parts::tools::edit::{EditRefusal, edit as edit_file};

/// The result differs from the file only inside the matched lines, and a refusal can be told.
pub fn edit(data: &[u8]) {
    let mut dice = Dice::new(data);
    let piece = |dice: &mut Dice| {
        let from = dice.roll(data.len() + 1);
        let to = from + dice.roll(data.len() - from + 1);
        String::from_utf8_lossy(data.get(from..to).unwrap_or_default()).into_owned()
    };
    let whole_lines = |dice: &mut Dice| {
        let lines: Vec<&[u8]> = data.split_inclusive(|byte| *byte == b'\n').collect();
        let from = dice.roll(lines.len() + 1);
        let to = from + dice.roll(lines.len() - from + 1);
        String::from_utf8_lossy(&lines.get(from..to).unwrap_or_default().concat()).into_owned()
    };
    let old = if dice.roll(2) == 0 { piece(&mut dice) } else { whole_lines(&mut dice) };
    let old = match dice.roll(9) {
        0 => old.replace("\r\n", "\n"),
        1 => old.replace('\n', "\r\n"),
        2 => old.replace('\n', "  \n"),
        3 => old.lines().map(|line| format!("  {line}\n")).collect(),
        4 => old.lines().map(|line| line.trim_start().to_owned() + "\n").collect(),
        5 => old.replace(' ', "  ").replace('"', "\u{201c}"),
        6 => old.replace('\n', "\\n").replace('"', "\\\""),
        7 => old.lines().enumerate().map(|(i, line)| format!("{i}: {line}\n")).collect(),
        _ => old,
    };
    let new = piece(&mut dice);
    let replace_all = dice.roll(2) == 0;
    match edit_file(data, &old, &new, replace_all) {
        Ok(edited) => {
            let lines: Vec<usize> = starts(data);
            let start = lines.get(edited.line - 1).copied().unwrap_or(data.len());
            let end = lines.get(edited.end_line).copied().unwrap_or(data.len());
            let after = data.len() - end;
            assert!(edited.line <= edited.end_line && edited.end_line <= lines.len());
            assert_eq!(edited.bytes.get(..start), data.get(..start));
            assert_eq!(edited.bytes.get(edited.bytes.len() - after..), data.get(end..));
            assert!(edited.count == 1 || (replace_all && edited.level.number() <= 3));
            let diff = unified_diff("p", data, &edited.bytes);
            assert!(!edited.output("p", diff.additions, diff.deletions).is_empty());
            assert_eq!(diff.additions + diff.deletions == 0, edited.bytes == data);
        }
        Err(refusal) => {
            let message = refusal.message("p");
            if let EditRefusal::NotFound { closest: Some(closest) } = refusal {
                assert!(closest.diff.lines().count() <= 12, "{message}");
                assert!((60..100).contains(&closest.percent));
            }
        }
    }
}

/// Where lines begin.
fn starts(text: &[u8]) -> Vec<usize> {
    let mut found = vec![0];
    for (at, byte) in text.iter().enumerate() {
        let is_end = *byte == b'\n' || (*byte == b'\r' && text.get(at + 1) != Some(&b'\n'));
        if is_end && at + 1 < text.len() {
            found.push(at + 1);
        }
    }
    found
}
