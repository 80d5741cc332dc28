import { long } from "../../../worker/values";
import type { BodyOf } from "../model";
import { contentOf, type ToolReader } from "./tool_call";

export const write: ToolReader<BodyOf<"write">> = {
  read({ input, path, language }) {
    const content = contentOf(input);
    if (content === undefined) return undefined;
    return { kind: "write", path, content: long("content", content), ...language };
  },
  texts: { content: contentOf },
};
