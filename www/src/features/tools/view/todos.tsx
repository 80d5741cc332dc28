import type { Todo } from "../model";

const WORDS: Record<string, string> = { in_progress: "in progress" };

export function Todos({ items }: { items: Todo[] }) {
  return (
    <ul class="todos">
      {items.map((item, i) => (
        <li key={i} class="todo" data-status={item.status}>
          <span class="todo-box" aria-hidden="true" />
          <span class="todo-text">{item.text}</span>
          <span class="quiet">
            {[WORDS[item.status] ?? item.status, item.priority].filter(Boolean).join(" · ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
