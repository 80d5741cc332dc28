// `npm start`, as a user runs it: sets up, and runs `apex-parts view`.
// Needs: viewer.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { test } from "node:test";
import { at } from "../../scripts/lib.mjs";

/** Starts it, waits for the address, and passes that to `look`. */
const started = (args, look) =>
  serving("npm", ["start", "--silent", "--", "--no-open", "--port", "0", ...args], look);

async function serving(command, args, look) {
  const child = spawn(command, args, { cwd: at(), detached: true });
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
    await look(url, await asking(url));
  } finally {
    // npm and its shell are a process group.
    if (child.exitCode === null) process.kill(-child.pid, "SIGINT");
  }
}

/** Asks as the browser does, with the cookie that the address with the token gives. */
async function asking(url) {
  const { headers } = await fetch(url, { redirect: "manual" });
  const cookie = headers.get("set-cookie").split(";")[0];
  return (address) => fetch(new URL(address, url), { headers: { cookie } });
}

test("npm start serves the viewer, with its policy and a sample", () =>
  started([], async (_, ask) => {
    const page = await ask("/");
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy"), /default-src 'none'/);
    assert.match(await page.text(), /<script/);
    assert.equal((await ask("samples/fix-greeting.json")).status, 200);
  }));

test("npm start -- FILE serves that file and opens it", () => {
  const file = at("tests", "fixtures", "subtask.export.json");
  return started(["tests/fixtures/subtask.export.json"], async (url, ask) => {
    const source = url.searchParams.get("src");
    assert.ok(source, "the address names the file");
    const bytes = await (await ask(source)).text();
    assert.equal(bytes, readFileSync(file, "utf8"));
  });
});

test("npm start -- FOLDER and -- FILE FILE serve the list of the runs", async () => {
  const list = async (url, ask) => {
    assert.equal(url.searchParams.get("runs"), "list.json");
    return (await ask("list.json")).json();
  };
  await started(["tests/fixtures/formats"], async (url, ask) => {
    const { name, files } = await list(url, ask);
    assert.equal(name, "formats");
    assert.ok(files.length > 3);
  });
  const two = ["tests/fixtures/subtask.export.json", "tests/fixtures/aborted.export.json"];
  await started(two, async (url, ask) => {
    const { files } = await list(url, ask);
    assert.deepEqual(
      files.map(({ path }) => path),
      ["subtask.export.json", "aborted.export.json"],
    );
    const bytes = await (await ask(files[0].address)).text();
    assert.equal(bytes, readFileSync(at(two[0]), "utf8"));
  });
});

test("npm start -- FILE reports a missing file at once", async () => {
  await assert.rejects(
    started(["nowhere.json"], async () => {}),
    /ended with 2:[\s\S]*nowhere\.json: no such file/,
  );
});

test("what npm start builds is enough for apex-parts view", async () => {
  // The other entries and the types: `npm run build` makes them.
  const others =
    /^(?:core|tools|store|apex-bridge|apex_parts_core|apex_parts_tools|host|node-host)\b|\.d\.c?ts$/;
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-start-"));
  try {
    cpSync(at("package.json"), join(folder, "package.json"));
    cpSync(at("pkg"), join(folder, "pkg"), {
      recursive: true,
      filter: (path) => {
        const name = relative(at("pkg"), path);
        return name.includes(sep) || !others.test(name);
      },
    });
    const args = [join(folder, "pkg", "cli.mjs"), "view", "--no-open", "--port", "0"];
    await serving(
      process.execPath,
      [...args, at("tests", "fixtures", "subtask.export.json")],
      async (_, ask) => {
        const page = await (await ask("/")).text();
        for (const [, file] of page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
          assert.equal((await ask(file)).status, 200, file);
        }
        for (const file of ["viewer-worker.mjs", "apex_parts_bg.wasm", "viewer.html"]) {
          assert.equal((await ask(file)).status, 200, file);
        }
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
