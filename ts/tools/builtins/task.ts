// task: another agent does something, in its own session.

import type { Permission, Tool } from "apex-parts:glue";
import { isObject } from "../boundary.ts";
import type { RunContext } from "../context.ts";
import { isPermissionError, messageOf } from "../errors.ts";
import { Expected } from "../expected.ts";
import { namesOf } from "../permission-names.ts";
import { define } from "./define.ts";
import type { Host, TaskRequest } from "./types.ts";

/** What a task may do only if the rules of its agent have the permission. */
const NOT_INHERITED = ["todowrite", "task"];

const DESCRIPTION = `Has another agent do something in its own session, and returns its last answer.

- The agent sees nothing of this session: put all that it needs into the prompt, and what its answer must contain.
- Only you see the answer: tell the user what matters of it.
- Calls at the same time run side by side. A task_id goes on with an earlier task.`;

const PARAMETERS = {
  type: "object",
  properties: {
    description: { type: "string", description: "The task in three to five words" },
    prompt: { type: "string", description: "What the agent is to do, all of it" },
    subagent_type: { type: "string", description: "The name of the agent" },
    task_id: { type: "string", description: "The id of an earlier task to go on with" },
  },
  required: ["description", "prompt", "subagent_type"],
};

/** How many tasks the session of a call is within. */
function depthOf({ extra }: RunContext) {
  const depth = extra?.depth;
  return typeof depth === "number" && Number.isSafeInteger(depth) && depth > 0 ? depth : 0;
}

/** The rules that a task has beside those of its agent. */
async function rulesOf(
  host: Host,
  context: RunContext,
  agent: string,
): Promise<Permission.Ruleset> {
  const inherited = (context.rules?.() ?? []).filter(
    ({ permission, action }) => action === "deny" || permission === "external_directory",
  );
  const own = (await host.agentRules?.(agent)) ?? [];
  const withheld = NOT_INHERITED.filter(
    (permission) => !own.some((rule) => namesOf(permission).includes(rule.permission)),
  );
  return [
    ...inherited.map((rule) => ({ ...rule })),
    ...withheld.map(
      (permission): Permission.Rule => ({ permission, pattern: "*", action: "deny" }),
    ),
  ];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const attribute = (text: string) => text.replace(/[&"<>]/g, (c) => ENTITIES[c] ?? c);

async function run(host: Host, request: TaskRequest): Promise<unknown> {
  try {
    return await host.runTask?.(request);
  } catch (error) {
    // A task that fails is not a fault of this tool.
    if (request.abort?.aborted || isPermissionError(error)) throw error;
    throw new Expected(messageOf(error) || "The task failed without saying why.");
  }
}

interface TaskArgs {
  description: string;
  prompt: string;
  subagent_type: string;
  task_id?: string;
}

export const taskTool = (host: Host): Tool.Info =>
  define<TaskArgs>("task", {
    description: DESCRIPTION,
    parameters: PARAMETERS,
    async execute({ description, prompt, subagent_type: agent, task_id: taskID }, context) {
      const depth = depthOf(context) + 1;
      const most = host.maxTaskDepth ?? 1;
      if (depth > most) {
        throw new Expected(
          most > 0
            ? `Tasks may be nested ${most} deep, and this session is a task ${depth - 1} deep already. Do it without another task.`
            : "No tasks may be started here. Do it without one.",
        );
      }
      const { sessionID, messageID, abort } = context;
      await context.ask({
        permission: "task",
        patterns: [agent],
        always: ["*"],
        metadata: { description, subagent_type: agent },
      });
      context.metadata({ title: description, metadata: { parentSessionId: sessionID } });
      const rules = await rulesOf(host, context, agent);
      const request: TaskRequest = {
        sessionID,
        messageID,
        agent,
        description,
        prompt,
        depth,
        abort,
        rules,
      };
      if (taskID !== undefined) request.taskID = taskID;
      const answer = await run(host, request);
      const { sessionID: child, text, model } = isObject(answer) ? answer : {};
      if (typeof child !== "string" || typeof text !== "string") {
        throw new Error("The task returned no session or no text.");
      }
      const metadata: Record<string, unknown> = { parentSessionId: sessionID, sessionId: child };
      if (model !== undefined) metadata.model = model;
      const lines = [
        `<task id="${attribute(child)}" state="completed">`,
        "<task_result>",
        text,
        "</task_result>",
        "</task>",
      ];
      return { title: description, output: lines.join("\n"), metadata };
    },
  });
