import { useState } from "preact/hooks";
import { count, one } from "./format";
import type { JsonNode } from "./values";

/** JSON as a tree that opens level by level. */
export function Json({ value, label }: { value: JsonNode; label: string }) {
  return (
    <section class="json" aria-label={label}>
      <Value value={value} depth={0} />
    </section>
  );
}

function Value({ value, depth, name }: { value: JsonNode; depth: number; name?: string }) {
  const size = typeof value === "object" && value !== null && "total" in value ? value.total : 0;
  if (size === 0) {
    return (
      <div class="json-line">
        <Name name={name} />
        <Leaf value={value} />
      </div>
    );
  }
  return <Branch value={value} depth={depth} name={name} />;
}

function Branch({
  value,
  depth,
  name,
}: {
  value: JsonNode;
  depth: number;
  name?: string | undefined;
}) {
  const items = children(value);
  // The outermost level has no line of its own: its fields are what one came to see.
  const [open, setOpen] = useState(depth < 2 && items.list.length <= 30);
  const body = (
    <div class={depth === 0 ? "json-root" : "json-children"}>
      {items.list.map(([key, child]) => (
        <Value key={key} name={key} value={child} depth={depth + 1} />
      ))}
      {items.total > items.list.length && (
        <div class="json-line json-more">
          … {count(items.total - items.list.length)} more, in the Raw tab
        </div>
      )}
    </div>
  );
  if (depth === 0) return body;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="json-line">
        <Name name={name} />
        <span class="json-size">{items.size}</span>
      </summary>
      {open && body}
    </details>
  );
}

function Name({ name }: { name: string | undefined }) {
  return name === undefined ? null : <span class="json-name">{name}</span>;
}

function Leaf({ value }: { value: JsonNode }) {
  if (typeof value === "string") return <span class="json-string">{value || '""'}</span>;
  if (value === null || typeof value !== "object") {
    return <span class="json-plain">{String(value)}</span>;
  }
  if (value.kind === "text") {
    return (
      <span class="json-string">
        {value.head}
        <span class="json-more"> … {one(value.length - value.head.length, "more character")}</span>
      </span>
    );
  }
  if (value.kind === "deep") return <span class="json-more">nested too deeply to show</span>;
  return <span class="json-plain">{value.kind === "array" ? "[]" : "{}"}</span>;
}

function children(value: JsonNode): { list: [string, JsonNode][]; total: number; size: string } {
  if (typeof value === "object" && value !== null) {
    if (value.kind === "object") {
      return { list: value.entries, total: value.total, size: `{${count(value.total)}}` };
    }
    if (value.kind === "array") {
      const list = value.items.map((item, i): [string, JsonNode] => [String(i), item]);
      return { list, total: value.total, size: `[${count(value.total)}]` };
    }
  }
  return { list: [], total: 0, size: "" };
}
