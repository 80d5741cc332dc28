// A reporter for node's test runner: each test that has ended as a line of JSON, with its file. See
// scripts/node-tests.mjs.

export default async function* events(source) {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { name, file, details } = data;
    // A file that ends before its tests do is itself what failed, by its own name.
    const isTest = details.type !== "suite" && name !== file;
    const ms = details.duration_ms;
    yield `${JSON.stringify({ file, name, isTest, failed: type === "test:fail", ms })}\n`;
  }
}
