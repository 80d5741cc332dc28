"""Executes steps on a new database, and prints all of it: see real.mjs, which does the same with Node's SQLite."""

import json
import math
import os
import shutil
import sqlite3
import sys


def bound(value):
    """A value of a step as SQLite takes it."""
    if isinstance(value, dict):
        return bytes.fromhex(value["$blob"]) if "$blob" in value else int(value["$int"])
    return value


def written(value):
    """A value of a row in JSON."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return {"$int": str(value)}
    if isinstance(value, bytes):
        return {"$blob": value.hex()}
    if isinstance(value, float) and math.isinf(value):
        return {"$real": "Infinity" if value > 0 else "-Infinity"}
    return value


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


job = json.load(sys.stdin)
database = sqlite3.connect(job["path"], isolation_level=None)
for sql, *values in job["steps"]:
    if values and values[0]:
        database.execute(sql, [bound(value) for value in values[0]])
    else:
        database.execute(sql)
if job.get("copy"):
    shutil.copy(job["path"], job["copy"])
    if os.path.exists(job["path"] + "-wal"):
        shutil.copy(job["path"] + "-wal", job["copy"] + "-wal")
without = {row[1] for row in database.execute("PRAGMA table_list") if row[0] == "main" and row[4] == 1}
tables = {}
for name, sql in database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall():
    tables[name] = None
    if sql.upper().startswith("CREATE VIRTUAL") or name in without:
        continue
    columns = [row[1] for row in database.execute(f"PRAGMA table_xinfo({quoted(name)})") if row[6] != 2]
    rows = database.execute(f"SELECT {','.join(map(quoted, columns))} FROM {quoted(name)} ORDER BY _rowid_")
    tables[name] = {"columns": columns, "rows": [[written(value) for value in row] for row in rows]}
database.close()
json.dump(tables, sys.stdout)
