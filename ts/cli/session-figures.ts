// The figures of each session of a file: of `inspect`.
import type { TokenStats, Transcript, TranscriptStats } from "apex-parts";
import type { Session } from "./sessions.ts";
import { relation } from "./sessions.ts";
import { line } from "./summary.ts";
import { count, dollars, plural } from "./units.ts";

/** How many calls failed: in an error, or completed. */
export const failedIn = ({ tools }: TranscriptStats): number =>
  Object.values(tools).reduce((sum, { failedCalls = 0 }) => sum + failedCalls, 0);

/** A session with its figures. */
export interface SessionFigures extends Session {
  messages: number;
  failed: number;
  tokens: TokenStats;
  cost: number;
}

/** The sessions of a file, each with its own figures. */
export function figuresOf(transcript: Transcript): SessionFigures[] {
  return transcript.sessions.map((session) => {
    const stats = transcript.stats({ session: session.id });
    const { messages, tokens, cost } = stats;
    return { ...session, messages, failed: failedIn(stats), tokens, cost };
  });
}

/** `12,345 tokens` */
export function tokensOf({ input, output, reasoning, cache }: TokenStats): string {
  return `${count(input + output + reasoning + cache.read + cache.write)} tokens`;
}

/** The line of a session, and that of its title. */
export function sessionLines(session: SessionFigures): string[] {
  const { id, kind, title, messages, failed, tokens, cost } = session;
  const what = relation(session) ?? (kind === "main" ? "main" : "another session");
  const spent = cost > 0 ? `, ${dollars(cost)}` : "";
  const figures = `${plural(messages, "message")}, ${failed} failed, ${tokensOf(tokens)}${spent}`;
  const name = title ? [`    ${line(title)}`] : [];
  return [`  ${id} (${what}): ${figures}`, ...name];
}
