// The table of stages in CONTRIBUTING.md: made from what they say of themselves, with the seconds of a run.
import { readFileSync, writeFileSync } from "node:fs";
import { at } from "./lib.mjs";
import { aligned } from "./markdown.mjs";
import { STAGES } from "./stages.mjs";

const CONTRIBUTING = at("CONTRIBUTING.md");
const BETWEEN = /(<!-- stages -->\n\n)[\s\S]*?(\n\n<!-- \/stages -->)/;
const TITLES = ["stage: `npm test -- NAME`", "tests", "seconds"];

const shownName = (name) => (name.includes(" ") ? `\`"${name}"\`` : `\`${name}\``);

/** The table with these seconds, as text. */
export const stageTable = (secondsOf) =>
  aligned([
    TITLES,
    ...Object.entries(STAGES).map(([name, { what }]) => [shownName(name), what, secondsOf(name)]),
  ]);

/** The seconds of the stages as the table of CONTRIBUTING.md has them. */
export function writtenSeconds() {
  const [table] = BETWEEN.exec(readFileSync(CONTRIBUTING, "utf8")) ?? [];
  if (table === undefined) throw new Error("CONTRIBUTING.md has no table between its marks");
  const rows = table.matchAll(/^\| `"?(.+?)"?` +\|.*\| (\S*) +\|$/gm);
  return new Map([...rows].map(([, name, seconds]) => [name, seconds]));
}

/** Writes the seconds of a run into CONTRIBUTING.md. Stages that did not run keep theirs. */
export function writeSeconds(seconds) {
  const before = writtenSeconds();
  const of = (name) => seconds.get(name)?.toFixed(0) ?? before.get(name) ?? "";
  const text = readFileSync(CONTRIBUTING, "utf8");
  writeFileSync(
    CONTRIBUTING,
    text.replace(BETWEEN, (_, begin, end) => begin + stageTable(of) + end),
  );
}
