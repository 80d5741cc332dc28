// Words, code and outputs of tools, generated from a seed.

/** Random numbers, deterministic for a seed (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** A whole number from `least` to `most`. */
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (share) => next() < share,
    /** A size: half are below `median`, few are much larger, none exceeds `most`. */
    size: (median, spread, most) => {
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return Math.max(1, Math.min(most, Math.round(median * Math.exp(spread * normal))));
    },
    text: (alphabet, length) => {
      let text = "";
      for (let i = 0; i < length; i++) text += alphabet[Math.floor(next() * alphabet.length)];
      return text;
    },
  };
}

const list = (text) => text.trim().split(/\s+/);
const NOUNS = list(`parser cache index route queue worker session token cursor buffer chunk schema
  handler logger timer socket client server request response header record field column table query
  cell frame signal event stream batch retry budget limit counter ledger invoice account ticket order`);
const VERBS = list(`reads writes checks drops keeps merges splits counts sorts loads stores opens
  closes sends takes skips marks finds holds returns`);
const LINKS = list(`and but then because while when before after so although`);
const QUALITIES = list(`old new wrong empty missing second first slow fast stale local shared broken
  unused duplicate late early nested`);
const FOREIGN = [
  "naïve",
  "Größe",
  "résumé",
  "検索結果",
  "配置文件",
  "ошибка",
  "λ",
  "→",
  "✅",
  "🧪",
  "👩‍💻",
];
const FOLDERS = list(`src lib tests app core api web tools docs`);
const ENDINGS = list(`ts rs py go md json`);
const STARTS = [
  "Now I see what happens:",
  "Next:",
  "That explains it.",
  "Before changing anything, a look at the tests.",
  "Two things stand out.",
  "The build is green again.",
  "This is not what the name promises.",
];

/** Generators of the texts, code and outputs of a session. */
export function words(rng) {
  const { pick, chance, whole } = rng;
  const noun = () => pick(NOUNS);
  const sentence = () => {
    const clause = () =>
      `the ${chance(0.6) ? `${pick(QUALITIES)} ` : ""}${noun()} ${pick(VERBS)} the ${noun()}`;
    let text = clause();
    if (chance(0.5)) text += ` ${pick(LINKS)} ${clause()}`;
    if (chance(0.15)) text += ` (\`${noun()}_${noun()}\`)`;
    if (chance(0.06)) text += ` ${pick(FOREIGN)}`;
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  };
  /** Text of approximately this length. */
  const prose = (length) => {
    let text = chance(0.3) ? pick(STARTS) : sentence();
    while (text.length < length) text += `${chance(0.15) ? "\n\n" : " "}${sentence()}`;
    return text;
  };
  const path = () => `${pick(FOLDERS)}/${noun()}/${noun()}.${pick(ENDINGS)}`;
  const LINES = [
    () => `  const ${noun()} = await ${noun()}.${pick(["get", "open", "find"])}("${noun()}");`,
    () => `  if (!${noun()}.${noun()}) return undefined;`,
    () =>
      `  for (const ${noun()} of ${noun()}s) ${noun()}.push({ ${noun()}, id: ${whole(1, 9999)} });`,
    () => `  // ${sentence()}`,
    () => "",
    () => `  return { ...${noun()}, ${noun()}: ${whole(0, 500)} };`,
    () => `export function ${noun()}${whole(1, 99)}(${noun()}: string) {`,
    () => "}",
    () => `    assert.equal(${noun()}.${noun()}, "${pick(FOREIGN)}\\n");`,
  ];
  const lines = (length, line) => {
    const all = [];
    for (let left = length; left > 0; ) {
      const one = line(all.length);
      all.push(one);
      left -= one.length + 1;
    }
    return all.join("\n");
  };
  const code = (length) => lines(length, () => pick(LINES)());
  const file = (length) => lines(length, (i) => `${String(i + 1).padStart(5)}| ${pick(LINES)()}`);
  const listing = (length) =>
    `total ${whole(8, 400)}\n${lines(
      length,
      () =>
        `-rw-r--r-- 1 dev dev ${String(whole(90, 90_000)).padStart(6)} Mar ${whole(10, 28)} ${whole(10, 23)}:${whole(10, 59)} ${noun()}.${pick(ENDINGS)}`,
    )}`;
  const testRun = (length) => {
    const body = lines(length, () => {
      const mark = chance(0.93) ? "\x1b[32m✓\x1b[39m" : "\x1b[31m✗\x1b[39m";
      return ` ${mark} ${noun()} > ${sentence().toLowerCase()} \x1b[2m${whole(1, 900)} ms\x1b[22m`;
    });
    return `\x1b[1mRUN\x1b[22m v3.1.${whole(0, 9)}\n\n${body}\n\n Tests  \x1b[1m\x1b[32m${whole(5, 300)} passed\x1b[39m\x1b[22m`;
  };
  const found = (length) => lines(length, () => `${path()}:${whole(1, 900)}:${pick(LINES)()}`);
  const log = (length) =>
    lines(
      length,
      (i) =>
        `[${String(i).padStart(6, "0")}] ${pick(["info ", "debug", "\x1b[33mwarn\x1b[0m "])} ${noun()}=${whole(0, 1e6)} ${sentence()}`,
    );
  const diff = (name, before, after) => {
    const mark = (text, sign) => text.split("\n").map((line) => `${sign}${line}\n`);
    const body = [...mark(before, "-"), ...mark(after, "+")].join("");
    const at = whole(1, 400);
    const size = (text) => text.split("\n").length;
    return `Index: ${name}\n--- ${name}\n+++ ${name}\n@@ -${at},${size(before)} +${at},${size(after)} @@\n${body}`;
  };
  return { noun, sentence, prose, path, code, file, listing, testRun, found, log, diff };
}
