type Chunk =
  | { type: "reasoning"; content: string }
  | { type: "content"; content: string }
  | {
      type: "tool_calls";
      tool_calls: { id: string; function: { name: string; arguments: string } }[];
    };

let asked = 0;
/** A model that thinks and calls a tool, and then answers. */
export async function* streamChat(): AsyncGenerator<Chunk> {
  asked++;
  if (asked > 1) return yield { type: "content", content: "Three lines." };
  yield { type: "reasoning", content: "I read it." };
  const named = { name: "read", arguments: '{"path":"a.txt"}' };
  yield { type: "tool_calls", tool_calls: [{ id: "call_1", function: named }] };
}
export const dispatch = async (
  name: string,
  _args: unknown,
): Promise<{ success: boolean; output: string; error?: string }> => ({
  success: true,
  output: `of ${name}`,
});
export const toolActions = [1, 2, 3].map(() => ({ name: "read", parameters: { path: "a.txt" } }));
export const completions = process.env.APEX_BRIDGE_URL ?? "";
export const draw = (change: object) => console.log(change);
