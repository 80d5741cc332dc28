//! New names of what is there, by `ln` and `mv`: a path through one leads where that of the old name does.

use super::analysis::Analysis;
use super::letters::{begins, ends, has_any, owned};
use super::names::base_name;
use super::parser::SimpleCommand;
use super::places::Places;
use super::renames::is_rename;
use super::value_texts::WILD;
use super::word::ShellWord;

impl Places<'_> {
    /// The new names that a command gives.
    #[inline(never)]
    pub(super) fn renamed(
        &mut self,
        command: &SimpleCommand,
        analysis: &Analysis,
        here: &[String],
    ) {
        for frame in analysis.frames.iter().filter(|frame| is_rename(&frame.name)) {
            let is_link = frame.name.ends_with("ln");
            let words = frame.words_of(command);
            let (mut operands, mut folder, mut is_over) = (Vec::new(), None, false);
            let mut rest = words.iter().skip(1);
            while let Some(word) = rest.next() {
                let text = word.text.as_str();
                if is_over || !begins(text, "-") || text == "-" {
                    operands.push(word);
                } else if text == "--" {
                    is_over = true;
                } else if let Some(name) = text.strip_prefix("--target-directory=") {
                    folder = Some(ShellWord::plain(name));
                    self.renames.is_open |= word.expands;
                } else if text == "--target-directory"
                    || (ends(text, "t") && !text.starts_with("--"))
                {
                    folder = rest.next().cloned();
                } else if !text.starts_with("--") && has_any(text, "t") {
                    self.renames.is_open = true;
                }
            }
            self.renames.is_open |= frame.is_prefix;
            let mut is_folder = folder.is_some();
            let target = match (folder, operands.len()) {
                (Some(folder), _) => folder,
                (None, 0) => continue,
                (None, 1) => {
                    is_folder = true;
                    ShellWord::plain(".")
                }
                (None, count) => {
                    is_folder = count > 2;
                    operands.pop().cloned().unwrap_or_default()
                }
            };
            let Some(targets) = self.texts(&target, here) else {
                self.renames.is_open = true;
                continue;
            };
            for base in here {
                for target in &targets {
                    let Some(whole) = self.resolved(base, target) else { continue };
                    if !is_folder && !ends(target, "/") {
                        self.rename(whole.clone(), is_link);
                    }
                    for source in &operands {
                        match self.texts(source, here) {
                            Some(sources) => sources.iter().for_each(|source| {
                                let name = base_name(source.trim_end_matches('/'));
                                self.rename(
                                    [whole.trim_end_matches('/'), "/", name].concat(),
                                    is_link,
                                );
                            }),
                            // Anything there may be new.
                            None => self.rename(whole.clone(), is_link),
                        }
                    }
                }
            }
        }
    }

    /// What a word becomes, if that is known.
    pub(super) fn texts(&self, word: &ShellWord, here: &[String]) -> Option<Vec<String>> {
        let texts = if word.expands {
            self.expanded(word, here)?
        } else if word.is_fixed() {
            vec![word.text.clone()]
        } else {
            return None;
        };
        (!texts.iter().any(|text| has_any(text, WILD))).then_some(texts)
    }

    fn rename(&mut self, name: String, is_link: bool) {
        let names = &mut self.renames.names;
        if names.len() >= 64 {
            self.renames.is_open = true;
        } else if !names.iter().any(|(own, _)| *own == name) {
            names.push((name, is_link));
        }
    }

    /// What leads through a new name is not known.
    pub(super) fn through_renames(&mut self) {
        let renames = std::mem::take(&mut self.renames);
        if !renames.is_there {
            return;
        }
        if renames.are_met() {
            self.star();
        }
        for written in &mut self.request.writes {
            let path = owned(written.trim_end_matches('*'));
            if renames.is_open || renames.leads(&path, true) {
                "*".clone_into(written);
            }
        }
    }
}
