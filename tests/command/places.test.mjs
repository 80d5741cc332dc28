// Every provider, format, rule, tool and column is in every place where it has to be: scripts/new/ states the places.
// Needs only: nothing.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { at } from "../../scripts/lib.mjs";
import { KINDS } from "../../scripts/new/kinds.mjs";
import { marked } from "../../scripts/new/marker.mjs";
import { filled } from "../../scripts/new/names.mjs";
import { Project } from "../../scripts/new/project.mjs";

const project = new Project(at());

/** Those that are there, in their spellings. */
const all = ({ names, own = names, spell }) => own(project).map(spell);

for (const [kind, { places, counts = [], ...of }] of Object.entries(KINDS)) {
  describe(`every ${kind}`, () => {
    test("is in every place", () => {
      const found = all(of);
      assert.ok(found.length > 4, `${found.length}`);
      const forgotten = [];
      for (const words of found) {
        for (const { path, template, write = "the file is missing", has, except = [] } of places) {
          if (except.includes(words.name)) continue;
          const file = filled(path, words);
          const isFile = template !== undefined && project.read(file) !== undefined;
          if (has ? has(project, words) : template === undefined || isFile) continue;
          forgotten.push(`${words.name}: ${file}: ${filled(write, words)}`);
        }
      }
      assert.deepEqual(forgotten, []);
    });

    test("is finished", () => {
      const paths = all(of).flatMap((words) => places.map(({ path }) => filled(path, words)));
      const left = [...new Set(paths)].flatMap((path) =>
        marked(project.read(path) ?? "").map(({ line, says }) => `${path}:${line}: ${says}`),
      );
      assert.deepEqual(left, []);
    });

    test("is counted", () => {
      for (const { path, says } of counts) {
        const words = says(project);
        assert.ok(project.read(path).includes(words), `${path}: write "${words}"`);
      }
    });
  });
}

/** One of each kind that is in every place of its kind. */
const SAMPLES = {
  provider: "cohere",
  format: "swe-agent",
  rule: "BR-06",
  tool: "web-fetch",
  column: "cost",
};

test("each place that is forgotten is named, with what to write there", () => {
  for (const [kind, { places, spell }] of Object.entries(KINDS)) {
    const words = spell(SAMPLES[kind]);
    for (const { path: pattern, has, write } of places.filter((place) => place.has)) {
      const path = filled(pattern, words);
      const without = {
        read: (file) => (file === path ? "" : project.read(file)),
        list: (folder) => (folder === dirname(path) ? [] : project.list(folder)),
      };
      assert.equal(has(project, words), true, path);
      assert.equal(has(without, words), false, path);
      assert.ok(write, path);
    }
  }
});
