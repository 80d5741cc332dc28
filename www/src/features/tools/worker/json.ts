import { node } from "../../../worker/values";
import type { BodyOf } from "../model";
import type { ToolReader } from "./tool_call";

/** What every call has, for those that no other card shows. */
export const json = {
  read({ state }) {
    return { kind: "json", input: node(state.input ?? {}) };
  },
} satisfies ToolReader<BodyOf<"json">>;
