import type { BodyOf } from "../../../../core/model/tools";
import { node } from "../../../../core/worker/values";
import type { ToolReader } from "./tool_call";

/** What every call has, for those that no other card shows. */
export const json = {
  read({ state }) {
    return { kind: "json", input: node(state.input ?? {}) };
  },
} satisfies ToolReader<BodyOf<"json">>;
