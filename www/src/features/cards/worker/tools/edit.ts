import { type Part, recordedDiff } from "apex-parts";
import type { BodyOf, EditMatch } from "../../../../core/model/tools";
import { diffTexts, parseDiff, parseNumberedDiff } from "../../../../core/worker/diff";
import { type Fields, fields, text } from "../../../../core/worker/fields";
import type { Diff } from "../../../../ui/values";
import { type ToolReader, whole } from "./tool_call";

export const edit: ToolReader<BodyOf<"edit">> = {
  read({ part, input, metadata, path }) {
    const diff = diffOf(part, input);
    if (diff === undefined) return undefined;
    const match = matchOf(fields(metadata.match));
    const shown = path ? withoutName(diff) : diff;
    return { kind: "edit", path, diff: shown, ...(match ? { match } : {}) };
  },
};

function matchOf(match: Fields | undefined): EditMatch | undefined {
  const level = whole(match?.level);
  if (level === undefined) return undefined;
  const from = whole(match?.line);
  const to = whole(match?.endLine);
  return {
    level,
    count: whole(match?.count) ?? 1,
    ...(from === undefined || to === undefined ? {} : { lines: [from, to] }),
  };
}

function diffOf(part: Fields, input: Fields): Diff | undefined {
  const recorded = recordedDiff(part as unknown as Part);
  if (recorded) return parseNumberedDiff(recorded) ?? parseDiff(recorded);
  const edits = Array.isArray(input.edits) ? input.edits : [input];
  const diffs: Diff[] = [];
  for (const edit of edits.slice(0, 100)) {
    const each = fields(edit) ?? {};
    const before = text(each.oldString ?? each.old_string ?? each.oldText ?? each.old_str);
    const after = text(each.newString ?? each.new_string ?? each.newText ?? each.new_str);
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
