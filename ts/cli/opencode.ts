// `convert --to opencode` and `--to opencode2`: a session as `opencode import` of that version takes it.
import type { Transcript } from "apex-parts";
import { openCode2Text, openCodeText } from "apex-parts";
import { escaped } from "./colour.ts";
import type { Values } from "./options.ts";
import { inBlocks, writeWhole } from "./out-file.ts";
import { mainSession } from "./sessions.ts";

const times = ({ field, count }: { field: string; count: number }) =>
  count === 1 ? field : `${field} (${count} times)`;

/** Each version of OpenCode by its name as a target, and what writes its sessions. */
export const OPENCODE: Record<string, typeof openCodeText> = {
  opencode: openCodeText,
  opencode2: openCode2Text,
};

/** Writes the session, and names on standard error what OpenCode has no place for. */
export async function writeOpenCode(
  transcript: Transcript,
  name: string,
  values: Values,
  textOf: typeof openCodeText,
): Promise<void> {
  const { session, out, title, directory, "new-ids": newIds } = values;
  // All of an export is of its session. Of another file it is said which one it is, if there are several.
  const isWhole = session === undefined && transcript.format === "opencode-export";
  const id = isWhole ? undefined : mainSession(transcript, name, session).id;
  const text = textOf(transcript, { newIds, title, directory, session: id });
  await writeWhole(out, inBlocks(text));
  if (text.dropped.length === 0) return;
  const list = text.dropped.map(times).join(", ");
  process.stderr.write(
    `${name}: left out, because OpenCode has no field for it: ${escaped(list)}\n`,
  );
}
