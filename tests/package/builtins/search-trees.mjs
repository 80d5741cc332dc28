// Random small trees, and calls of glob and grep over them.

const NAMES = [
  "a",
  "b.ts",
  "ab.ts",
  "[id].ts",
  ".env",
  ".h",
  "é.txt",
  "a b.ts",
  "x.log",
  "sub",
  "lib",
];
const MORE_NAMES = ["a-b", "a.d", "z.tsx", ".x.ts", "-e", "{x}.ts", "a\nb.txt", "UP.TS"];
const IGNORED = [
  "*.log",
  "sub/",
  "/a",
  "!b.ts",
  "lib/*.ts",
  "**/z.tsx",
  ".env",
  "!a/",
  "*.ts",
  "é*",
];
const MORE_IGNORED = ["# c", "/*", "!/sub", "[ab]*", "*", "!*/", "{a,b}", "a\\ b.ts", "sub/**", ""];
const LINES = [
  "foo",
  "foo bar",
  "Foo",
  "xfoox",
  "",
  "  ",
  "привет foo",
  "é",
  "ſ s S K",
  "\tfoo",
  "foo\r",
];
const MORE_LINES = [
  "\rfoo",
  "foo\u2028bar",
  "a_b foo-bar",
  "1.5 foo",
  "end{",
  "日本",
  `${"q".repeat(70_000)}foo`,
];
const PATTERNS = [
  "foo",
  "^foo",
  "foo$",
  "\\bfoo\\b",
  "(?i)FOO",
  "\\w+\\s+\\w+",
  "^$",
  "^\\s*$",
  "\\d",
  "[^a]",
];
const MORE_PATTERNS = [
  "\\p{Cyrillic}",
  "[[:alpha:]]\\d",
  "(a|b)+_",
  "s",
  "k",
  "\\Afoo",
  "x*",
  "(?i:F)oo b",
  "q{9}f",
];
const GLOBS = [
  "*.ts",
  "**/*.ts",
  "sub/*",
  "!*.ts",
  "[id].ts",
  "*.{ts,tsx}",
  "a*",
  "/b.ts",
  "[ab].ts",
  ".*",
  "lib/",
];

/** Numbers from 0 to 1 that are the same for the same seed. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

class RandomTree {
  files = new Map();
  links = new Map();

  constructor(next) {
    this.next = next;
    this.fill("", 0);
  }

  pick(...lists) {
    const list = lists.flat();
    return list[Math.floor(this.next() * list.length)];
  }

  content() {
    const count = Math.floor(this.next() * 6);
    const lines = Array.from({ length: count }, () => this.pick(LINES, MORE_LINES));
    const end = this.next() < 0.2 ? "\r\n" : "\n";
    const text = lines.join(end) + (this.next() < 0.7 ? end : "");
    const kind = this.next();
    if (kind < 0.05) return `${text}\0foo\n`;
    if (kind < 0.12)
      return Buffer.concat([Buffer.from(text), Buffer.from("foo\xe9\n\x80foo\n", "latin1")]);
    if (kind < 0.18) return Buffer.from(`\ufeff${text}`, "utf16le");
    return kind < 0.22 ? `\ufeff${text}` : text;
  }

  fill(folder, depth) {
    const names = new Set();
    for (let i = 0; i <= this.next() * 6; i++) names.add(this.pick(NAMES, MORE_NAMES));
    for (const name of names) {
      const kind = this.next();
      if (kind < 0.35 && depth < 3) this.fill(`${folder}${name}/`, depth + 1);
      else if (kind > 0.95) this.links.set(folder + name, this.pick(".", "..", "sub", "nowhere"));
      else this.files.set(folder + name, this.content());
    }
    if (this.next() < 0.4) {
      const lines = Array.from({ length: 3 }, () => this.pick(IGNORED, MORE_IGNORED));
      this.files.set(folder + this.pick(".gitignore", ".ignore", ".rgignore"), lines.join("\n"));
    }
    if (this.next() < 0.1) this.files.set(`${folder}.git/info/exclude`, this.pick(IGNORED));
    // A link needs its folder.
    if (this.files.size === 0) this.files.set(`${folder}one`, "foo\n");
  }

  call() {
    if (this.next() < 0.3) return ["glob", { pattern: this.pick(GLOBS) }];
    const input = { pattern: this.pick(PATTERNS, MORE_PATTERNS) };
    if (this.next() < 0.4) input.include = this.pick(GLOBS);
    if (this.next() < 0.3) input.context = Math.floor(this.next() * 3);
    if (this.next() < 0.3) input.limit = 1 + Math.floor(this.next() * 4);
    if (this.next() < 0.2) input.ignoreCase = true;
    return ["grep", input];
  }
}

/** Trees, as `{files, links, calls}`. */
export function* randomCalls(seed, count) {
  const next = numbers(seed);
  for (let i = 0; i < count; i++) {
    const tree = new RandomTree(next);
    const calls = Array.from({ length: 12 }, () => tree.call());
    // A link whose folder has nothing else in it has no place.
    const folders = [...tree.files.keys()].map((path) => path.slice(0, path.lastIndexOf("/") + 1));
    const links = [...tree.links].filter(([path]) =>
      folders.includes(path.slice(0, path.lastIndexOf("/") + 1)),
    );
    yield { files: tree.files, links, calls };
  }
}
