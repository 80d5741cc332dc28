// The permissions of a tool that is run by hand: what reads in the folder is allowed, `--allow` allows more, and
// the rest is asked on the terminal.
import { Permission } from "apex-parts";
import { CliError, faultOf } from "./output.ts";

const READING: Record<string, Permission.Action> = {
  "*": "ask",
  read: "allow",
  glob: "allow",
  grep: "allow",
  todowrite: "allow",
};

const HOW = `--allow takes PERMISSION or PERMISSION:PATTERN, several separated by commas, or a JSON object such as {"bash": {"git *": "allow", "rm *": "deny"}}, or OpenCode 2's array of permissions`;

/** The rules that one `--allow` gives. */
function rulesOf(text: string, home: string): Permission.Ruleset {
  if (/^\s*[[{]/u.test(text)) {
    try {
      return Permission.fromConfig(JSON.parse(text), { home });
    } catch (error) {
      throw new CliError(`--allow ${text}: ${faultOf(error).message}\n${HOW}`, 2);
    }
  }
  return text.split(",").flatMap((rule) => {
    const [permission = "", ...pattern] = rule.trim().split(":");
    if (permission === "") throw new CliError(`--allow ${text}: a rule is empty\n${HOW}`, 2);
    return Permission.fromConfig(
      { [permission]: { [pattern.join(":") || "*"]: "allow" } },
      { home },
    );
  });
}

/** The rules of all `--allow`, behind those that hold without any. */
export function rulesets(given: readonly string[], home: string): Permission.Ruleset[] {
  return [Permission.fromConfig(READING), given.flatMap((text) => rulesOf(text, home))];
}
