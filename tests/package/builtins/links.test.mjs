// The law that nothing outside is touched: random trees full of links, random calls with paths through them,
// outside denied, and directories that are swapped for links while permission is asked.
// APEX_LINK_TREES=10000 tries more trees than the tests do; APEX_LINK_SEED, other ones.
import assert from "node:assert/strict";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { installed, removeFolders, workplace } from "./file-tools.mjs";

const TREES = Number(process.env.APEX_LINK_TREES ?? 300);
const SEED = Number(process.env.APEX_LINK_SEED ?? 1);
const CALLS = 8;
/** In every file outside, and in no other. */
const SECRET = "hush-hush";
const NAMES = ["a", "b", "c", "d.txt", "e.txt"];

let parts;
before(async () => {
  parts = await installed("builtins-links");
});
after(removeFolders);

/** Random numbers below `n`, the same for the same seed (mulberry32). */
function generator(seed) {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** Everything below a folder: which file, its mode, size, time, what is in it. */
function stateOf(folder) {
  const found = [];
  const walk = (path) => {
    const stat = lstatSync(path);
    const { ino, mode, size, mtimeMs, ctimeMs } = stat;
    found.push([path, ino, mode, size, mtimeMs, ctimeMs]);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) walk(join(path, name));
    else if (stat.isFile()) found.push(readFileSync(path, "utf8"));
  };
  walk(folder);
  return found;
}

const pick = (random, list) => list[random(list.length)];

/** A path of a few names, some of them `..`. */
function names(random, most) {
  const path = Array.from({ length: 1 + random(most) }, () =>
    random(8) === 0 ? ".." : pick(random, NAMES),
  );
  return path.join("/");
}

/** Puts a directory, a file or a link somewhere below a folder; what cannot be put there is left. */
function grow(random, { work, outside }, folder) {
  const path = join(folder, names(random, 3).replaceAll("..", "a"));
  const targets = [
    () => names(random, 3),
    () => join(work, names(random, 3)),
    () => join(outside, names(random, 2).replaceAll("..", "b")),
    () => `${"../".repeat(random(5))}outside/${pick(random, NAMES)}`,
    () => outside,
    () => "..",
    () => pick(random, NAMES),
  ];
  const text = folder === outside ? `${SECRET} outside\n` : "inside\n";
  const kinds = [
    () => mkdirSync(path, { recursive: true }),
    () => writeFileSync(path, text, { flag: "wx" }),
    () => symlinkSync(pick(random, targets)(), path),
    () => symlinkSync(pick(random, targets)(), path),
  ];
  try {
    pick(random, kinds)();
  } catch {
    // Something is in its way.
  }
}

function tree(random, place) {
  const { work, outside } = place;
  for (const name of NAMES.slice(0, 2)) {
    mkdirSync(join(work, name));
    mkdirSync(join(outside, name));
    writeFileSync(join(outside, name, "d.txt"), `${SECRET}\n`);
  }
  writeFileSync(join(outside, "e.txt"), `${SECRET}\n`);
  // Outside first: what is put inside goes through links from then on, and is not to be written there.
  for (let i = 0; i < 4; i++) {
    const path = join(outside, pick(random, NAMES));
    try {
      if (random(2)) symlinkSync(join(work, names(random, 2)), path);
      else writeFileSync(path, `${SECRET}\n`, { flag: "wx" });
    } catch {
      // Something is in its way.
    }
  }
  for (let i = 0; i < 14; i++) grow(random, place, work);
}

/** Swaps something inside for a link that leads outside. */
function swap(random, { work, outside, folder }) {
  const path = join(work, pick(random, NAMES.slice(0, 3)));
  try {
    renameSync(path, join(folder, `away-${random(1e9)}`));
    symlinkSync(random(2) ? outside : join(outside, pick(random, NAMES)), path);
  } catch {
    // It is not there.
  }
}

function call(random, { work, outside }) {
  const bases = ["", "", "", `${work}/`, `${outside}/`, "../outside/", "../"];
  const filePath = pick(random, bases) + names(random, 4);
  const calls = [
    ["read", { filePath }],
    ["write", { filePath, content: "written\n" }],
    ["edit", { filePath, oldString: pick(random, ["inside", SECRET]), newString: "edited" }],
    ["edit", { filePath, oldString: "", newString: "made\n" }],
  ];
  return pick(random, calls);
}

/** The files of the machine; what is opened or listed is checked when it is. */
function watched(fs, isOutside, opened) {
  const check = (path) => {
    opened.count++;
    if (isOutside(path)) opened.outside.push(path);
  };
  return {
    ...fs,
    read: (path, options) => {
      check(path);
      return fs.read(path, options);
    },
    readdir: (path, options) => {
      check(path);
      return fs.readdir(path, options);
    },
    write: (path, bytes, options) => {
      check(path);
      return fs.write(path, bytes, options);
    },
  };
}

test(`nothing outside is touched in ${TREES} trees of links`, async () => {
  const { fs } = parts.nodeHost();
  const ended = { completed: 0, error: 0 };
  for (let i = 0; i < TREES; i++) {
    const random = generator(SEED * 1_000_003 + i);
    const swaps = random(2) === 1;
    const opened = { count: 0, outside: [] };
    let place;
    const isOutside = (path) => path === place.outside || path.startsWith(`${place.outside}/`);
    place = workplace(parts, {
      guard: "off",
      rules: { external_directory: "deny" },
      fs: watched(fs, (path) => isOutside(path), opened),
      onAsk() {
        if (swaps && random(2)) swap(random, place);
        return "once";
      },
    });
    tree(random, place);
    const before = stateOf(place.outside);
    const told = [];
    for (let j = 0; j < CALLS; j++) {
      const [tool, input] = call(random, place);
      const { state } = await place.run(tool, input);
      ended[state.status]++;
      told.push([tool, input, state.output ?? state.error]);
      assert.notEqual(state.metadata?.kind, "fault", JSON.stringify(told));
      const said = JSON.stringify([state.output, state.error, state.metadata, place.asks]);
      const asked = input.oldString === SECRET ? said.replaceAll(`-${SECRET}`, "") : said;
      assert.ok(!asked.includes(SECRET), `tree ${i}: ${JSON.stringify(told)}`);
    }
    assert.deepEqual(stateOf(place.outside), before, `tree ${i}: ${JSON.stringify(told)}`);
    assert.deepEqual(opened.outside, [], `tree ${i}: ${JSON.stringify(told)}`);
    removeFolders();
  }
  // Not everything was refused.
  assert.ok(ended.completed > TREES, JSON.stringify(ended));
});
