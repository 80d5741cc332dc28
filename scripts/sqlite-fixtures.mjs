// Writes the databases of tests/fixtures/sqlite with a real SQLite, and what it reads in them.
//
//   node scripts/sqlite-fixtures.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "./lib.mjs";
import { dice } from "./sqlite/random.mjs";
import { made, skip } from "./sqlite/real.mjs";

if (skip) throw new Error(`This ${skip}.`);
const folder = at("tests/fixtures/sqlite");

const blob = (hex) => ({ $blob: hex });
const VALUES = [
  [null, 0, 1, -1, 127],
  [128, 32767, -32768, 8388607, -8388608],
  [
    2147483647,
    { $int: "140737488355327" },
    { $int: "9223372036854775807" },
    { $int: "-9223372036854775808" },
    0.5,
  ],
  [{ $int: "9007199254740991" }, { $int: "9007199254740992" }, -2e300, 5e-324, ""],
  ["größe 漢字 😀", "it's", blob(""), blob("00ff10"), "0"],
  ["long ".repeat(30), "longer ".repeat(300), blob("ab".repeat(700)), "end", null],
];
const values = (encoding) => [
  ["PRAGMA page_size = 512"],
  [`PRAGMA encoding = '${encoding}'`],
  ["CREATE TABLE v (a, b, c, d, e)"],
  ...Array.from({ length: 4 }, () => VALUES)
    .flat()
    .map((row) => ["INSERT INTO v VALUES (?, ?, ?, ?, ?)", row]),
  ["DELETE FROM v WHERE _rowid_ % 5 = 0"],
];

const SCHEMA = [
  ["PRAGMA page_size = 1024"],
  [
    `CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, -- a comment, (
 "x,y" VARCHAR(10, 2) DEFAULT 'a,b)', 'quoted' TEXT, [in brackets] NUMERIC CHECK ([in brackets] > 0 AND 1 < 2),
 \`b\`\`t\` REAL, "with ""quotes""" BLOB /* , */, CONSTRAINT k UNIQUE ("x,y"), CHECK (id > 0))`,
  ],
  [`INSERT INTO t ("x,y", quoted, [in brackets], \`b\`\`t\`) VALUES ('one', 'q', 1, 2)`],
  ["ALTER TABLE t ADD COLUMN added TEXT DEFAULT 'it''s new'"],
  ["ALTER TABLE t ADD COLUMN number INTEGER DEFAULT -7"],
  ["ALTER TABLE t ADD COLUMN fraction TEXT DEFAULT (-1.50)"],
  ["ALTER TABLE t ADD COLUMN bytes DEFAULT x'00ff'"],
  ["ALTER TABLE t ADD COLUMN yes DEFAULT TRUE"],
  ["ALTER TABLE t ADD COLUMN real REAL DEFAULT 5"],
  ["ALTER TABLE t ADD COLUMN none_there DEFAULT NULL"],
  [`INSERT INTO t ("x,y", quoted, number) VALUES ('two', NULL, 8)`],
  ["CREATE TABLE g (a, b AS (a * 2) VIRTUAL, c INTEGER GENERATED ALWAYS AS (a + 1) STORED, d)"],
  ["INSERT INTO g (a, d) VALUES (1, 'x'), (2, 'y')"],
  ["CREATE TABLE falling (a INTEGER PRIMARY KEY DESC, b)"],
  ["INSERT INTO falling VALUES (5, 'five'), (3, 'three'), (NULL, 'none')"],
  ["CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID"],
  ["INSERT INTO w VALUES ('a', 1)"],
  ["CREATE VIRTUAL TABLE words USING fts5(body)"],
  ["INSERT INTO words VALUES ('some words')"],
  ["CREATE TABLE empty (a, b)"],
  ["CREATE VIEW seen AS SELECT 1"],
];

const session = (number) => `ses_${String(number).padStart(4, "0")}`;
const random = dice(7);
const INDEXED = [
  ["PRAGMA page_size = 512"],
  [
    "CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT COLLATE NOCASE, data TEXT)",
  ],
  ["CREATE INDEX message_session ON message (session_id, id)"],
  ["CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, UNIQUE (session_id, id))"],
  ["CREATE INDEX part_message ON part (message_id DESC)"],
  ["CREATE INDEX part_some ON part (id) WHERE id > 'p'"],
  ["CREATE INDEX message_role ON message (role)"],
  ["BEGIN"],
  ...Array.from({ length: 160 }, (_, at) => [
    "INSERT INTO message VALUES (?, ?, ?, ?)",
    [
      `msg_${at}`,
      session(random.below(25)),
      random.of(["user", "USER", "assistant"]),
      "d".repeat(random.below(9)),
    ],
  ]),
  ...Array.from({ length: 200 }, (_, at) => [
    "INSERT INTO part VALUES (?, ?, ?)",
    [
      `prt_${at}`,
      random.chance(0.1) ? null : `msg_${random.below(100)}`,
      session(random.below(10)) + "x".repeat(random.below(2) * 150),
    ],
  ]),
  ["COMMIT"],
];

const LOGGED = [
  ["PRAGMA page_size = 512"],
  ["PRAGMA journal_mode = WAL"],
  ["PRAGMA wal_autocheckpoint = 0"],
  ["CREATE TABLE t (a, b)"],
  ...Array.from({ length: 30 }, (_, at) => [
    "INSERT INTO t VALUES (?, ?)",
    [at, `text ${at} `.repeat(at)],
  ]),
  ["DELETE FROM t WHERE a % 3 = 0"],
  ["UPDATE t SET b = 'changed' WHERE a % 3 = 1"],
];

const DATABASES = {
  values: values("UTF-8"),
  utf16le: values("UTF-16le"),
  utf16be: values("UTF-16be"),
  schema: SCHEMA,
  indexed: INDEXED,
  logged: LOGGED,
};

mkdirSync(folder, { recursive: true });
for (const [name, steps] of Object.entries(DATABASES)) {
  const place = mkdtempSync(join(tmpdir(), "sqlite-"));
  const copy = join(folder, `${name}.db`);
  for (const old of [copy, `${copy}-wal`]) rmSync(old, { force: true });
  const tables = made({ path: join(place, "made.db"), copy, steps });
  const rows = ([table, read]) => {
    if (read === null) return `${JSON.stringify(table)}: null`;
    const lines = read.rows.map((row) => `\n  ${JSON.stringify(row)}`);
    return `${JSON.stringify(table)}: {"columns": ${JSON.stringify(read.columns)}, "rows": [${lines}]}`;
  };
  writeFileSync(
    join(folder, `${name}.json`),
    `{\n${Object.entries(tables).map(rows).join(",\n")}\n}\n`,
  );
  rmSync(place, { recursive: true });
}
