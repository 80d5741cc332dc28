import type { BodyOf, Todo } from "../../../../core/model/tools";
import { fields, label } from "../../../../core/worker/fields";
import type { ToolReader } from "./tool_call";

export const todos: ToolReader<BodyOf<"todos">> = {
  read({ input, metadata }) {
    const items = [input.todos, metadata.todos, input.plan].find(Array.isArray);
    return items && { kind: "todos", items: items.slice(0, 500).map(todo) };
  },
};

function todo(value: unknown): Todo {
  const item = fields(value) ?? {};
  const priority = label(item.priority, 20);
  return {
    text: label(item.content ?? item.step ?? item.text, 1000),
    status: label(item.status, 20) || "pending",
    ...(priority ? { priority } : {}),
  };
}
