// What a model reads of a tool is what a person sees of it.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { removeFolders } from "./file-tools.mjs";
import { outcome } from "./one-call.mjs";
import { place } from "./search-place.mjs";
import { get, hostOf, TEXT, URL_1 } from "./web-host.mjs";

after(removeFolders);

/** Text with nine characters and sequences that are not seen. */
const HIDDEN =
  "a\u{e0041}\u202eb\u200b\u2060c\ufeff\u200e\u2067 \u001b[31mred\u001b]8;;http://x\u0007!";
const SEEN = "abc red!";
const JOINED = "می\u200cخواهم 👨\u200d👩\u200d👧 ❤\ufe0f";

const isSeen = ({ output, metadata }, removed = 9) => {
  assert.ok(output.includes(SEEN), output);
  assert.equal(metadata.invisible, removed);
};

test("files are read, searched and listed without what is not seen", async () => {
  const { done, put, refused, run } = place();
  put("a.txt", `${HIDDEN}\n${JOINED}\n`);
  const page = await done("read", { filePath: "a.txt" });
  isSeen(page);
  assert.ok(page.output.includes(JOINED));
  isSeen(await done("grep", { pattern: "red" }));
  put("x\u202ey.md", "");
  const listed = await done("glob", { pattern: "*.md" });
  assert.match(listed.output, /xy\.md$/);
  assert.equal(listed.metadata.invisible, 1);
  assert.match((await done("read", { filePath: "." })).output, /xy\.md/);
  assert.match(await refused("read", { filePath: "xy.m" }), /\/xy\.md$/);
  const { state } = await run("read", { filePath: "xy.m" });
  assert.equal(state.metadata.invisible, 1);
  put("plain.txt", `é\u00a0${JOINED}`);
  assert.equal((await done("read", { filePath: "plain.txt" })).metadata.invisible, undefined);
});

test("edit finds what read shows, and changes nothing else", async () => {
  const { done, put, text } = place();
  put("a.txt", `one\u200b\r\n${HIDDEN}\r\n${JOINED}\r\n`);
  const page = await done("read", { filePath: "a.txt" });
  const [, line] = /^2: (.*)$/m.exec(page.output);
  await done("edit", { filePath: "a.txt", oldString: `${line}\n`, newString: "two\n" });
  assert.equal(text("a.txt"), `one\u200b\r\ntwo\r\n${JOINED}\r\n`);
  await done("write", { filePath: "b.txt", content: HIDDEN });
  assert.equal(text("b.txt"), HIDDEN);
});

test("the other tools give it without as well", async () => {
  const web = hostOf({ [URL_1]: new Response(HIDDEN, { headers: TEXT }) });
  isSeen((await get(web, URL_1)).state);
  const search = { search: async () => [{ title: "t", url: "https://x.example", text: HIDDEN }] };
  isSeen((await outcome({ search }, "web-search", { query: "q" })).state);
  isSeen((await outcome({ codeSearch: search }, "code-search", { query: "q" })).state);
  const runTask = async () => ({ sessionID: "ses_2", text: HIDDEN });
  const task = { description: "d", prompt: "p", subagent_type: "a" };
  isSeen((await outcome({ runTask }, "task", task)).state);
  const todos = [{ content: "x\u200by", status: "pending" }];
  const { state } = await outcome({}, "todo-write", { todos });
  assert.match(state.output, /"xy"/);
  assert.equal(state.metadata.invisible, 1);
});

test("so does bash", { skip: process.platform === "win32" }, async () => {
  const { done } = place();
  isSeen(await done("bash", { command: `printf '%s' '${HIDDEN}'` }));
  const told = await done("bash", { command: "printf '\\033[1mbold\\033[0m'" });
  assert.equal(told.output, "bold");
});
