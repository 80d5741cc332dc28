import type { BodyOf } from "../../../../core/model/tools";
import { long } from "../../../../core/worker/values";
import { contentOf, type ToolReader } from "./tool_call";

export const write: ToolReader<BodyOf<"write">> = {
  read(call) {
    const { metadata, path, language } = call;
    const content = contentOf(call);
    if (content === undefined) return undefined;
    const { exists } = metadata;
    return {
      kind: "write",
      path,
      content: long("content", content),
      ...(typeof exists === "boolean" ? { exists } : {}),
      ...language,
    };
  },
  texts: { content: contentOf },
};
