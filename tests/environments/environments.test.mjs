// Every environment of docs/environments: the packed package is installed, what the page says is written and run,
// and what it says is printed is expected. The table of the index is that of the pages.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { indexText, pages, record, table, WORKS } from "../../scripts/environments.mjs";
import { browser } from "../package/helper.mjs";
import { Project } from "./project.mjs";

let chromium;
const started = () => {
  chromium ??= browser();
  return chromium;
};
after(async () => (await chromium)?.close());

const results = {};
after(() => record(results));

/** Does the steps in a project, and notes how that ended for an environment. */
async function noting(title, work) {
  results[title] = "fails";
  await work();
  results[title] = WORKS;
}

const LIMIT = { timeout: 180_000 };

/** Each environment in a project of its own, with the files that the page has for all of them. */
function separate({ intro, environments }) {
  for (const { title, steps } of environments) {
    test(title, LIMIT, () =>
      noting(title, async () => {
        const project = await Project.create(title, started);
        try {
          await project.follow([...intro, ...steps]);
        } finally {
          await project.close();
        }
      }),
    );
  }
}

/** One project with the files of every environment, built and started once. */
function together({ name, intro, environments }) {
  test(name, LIMIT, async (t) => {
    const project = await Project.create(name, started);
    const all = environments.flatMap(({ steps }) => steps);
    const expectations = all.filter(({ expected }) => expected !== undefined);
    try {
      const files = [...intro, ...all].filter(({ file }) => file !== undefined);
      const commands = intro.flatMap(({ commands }) => commands ?? []);
      await project.follow([...files, { commands }, expectations[0]]);
      for (const { title, steps } of environments) {
        const checks = steps.filter(({ expected }) => expected !== undefined);
        await t.test(title, () => noting(title, () => project.follow(checks)));
      }
    } finally {
      await project.close();
    }
  });
}

describe("a page does what it says", { concurrency: 2 }, () => {
  for (const page of pages()) {
    if (page.intro.some(({ commands }) => commands !== undefined)) together(page);
    else separate(page);
  }
});

test("the index has the table of the pages", () => {
  assert.ok(
    indexText().includes(table(() => WORKS)),
    "run `node scripts/environments.mjs`, which writes the table",
  );
});

test("no environment is both in the table and not tried", () => {
  const [, missing] = indexText().split("## Not tried here");
  assert.ok(missing, "the index says what was not tried");
  for (const { environments } of pages()) {
    for (const { title } of environments) assert.ok(!missing.includes(`| ${title} `), title);
  }
});
