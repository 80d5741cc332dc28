// Rows of a database as objects. Conversion only.

function record(names, values) {
  const row = {};
  for (let i = 0; i < names.length; i++) {
    // Assigned, it would be the prototype.
    if (names[i] !== "__proto__") row[names[i]] = values[i];
    else {
      const own = { value: values[i], writable: true, enumerable: true, configurable: true };
      Object.defineProperty(row, "__proto__", own);
    }
  }
  return row;
}

/** The rows of a walk, which is freed behind the last one. */
export function* rowsOf(walk, names) {
  try {
    for (let values = walk.values(); values !== undefined; values = walk.values()) {
      yield record(names, values);
    }
  } finally {
    walk.free();
  }
}
