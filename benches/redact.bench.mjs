// Redaction of texts, against one regular expression of a dozen beginnings: what a service writes at first. Recorded
// exports come first, then texts of every kind that was made up for it.
import { readdirSync, readFileSync } from "node:fs";
import { Redactor } from "../pkg/node.mjs";
import { met } from "./lib/bars.mjs";
import { KINDS } from "./lib/kinds-of-text.mjs";
import { report, sideBySide } from "./lib/measure.mjs";

const beginnings =
  /\b(?:ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|AIza|sk_live_|sk-|npm_|hf_|SG\.)[\w.-]{16,}/g;

/** Every file below a folder whose name ends so. */
function filesOf(folder, ending) {
  const at = new URL(`../${folder}/`, import.meta.url);
  const names = readdirSync(at, { recursive: true }).filter((name) => ending.test(name));
  return names.sort().map((name) => readFileSync(new URL(name, at), "utf8"));
}

/** Every string of a JSON value. */
function stringsOf(value) {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(stringsOf) : [];
}

const repeated = (text, bytes) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));

const exports = filesOf("tests/fixtures/recorded", /\.export\.json$/);
const documents = [...filesOf("docs", /\.md$/), ...filesOf("ts", /\.ts$/)];
const kinds = KINDS.map(([, text]) => text).join("\n");
const plain = repeated(kinds, 4e6);
const TEXTS = {
  "recorded OpenCode exports": repeated(exports.join("\n"), 1e7),
  "their strings": repeated(stringsOf(exports.map((text) => JSON.parse(text))).join("\n"), 1e7),
  "documents and code": repeated(documents.join("\n"), 1e7),
  "texts of 17 kinds": plain,
  "the same, coloured": plain.replaceAll("\n", "\u001b[0m\n\u001b[32m"),
};

for (const verb of ["find", "redact"]) {
  console.log(`\n# Redaction of 4 to 10 MB: ${verb}`);
  for (const [name, content] of Object.entries(TEXTS)) {
    const megabytes = Buffer.byteLength(content) / 1e6;
    const ours = () => {
      const redactor = new Redactor();
      redactor[verb](content);
      redactor.free();
    };
    const best = sideBySide({ ours, expression: () => content.replace(beginnings, "***") });
    report(`${verb}: ${name}`, best.ours, best.expression);
    const speed = `  ${name}: ${(megabytes / (best.ours / 1e9)).toFixed(0)} MB/s`;
    // What is found is masked, and the masked text is searched again.
    const isMet = megabytes / (best.ours / 1e9) >= 100;
    console.log(verb === "find" ? `${speed} (at least 100) ${met(isMet)}` : speed);
  }
}
