import type { BodyOf } from "../../../../core/model/tools";
import type { ToolCard } from "./tool_card";

const WORDS: Record<string, string> = { in_progress: "in progress" };

export const todos: ToolCard<BodyOf<"todos">> = {
  icon: "list",
  View: ({ body }) => (
    <ul class="todos">
      {body.items.map((item, i) => (
        <li key={i} class="todo" data-status={item.status}>
          <span class="todo-box" aria-hidden="true" />
          <span class="todo-text">{item.text}</span>
          <span class="quiet">
            {[WORDS[item.status] ?? item.status, item.priority].filter(Boolean).join(" · ")}
          </span>
        </li>
      ))}
    </ul>
  ),
  // Tools count their lists without looking at the number.
  subtitle: (_, title) => title.replace(/^1 todos$/, "1 todo"),
};
