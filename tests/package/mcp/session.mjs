// A session of an agent with the built-in tools, a folder of skills and two MCP servers, recorded as it runs: the model
// is scripted, everything else is real.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { everything, filesystem, open } from "./clients.mjs";

const { McpToolSet, Permission, ReActRecorder, ToolRegistry } = await import(
  "../../../pkg/node.mjs"
);
const { builtinTools, scanSkills, skillTool } = await import("../../../pkg/host.mjs");

const uuid = (n) => `0197a000-0000-7000-8000-${String(n).padStart(12, "0")}`;
const SESSION = uuid(1);
const MODEL = { providerID: "scripted", modelID: "script" };

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SKILL = `---
name: harbour-report
description: Writes the report of the harbour: what to read, and how to say it
allowed-tools: Read Bash(ls:*)
---
# The report of the harbour

Read every log. Then write one line a boat.
`;

/** The folder in which the agent works: a log, a picture, and skills of which one is whole. */
function place(folder) {
  const skill = join(folder, "skills", "harbour-report");
  mkdirSync(join(skill, "forms"), { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), SKILL);
  writeFileSync(join(skill, "forms", "line.txt"), "BOAT: arrived at HOUR\n");
  mkdirSync(join(folder, "skills", "broken"));
  writeFileSync(join(folder, "skills", "broken", "SKILL.md"), "---\nname: broken\n---\n");
  writeFileSync(join(folder, "log.txt"), "06:12 Möwe\n07:40 Ada\n");
  writeFileSync(join(folder, "boat.png"), Buffer.from(PNG, "base64"));
}

/** The calls of each step of the model. */
const steps = (folder) => [
  [
    ["skill", { name: "harbour-report" }],
    ["read", { filePath: join(folder, "log.txt") }],
  ],
  [
    ["files_read_text_file", { path: join(folder, "log.txt") }],
    ["files_read_media_file", { path: join(folder, "boat.png") }],
    ["files_read_text_file", { path: "/etc/passwd" }],
  ],
  [
    ["everything_get-tiny-image", {}],
    ["everything_get-annotated-message", { messageType: "success", includeImage: true }],
    ["everything_get-structured-content", { location: "Chicago" }],
    ["everything_get-resource-reference", { resourceType: "Text", resourceId: 1 }],
    ["everything_get-resource-links", { count: 2 }],
    ["everything_trigger-long-running-operation", { duration: 0.2, steps: 2 }],
    ["everything_simulate-research-query", { topic: "boats" }],
  ],
  [
    ["everything_get-summ", { a: 1 }],
    ["write", { filePath: join(folder, "report.md"), content: "Möwe: 06:12\nAda: 07:40\n" }],
  ],
];

/**
 * Runs the agent in an empty folder. Gives its messages with their parts, and what the registry and the set of tools
 * said.
 */
export async function recordSession(folder) {
  place(folder);
  const servers = await Promise.all([open(2, everything), open(1, filesystem(folder))]);
  try {
    const [one, two] = servers.map(({ client }) => client);
    const registry = new ToolRegistry({ rules: [Permission.fromConfig({ "*": "allow" })] });
    for (const tool of builtinTools({ directory: folder, worktree: folder }))
      registry.register(tool);
    const { skills, problems } = await scanSkills([join(folder, "skills")]);
    registry.register(
      skillTool(() => skills),
      "skill",
    );
    const set = new McpToolSet();
    await set.add(one, { clientName: "everything" });
    await set.add(two, { clientName: "files" });
    for (const tool of set.tools()) registry.register(tool, "mcp");
    const definitions = await registry.definitions();
    return { messages: await run(registry, folder), definitions, skills, problems };
  } finally {
    await Promise.all(servers.map(({ close }) => close()));
  }
}

async function run(registry, folder) {
  const [userID, messageID] = [uuid(2), uuid(3)];
  const asked = Date.now();
  const recorder = new ReActRecorder({ sessionID: SESSION, messageID });
  try {
    let count = 0;
    for (const calls of steps(folder)) {
      recorder.startStep();
      for (const [tool, input] of calls) {
        const callID = `call_${++count}`;
        recorder.startTool(callID, tool, input);
        const { state } = await registry.execute({
          callID,
          sessionID: SESSION,
          messageID,
          tool,
          input,
        });
        recorder.finishTool(callID, state);
      }
      recorder.finishStep("tool-calls");
    }
    recorder.startStep();
    recorder.appendText("The report is written: two boats.");
    recorder.finishStep("stop");
    return [
      { info: userOf(userID, asked), parts: [textOf(userID)] },
      { info: assistantOf(messageID, userID, asked, folder), parts: recorder.parts() },
    ];
  } finally {
    recorder.free();
  }
}

const textOf = (messageID) => ({
  ...{ id: uuid(4), sessionID: SESSION, messageID },
  ...{ type: "text", text: "Write the report of the harbour." },
});

const userOf = (id, created) => ({
  ...{ id, sessionID: SESSION, role: "user", time: { created } },
  ...{ agent: "build", model: MODEL },
});

const assistantOf = (id, parentID, created, folder) => ({
  ...{ id, sessionID: SESSION, role: "assistant", parentID, ...MODEL },
  ...{ time: { created, completed: Date.now() }, agent: "build", mode: "build" },
  ...{ path: { cwd: folder, root: folder }, cost: 0, finish: "stop" },
  tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
});
