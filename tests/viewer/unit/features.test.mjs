/** What features draw has a place, and each place is drawn in; each key that the help names does something. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../typescript.mjs";

const { FEATURES } = await load("features/page.ts");
const { FEATURES: OF_ELEMENT } = await load("features/element.ts");
const root = fileURLToPath(new URL("../../../www/src/", import.meta.url));
const sources = readdirSync(root, { recursive: true })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => readFileSync(root + path, "utf8"))
  .join("\n");

const SLOTS = /<Slot\s+name="(\w+)"/g;

/** The names that sources write in this form. */
const named = (form) => new Set(Array.from(sources.matchAll(form), ([, name]) => name));
/** The names under which features have something. */
const filled = (kind, { all } = FEATURES) =>
  new Set(all.flatMap((feature) => Object.keys(feature[kind] ?? {})));

describe("what features draw", () => {
  test("in a slot is drawn somewhere, and no slot is empty", () => {
    const places = named(SLOTS);
    assert.ok(places.size > 10);
    assert.deepEqual([...filled("slots")].sort(), [...places].sort());
  });

  test("as a pane has a place, and each place has a pane that is always there but that of a list", () => {
    const places = named(/(?:<PaneOf\s+name=|usePane\()"(\w+)"/g);
    assert.deepEqual([...filled("panes")].sort(), [...places].sort());
    for (const place of places) {
      const panes = FEATURES.all.flatMap(({ panes }) => panes?.[place] ?? []);
      const usual = panes.filter(({ isShown }) => !isShown);
      assert.equal(usual.length, place === "page" ? 0 : 1, place);
    }
  });

  test("at the side has one pane that is always there, below the others", () => {
    const [lowest, ...others] = FEATURES.all.flatMap(({ side }) => side ?? []);
    assert.ok(others.length > 0);
    assert.equal(lowest.isOffered, undefined);
    for (const { title, isOffered, isChosen, choose } of others) {
      assert.ok(isOffered && isChosen && choose, title);
    }
  });
});

test("of cards there is one feature, and a file of the address is opened by one", () => {
  assert.equal(FEATURES.all.filter(({ cards }) => cards).length, 1);
  const fields = FEATURES.all.flatMap(({ addressed }) => addressed?.field ?? []);
  assert.equal(new Set(fields).size, fields.length);
});

test("the element keeps what the page keeps, and its slots are filled as those of the page", () => {
  assert.deepEqual(filled("stores", OF_ELEMENT), filled("stores"));
  assert.deepEqual(filled("panes", OF_ELEMENT), new Set(["main", "problems"]));
  // What is drawn around the transcript is the page's.
  const drawn = [...filled("slots", OF_ELEMENT)].filter(
    (name) => !["bar", "opening"].includes(name),
  );
  assert.ok(drawn.length > 7);
  const namesOf = (list, slot) => list.fillersOf(slot).map(({ name }) => name);
  for (const slot of drawn) {
    assert.deepEqual(namesOf(OF_ELEMENT, slot), namesOf(FEATURES, slot), slot);
  }
});
