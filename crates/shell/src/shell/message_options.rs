//! Words of a command that are messages, or something else that is no path.

use super::git::git_subcommand;
use super::word::ShellWord;

/// The options of a command that are followed by a message.
#[derive(Default)]
pub(super) struct MessageOptions {
    short: &'static [char],
    long: &'static [&'static str],
}

impl MessageOptions {
    pub(super) fn new(name: &str, words: &[ShellWord]) -> MessageOptions {
        let has_message = || {
            let (place, _) = git_subcommand(words);
            let subcommand = words.get(place).map_or("", |word| &word.text);
            matches!(subcommand, "commit" | "tag" | "merge" | "notes" | "stash")
        };
        match name {
            "hg" | "svn" | "jj" => MessageOptions { short: &['m'], long: &["--message"] },
            "git" if has_message() => MessageOptions { short: &['m'], long: &["--message"] },
            // Directories in the container.
            "docker" | "podman" | "nerdctl" => {
                MessageOptions { short: &['w'], long: &["--workdir"] }
            }
            "gh" | "glab" => MessageOptions {
                short: &['t', 'b', 'n'],
                long: &["--title", "--body", "--notes", "--description"],
            },
            _ => MessageOptions::default(),
        }
    }

    /// `Some(true)` if the next word is a message, `Some(false)` if it is in the word itself.
    pub(super) fn read(&self, text: &str) -> Option<bool> {
        if text.starts_with("--") {
            let (option, value) = text.split_once('=').map_or((text, None), |(o, v)| (o, Some(v)));
            return self.long.contains(&option).then_some(value.is_none());
        }
        let cluster = text.strip_prefix('-')?;
        let end = cluster.find(self.short)?;
        let before = cluster.get(..end)?;
        let is_cluster = before.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_cluster.then_some(end + 1 == cluster.len())
    }
}
