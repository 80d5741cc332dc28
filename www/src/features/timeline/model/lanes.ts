import { type Layout, ROLE_USER } from "../../../core/model/layout";

/** More agents than this share the last lane. */
export const MOST_LANES = 8;
/** `Layout.sessions` of a message that names none. */
const NO_SESSION = 0xffff_ffff;

interface Lanes {
  names: string[];
  /** The lane of each message. */
  of: Uint8Array;
}

/**
 * One lane an agent, in the order in which they come first. A user's message belongs to the agent
 * that answers it; where agents have no names, each session is one.
 */
export function findLanes(layout: Layout): Lanes {
  const keys = findKeys(layout);
  const weights = new Map<number, number>();
  // Messages of one agent come in rows: a row of them is counted together.
  let since = 0;
  for (let message = 1; message <= keys.length; message++) {
    if (message < keys.length && keys[message] === keys[since]) continue;
    const key = keys[since] ?? 0;
    const parts = (layout.firstPart[message] ?? 0) - (layout.firstPart[since] ?? 0);
    weights.set(key, (weights.get(key) ?? 0) + parts + message - since);
    since = message;
  }
  const own = chosen(weights);
  const places = new Map([...own].map((key, place) => [key, place]));
  const names = [...own].map((key) => nameOf(key, layout, own));
  const left = weights.size - own.size;
  if (left > 0) names.push(`${left} others`);
  const of = new Uint8Array(keys.length);
  for (let message = 0; message < of.length; message++) {
    of[message] = places.get(keys[message] ?? 0) ?? own.size;
  }
  return { names, of };
}

/** An agent's number; below zero, the session of one without a name. */
function findKeys(layout: Layout): Int32Array {
  const { agents, roles, sessions } = layout;
  const keys = new Int32Array(roles.length);
  const answering = new Map<number, number>();
  for (let message = roles.length - 1; message >= 0; message--) {
    const session = sessions[message] ?? NO_SESSION;
    const own = (agents[message] ?? 0) || -1 - (session === NO_SESSION ? 0 : session);
    if (roles[message] === ROLE_USER) {
      keys[message] = answering.get(session) ?? own;
    } else {
      answering.set(session, own);
      keys[message] = own;
    }
  }
  return keys;
}

/** The agents with a lane of their own: all, or those that did most. */
function chosen(weights: Map<number, number>): Set<number> {
  if (weights.size <= MOST_LANES) return new Set(weights.keys());
  const heaviest = [...weights].sort((a, b) => b[1] - a[1]).slice(0, MOST_LANES - 1);
  const most = new Set(heaviest.map(([key]) => key));
  return new Set([...weights.keys()].filter((key) => most.has(key)));
}

function nameOf(key: number, layout: Layout, own: Set<number>): string {
  if (key > 0) return layout.agentNames[key - 1] ?? "agent";
  const nameless = [...own].filter((other) => other < 0).length;
  return nameless > 1 ? `session ${-key}` : "agent";
}
