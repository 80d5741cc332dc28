import type { Diff } from "../../../ui/values";
import { type Fields, fields, list, text } from "../../../worker/fields";
import { parseDiff, parseNumberedDiff } from "./diff";

/** More hunks of one call are not shown. */
const MOST_HUNKS = 1000;

/** The diff that a tool wrote down of what it changed, wherever agents keep it; undefined where there is none. */
export function recordedDiff(metadata: Fields, input: Fields): Diff | undefined {
  const patch = first(
    metadata.diff,
    fields(metadata.filediff)?.patch,
    metadata.patch,
    fields(metadata.details)?.diff,
    fields(metadata.resultDisplay)?.fileDiff,
    hunksOf(fields(metadata.toolUseResult)?.structuredPatch),
    input.patchText,
    input.patch,
    input.diff,
  );
  return patch === undefined ? undefined : (parseNumberedDiff(patch) ?? parseDiff(patch));
}

function first(...values: unknown[]): string | undefined {
  for (const value of values) {
    const found = text(value);
    if (found) return found;
  }
  return undefined;
}

/** Claude Code's list of hunks as a unified diff. */
function hunksOf(value: unknown): string | undefined {
  const hunks = list(value).slice(0, MOST_HUNKS).map(fields);
  if (hunks.length === 0) return undefined;
  return hunks
    .map((hunk) => {
      const [from, old, to, now] = [
        hunk?.oldStart,
        hunk?.oldLines,
        hunk?.newStart,
        hunk?.newLines,
      ].map((count) => (Number.isSafeInteger(count) ? String(count) : "0"));
      const lines = list(hunk?.lines).map((line) => text(line) ?? "");
      return [`@@ -${from},${old} +${to},${now} @@`, ...lines].join("\n");
    })
    .join("\n");
}
