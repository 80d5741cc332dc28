//! Shell commands: what a line of bash runs, as far as text can tell.
//!
//! [`shell_request`] reads a text as bash does (quotes, expansions, here-documents, compound commands) and
//! gives what permission rules need: each simple command, the paths outside, and whether something runs
//! that cannot be known. Nothing is run, and no file is looked at.
//!
//! What a program does with its arguments (`python -c`, `awk`, a script, a Makefile) is not known here.
//!
//! Speed matters less here than bytes. So what is small and called often, and what is large and called once, is marked
//! `#[inline(never)]`: within one another they take more.

mod analysis;
mod ansi_c;
mod arithmetic;
mod assigning;
mod bash_tables;
mod by_name;
mod conditions;
mod environment;
mod evaluation;
mod expansions;
mod finders;
mod folders;
mod following;
mod git;
mod globals;
mod grammar;
mod here_documents;
mod letters;
mod lists;
mod message_options;
mod names;
mod new_names;
mod opened;
mod operands;
mod parser;
mod paths;
mod piped_text;
mod places;
mod prefixes;
mod redirects;
mod renames;
mod request;
mod runs;
mod shells;
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
mod value_texts;
mod values;
mod walks;
mod wild;
mod word;
mod words;
mod wrapper_table;
mod wrappers;
mod written;

pub use environment::Environment;
pub use request::{ShellCommand, ShellRedirect, ShellRequest};

use analysis::{Analysis, is_asked, script_of};
use assigning::{Assigning, assigning};
use by_name::Names;
use git::git_subcommand;
use names::base_name;
use parser::{RedirectSource, Script, SimpleCommand};
use piped_text::give_piped;
use places::Places;
use values::Variables;
use word::{ShellWord, joined};

/// The most bytes of a text; Linux gives a program no longer argument than half of it.
const MAX_TEXT: usize = 256 << 10;

/// The texts of a request on which a deny is tried, but that are not asked: tests, arithmetic, functions.
#[must_use]
pub fn silent_texts(request: &ShellRequest) -> &[String] {
    &request.silent
}

/// Whether a text sets, or removes, a variable that decides what programs run, other than by an assignment before a
/// name: only a rule that allows everything allows it.
#[must_use]
pub fn is_steered(request: &ShellRequest) -> bool {
    request.is_steered
}

/// The text of a command without assignments that change nothing of what it does, if it has any.
#[must_use]
pub fn without_harmless(command: &ShellCommand) -> Option<&str> {
    command.without.as_deref()
}

/// The spellings of a command with a NUL for each word that is not known, where there is one.
#[must_use]
pub fn open_candidates(command: &ShellCommand) -> &[String] {
    &command.open_as
}

/// Whether a text is beyond a limit of the parser.
#[must_use]
pub fn is_over(request: &ShellRequest) -> bool {
    request.is_over
}

/// What a bash command line asks for.
///
/// `cwd` and `home` are absolute paths; `is_inside` tells of an absolute path whether it needs no
/// permission for a directory outside. The text may be anything: what cannot be parsed is `opaque`.
///
/// ```
/// use apex_parts_shell::shell::shell_request;
/// let request = shell_request(
///     "git -C . push && cat ../notes.txt",
///     "/home/dev/demo",
///     "/home/dev",
///     &mut |path| path.starts_with("/home/dev/demo"),
/// );
/// assert_eq!(request.patterns, ["git -C . push", "cat ../notes.txt"]);
/// assert_eq!(request.dirs, ["/home/dev/notes.txt"]);
/// assert!(!request.opaque);
/// ```
pub fn shell_request(
    command: &str,
    cwd: &str,
    home: &str,
    is_inside: &mut dyn FnMut(&str) -> bool,
) -> ShellRequest {
    request_of(command, None, Some((cwd, home, is_inside)))
}

/// The same, in a shell that has the variables of this environment: with it, a variable that only the text itself
/// reads is set without being asked (`x=5; echo $x`).
///
/// ```
/// use apex_parts_shell::shell::{Environment, shell_request_in};
/// let environment = Environment::from(["PATH".to_owned()]);
/// let request =
///     shell_request_in("x=5; PATH=.; echo $x", &environment, "/", "/root", &mut |_| true);
/// assert_eq!(request.patterns, ["PATH=.", "echo $x"]);
/// ```
pub fn shell_request_in(
    command: &str,
    environment: &Environment,
    cwd: &str,
    home: &str,
    is_inside: &mut dyn FnMut(&str) -> bool,
) -> ShellRequest {
    request_of(command, Some(environment), Some((cwd, home, is_inside)))
}

/// The same without paths, and without `always`.
pub fn shell_commands(command: &str, environment: Option<&Environment>) -> ShellRequest {
    request_of(command, environment, None)
}

/// The directory in which a script runs, its home, and what tells whether a path is inside.
type Surroundings<'a> = (&'a str, &'a str, &'a mut dyn FnMut(&str) -> bool);

