// A session of an agent with skills and MCP servers, recorded here, in the viewer: calls, their files, errors.
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { recordSession } from "../package/mcp/session.mjs";
import { drop, partRow, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";

const viewer = served();
let folder;
let session;

before(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "viewer-")));
  session = await recordSession(folder);
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

/** The row of the first call of a tool. */
const rowOf = (page, tool) =>
  partRow(
    page,
    1,
    session.messages[1].parts.findIndex((part) => part.tool === tool),
  );

/** Opens the session, with all rows in view. */
const visit = (run) =>
  viewer.share({ height: 9000 }, async (page) => {
    await drop(page, "harbour.json", JSON.stringify(session.messages));
    await page.getByText("harbour.json").first().waitFor();
    await settled(page);
    await run(page);
  });

describe("a session with skills and MCP servers", () => {
  test("opens without a problem, and shows what a skill told", () =>
    visit(async (page) => {
      assert.equal(await page.getByRole("alert").count(), 0);
      assert.equal(await page.locator(".problem-count").count(), 0);
      const skill = rowOf(page, "skill");
      assert.match(await words(skill), /Loaded skill: harbour-report/);
      assert.match(await words(skill), /Then write one line a boat\./);
    }));

  test("shows the calls of servers with their output", () =>
    visit(async (page) => {
      assert.match(await words(rowOf(page, "files_read_text_file")), /06:12 Möwe/);
      assert.match(
        await words(rowOf(page, "everything_get-structured-content")),
        /Light rain \/ drizzle/,
      );
      assert.match(
        await words(rowOf(page, "everything_get-resource-links")),
        /mcp:\/\/everything\/demo:\/\/resource\/dynamic\/blob\/1/,
      );
      assert.match(
        await words(rowOf(page, "everything_get-resource-reference")),
        /Resource 1: This is a plaintext resource/,
      );
    }));

  test("shows the pictures that came with results, and asks nobody for them", () =>
    visit(async (page) => {
      for (const tool of [
        ...["files_read_media_file", "everything_get-tiny-image"],
        "everything_get-annotated-message",
      ]) {
        const pictures = rowOf(page, tool).locator("figure img");
        await thereAre(pictures, 1, tool);
        const width = await pictures.evaluate(async (image) => {
          await image.decode();
          return image.naturalWidth;
        });
        assert.ok(width > 0, tool);
      }
      assert.match(await words(rowOf(page, "everything_get-tiny-image")), /image-1\.png/);
    }));

  test("shows what failed, and why", () =>
    visit(async (page) => {
      const task = rowOf(page, "everything_simulate-research-query");
      assert.match(await words(task.locator(".tool-error")), /task/);
      assert.match(await words(task.locator(".outcome")), /error/);
      const unknown = await words(rowOf(page, "everything_get-summ"));
      assert.match(unknown, /There is no tool named everything_get-summ/);
    }));
});
