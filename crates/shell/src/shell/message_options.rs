//! Words of a command that are messages, or something else that is no path.

use super::git::git_subcommand;
use super::letters::{find_any, is_listed};
use super::word::{ShellWord, text_at};

/// The options of a command that are followed by a message.
#[derive(Default)]
pub(super) struct MessageOptions {
    short: &'static str,
    long: &'static str,
}

const MESSAGE: MessageOptions = MessageOptions { short: "m", long: "--message" };

impl MessageOptions {
    pub(super) fn new(name: &str, words: &[ShellWord]) -> MessageOptions {
        let has_message = || {
            let (place, _) = git_subcommand(words);
            let subcommand = text_at(words, place);
            is_listed("commit tag merge notes stash", subcommand)
        };
        match name {
            // Directories in the container.
            "docker" | "podman" | "nerdctl" => MessageOptions { short: "w", long: "--workdir" },
            "gh" | "glab" => {
                MessageOptions { short: "tbn", long: "--title --body --notes --description" }
            }
            "hg" | "svn" | "jj" => MESSAGE,
            "git" if has_message() => MESSAGE,
            _ => MessageOptions::default(),
        }
    }

    /// `Some(true)` if the next word is a message, `Some(false)` if it is in the word itself.
    pub(super) fn read(&self, text: &str) -> Option<bool> {
        if text.starts_with("--") {
            let (option, value) = text.split_once('=').map_or((text, None), |(o, v)| (o, Some(v)));
            return is_listed(self.long, option).then_some(value.is_none());
        }
        let cluster = text.strip_prefix('-')?;
        let end = find_any(cluster, self.short)?;
        let before = cluster.get(..end)?;
        let is_cluster = before.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_cluster.then_some(end + 1 == cluster.len())
    }
}
