// The model as a zod 4 schema: the peer of the validator.
import { z } from "zod";

/** The model with this schema of sessionIDs and messageIDs. */
function schemas(id) {
  const base = { id: z.string().min(1), sessionID: id, messageID: id };
  const record = z.record(z.string(), z.unknown());
  const span = z.object({ start: z.number(), end: z.number().optional() });
  const place = z.object({ value: z.string(), start: z.number(), end: z.number() });
  const model = z.object({ providerID: z.string(), modelID: z.string() });
  const tokens = z.object({
    total: z.number().optional(),
    input: z.number().nonnegative(),
    output: z.number().nonnegative(),
    reasoning: z.number().nonnegative(),
    cache: z.object({ read: z.number().nonnegative(), write: z.number().nonnegative() }),
  });
  const position = z.object({ line: z.number(), character: z.number() });
  const source = z.discriminatedUnion("type", [
    z.object({ type: z.literal("file"), path: z.string(), text: place }),
    z.object({
      type: z.literal("symbol"),
      path: z.string(),
      range: z.object({ start: position, end: position }),
      name: z.string(),
      kind: z.number(),
      text: place,
    }),
    z.object({ type: z.literal("resource"), clientName: z.string(), uri: z.string(), text: place }),
  ]);
  const file = z.object({
    ...base,
    type: z.literal("file"),
    mime: z.string(),
    filename: z.string().optional(),
    url: z.string(),
    source: source.optional(),
  });
  const ended = z.object({ start: z.number(), end: z.number(), compacted: z.number().optional() });
  const state = z.discriminatedUnion("status", [
    z.object({ status: z.literal("pending"), input: record, raw: z.string() }),
    z.object({
      status: z.literal("running"),
      input: record,
      title: z.string().optional(),
      metadata: record.optional(),
      time: z.object({ start: z.number() }),
    }),
    z.object({
      status: z.literal("completed"),
      input: record,
      output: z.string().min(1),
      title: z.string(),
      metadata: record,
      time: ended,
      attachments: z.array(file).optional(),
    }),
    z.object({
      status: z.literal("error"),
      input: record,
      error: z.string().min(1),
      metadata: record.optional(),
      time: ended,
    }),
  ]);
  const apiError = z.object({
    message: z.string(),
    statusCode: z.number().optional(),
    isRetryable: z.boolean(),
    responseHeaders: z.record(z.string(), z.string()).optional(),
    responseBody: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
  });
  const part = (type, fields) => z.object({ ...base, type: z.literal(type), ...fields });

  const Part = z.discriminatedUnion("type", [
    part("text", {
      text: z.string(),
      synthetic: z.boolean().optional(),
      ignored: z.boolean().optional(),
      time: span.optional(),
      metadata: record.optional(),
    }),
    part("reasoning", { text: z.string(), metadata: record.optional(), time: span }),
    part("tool", { callID: z.string(), tool: z.string(), state, metadata: record.optional() }),
    part("step-start", { snapshot: z.string().optional() }),
    part("step-finish", {
      reason: z.string(),
      snapshot: z.string().optional(),
      cost: z.number(),
      tokens,
    }),
    file,
    part("subtask", {
      prompt: z.string(),
      description: z.string(),
      agent: z.string(),
      model: model.optional(),
      command: z.string().optional(),
    }),
    part("agent", { name: z.string(), source: place.optional() }),
    part("compaction", { auto: z.boolean() }),
    part("retry", {
      attempt: z.number(),
      error: apiError,
      time: z.object({ created: z.number() }),
    }),
    part("snapshot", { snapshot: z.string() }),
    part("patch", { hash: z.string(), files: z.array(z.string()) }),
  ]);

  const info = z.discriminatedUnion("role", [
    z.object({
      id: z.string().min(1),
      sessionID: id,
      role: z.literal("user"),
      time: z.object({ created: z.number() }),
      summary: z
        .object({
          title: z.string().optional(),
          body: z.string().optional(),
          diffs: z.array(z.unknown()).optional(),
        })
        .optional(),
      agent: z.string(),
      model,
      system: z.string().optional(),
      tools: z.record(z.string(), z.boolean()).optional(),
      variant: z.string().optional(),
    }),
    z.object({
      id: z.string().min(1),
      sessionID: id,
      role: z.literal("assistant"),
      time: z.object({ created: z.number(), completed: z.number().optional() }),
      parentID: z.string(),
      modelID: z.string(),
      providerID: z.string(),
      agent: z.string(),
      path: z.object({ cwd: z.string(), root: z.string() }),
      summary: z.boolean().optional(),
      cost: z.number(),
      tokens,
      finish: z.string().optional(),
      error: apiError.optional(),
    }),
  ]);

  return { Part, Transcript: z.array(z.object({ info, parts: z.array(Part) })) };
}

export const { Part, Transcript } = schemas(z.uuid());
/** With OpenCode's ids: any non-empty string. */
export const OpenCode = schemas(z.string().min(1));
