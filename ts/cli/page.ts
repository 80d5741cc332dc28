// The title and the facts above the messages of a document, for the command and the viewer.
import type { PageOptions, Transcript } from "apex-parts";
import { dollars, duration, plural } from "./units.ts";

/**
 * `name` is the title if the transcript has none. The document is of the whole file, of one `session`, or with
 * `isOfMain` of the messages of the main one.
 */
export function pageOf(
  transcript: Transcript,
  name: string,
  session: string | undefined,
  { isOfMain = false }: { isOfMain?: boolean } = {},
): PageOptions {
  const own = session === undefined ? transcript.session : undefined;
  const info = transcript.sessions.find(({ id }) => id === session);
  const title = info?.title ?? own?.title ?? name;
  if (session !== undefined) return { title: String(title), facts: [session] };
  const whole = transcript.stats();
  const isPart = isOfMain && transcript.messageCount < whole.messages;
  const stats = isPart ? transcript.stats({ session: transcript.sessions[0]?.id }) : whole;
  const { messages, start = 0, end = 0, cost, steps } = stats;
  const facts = [plural(messages, "message")];
  if (start > 0) facts.unshift(`${new Date(start).toISOString().slice(0, 16)} UTC`);
  if (end > start) facts.push(duration(end - start));
  if (steps > 0) facts.push(plural(steps, "step"));
  if (cost > 0) facts.push(dollars(cost));
  return { title: String(title), facts: facts.map((fact) => fact.replace("T", " ")) };
}
