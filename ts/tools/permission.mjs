// Permission: rules, what a command of bash asks for, and the gate at which requests wait for a reply.
import { toolsShell } from "apex-parts:glue";
import { guarded, invalid } from "./boundary.ts";
import { Gate } from "./gate.mjs";
import {
  disabled,
  evaluate as evaluatePlain,
  fromConfig,
  match,
  merge,
  shellVerdict,
} from "./rules.mjs";

const SURE = ["allow", "ask", "deny"];

function read(command, { cwd, home, isInside }, isAll) {
  if ([command, cwd, home].some((text) => typeof text !== "string")) {
    throw invalid("a command, cwd and home are texts");
  }
  if (typeof isInside !== "function") throw invalid("isInside is a function");
  return toolsShell(command, cwd, home, isInside, isAll);
}

const shellRequest = (command, options) => read(command, options, false);

/** Of a text of bash the strictest rule of all that is in it; of anything else the last rule that matches. */
function evaluate(permission, pattern, ...rulesets) {
  const rule = evaluatePlain(permission, pattern, ...rulesets);
  // What is denied as it stands is denied.
  if (permission !== "bash" || rule.action === "deny") return rule;
  return shellVerdict(pattern, rulesets).rule;
}

/** A path as patterns of `edit` name it, `..` resolved by its letters. */
function seenFrom(cwd, path) {
  const names = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const root = path.startsWith("/") ? "/" : "";
  const whole = path === "*" ? path : root + names.join("/");
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return whole.startsWith(base) ? whole.slice(base.length) : whole;
}

function evaluateShell(command, options, ...rulesets) {
  const { dirs, writes } = read(command, options, true);
  const { action, rule, opaque, asked } = shellVerdict(command, rulesets);
  let strictest = { action, rule };
  const asks = [];
  const add = (permission, pattern, spellings = [pattern]) => {
    const rules = spellings.map((text) => evaluatePlain(permission, text, ...rulesets));
    const sure = (rule) => SURE.indexOf(rule.action);
    const found = rules.reduce((most, rule) => (sure(rule) > sure(most) ? rule : most));
    if (found.action === "ask") asks.push({ permission, pattern });
    if (sure(found) > sure(strictest)) strictest = { action: found.action, rule: found };
  };
  // It may be a folder: the tool asks for all that is in it.
  for (const path of dirs) add("external_directory", path, [path, `${path}/*`]);
  for (const path of writes) add("edit", seenFrom(options.cwd, path));
  for (const pattern of asked) asks.push({ permission: "bash", pattern });
  return { ...strictest, opaque, asks };
}

export const Permission = {
  fromConfig: /* @__PURE__ */ guarded(fromConfig),
  merge: /* @__PURE__ */ guarded(merge),
  evaluate: /* @__PURE__ */ guarded(evaluate),
  evaluateShell: /* @__PURE__ */ guarded(evaluateShell),
  disabled: /* @__PURE__ */ guarded(disabled),
  match: /* @__PURE__ */ guarded(match),
  shellRequest: /* @__PURE__ */ guarded(shellRequest),
  Gate,
};
