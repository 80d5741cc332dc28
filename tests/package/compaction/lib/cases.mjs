// How labelled cases are read, and ids that rise.

/** The value with its long texts written out, and the number NaN where a case names it. */
export function resolved(value, key = "") {
  if (Array.isArray(value)) return value.map((one) => resolved(one));
  if (typeof value !== "object" || value === null) {
    return value === "NaN" && key !== "text" ? Number.NaN : value;
  }
  if ("$repeat" in value) return resolved(value.$repeat[0]).repeat(value.$repeat[1]);
  if ("$join" in value) return value.$join.map((one) => resolved(one)).join("");
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, resolved(one, name)]),
  );
}

/** Gives UUIDs, each greater than the last. */
export function idSource(first = 0) {
  let next = first;
  return () => {
    next++;
    return `0198ffff-0000-7000-8000-${next.toString(16).padStart(12, "0")}`;
  };
}
