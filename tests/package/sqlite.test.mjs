// Databases of SQLite: as a real SQLite reads them, through every way to open them, and what is not read.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isApexPartsError, SqliteFile, setLogger, TranscriptError } from "../../pkg/node.mjs";
import { randomSteps } from "../../scripts/sqlite/random.mjs";
import { made, skip } from "../../scripts/sqlite/real.mjs";
import { inputs } from "../inputs.mjs";
import { at } from "./helper.mjs";

setLogger(undefined);
const FOLDER = at("tests", "fixtures", "sqlite");
const NAMES = inputs(FOLDER, /\.db$/).map((name) => name.slice(0, -3));
const bytesOf = (name) => readFileSync(join(FOLDER, name));
const expectedOf = (name) => JSON.parse(bytesOf(`${name}.json`));
const walOf = (name) =>
  existsSync(join(FOLDER, `${name}.db-wal`)) ? bytesOf(`${name}.db-wal`) : undefined;

/** The same bytes as a host that reads ranges, and counts what it reads. */
function host(bytes) {
  const own = {
    bytes: 0,
    size: bytes.length,
    read(offset, length) {
      own.bytes += length;
      return bytes.subarray(offset, offset + length);
    },
  };
  return own;
}

/** A value as the expected ones are written. */
function written(value) {
  if (typeof value === "bigint") return { $int: String(value) };
  if (value instanceof Uint8Array) return { $blob: Buffer.from(value).toString("hex") };
  return Math.abs(value) === Infinity ? { $real: String(value) } : value;
}

/** All of a database as the expected one is written. */
function all(file) {
  return Object.fromEntries(
    file.tables.map(({ name, columns }) => {
      const rows = [...file.rows(name)];
      for (const row of rows) assert.deepEqual(Object.keys(row), columns);
      return [name, { columns, rows: rows.map((row) => Object.values(row).map(written)) }];
    }),
  );
}

/** The tables that are read, of those that are expected. */
const readable = (tables) =>
  Object.fromEntries(Object.entries(tables).filter(([, table]) => table !== null));

function compare(file, expected) {
  const found = all(file);
  assert.deepEqual(Object.keys(found), Object.keys(expected));
  const unread = Object.keys(expected).filter((name) => expected[name] === null);
  for (const name of unread) {
    assert.deepEqual(found[name].rows, []);
    delete found[name];
  }
  assert.deepEqual(found, readable(expected));
  const problems = file.problems();
  assert.deepEqual(
    problems.map(({ rule, message }) => [
      rule,
      /^the table "(.*?)" is not read: /.exec(message)?.[1],
    ]),
    unread.map((name) => ["db-table", name]),
  );
}

const thrown = (call, message) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof TranscriptError && isApexPartsError(error), String(error));
    assert.match(error.message, message);
    return true;
  });

