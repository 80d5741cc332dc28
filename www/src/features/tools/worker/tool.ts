import type { Diff, FileView, Span } from "../../../ui/values";
import { type Fields, fields, label, list, long, node, number, text } from "../../../worker/fields";
import type { Status, Todo, ToolBody, ToolView } from "../model";
import { diffTexts, parseDiff } from "./diff";
import { languageOf } from "./language";

/** Which card a tool gets. Names are those of OpenCode, Claude Code and their kin, in lower case. */
const KINDS: Record<string, ToolBody["kind"]> = {
  bash: "shell",
  shell: "shell",
  local_shell: "shell",
  terminal: "shell",
  exec: "shell",
  execute_command: "shell",
  run_command: "shell",
  read: "read",
  view: "read",
  read_file: "read",
  write: "write",
  write_file: "write",
  create_file: "write",
  edit: "edit",
  multiedit: "edit",
  str_replace: "edit",
  apply_patch: "edit",
  patch: "edit",
  todowrite: "todos",
  todoread: "todos",
  update_plan: "todos",
};

export function toolView(part: Fields): ToolView {
  const state = fields(part.state) ?? {};
  const tool = label(part.tool, 100) || "tool";
  const status = statusOf(state.status);
  const output = toolText(part, "output");
  const error = toolText(part, "error");
  const streamed = status === "pending" ? toolText(part, "input") : undefined;
  const body = bodyOf(tool, state);
  const json = body.kind === "json" && output !== undefined ? parsedJson(output) : undefined;
  const session = sessionOf(state);
  const compacted = number(fields(state.time)?.compacted);
  return {
    type: "tool",
    tool,
    status,
    title: label(state.title),
    body,
    ...(output === undefined ? {} : { output: long("output", output) }),
    ...(json === undefined ? {} : { outputJson: node(json) }),
    ...(error === undefined ? {} : { error: long("error", error) }),
    ...(streamed ? { streamed: long("input", streamed) } : {}),
    ...(session === undefined ? {} : { session }),
    time: spanOf(state.time),
    ...(compacted === undefined ? {} : { compacted }),
    attachments: list(state.attachments)
      .slice(0, 50)
      .map((file) => fileView(fields(file) ?? {})),
  };
}

/** The session of the task that a call started. */
export function sessionOf(state: Fields): string | undefined {
  const metadata = fields(state.metadata);
  return text(metadata?.sessionId) ?? text(metadata?.sessionID);
}

/** One of a tool part's long strings, whole. */
export function toolText(part: Fields, field: string): string | undefined {
  const state = fields(part.state) ?? {};
  const input = fields(state.input) ?? {};
  switch (field) {
    case "output": {
      const output = text(state.output);
      if (output === undefined || kindOf(label(part.tool)) !== "read") return output;
      return readContent(state, output).content;
    }
    case "error":
      return text(state.error);
    case "input":
      return text(state.raw);
    case "command":
      return commandOf(input);
    case "content":
      return text(input.content) ?? text(input.file_text) ?? text(input.text);
    default:
      return undefined;
  }
}

