import { type Fields, fields, number, text } from "../../../worker/fields";
import type { BodyOf } from "../model";
import type { ToolReader } from "./tool_call";

export const read: ToolReader<BodyOf<"read">> = {
  read({ state, path, language }) {
    if (!path) return undefined;
    const { firstLine } = readContent(state, text(state.output) ?? "");
    return { kind: "read", path, firstLine, ...language };
  },
  output: (state, output) => readContent(state, output).content,
};

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