describe("databases of SQLite", () => {
  for (const name of NAMES) {
    test(`${name} is what a real SQLite reads`, () => {
      const [bytes, wal] = [bytesOf(`${name}.db`), walOf(name)];
      for (const [file, log] of [
        [bytes, wal],
        [host(bytes), wal && host(wal)],
        [bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), wal],
      ]) {
        const database = SqliteFile.open(file, { wal: log });
        compare(database, expectedOf(name));
        database.free();
      }
    });
  }

  test("at random are what a real SQLite reads", { skip }, () => {
    const rounds = Number(process.env.ROUNDS ?? 40);
    for (let seed = 1; seed <= rounds; seed++) {
      const place = mkdtempSync(join(tmpdir(), "apex-parts-sqlite-"));
      try {
        const copy = join(place, "copy.db");
        const { steps } = randomSteps(seed);
        const expected = made({ path: join(place, "made.db"), copy, steps });
        const wal = existsSync(`${copy}-wal`) ? readFileSync(`${copy}-wal`) : null;
        const database = SqliteFile.open(readFileSync(copy), { wal });
        try {
          compare(database, expected);
        } catch (error) {
          error.message = `seed ${seed}: ${error.message}`;
          throw error;
        }
        database.free();
      } finally {
        rmSync(place, { recursive: true });
      }
    }
  });

  test("of 0 bytes are whole with their log", () => {
    const database = SqliteFile.open(new Uint8Array(0), { wal: walOf("logged") });
    compare(database, expectedOf("logged"));
    database.free();
  });

  test("are read as far as rows are asked for", () => {
    const source = host(bytesOf("indexed.db"));
    const database = SqliteFile.open(source);
    const opened = source.bytes;
    assert.ok(opened < source.size / 10, `${opened} bytes`);
    const rows = database.rows("message");
    assert.equal(source.bytes, opened);
    assert.equal(rows[Symbol.iterator](), rows);
    assert.equal(rows.next().value.id, "msg_0");
    assert.ok(source.bytes - opened < 4_000);
    assert.deepEqual(rows.return(), { done: true, value: undefined });
    assert.deepEqual(rows.next(), { done: true, value: undefined });
    for (const { id } of database.rows("MESSAGE")) if (id === "msg_5") break;
    // The file of rows that go on may be freed.
    const rest = database.rows("part");
    database.free();
    assert.equal([...rest].length, 200);
    thrown(() => database.tables, /freed/);
  });

  test("have a schema that is a table", () => {
    const database = SqliteFile.open(bytesOf("schema.db"));
    const kinds = new Set([...database.rows("sqlite_schema")].map(({ type }) => type));
    assert.deepEqual([...kinds].sort(), ["index", "table", "view"]);
    assert.ok(database.tables.every(({ name }) => name !== "sqlite_schema"));
    database.free();
  });

  test("say what is damaged, with the page and its offset, and the rest is read", () => {
    const bytes = bytesOf("values.db");
    const whole = expectedOf("values").v.rows.length;
    // A page of rows, behind the first.
    const leaf = bytes.findIndex((byte, i) => i > 512 && i % 512 === 0 && byte === 13);
    for (const [damaged, least] of [
      [Uint8Array.from(bytes, (byte, i) => (i >= leaf && i < leaf + 40 ? 0xff : byte)), 1],
      [bytes.subarray(0, 9_000), 1],
    ]) {
      const database = SqliteFile.open(damaged);
      const { length } = [...database.rows("v")];
      assert.ok(length >= least && length < whole, `${length} of ${whole}`);
      const problems = database.problems();
      assert.ok(problems.length > 0);
      for (const { severity, rule, message, offset } of problems) {
        assert.deepEqual([severity, rule], ["error", "db-page"]);
        const [, page] = /^page (\d+): .*\(db-page\)$/.exec(message);
        assert.ok(offset >= (page - 1) * 512 && offset < page * 512, message);
      }
      database.free();
    }
  });

  test("that are none, and options of the wrong type, are refused", () => {
    const bytes = bytesOf("values.db");
    thrown(
      () => SqliteFile.open(new Uint8Array(5)),
      /^this is no SQLite database, or it is encrypted \(format\)$/,
    );
    for (const wrong of [
      undefined,
      null,
      7,
      "a",
      {},
      { size: 4 },
      { size: -1, read() {} },
      { size: 4, read: 1 },
    ]) {
      thrown(
        () => SqliteFile.open(wrong),
        /^a database must be bytes, or an object with .*\(schema\)$/,
      );
      if (wrong == null) continue;
      thrown(
        () => SqliteFile.open(bytes, { wal: wrong }),
        /^`wal` must be bytes, or an object with/,
      );
    }
    for (const options of [undefined, null, {}, { wal: null }, { wal: bytes }])
      SqliteFile.open(bytes, options).free();
    const database = SqliteFile.open(bytes);
    thrown(() => database.rows("none"), /^there is no table "none" \(schema\)$/);
    thrown(() => database.rows(7), /^the name of a table must be a string/);
    assert.equal([...database.rows("v")].length, expectedOf("values").v.rows.length);
    database.free();
  });

  test("whose `read` fails throw what it threw, and can be read again", () => {
    const source = host(bytesOf("indexed.db"));
    const { read } = source;
    const fail = () => {
      throw new Error("the disk is gone");
    };
    source.read = fail;
    thrown(
      () => SqliteFile.open(source),
      /^the database could not be read: the disk is gone \(source\)$/,
    );
    source.read = read;
    let answer = read;
    const database = SqliteFile.open({ size: source.size, read: (...range) => answer(...range) });
    for (const [wrong, message] of [
      [fail, /^the database could not be read: the disk is gone \(source\)$/],
      [() => "text", /`read` did not return a Uint8Array/],
      [
        () => {
          throw undefined;
        },
        /`read` threw/,
      ],
    ]) {
      answer = read;
      const rows = database.rows("part");
      rows.next();
      answer = wrong;
      thrown(() => [...rows], message);
      assert.deepEqual(rows.next(), { done: true, value: undefined });
    }
    let inner;
    answer = (...range) => {
      try {
        database.problems();
      } catch (error) {
        inner ??= error;
      }
      return read(...range);
    };
    assert.equal([...database.rows("part")].length, 200);
    assert.match(inner.message, /busy/);
    assert.deepEqual(database.problems(), []);
    database.free();
  });

  test("of which more is read than was asked for are the same", () => {
    const bytes = bytesOf("values.db");
    const database = SqliteFile.open({
      size: bytes.length,
      read: (offset) => bytes.subarray(offset),
    });
    compare(database, expectedOf("values"));
    database.free();
  });
});
