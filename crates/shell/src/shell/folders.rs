//! Directories in which a command runs what it runs: `env -C DIR`, `find -execdir`.

use super::analysis::Analysis;
use super::letters::has_any;
use super::parser::SimpleCommand;
use super::places::Places;
use super::word::ShellWord;

/// Where a command runs what it runs.
pub(super) struct InnerFolder {
    /// The first word of what runs there.
    pub(super) from: usize,
    /// The directories, if they are known.
    pub(super) known: Option<Vec<String>>,
}

impl Places<'_> {
    /// Where a command runs what it runs, if it is another directory.
    pub(super) fn inner_folder(
        &self,
        command: &SimpleCommand,
        analysis: &Analysis,
        here: &[String],
    ) -> Option<InnerFolder> {
        let mut found: Option<InnerFolder> = None;
        for (at, frame) in analysis.frames.iter().enumerate() {
            let next = analysis.frames.get(at + 1).map(|next| next.words.start);
            let end = next.filter(|next| *next >= frame.words.start).unwrap_or(frame.words.end);
            let words = command.words.get(frame.words.start..end).unwrap_or_default();
            let base = found.as_ref().map_or(Some(here), |found| found.known.as_deref());
            if let Some(known) = self.changed(&frame.name, words, base) {
                found = Some(InnerFolder { from: end, known });
            }
        }
        found
    }

    /// The directories that these words change to.
    fn changed(
        &self,
        name: &str,
        words: &[ShellWord],
        here: Option<&[String]>,
    ) -> Option<Option<Vec<String>>> {
        let letter = match name {
            "env" => "C",
            "sudo" | "doas" => "D",
            "start-stop-daemon" => "d",
            "find" | "gfind" => {
                let is_there = |word: &ShellWord| word.is("-execdir -okdir");
                return words.iter().any(is_there).then_some(None);
            }
            "su" | "runuser" => "",
            "chroot" => return Some(None),
            _ => return None,
        };
        for (at, word) in words.iter().enumerate().skip(1) {
            let text = word.text.as_str();
            if text.starts_with("--") {
                if text.starts_with("--lo") {
                    return Some(None);
                }
                if text.starts_with("--ch") && !text.starts_with("--chu") {
                    let value = text.find('=').map(|at| at + 1);
                    return Some(self.directories(words, at, value, here));
                }
                continue;
            }
            let Some(cluster) = text.strip_prefix('-') else { continue };
            // The home directory.
            if (letter.is_empty() && (cluster.is_empty() || has_any(cluster, "l")))
                || (letter == "D" && has_any(cluster, "i"))
            {
                return Some(None);
            }
            if let Some(place) = cluster.find(letter).filter(|_| !letter.is_empty()) {
                let value = place + 2;
                return Some(self.directories(
                    words,
                    at,
                    Some(value).filter(|at| *at < text.len()),
                    here,
                ));
            }
        }
        None
    }

    /// The directories that a word names from this offset on, or the next word.
    fn directories(
        &self,
        words: &[ShellWord],
        at: usize,
        value: Option<usize>,
        here: Option<&[String]>,
    ) -> Option<Vec<String>> {
        let word = words.get(if value.is_some() { at } else { at + 1 })?;
        let here = here.filter(|_| !self.is_lost)?;
        let texts = self.texts(word, here)?;
        let mut found = Vec::new();
        for base in here {
            for text in &texts {
                found.push(self.resolved(base, text.get(value.unwrap_or(0)..)?)?);
            }
        }
        Some(found)
    }
}
