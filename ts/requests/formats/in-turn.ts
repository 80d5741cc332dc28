// Roles in turn, as Anthropic and Gemini want them.
import type { AskedRequest } from "../asked.ts";
import type { Turn } from "../entries.ts";
import { warn } from "../placed.ts";
import { CONTINUED } from "../repair.ts";

/** What one side says. */
export interface Said<Piece> {
  isUser: boolean;
  pieces: Piece[];
}

/** The messages of a history without those that are empty; repaired, the user begins, and roles take turns (RP-5). */
export function inTurn<Piece>(
  turns: Turn[],
  asked: AskedRequest,
  format: { continued: Piece; said(turn: Turn): Iterable<Said<Piece>> },
): Said<Piece>[] {
  const messages: Said<Piece>[] = [];
  const say = ({ isUser, pieces }: Said<Piece>) => {
    if (pieces.length === 0) return;
    const last = messages.at(-1);
    if (last === undefined && !isUser && asked.repair) {
      warn(asked.report, "RP-5", `the user says ${CONTINUED} before it`, turns[0]?.index ?? 0);
      messages.push({ isUser: true, pieces: [format.continued] });
    }
    if (last?.isUser === isUser && asked.repair) last.pieces.push(...pieces);
    else messages.push({ isUser, pieces });
  };
  for (const turn of turns) for (const one of format.said(turn)) say(one);
  return messages;
}
