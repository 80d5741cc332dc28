// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of bash
// No text that bash makes run a denied command is allowed, whatever its spelling: random texts are run in the real
// bash, and what ran is compared with what the rules say. They are the same each time: SHELL_SEED gives others, and
// SHELL_TEXTS more.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { Permission } from "../../../pkg/node.mjs";
import { bashNames } from "./bash-names.mjs";
import { ShellGrammar } from "./shell-grammar.mjs";
import { BASH, ShellRuns } from "./shell-runs.mjs";
import { ShellTexts } from "./shell-texts.mjs";

const SEED = Number(process.env.SHELL_SEED ?? 1);
const COUNT = Number(process.env.SHELL_TEXTS ?? 20_000);
/** What allows a text that must not run the marker: it is denied, it is asked, or only other programs are allowed. */
const others = [
  "echo",
  "cat",
  "ls",
  "printf",
  "true",
  "test",
  "read",
  "declare",
  "local",
  "export",
  "mapfile",
  "set",
];
const RULESETS = {
  deny: { "*": "allow", "zap *": "deny" },
  ask: { "*": "allow", "zap *": "ask" },
  list: {
    "*": "ask",
    ...Object.fromEntries(others.map((name) => [`${name} *`, "allow"])),
    "zap *": "deny",
  },
};
const OPTIONS = { cwd: "/work", home: "/home/dev", isInside: () => true, environment: {} };
const rules = Object.values(RULESETS).map((bash) => Permission.fromConfig({ "*": "allow", bash }));
const isAllowed = (text) => Permission.evaluate("bash", text, rules[0]).action === "allow";
const isAllowedByAny = (text) =>
  rules.some((own) => Permission.evaluateShell(text, OPTIONS, own).action === "allow");

/** Other versions read some texts in other ways. */
function hasBash() {
  try {
    return /version 5\.2/.test(execFileSync(BASH, ["--version"], { encoding: "utf8" }));
  } catch {
    return false;
  }
}

describe("random texts of bash", { skip: hasBash() ? false : "needs bash 5.2" }, () => {
  for (const [kind, Texts] of Object.entries({ changed: ShellTexts, grammar: ShellGrammar })) {
    test(`that run a denied command are not allowed (${kind}, seed ${SEED})`, async (t) => {
      const texts = new Texts(SEED, bashNames(BASH));
      const allowed = [];
      for (let i = 0; i < COUNT / 2; i++) {
        const text = texts.next();
        if (isAllowedByAny(text)) allowed.push(text);
      }
      t.diagnostic(`seed ${SEED}: ${COUNT / 2} texts, ${allowed.length} allowed`);
      assert.ok(allowed.length > COUNT / 200, "hardly any text is allowed");
      const runs = new ShellRuns();
      try {
        const ran = await runs.all(allowed);
        const exceptions = [];
        for (const [i, text] of allowed.entries()) {
          // What runs in the background may be noted late: once more, alone.
          if (ran[i] && (await runs.one(text))) exceptions.push(text);
        }
        assert.deepEqual(exceptions, []);
      } finally {
        runs.close();
      }
    });
  }

  test("are run: the marker is seen", async () => {
    const runs = new ShellRuns();
    try {
      const texts = ["echo zap", "zap 1", "echo $(zap)", ": 'zap'", "bash -c 'zap'", "exit", "zap"];
      const expected = [false, true, true, false, true, false, true];
      // The folder has a catalogue of messages.
      texts.push('TEXTDOMAINDIR=loc TEXTDOMAIN=m\necho $"hello"', 'echo $"hello"');
      expected.push(true, false);
      assert.deepEqual(await runs.all(texts), expected);
      assert.equal(await runs.one("eval zap"), true);
      assert.equal(await runs.one("true"), false);
    } finally {
      runs.close();
    }
  });
});

test("harmless texts are allowed", () => {
  for (const text of HARMLESS) assert.ok(isAllowed(text), text);
});

const HARMLESS = [
  "echo a \\\n  b",
  "echo 'a\\\nb' \"c\\\nd\"",
  "cat <<E\nzap is a word here, $HOME\nE",
  "cat <<'E'\n$(zap 1) `zap 2`\nE",
  "cat > x.py <<'PY'\nimport os\nos.system('zap')\nPY",
  "echo 'zap 1' \"zap; $((1 + 2))\" \\$HOME # zap",
  'echo "\\$(zap 1)"',
  "[[ -f a.txt && (a == a || $HOME =~ ^/(root|home)) ]] && echo yes",
  'for f in *.txt; do echo "$f"; done',
  "for i in 1 2 3; do echo $i $((i * 2)); done",
  "for ((i = 0; i < 3; i++)); do echo $i; done",
  'while read -r line; do echo "$line"; done < a.txt',
  "until false; do break; done",
  "select x in a b; do break; done",
  "case $HOME in /*) echo abs;; (a|b) echo c;& *) ;; esac",
  "if [ -d sub ]; then ls sub; elif test -e x; then ls; else echo; fi",
  'x=$(cat a.txt); echo "${x:-none} ${x%.*} ${#x} ${x//a/b}"',
  'f() { local x=$1; echo "$x" "$@"; }; f a b',
  "function g { ls; }; g | head -3 > list.txt 2>&1",
  "(cd sub && ls); { ls; pwd; } | cat",
  "a=(1 2 'x y'); echo \"${a[@]}\" ${#a[@]} ${a[1]}",
  "set -euo pipefail; trap 'echo bye' EXIT; ls",
  "export A=1 B='two'; env | grep -c A",
  "printf '%s\\n' zap | tr a-z A-Z",
  "grep -n 'zap' a.txt || true",
  "find . -name '*.md' -type f | xargs -r wc -l",
  "find . -name '*.js' -exec grep -l foo {} +",
  "sudo -u root ls; timeout 60 npm test; nohup ls > /dev/null 2>&1 &",
  "git commit -m \"$(cat <<'EOF'\nit's (a\n\nEOF\n)\"",
  "bash -c 'npm test'; sh -c 'ls -la | head'",
  "diff <(ls a) <(ls b)",
  "exec 3> o; echo a >&3; exec 3>&-",
  "echo $? $$ $# $!; wait $!",
  "GIT_PAGER=cat git log; ENV=test npm run x",
  "awk '{print $1}' f; sed -e 's/[$]x/(/' a.txt; python3 - <<'P'\nprint('zap')\nP",
];
