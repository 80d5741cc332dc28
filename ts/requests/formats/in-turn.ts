// Roles in turn, as Anthropic and Gemini want them.
import type { AskedRequest } from "../asked.ts";
import { warn } from "../placed.ts";
import { CONTINUED } from "../repair.ts";

/** What one side says. */
export interface Said<Piece> {
  isUser: boolean;
  pieces: Piece[];
}

/** What was said, without what is empty; repaired, the user begins and no side says two things in a row (RP-5). */
export function inTurn<Piece>(
  all: Said<Piece>[],
  asked: AskedRequest,
  { continued, index }: { continued: Piece; index: number },
): Said<Piece>[] {
  const said = all.filter(({ pieces }) => pieces.length > 0);
  const [first] = said;
  if (first === undefined || !asked.repair) return said;
  const turns: Said<Piece>[] = [];
  if (!first.isUser) {
    warn(asked.report, "RP-5", `the user says ${CONTINUED} before it`, index);
    turns.push({ isUser: true, pieces: [continued] });
  }
  for (const { isUser, pieces } of said) {
    const last = turns.at(-1);
    if (last?.isUser === isUser) last.pieces.push(...pieces);
    else turns.push({ isUser, pieces: [...pieces] });
  }
  return turns;
}
