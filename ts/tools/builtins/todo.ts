// todo-write and todo-read: the to-do list of a session.
import type { Tool } from "apex-parts:glue";
import { define } from "./define.ts";
import { perHost } from "./per-host.ts";
import { putNewest } from "./put-newest.ts";
import type { Host, Todo, TodoStore } from "./types.ts";

/** The sessions whose lists are kept in memory; the list that was not written for the longest time goes first. */
const MOST_SESSIONS = 10_000;

const copies = (todos: Todo[]) => todos.map((todo) => ({ ...todo }));

/** Lists in memory. */
export class MemoryTodoStore implements TodoStore {
  #lists = new Map<string, Todo[]>();

  get(sessionID: string): Todo[] {
    return copies(this.#lists.get(sessionID) ?? []);
  }

  set(sessionID: string, todos: Todo[]): void {
    putNewest(this.#lists, sessionID, copies(todos), MOST_SESSIONS);
  }
}

/** The store of each host that brings none: both tools share it. */
const ownStoreOf = /* @__PURE__ */ perHost(() => new MemoryTodoStore());

const storeOf = (host: Host): TodoStore => host.todos ?? ownStoreOf(host);

const isOpen = ({ status }: Todo) => status !== "completed" && status !== "cancelled";

function resultOf(todos: Todo[]): Tool.Result {
  return {
    title: `${todos.filter(isOpen).length} todos`,
    output: JSON.stringify(todos, null, 2),
    metadata: { todos },
  };
}

/** A to-do as a model writes it. */
type TodoArgs = Omit<Todo, "priority"> & Partial<Pick<Todo, "priority">>;

const TODO = {
  type: "object",
  properties: {
    content: { type: "string", description: "What is to be done, in a few words" },
    status: {
      type: "string",
      enum: ["pending", "in_progress", "completed", "cancelled"],
      description: "How far it is",
    },
    priority: {
      type: "string",
      enum: ["high", "medium", "low"],
      default: "medium",
      description: "How important it is: medium unless given",
    },
    id: { type: "string", description: "A name by which it stays the same" },
  },
  required: ["content", "status"],
};

/** What the list keeps of what a model gave. */
function todoOf({ content, status, priority = "medium", id }: TodoArgs): Todo {
  const todo = { content, status, priority };
  return id === undefined ? todo : { ...todo, id };
}

export const todoWriteTool = (host: Host): Tool.Info =>
  define<{ todos: TodoArgs[] }>("todo-write", {
    description: `Replaces the to-do list of this session: give the whole list each time.

Use it for work of three or more steps. Have one item in progress at a time, and mark it completed as soon as it is done.`,
    parameters: {
      type: "object",
      properties: { todos: { type: "array", items: TODO, description: "The whole list" } },
      required: ["todos"],
    },
    async execute({ todos: given }, context) {
      await context.ask({
        permission: "todowrite",
        patterns: ["*"],
        always: ["*"],
        metadata: {},
      });
      const todos = given.map(todoOf);
      await storeOf(host).set(context.sessionID, todos);
      return resultOf(todos);
    },
  });

export const todoReadTool = (host: Host): Tool.Info =>
  define("todo-read", {
    description: "Returns the to-do list of this session.",
    parameters: { type: "object", properties: {} },
    async execute(_, context) {
      return resultOf((await storeOf(host).get(context.sessionID)) ?? []);
    },
  });
