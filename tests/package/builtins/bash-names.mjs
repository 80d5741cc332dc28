// The names that the real bash has, for texts at random.
import { spawnSync } from "node:child_process";

/** Variables that bash reads but has only once they are set. */
const SETTINGS = [
  "PS0 PS1 PS2 PS3 PS4 PROMPT_COMMAND ENV BASH_ENV BASHOPTS BASH_XTRACEFD BASH_COMPAT CDPATH GLOBIGNORE EXECIGNORE",
  "FCEDIT HISTFILE HISTCONTROL HISTIGNORE HISTTIMEFORMAT INPUTRC MAILPATH FUNCNEST IGNOREEOF TIMEFORMAT TMOUT",
  "POSIXLY_CORRECT READLINE_LINE READLINE_POINT READLINE_MARK READLINE_ARGUMENT COMP_WORDS CHILD_MAX",
  "TEXTDOMAIN TEXTDOMAINDIR LANG LANGUAGE LC_ALL LC_MESSAGES LC_CTYPE histchars auto_resume",
].flatMap((line) => line.split(" "));
/** Builtins that could stop other processes, or this one for ever. */
const UNSAFE = ["kill", "suspend"];

/** The variables and builtins of a bash, sorted. */
export function bashNames(bash) {
  const run = (text) =>
    spawnSync(bash, ["--norc", "-c", text], { encoding: "utf8", env: {} }).stdout;
  const states = "[[ abc =~ (b) ]]; mapfile <<< x; f() { compgen -A variable; }; f 1";
  const variables = new Set([...run(states).trim().split("\n"), ...SETTINGS]);
  const builtins = run("enable -a").match(/(?<=^enable )\S+/gmu);
  return {
    variables: [...variables].sort(),
    builtins: builtins.filter((name) => !UNSAFE.includes(name)).sort(),
  };
}
