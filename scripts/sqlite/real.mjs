// A real SQLite: that of Node where it has one, else Python's.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("real.py", import.meta.url));

async function ofNode() {
  try {
    // Older versions have no such module.
    return await import("node:sqlite");
  } catch {
    return undefined;
  }
}

const own = await ofNode();
const python = ["python3", "python"].find((name) => {
  const { status } = own ? { status: 1 } : spawnSync(name, ["-c", "import sqlite3"]);
  return status === 0;
});

/** Why there is no real SQLite, or `false`: what a test takes as `skip`. */
export const skip = own || python ? false : "needs a Node with node:sqlite, or Python with sqlite3";

/** A value of a step as SQLite takes it: `{$blob: HEX}`, `{$int: DIGITS}`, or as it is. */
function bound(value) {
  if (value?.$blob !== undefined) return Buffer.from(value.$blob, "hex");
  return value?.$int === undefined ? value : BigInt(value.$int);
}

/** A value of a row in JSON. */
function written(value) {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : { $int: String(value) };
  }
  if (value instanceof Uint8Array) return { $blob: Buffer.from(value).toString("hex") };
  return Object.is(value, Infinity) || Object.is(value, -Infinity)
    ? { $real: String(value) }
    : value;
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

function withNode({ path, copy, steps }) {
  const database = new own.DatabaseSync(path, { enableDoubleQuotedStringLiterals: true });
  const all = (sql) => {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  };
  for (const [sql, values = []] of steps) {
    if (values.length > 0) database.prepare(sql).run(...values.map(bound));
    else database.exec(sql);
  }
  if (copy) {
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  }
  const tables = {};
  for (const { name, sql } of all("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")) {
    const [listed] = all("PRAGMA table_list").filter(
      (one) => one.schema === "main" && one.name === name,
    );
    tables[name] = null;
    if (/^CREATE VIRTUAL/i.test(sql) || listed.wr === 1n) continue;
    const columns = all(`PRAGMA table_xinfo(${quoted(name)})`).filter(
      ({ hidden }) => hidden !== 2n,
    );
    const names = columns.map((column) => column.name);
    const select = names.map((one, at) => `${quoted(one)} AS c${at}`).join();
    const rows = all(`SELECT ${select} FROM ${quoted(name)} ORDER BY _rowid_`);
    tables[name] = { columns: names, rows: rows.map((row) => Object.values(row).map(written)) };
  }
  database.close();
  return tables;
}

function withPython(job) {
  const { status, stdout, stderr } = spawnSync(python, [PROGRAM], {
    input: JSON.stringify(job),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/**
 * Executes steps (`[sql, values?]`) on a new database, and reads all of it: `{NAME: {columns, rows} | null}`, null for tables
 * without row numbers and virtual ones. With `copy` the files are copied there while the database is open, with its log.
 */
export const made = (job) => (own ? withNode(job) : withPython(job));
