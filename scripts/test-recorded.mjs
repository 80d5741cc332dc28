// `npm run test:recorded -- DIR [CASES]`: runs the tests of recorded sessions and streams over those of other people in
// DIR, which has the folders of tests/fixtures/recorded. `npm test` runs the same tests over the project's own. CASES is a
// folder of streams with what must be made of them. Where DIR has labelled cases instead (labelled-cases.mjs), those are run.
import { readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { hasLabelledCases, runLabelledCases } from "./labelled-cases.mjs";
import { at, files, main, run, say } from "./lib.mjs";
import { provide } from "./needs.mjs";
import { runFiles } from "./node-tests.mjs";
import { needsOfFile, usesBrowser } from "./stages.mjs";

/** What a folder of recordings has, and the fewest files of it with which the tests say something. */
const FOLDERS = { agents: 12, compaction: 24, opencode: 14, providers: 24, tools: 2 };

/** The names of test files that read recordings; those of Rust's tests have the word in their path. */
const RECORDED = /recorded/;

/** The path of a folder. npm changes to that of the project; `name` is relative to that of the user. */
const folderOf = (name) => resolve(process.env.INIT_CWD ?? process.cwd(), name);

/** The folder with recordings, or an error that says what is missing. */
function recordings(name) {
  if (name === undefined) {
    throw new Error("Say which folder has the recordings: npm run test:recorded -- DIR [CASES]");
  }
  const folder = folderOf(name);
  for (const [kind, fewest] of Object.entries(FOLDERS)) {
    const path = join(folder, kind);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Error(`${path} is not a folder`);
    }
    const count = readdirSync(path).length;
    if (count < fewest)
      throw new Error(`${path} has ${count} files; at least ${fewest} are needed`);
    say(`${kind}: ${count} files`);
  }
  return folder;
}

/** The test files for recordings. */
const recordedTests = () =>
  files(at("tests")).filter((path) => path.endsWith(".test.mjs") && RECORDED.test(basename(path)));

/** Runs the labelled cases of a folder. */
async function runCases(folder) {
  await provide(["package"]);
  const { run, failed } = await runLabelledCases(folder, at("pkg"), { say });
  if (failed > 0) throw new Error(`${failed} of ${run} cases fail`);
}

main(async () => {
  const [, , name] = process.argv;
  if (name !== undefined && hasLabelledCases(folderOf(name))) return runCases(folderOf(name));
  const folder = recordings(process.argv[2]);
  const cases = process.argv[3];
  const paths = recordedTests();
  await provide(["rust", ...paths.flatMap(needsOfFile)]);
  const env = { APEX_PARTS_RECORDED: folder };
  if (cases !== undefined) env.APEX_PARTS_CASES = folderOf(cases);
  const chosen = ["--workspace", "--lib", "--tests", "--", "--include-ignored", "recorded"];
  // The cases have no folder of their own among the recordings.
  if (cases === undefined) chosen.push("--skip", "recorded_cases");
  const ends = await Promise.allSettled([
    run("cargo", ["test", "--locked", ...chosen], { env }),
    runFiles(paths, { env, browser: usesBrowser }),
  ]);
  const failed = ends.filter(({ status }) => status === "rejected");
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join("\n✗ "));
  say(`every test passed over ${folder}`);
});
