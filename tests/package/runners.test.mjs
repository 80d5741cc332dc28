// The package in test runners: jest (CommonJS, without configuration) and vitest (ES modules).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { consumer, fixture, run, tool } from "./helper.mjs";

const behaviour = readFileSync(fixture("behaviour.mjs"), "utf8");
const TESTS = behaviour.match(/^ {2}test\(/gm).length;

const CLOCK = (name) => `const clock = {
  stopAt: (now) => ${name}.useFakeTimers({ now }),
  go: () => ${name}.useRealTimers(),
};
`;

test(`jest runs ${TESTS} tests of typical use`, async () => {
  const folder = await consumer("jest", {
    "behaviour.js": behaviour.replace("export default ", "module.exports = "),
    "parts.test.js": `const parts = require("apex-parts");
const behaviour = require("./behaviour.js");
${CLOCK("jest")}behaviour({ parts, test, expect, clock });
`,
    // The same in a second file: jest loads modules for each file.
    "bridge.test.js": `const bridge = require("apex-parts/apex-bridge");
test("apex-bridge's names are exported", () => {
  expect(Object.keys(bridge)).toHaveLength(29);
  expect(bridge.createTextPart({ sessionID: "s", messageID: "m", text: "t" }).text).toBe("t");
});
test("a module can be mocked in part", () => {
  jest.resetModules();
  jest.doMock("apex-parts", () => ({ ...jest.requireActual("apex-parts"), version: () => "mocked" }));
  const parts = require("apex-parts");
  expect(parts.version()).toBe("mocked");
  expect(parts.PartFactory.createTextPart("s", "m", "t").text).toBe("t");
});
test("one function can be spied on", () => {
  jest.resetModules();
  jest.dontMock("apex-parts");
  const parts = require("apex-parts");
  const spy = jest.spyOn(parts.PartFactory, "createTextPart");
  parts.PartFactory.createTextPart("s", "m", "t");
  expect(spy).toHaveBeenCalledTimes(1);
});
`,
  });
  const out = await run(process.execPath, [tool("jest"), "--json", "--silent"], {
    quiet: true,
    cwd: folder,
  });
  const { success, numPassedTests, numFailedTests } = JSON.parse(out);
  assert.deepEqual(
    { success, numPassedTests, numFailedTests },
    {
      success: true,
      numPassedTests: TESTS + 3,
      numFailedTests: 0,
    },
  );
});

test(`vitest runs ${TESTS} tests of typical use`, async () => {
  const folder = await consumer(
    "vitest",
    {
      "behaviour.js": behaviour,
      "parts.test.js": `import * as parts from "apex-parts";
import { expect, test, vi } from "vitest";
import behaviour from "./behaviour.js";
${CLOCK("vi")}behaviour({ parts, test, expect, clock });
`,
      "bridge.test.js": `import { createTextPart, isToolStatePending } from "apex-parts/apex-bridge";
import { createTextPart as main, version } from "apex-parts";
import { createRequire } from "node:module";
import { expect, test, vi } from "vitest";
test("apex-bridge's names are the main entry's", () => {
  expect(createTextPart).toBe(main);
  expect(isToolStatePending({ status: "pending", input: {}, raw: "" })).toBe(true);
});
test("import and require give one instance", () => {
  expect(createRequire(import.meta.url)("apex-parts").createTextPart).toBe(main);
});
vi.mock("apex-parts", async (original) => ({ ...(await original()), version: () => "mocked" }));
test("a module can be mocked in part", () => {
  expect(version()).toBe("mocked");
});
`,
      // Otherwise vitest finds the configuration of the repository.
      "vitest.config.js": "export default {};\n",
    },
    { type: "module" },
  );
  const args = [tool("vitest"), "run", "--reporter=json", "--root", folder];
  const out = await run(process.execPath, args, { quiet: true, cwd: folder });
  const { success, numPassedTests, numFailedTests } = JSON.parse(out.slice(out.indexOf("{")));
  assert.deepEqual(
    { success, numPassedTests, numFailedTests },
    {
      success: true,
      numPassedTests: TESTS + 3,
      numFailedTests: 0,
    },
  );
});

test("vitest runs them too when it transforms the package itself (server.deps.inline)", async () => {
  const folder = await consumer(
    "vitest-inline",
    {
      "behaviour.js": behaviour,
      "parts.test.js": `import * as parts from "apex-parts";
import { expect, test, vi } from "vitest";
import behaviour from "./behaviour.js";
${CLOCK("vi")}behaviour({ parts, test, expect, clock });
`,
      "vitest.config.js": `export default { test: { server: { deps: { inline: ["apex-parts"] } } } };\n`,
    },
    { type: "module" },
  );
  const args = [tool("vitest"), "run", "--reporter=json", "--root", folder];
  const out = await run(process.execPath, args, { quiet: true, cwd: folder });
  const { numPassedTests, numFailedTests } = JSON.parse(out.slice(out.indexOf("{")));
  assert.deepEqual(
    { numPassedTests, numFailedTests },
    { numPassedTests: TESTS, numFailedTests: 0 },
  );
});
