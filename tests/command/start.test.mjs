// `npm start`, as a user runs it: serves the viewer with the given file.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../scripts/lib.mjs";

/** Starts it, waits for the address, and passes that to `look`. */
async function started(args, look) {
  const command = ["start", "--silent", "--", "--no-open", "--port", "0", ...args];
  const child = spawn("npm", command, { cwd: at(), detached: true });
  let out = "";
  try {
    const url = await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          out += chunk;
          const found = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(out);
          if (found) resolve(new URL(found[0]));
        });
      }
      child.on("close", (code) => reject(new Error(`ended with ${code}: ${out}`)));
    });
    await look(url);
  } finally {
    // npm and its shell are a process group.
    if (child.exitCode === null) process.kill(-child.pid, "SIGINT");
  }
}

test("npm start serves the viewer, with its policy and a sample", () =>
  started([], async (url) => {
    const page = await fetch(url);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy"), /default-src 'none'/);
    assert.match(await page.text(), /<script/);
    assert.equal((await fetch(new URL("samples/fix-greeting.json", url))).status, 200);
  }));

test("npm start -- FILE serves that file and opens it", () => {
  const file = at("tests", "fixtures", "subtask.export.json");
  return started(["tests/fixtures/subtask.export.json"], async (url) => {
    const source = url.searchParams.get("src");
    assert.ok(source, "the address names the file");
    const bytes = await (await fetch(new URL(source, url))).text();
    assert.equal(bytes, readFileSync(file, "utf8"));
  });
});

test("npm start -- FOLDER and -- FILE FILE serve the list of the runs", async () => {
  const list = async (url) => {
    assert.equal(url.searchParams.get("runs"), "runs/list.json");
    return (await fetch(new URL("runs/list.json", url))).json();
  };
  await started(["tests/fixtures/formats"], async (url) => {
    const { name, files } = await list(url);
    assert.equal(name, "formats");
    assert.ok(files.length > 3);
  });
  const two = ["tests/fixtures/subtask.export.json", "tests/fixtures/aborted.export.json"];
  await started(two, async (url) => {
    const { files } = await list(url);
    assert.deepEqual(
      files.map(({ path }) => path),
      ["subtask.export.json", "aborted.export.json"],
    );
    const bytes = await (await fetch(new URL(`runs/${files[0].address}`, url))).text();
    assert.equal(bytes, readFileSync(at(two[0]), "utf8"));
  });
});

test("npm start -- FILE reports a missing file at once", async () => {
  await assert.rejects(
    started(["nowhere.json"], async () => {}),
    /ended with 1:[\s\S]*there is no file .*nowhere\.json/,
  );
});
