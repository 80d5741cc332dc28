import { type CallNotes, ERROR_KINDS } from "../../../../core/model/tools";
import { type Fields, fields, label, list, text } from "../../../../core/worker/fields";
import { known, whole } from "./tool_call";

/** As many repairs and patterns as a card lists. */
const MOST = 5;

/** What a registry of tools says of a call in its metadata, beside what the tool says. */
export function callNotes(state: Fields): CallNotes {
  const metadata = fields(state.metadata) ?? {};
  const isError = state.status === "error";
  const omitted = omittedOf(metadata);
  return known<CallNotes>({
    errorKind: isError ? errorKindOf(metadata) : undefined,
    // A call that was ended while it waited keeps the request.
    permission: isError || state.status === "running" ? permissionOf(metadata) : undefined,
    repaired: repairedOf(metadata.repaired),
    loop: loopOf(fields(metadata.loop)),
    truncated: metadata.truncated === true ? true : undefined,
    omitted,
    outputPath: label(metadata.outputPath, 500) || undefined,
  });
}

function errorKindOf({ kind, aborted }: Fields): CallNotes["errorKind"] {
  return ERROR_KINDS.find((each) => each === kind) ?? (aborted === true ? "aborted" : undefined);
}

function permissionOf(metadata: Fields): CallNotes["permission"] {
  const request = fields(metadata.permission);
  const permission = label(request?.permission, 50);
  if (!permission) return undefined;
  const patterns = list(request?.patterns);
  return { permission, patterns: firstOf(patterns), total: patterns.length };
}

function repairedOf(value: unknown): CallNotes["repaired"] {
  const done = firstOf(list(value));
  return done.length === 0 ? undefined : { done, total: list(value).length };
}

function firstOf(strings: unknown[]): string[] {
  return strings
    .slice(0, MOST)
    .map((string) => label(string, 200))
    .filter(Boolean);
}

function loopOf(verdict: Fields | undefined): string | undefined {
  if (verdict === undefined) return undefined;
  return label(text(verdict.message) ?? verdict.pattern, 1000) || undefined;
}

function omittedOf(metadata: Fields): CallNotes["omitted"] {
  const omitted = fields(metadata.omitted);
  const lines = whole(omitted?.lines);
  const bytes = whole(omitted?.bytes);
  return lines === undefined || bytes === undefined ? undefined : { lines, bytes };
}
