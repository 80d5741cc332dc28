// Random databases, each from a seed: the steps that a real SQLite executes.

/** Random numbers from a seed (mulberry32). */
export function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { below, of: (list) => list[below(list.length)], chance: (share) => next() < share };
}

const TYPES = [
  "",
  "INTEGER",
  "TEXT",
  "REAL",
  "BLOB",
  "NUMERIC",
  "VARCHAR(20, 2)",
  "INT",
  "DOUBLE PRECISION",
];
const NAMES = [
  "plain",
  '"with ""quotes"""',
  "`b``t`",
  "[in brackets]",
  "größe",
  '"a, b"',
  "'text'",
  '"(x)"',
];
const CHARACTERS = ["a", "Z", "'", '"', "ß", "漢", "😀", "\n", "\\", " ", "0"];
const DEFAULTS = [
  "7",
  "-7",
  "1.5",
  "-1.50",
  "'it''s'",
  "x'00ff'",
  "NULL",
  "TRUE",
  "(5)",
  "(-5)",
  "''",
  "1e3",
  "0x10",
  '"dq"',
];
const INTEGERS = [
  0, 1, -1, 127, -128, 128, 32767, -32768, 8388607, -8388608, 2147483647, 140737488355327,
  -140737488355328,
];

/** A text of about so many characters. */
function text({ of, below }, length) {
  const piece = Array.from({ length: 1 + below(8) }, () => of(CHARACTERS)).join("");
  return piece.repeat(Math.ceil(length / piece.length));
}

function value(random) {
  const { below, of, chance } = random;
  const length = chance(0.1) ? below(9_000) : below(60);
  switch (below(8)) {
    case 0:
      return null;
    case 1:
      return { $int: String(BigInt(of(INTEGERS)) + BigInt(below(5))) };
    case 2:
      return {
        $int: String(of([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n - 1n])),
      };
    case 3:
      return of([0.5, -2e300, 3.25, 5e-324, 1e17, 0.1]) * (1 + below(9));
    case 4:
      return {
        $blob: Array.from({ length }, () => below(256).toString(16).padStart(2, "0")).join(""),
      };
    case 5:
      return "";
    default:
      return text(random, length);
  }
}

/** A column: its name and all that follows it. */
function column(random, at) {
  const name = random.chance(0.4) && at < NAMES.length ? NAMES[at] : `c${at}`;
  const rest = random.chance(0.3) ? ` DEFAULT ${random.of(DEFAULTS)}` : "";
  return { name, sql: `${name} ${random.of(TYPES)}${rest}` };
}

/**
 * The steps that make a database: random tables and values, page sizes and encodings, columns that are added, rows that are
 * deleted, and sometimes a vacuum or a write-ahead log.
 */
export function randomSteps(seed) {
  const random = dice(seed);
  const { below, of, chance } = random;
  const isLogged = chance(0.35);
  const steps = [
    [`PRAGMA page_size = ${of([512, 1024, 4096, 65536])}`],
    [`PRAGMA encoding = '${of(["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"])}'`],
    [`PRAGMA auto_vacuum = ${of([0, 0, 1, 2])}`],
    ["CREATE TABLE first_one (a)"],
  ];
  if (isLogged)
    steps.push(["PRAGMA journal_mode = WAL"], [`PRAGMA wal_autocheckpoint = ${of([0, 5, 1000])}`]);
  for (let table = 0; table < 1 + below(3); table++) {
    const columns = Array.from({ length: 1 + below(6) }, (_, at) => column(random, at));
    const own = columns.map((one) => one.name);
    const defined = columns.map((one) => one.sql);
    if (chance(0.5)) {
      defined.splice(
        below(defined.length + 1),
        0,
        `id INTEGER PRIMARY KEY ${of(["", "ASC", "AUTOINCREMENT", "DESC"])}`,
      );
    } else if (chance(0.3)) defined.push("k INTEGER", "PRIMARY KEY (k DESC)");
    if (chance(0.3)) defined.push(`UNIQUE (${own[0]}, ${own.at(-1)})`);
    if (chance(0.3))
      defined.splice(below(columns.length), 0, `v${table} AS (1 + 1) ${of(["VIRTUAL", "STORED"])}`);
    const name = of([`t${table}`, `"table ${table}"`]);
    steps.push([
      `CREATE TABLE ${name} (${defined.join(of([", ", ",\n -- a comment, (\n ", " /* , */ , "]))})`,
    ]);
    if (chance(0.4)) steps.push([`CREATE INDEX i${table} ON ${name} (${own[0]})`]);
    const insert = () => {
      const marks = own.map(() => "?").join();
      const sql = `INSERT OR IGNORE INTO ${name} (${own.join()}) VALUES (${marks})`;
      steps.push([sql, own.map(() => value(random))]);
    };
    steps.push(["BEGIN"]);
    for (let row = below(120); row > 0; row--) insert();
    steps.push(["COMMIT"]);
    for (let added = below(3); added > 0; added--) {
      const { sql } = column(random, 20 + added);
      steps.push([`ALTER TABLE ${name} ADD COLUMN ${sql}`]);
    }
    if (chance(0.5)) steps.push([`DELETE FROM ${name} WHERE _rowid_ % ${2 + below(5)} = 0`]);
    if (chance(0.3))
      steps.push([
        `UPDATE ${name} SET _rowid_ = _rowid_ * ${of([1000, 4_000_000_000])} WHERE _rowid_ % 3 = 1`,
      ]);
    for (let row = below(20); row > 0; row--) insert();
    if (chance(0.15)) steps.push([`ALTER TABLE ${name} RENAME TO "renamed ${table}"`]);
  }
  if (chance(0.3)) steps.push(["VACUUM"]);
  return { steps, isLogged };
}
