// A reporter for node's test runner: a line of JSON for each finished test, with its file. See
// scripts/node-tests.mjs.

export default async function* events(source) {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, file, details } = data;
    // If a file ends before its tests, the failed test has the name of the file.
    const isTest = details.type !== "suite" && name !== file;
    const ms = details.duration_ms;
    yield `${JSON.stringify({ file, name, isTest, failed: type === "test:fail", ms })}\n`;
  }
}
