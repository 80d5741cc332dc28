// Redaction of texts, against one regular expression of a dozen beginnings: what a service writes at first.
import { Redactor } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { KINDS } from "./lib/kinds-of-text.mjs";
import { report, sideBySide } from "./lib/measure.mjs";

const kinds = KINDS.map(([, text]) => text).join("\n");
const text = kinds.repeat(Math.ceil(4e6 / kinds.length));
const coloured = text.replaceAll("\n", "\u001b[0m\n\u001b[32m");
const beginnings =
  /\b(?:ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|AIza|sk_live_|sk-|npm_|hf_|SG\.)[\w.-]{16,}/g;

console.log("\n# Redaction of 4 MB of texts as sessions have them");
for (const [name, content] of Object.entries({ plain: text, coloured })) {
  const megabytes = Buffer.byteLength(content) / 1e6;
  const ours = () => {
    const redactor = new Redactor();
    redactor.redact(content);
    redactor.free();
  };
  const best = sideBySide({ ours, expression: () => content.replace(beginnings, "***") });
  report(`redact: ${name}`, best.ours, best.expression);
  const speed = megabytes / (best.ours / 1e9);
  console.log(`  ${name}: ${speed.toFixed(0)} MB/s (at least 100) ${met(speed >= 100)}`);
}
