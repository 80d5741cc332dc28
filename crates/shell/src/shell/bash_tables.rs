//! Tables of bash 5.2.15(1)-release, written by `npm run bash-tables`.

/// Variables of which bash evaluates what they get, as arithmetic.
pub(super) const NUMBERS: &str = "BASHPID EUID HISTCMD OPTIND PPID RANDOM SECONDS SRANDOM UID";

/// Arrays of bash: of what `declare` gives them, a text in parentheses is read as elements.
pub(super) const ARRAYS: &str = "BASH_ALIASES BASH_ARGC BASH_ARGV BASH_CMDS BASH_LINENO BASH_REMATCH BASH_SOURCE \
BASH_VERSINFO COMPREPLY COMP_WORDS COPROC DIRSTACK FUNCNAME GROUPS MAPFILE PIPESTATUS";

/// The builtins.
pub(super) const BUILTINS: &str = ". : [ alias bg bind break builtin caller cd command compgen complete compopt \
continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill \
let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend \
test times trap true type typeset ulimit umask unalias unset wait";