fn request_of(
    command: &str,
    environment: Option<&Environment>,
    surroundings: Option<Surroundings>,
) -> ShellRequest {
    let mut script = if command.len() > MAX_TEXT {
        Script { is_broken: true, is_over: true, ..Script::default() }
    } else {
        script_of(command, 0)
    };
    // Something must stand for what could not be parsed.
    if script.is_broken && !script.commands.iter().any(|command| command.is_cut) {
        let text = command.trim().to_owned();
        script.commands.push(SimpleCommand { text, is_cut: true, ..SimpleCommand::default() });
    }
    give_piped(&mut script, command);
    let analyses: Vec<_> = script.commands.iter().map(Analysis::new).collect();
    let mut variables = Variables::default();
    variables.sets_messages = environment.is_some_and(|environment| {
        environment.contains("TEXTDOMAIN") || environment.contains("TEXTDOMAINDIR")
    });
    variables.add(&script);
    let scripts = || analyses.iter().flat_map(|analysis| &analysis.scripts);
    scripts().for_each(|inner| variables.add(inner));
    let may_run = variables.may_run();
    let mut request = ShellRequest::default();
    // Without a place nothing is asked that could be allowed always.
    let is_place = surroundings.is_some();
    if let Some((cwd, home, is_inside)) = surroundings {
        let mut places = Places::new(cwd, home, &variables, is_inside);
        places.script(&script, &analyses);
        if may_run || analyses.iter().any(|analysis| analysis.runs_unknown) {
            places.unknown();
        }
        if places.leads_to("*") {
            places.request.walks.clear();
        } else if !places.request.walks.is_empty() {
            places.star();
        }
        request = places.request;
    }
    for script in std::iter::once(&script).chain(scripts()) {
        request.silent.extend_from_slice(&script.silent);
        request.is_over |= script.is_over;
    }
    request.opaque = script.is_broken || may_run;
    request.is_steered = variables.is_steered;
    let (mut seen, mut prefixes) = (Names::default(), Names::default());
    for (command, analysis) in script.commands.iter().zip(analyses) {
        let assigning = assigning(command, &variables, environment);
        let asked = is_asked(command) && !matches!(assigning, Assigning::Nothing);
        if asked && seen.add(&command.text) {
            request.patterns.push(command.text.clone());
        }
        let prefix = if asked && is_place { always(command) } else { None };
        if let Some(prefix) = prefix.filter(|prefix| prefixes.add(prefix)) {
            request.always.push(prefix);
        }
        let is_opaque =
            analysis.is_opaque || !analysis.values.iter().all(|word| variables.is_literal(word));
        request.opaque |= is_opaque;
        request.is_over |= analysis.is_over;
        let name = command.words.get(command.assignments());
        request.commands.push(ShellCommand {
            text: command.text.clone(),
            name: name.filter(|name| name.is_known_name()).map(|name| name.text.clone()),
            words: command.words.iter().map(literal).collect(),
            inner: analysis.inner,
            redirects: command.redirects.iter().map(redirect).collect(),
            opaque: is_opaque,
            asked,
            denied_as: analysis.denied_as,
            open_as: analysis.open_as,
            without: match assigning {
                Assigning::Without(text) => Some(text),
                _ => None,
            },
        });
    }
    request
}

/// The spellings of a command on which a deny is tried.
///
/// They are: its text; its words without quotes, joined by one space; the same without assignments before
/// the name and without the name's directory; git's without git's global options; and all of these for
/// what a wrapper runs, to any depth (`sudo`, `env`, `xargs`, `find -exec`, `bash -c`, `eval` and others).
/// Behind `xargs` the words are only the beginning of what runs.
///
/// ```
/// use apex_parts_shell::shell::{deny_candidates, shell_request};
/// let request = shell_request("A=1 sudo /bin/r'm' -f x", "/", "/root", &mut |_| true);
/// let candidates = deny_candidates(&request.commands[0]);
/// assert!(candidates.contains(&"rm -f x".to_owned()));
/// ```
pub fn deny_candidates(command: &ShellCommand) -> Vec<String> {
    denied_texts(command).to_vec()
}

/// The same, not copied.
pub(crate) fn denied_texts(command: &ShellCommand) -> &[String] {
    &command.denied_as
}

fn literal(word: &ShellWord) -> Option<String> {
    word.is_literal().then(|| word.text.clone())
}

fn redirect(redirect: &RedirectSource) -> ShellRedirect {
    ShellRedirect { op: redirect.op.clone(), target: literal(&redirect.target) }
}

/// The known prefix of a command and ` *`; none if its name is not known.
#[inline(never)]
fn always(command: &SimpleCommand) -> Option<String> {
    let words = command.words.get(command.assignments()..)?;
    let name = words.first().filter(|name| name.is_known_name())?;
    let name = base_name(&name.text);
    let mut places = (0..words.len()).filter(|at| {
        // Options say little: they are a part of the prefix, but do not count.
        *at == 0 || words.get(*at).is_some_and(|word| !word.text.starts_with('-'))
    });
    let first = if name == "git" { git_subcommand(words).0 } else { 1 };
    let mut after = places.by_ref().filter(|at| *at >= first);
    let second = after.next();
    let second_text = second.and_then(|at| words.get(at)).map(|word| word.text.as_str());
    let last = match prefixes::arity(name, second_text) {
        1 => Some(0),
        2 => second,
        _ => after.next().or(second),
    };
    let last = last.unwrap_or_else(|| words.len().saturating_sub(1));
    let mut prefix = joined(words.get(..=last)?, true);
    prefix.push_str(" *");
    Some(prefix)
}
