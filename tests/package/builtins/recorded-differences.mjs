// Where the built-in tools do something else than OpenCode did, on purpose: by case the facts that differ
// (facts, files, asks) and the rule that decides.

/** A call's facts that differ, and why. */
const differs = (facts, sentence) => ({ facts: facts.split(" "), sentence });

export const DIFFERENCES = {
  "more-bash-tee-out": differs(
    "asks",
    "dirs: every literal word of file-taking commands that leaves the directory",
  ),
  "more-bash-long-line-output": differs(
    "asks",
    "dirs: every literal word of file-taking commands that leaves the directory",
  ),
  "bash-ask-ls-out": differs(
    "asks",
    "dirs: every literal word of file-taking commands that leaves the directory",
  ),
  "bash-ask-redirect-out": differs("asks", "dirs: and every redirect target"),
  "bash-ask-redirect": differs("asks", "a redirect that writes asks edit, as write does"),
  "bash-syntax": differs("asks", "what cannot be parsed fails closed: the whole text is asked"),
  "bash-multibyte-cut": differs(
    "facts",
    "a last line longer than the cap is cut at a character, never dropped",
  ),
  "read-long-line": differs(
    "facts",
    'cut at a character boundary with "… (line cut, N characters)"',
  ),
  "read-emoji-edge": differs(
    "facts",
    'cut at a character boundary with "… (line cut, N characters)"',
  ),
  "read-huge-line": differs(
    "facts",
    'cut at a character boundary with "… (line cut, N characters)"',
  ),
  "read-offset-string": differs(
    "facts asks",
    "Repair before refusing: number or boolean given as a string",
  ),
  "read-some-control": differs("facts", "a model reads no escape sequences"),
  "read-utf16": differs("facts", "UTF-16 with a BOM is decoded"),
  "read-text-bin": differs("facts", "an extension alone does not make text unreadable"),
  "read-empty-bin": differs("facts", "an extension alone does not make text unreadable"),
  "read-symlink": differs(
    "asks",
    "File asks carry the given and the real relative path as patterns",
  ),
  "edit-symlink": differs(
    "asks",
    "File asks carry the given and the real relative path as patterns",
  ),
  "write-symlink": differs(
    "asks",
    "File asks carry the given and the real relative path as patterns",
  ),
  "write-symlink-escape": differs(
    "asks",
    "External means: the real path is in neither directory nor worktree",
  ),
  "write-escape-dir": differs(
    "asks",
    "External means: the real path is in neither directory nor worktree",
  ),
  "glob-bad-class": differs("facts", "Bad pattern → error naming the place"),
  "glob-bad-brace": differs("facts", "Bad pattern → error naming the place"),
  "glob-abs-pattern": differs("facts", "An absolute pattern under the directory is made relative"),
  "glob-external": differs("asks", "external_directory is asked before the tool's own permission"),
  "grep-latin1": differs("facts", "A line that is not UTF-8 costs that line's text, not the call"),
  "edit-mixed-eol": differs(
    "files",
    "in a mixed file each new line takes the end of the old line in its place",
  ),
  "edit-mixed-across": differs(
    "files",
    "in a mixed file each new line takes the end of the old line in its place",
  ),
  "edit-latin1": differs("files", "what is not matched stays as it is, valid UTF-8 or not"),
  "edit-nul": differs("facts files asks", "Binary (NUL) is refused"),
  "edit-indent-less": differs("facts files", "newString is shifted by the same amount"),
  "edit-indent-tabs-as-spaces": differs("facts files", "newString is shifted by the same amount"),
  "edit-inner-spaces-part": differs("facts files asks", "Levels 4–8 need whole lines"),
  "edit-escaped-newline": differs("facts files asks", "Levels 4–8 need whole lines"),
  "edit-dollar-all": differs("facts files", "Replacement text is literal"),
  "edit-line-number-prefix": differs(
    "facts files asks",
    "N: prefixes of read, on every line and counting up, removed from both",
  ),
  "edit-replaceall-string": differs(
    "facts files asks",
    "Repair before refusing: number or boolean given as a string",
  ),
  "write-lone-surrogate": differs("facts files asks", "a lone surrogate is refused"),
  "todo-no-priority": differs("facts asks", "priority?: high|medium|low = medium"),
  "todo-bad-status": differs("facts asks", "status: pending|in_progress|completed|cancelled"),
  "unknown-tool": differs("facts", "state error: There is no tool named X"),
};
