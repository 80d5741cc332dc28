//! What permission rules need to know of a command.

/// What a bash command line asks for. Everything in it is a piece of the text, but for `inner` and the words
/// of commands, which are unquoted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellRequest {
    /// The text of each simple command in the order in which they begin, each once: what is asked.
    pub patterns: Vec<String>,
    /// Each command's known prefix with ` *` behind it: what an "always" may allow.
    pub always: Vec<String>,
    /// Absolute paths that are not inside, as they are written, links not resolved; `*` for a path that is
    /// not known. The folder before the first glob character stands for a glob.
    pub dirs: Vec<String>,
    /// It runs something that cannot be known, or could not be parsed: only a rule with the pattern `*`
    /// can allow it.
    pub opaque: bool,
    /// All simple commands, those in substitutions and functions included.
    pub commands: Vec<ShellCommand>,
    /// The files that redirects write to, absolute, links not resolved, `..` behind names as it is written; `*`
    /// for one that is not known.
    pub writes: Vec<String>,
    /// Absolute paths with glob characters: what they find may be outside.
    pub globs: Vec<String>,
    /// The same, of which only files count: they are for commands that open no folders.
    pub file_globs: Vec<String>,
    /// Absolute paths with their `..`, inside or not: behind a link it is not what it looks like.
    pub climbs: Vec<String>,
    /// The paths that commands may read as files, absolute, with their `..` and globs.
    pub reads: Vec<String>,
    /// Absolute paths of folders that programs go through and in which links may lead outside, if nothing else makes a
    /// path unknown: the `*` of `dirs` then stands for them alone. Two characters stand before each: `l` where links
    /// count or `-`, and `n` where names with white space, quotes or backslashes do, or `-`.
    pub walks: Vec<String>,
    /// Texts that are no simple commands; a deny is tried on them.
    pub(crate) silent: Vec<String>,
    /// It is beyond a limit of the parser: nothing allows it where anything is denied.
    pub(crate) is_over: bool,
    /// It sets, or removes, a variable that decides what programs run, other than by an assignment before a name.
    pub(crate) is_steered: bool,
}

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellCommand {
    /// Its source, redirects and the bodies of here-documents included.
    pub text: String,
    /// Its name without quotes; none if it is an expansion, a glob, or missing.
    pub name: Option<String>,
    /// Its words without quotes, assignments before the name included; none for a word that is an
    /// expansion.
    pub words: Vec<Option<String>>,
    /// What a wrapper runs, to any depth: `rm x` of `sudo rm x`. A rule must allow each of them too.
    pub inner: Vec<String>,
    /// Its redirects.
    pub redirects: Vec<ShellRedirect>,
    /// It runs something that is not known, or could not be parsed to its end.
    pub opaque: bool,
    /// Its text is among the patterns. Changes of the directory alone and `[ … ]` are not asked; a deny
    /// is tried on them all the same.
    pub asked: bool,
    /// Where a deny is tried; see [`deny_candidates`](super::deny_candidates).
    pub(crate) denied_as: Vec<String>,
    /// The same with a NUL for each word that is not known.
    pub(crate) open_as: Vec<String>,
    /// Its source without assignments that change nothing of what it does: a rule that allows this allows it.
    pub(crate) without: Option<String>,
}

/// A redirect.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellRedirect {
    /// The operator without a file descriptor: `>`, `>>`, `<`, `>&`, `&>`, `<<<` …
    pub op: String,
    /// The file, descriptor or delimiter without quotes; none for an expansion.
    pub target: Option<String>,
}
