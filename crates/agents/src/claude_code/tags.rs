//! What the tags say in which Claude Code wraps texts of its own: commands, output, notifications.

use super::line::UserSaid;

/// The texts with which Claude Code notes that a person ended the request.
pub(crate) const INTERRUPTIONS: [&str; 2] =
    ["[Request interrupted by user]", "[Request interrupted by user for tool use]"];

/// The tags of blocks that are no person's.
const OWN: [&str; 5] =
    ["bash-input", "bash-stdout", "bash-stderr", "task-notification", "system-reminder"];

/// How tags of output and caveats of the program's commands begin.
const LOCAL: &str = "local-command-";

/// What may follow a notification: where more of it stands.
const AFTER_NOTIFICATION: [&str; 2] = ["Read the output file", "Full transcript available at"];

/// A command of the user.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TypedCommand<'a> {
    /// As it was typed, with `/`.
    pub(crate) name: &'a str,
    /// Its arguments.
    pub(crate) args: &'a str,
}

/// What a text is by its tags.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TaggedText<'a> {
    /// A person's, or the model's.
    Plain,
    Command(TypedCommand<'a>),
    /// Blocks of the program.
    Own(UserSaid),
    Interruption,
}

/// What a text is.
pub(crate) fn tagged(text: &str) -> TaggedText<'_> {
    let text = text.trim();
    if INTERRUPTIONS.contains(&text) {
        return TaggedText::Interruption;
    }
    if !text.starts_with('<') {
        return TaggedText::Plain;
    }
    if let Some(command) = command(text) {
        return TaggedText::Command(command);
    }
    let (mut rest, mut said) = (text, None);
    while let Some((name, _, after)) = block(rest) {
        if !name.starts_with(LOCAL) && !OWN.contains(&name) {
            return TaggedText::Plain;
        }
        let is_output = matches!(name.strip_prefix(LOCAL), Some("stdout" | "stderr"));
        said = said.or(Some(if is_output { UserSaid::LocalOutput } else { UserSaid::Text }));
        rest = after.trim_start();
        if name == "task-notification" && AFTER_NOTIFICATION.iter().any(|t| rest.starts_with(t)) {
            rest = "";
        }
    }
    match said {
        Some(said) if rest.is_empty() => TaggedText::Own(said),
        _ => TaggedText::Plain,
    }
}

/// The command that a text is, with nothing else in it.
pub(crate) fn command(text: &str) -> Option<TypedCommand<'_>> {
    let (mut name, mut args, mut rest) = (None, "", text.trim());
    while !rest.is_empty() {
        let (tag, content, after) = block(rest)?;
        match tag {
            "command-name" if name.is_none() => name = Some(content.trim()),
            "command-args" => args = content.trim(),
            "command-message" => {}
            _ => return None,
        }
        rest = after.trim_start();
    }
    let name = name.filter(|name| !name.is_empty())?;
    Some(TypedCommand { name, args })
}

impl TypedCommand<'_> {
    /// The command as it was typed.
    pub(crate) fn text(&self) -> String {
        let slash = if self.name.starts_with('/') { "" } else { "/" };
        let blank = if self.args.is_empty() { "" } else { " " };
        format!("{slash}{}{blank}{}", self.name, self.args)
    }
}

/// The block `<NAME>…</NAME>` with which a text begins: its name, its content, and what follows.
fn block(text: &str) -> Option<(&str, &str, &str)> {
    let (name, rest) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let mut from = 0;
    while let Some(at) = rest.get(from..).and_then(|rest| rest.find("</")) {
        let end = rest.get(from + at + 2..)?;
        if let Some(after) = end.strip_prefix(name).and_then(|end| end.strip_prefix('>')) {
            return Some((name, rest.get(..from + at)?, after));
        }
        from += at + 2;
    }
    None
}

/// A text without the tags of the program's commands.
pub(crate) fn without_tags(text: &str) -> String {
    if let Some(command) = command(text) {
        return command.text();
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let name = tag.get(1..).unwrap_or_default().trim_start_matches('/');
        let is_own = ["command-", LOCAL, "bash-"].iter().any(|own| name.starts_with(own));
        if is_own {
            let Some(end) = tag.find('>') else { return text.trim().to_owned() };
            rest = tag.get(end + 1..).unwrap_or_default();
        } else {
            out.push('<');
            rest = tag.get(1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;

    #[test]
    fn what_tags_say_of_a_text() {
        let own = TaggedText::Own(UserSaid::Text);
        for text in [
            "<bash-input>ls</bash-input>",
            " <bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>\n",
            "<system-reminder>\n<b>\n</system-reminder>",
            "<task-notification>\n<task-id>b</task-id>\n</task-notification>\nRead the output file: /x",
            "<local-command-caveat>x</local-command-caveat>",
        ] {
            assert_eq!(tagged(text), own, "{text}");
        }
        assert_eq!(
            tagged("<local-command-stderr>no</local-command-stderr>"),
            TaggedText::Own(UserSaid::LocalOutput)
        );
        for text in [
            "What is <bash-input>?",
            "<bash-input>ls</bash-input> is what I typed",
            "<task-notification> is a tag",
            "<task-notification>x</task-notification> why does this come?",
            "<div>x</div>",
            "<system-reminder>",
            "<",
            "<command-name>/x</command-name> fails",
            "[Request interrupted by user] is what I see",
            "",
        ] {
            assert_eq!(tagged(text), TaggedText::Plain, "{text}");
        }
        for text in INTERRUPTIONS {
            assert_eq!(tagged(text), TaggedText::Interruption);
        }
    }

    #[test]
    fn commands_are_what_was_typed() {
        let typed = |text: &str| match tagged(text) {
            TaggedText::Command(command) => command.text(),
            other => format!("{other:?}"),
        };
        let message = "<command-message>review is running…</command-message>";
        assert_eq!(
            typed(&format!(
                "{message}\n<command-name>/review</command-name>\n<command-args> PR 42 \n</command-args>"
            )),
            "/review PR 42"
        );
        assert_eq!(typed("<command-name>/cost</command-name>"), "/cost");
        assert_eq!(
            typed("<command-name>init</command-name><command-args></command-args>"),
            "/init"
        );
        assert_eq!(typed(message), "Plain");
    }

    #[test]
    fn notices_lose_the_tags_of_commands() {
        assert_eq!(without_tags("<command-name>/cost</command-name>"), "/cost");
        assert_eq!(without_tags("<local-command-stdout>a <b> c</local-command-stdout>"), "a <b> c");
        assert_eq!(without_tags("1 < 2"), "1 < 2");
    }
}