export function parsedJson(output: string): unknown {
  // Only what looks like a container, and small: a tree of a bare word or of a megabyte helps nobody.
  if (output.length > 200_000 || !/^\s*[[{]/.test(output)) return undefined;
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

export function statusOf(value: unknown): Status {
  return value === "running" || value === "completed" || value === "error" ? value : "pending";
}

export function spanOf(value: unknown): Span {
  const time = fields(value);
  const start = number(time?.start);
  const end = number(time?.end);
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** In characters of its address. */
const LARGEST_IMAGE = 8_000_000;

export function fileView(file: Fields): FileView {
  const mime = label(file.mime, 100);
  const url = text(file.url) ?? "";
  const image = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);/i.test(url) ? url : undefined;
  return {
    mime,
    name: label(file.filename) || "file",
    // A very large picture would be cloned for every visit of its row.
    ...(image && image.length <= LARGEST_IMAGE ? { image } : {}),
    // A longer address would be cut, and lead somewhere else.
    ...(/^https?:/i.test(url) && url.length <= 2000 ? { remote: url } : {}),
    address: /^data:/i.test(url) ? dataFacts(url, image) : label(url, 500),
  };
}

function dataFacts(url: string, image: string | undefined): string {
  const tooLarge = image && image.length > LARGEST_IMAGE ? ", too large to be shown" : "";
  return `data: (${url.length.toLocaleString("en-US")} characters${tooLarge})`;
}

function kindOf(tool: string): ToolBody["kind"] {
  const name = tool.toLowerCase();
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? "json") : "json";
}

function bodyOf(tool: string, state: Fields): ToolBody {
  const input = fields(state.input) ?? {};
  const metadata = fields(state.metadata) ?? {};
  const path = label(input.filePath ?? input.file_path ?? input.path ?? metadata.filepath, 500);
  const language = languageOf(path);
  const withLanguage = language ? { language } : {};
  switch (kindOf(tool)) {
    case "shell": {
      const command = commandOf(input);
      if (command === undefined) break;
      const description = label(input.description);
      const exit = number(metadata.exit ?? metadata.exitCode ?? metadata.exit_code);
      return {
        kind: "shell",
        command: long("command", command),
        ...(description ? { description } : {}),
        ...(exit === undefined ? {} : { exit }),
      };
    }
    case "read": {
      if (!path) break;
      const { firstLine } = readContent(state, text(state.output) ?? "");
      return { kind: "read", path, firstLine, ...withLanguage };
    }
    case "write": {
      const content = text(input.content) ?? text(input.file_text) ?? text(input.text);
      if (content === undefined) break;
      return { kind: "write", path, content: long("content", content), ...withLanguage };
    }
    case "edit": {
      const diff = diffOf(input, metadata);
      if (diff) return { kind: "edit", path, diff: path ? withoutName(diff) : diff };
      break;
    }
    case "todos": {
      const items = [input.todos, metadata.todos, input.plan].find(Array.isArray);
      if (items) return { kind: "todos", items: items.slice(0, 500).map(todo) };
      break;
    }
  }
  return { kind: "json", input: node(state.input ?? {}) };
}

function commandOf(input: Fields): string | undefined {
  const command = input.command ?? input.cmd ?? input.script;
  return Array.isArray(command) ? command.map(String).join(" ") : text(command);
}

function diffOf(input: Fields, metadata: Fields): Diff | undefined {
  const patch =
    text(metadata.diff) ??
    text(fields(metadata.filediff)?.patch) ??
    text(input.patchText) ??
    text(input.patch) ??
    text(input.diff);
  if (patch) return parseDiff(patch);
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const diffs: Diff[] = [];
  for (const edit of edits.slice(0, 100)) {
    const each = fields(edit) ?? {};
    const before = text(each.oldString ?? each.old_string ?? each.old_str);
    const after = text(each.newString ?? each.new_string ?? each.new_str);
    if (before !== undefined && after !== undefined) diffs.push(diffTexts(before, after));
  }
  if (diffs.length === 0) return undefined;
  return {
    lines: diffs.flatMap((diff) => diff.lines),
    total: diffs.reduce((sum, diff) => sum + diff.total, 0),
    added: diffs.reduce((sum, diff) => sum + diff.added, 0),
    removed: diffs.reduce((sum, diff) => sum + diff.removed, 0),
  };
}

/** The name over a diff of one file says again what the card says already. */
function withoutName(diff: Diff): Diff {
  const named = diff.lines.filter((line) => line.kind === "file");
  if (named.length !== 1) return diff;
  const lines = diff.lines.filter((line) => line.kind !== "file");
  return { ...diff, lines, total: diff.total - 1 };
}

/** Of a longer text the frame and the numbers stay: to look at each of its lines would take seconds. */
const LONGEST_READ = 4_000_000;

/** What a read gave back, without the frame and the line numbers that tools put around it. */
function readContent(state: Fields, output: string): { content: string; firstLine: number } {
  if (output.length > LONGEST_READ) return { content: output, firstLine: 1 };
  const framed = /<(content|file)>\n([\s\S]*?)\n?\n?(?:\(End of file[^\n]*\)\n)?<\/\1>/.exec(
    output,
  );
  const body = framed?.[2] ?? output;
  const lines = body.split("\n");
  const numbered = lines.map((line) => /^\s*(\d+)(?:: |\| |\||\t|→|:$)(.*)$/.exec(line));
  const count = numbered.filter(Boolean).length;
  // Only where nearly every line has a number is it a numbered file; the rest are the tool's notes.
  if (count === 0 || count < lines.length - 3) {
    const shown = fields(fields(state.metadata)?.display);
    return { content: body, firstLine: number(shown?.lineStart) ?? 1 };
  }
  const first = numbered.find(Boolean);
  return {
    content: lines.map((line, i) => numbered[i]?.[2] ?? line).join("\n"),
    firstLine: Number(first?.[1] ?? 1),
  };
}

function todo(value: unknown): Todo {
  const item = fields(value) ?? {};
  const priority = label(item.priority, 20);
  return {
    text: label(item.content ?? item.step ?? item.text, 1000),
    status: label(item.status, 20) || "pending",
    ...(priority ? { priority } : {}),
  };
}
