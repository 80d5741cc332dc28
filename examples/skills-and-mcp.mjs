// A registry with the built-in tools, a folder of skills and an MCP server: `node examples/skills-and-mcp.mjs`.
//
// The server is one from npm, over the client of its SDK: the package itself depends on neither. The model is scripted:
// these are the calls that it makes, one after another, in a folder made for the purpose.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpToolSet, Permission, ToolRegistry } from "apex-parts";
import { builtinTools, scanSkills, skillTool } from "apex-parts/node";

const directory = realpathSync(mkdtempSync(join(tmpdir(), "apex-agent-")));
mkdirSync(join(directory, "skills", "greeting"), { recursive: true });
writeFileSync(
  join(directory, "skills", "greeting", "SKILL.md"),
  "---\nname: greeting\ndescription: Greets people: when a file has to greet\n---\nSay hi, then the name.\n",
);
writeFileSync(join(directory, "greet.txt"), "Hello, world\n");

const rules = Permission.fromConfig({ "*": "allow" });
const registry = new ToolRegistry({ rules: [rules] });
for (const tool of builtinTools({ directory, worktree: directory })) registry.register(tool);

// A folder of your own; those that agents use by default are in defaultSkillRoots().
const { skills, problems } = await scanSkills([join(directory, "skills")]);
for (const { rule, severity, message } of problems) console.log(`${severity} ${rule}: ${message}`);
registry.register(
  skillTool(() => skills),
  "skill",
);

const set = new McpToolSet({
  // The server has other tools now. One that was approved may mean something else: `changed` has both.
  onChange({ added, removed, changed }) {
    for (const id of removed) registry.unregister(id);
    const ids = [...added, ...changed.map(({ id }) => id)];
    for (const tool of set.tools()) if (ids.includes(tool.id)) registry.register(tool, "mcp");
  },
});
const client = new Client(
  { name: "example", version: "1.0.0" },
  { listChanged: { tools: { autoRefresh: false, onChanged: () => set.refresh("files") } } },
);
const server = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-filesystem/dist/index.js",
);
const CALLS = [
  ["skill", { name: "greeting" }],
  ["files_read_text_file", { path: join(directory, "greet.txt") }],
  ["edit", { filePath: "greet.txt", oldString: "Hello, world", newString: "hi Ada" }],
  ["files_read_text_file", { path: join(directory, "greet.txt") }],
  ["files_read_text_file", { path: "/etc/passwd" }],
];

try {
  const args = [server, directory];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }),
  );
  await set.add(client, { clientName: "files" });
  console.log(`${registry.size()} tools: ${registry.ids().join(", ")}\n`);
  let count = 0;
  for (const [tool, input] of CALLS) {
    console.log(`${tool} ${JSON.stringify(input)}`);
    const call = { callID: `call_${++count}`, sessionID: "ses_1", messageID: "msg_1", tool, input };
    const { state } = await registry.execute(call);
    console.log(
      `  ${(state.output ?? `error: ${state.error}`).trimEnd().replaceAll("\n", "\n  ")}`,
    );
  }
} finally {
  await client.close();
  rmSync(directory, { recursive: true, force: true });
}
