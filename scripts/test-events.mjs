// A reporter for node's test runner: a line of JSON for each finished test. See scripts/test-pool.mjs.

export default async function* events(source) {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, file, details, skip } = data;
    // If a file ends before its tests, the failed test has the name of the file.
    const isTest = details.type !== "suite" && name !== file;
    const test = { name, isTest, failed: type === "test:fail", ms: details.duration_ms };
    // Without a reason it is `true`.
    if (skip !== undefined && skip !== false) test.skipped = skip === true ? "" : skip;
    yield `${JSON.stringify(test)}\n`;
  }
}
