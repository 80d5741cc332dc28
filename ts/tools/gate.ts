// The gate: requests that rules do not decide wait here for a reply.

import type { Permission } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { guardedClass, invalid, readOptions } from "./boundary.ts";
import type { CommandLine } from "./context.ts";
import { deferred, type Settled } from "./deferred.ts";
import { permissionCorrected, permissionDenied, permissionRejected } from "./errors.ts";
import { namesOf } from "./permission-names.ts";
import { decide as decidedByRules, match, matchOf } from "./rules.ts";

const SHOWN_RULES = 10;
let requests = 0;

const strings = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];

/** The rules that concern a permission. */
function concerning(permission: string, rulesets: Permission.Ruleset[]) {
  const names = namesOf(permission);
  return rulesets.flat().filter((rule) => names.some((name) => match(name, rule.permission)));
}

/** The same as text for a message. */
function listed(rules: Permission.Ruleset) {
  const lines = rules.slice(-SHOWN_RULES).map(({ permission: p, pattern, action }) => {
    return `${action} ${p} ${JSON.stringify(pattern)}`;
  });
  return lines.join(", ");
}

/** The error for patterns that rules deny. */
function denied(permission: string, pattern: string, rulesets: Permission.Ruleset[]) {
  const rules = concerning(permission, rulesets);
  return permissionDenied(
    `The rules deny ${permission} of ${JSON.stringify(pattern)}. Rules for ${permission}: ${listed(rules)}.`,
    { permission, pattern, rules },
  );
}

/** The error for a request that nobody is there to answer. */
export function unwatched({ permission, patterns, always }: GateRequest): Error {
  const pattern = strings(always)[0] ?? strings(patterns)[0] ?? "*";
  const rule: Permission.Rule = { permission, pattern, action: "allow" };
  const quoted = strings(patterns).map((text) => JSON.stringify(text));
  return permissionDenied(
    `${permission} of ${quoted.join(", ")} needs permission, and nobody can be asked in this run. The rule ${JSON.stringify(rule)} would allow it.`,
    { permission, patterns: strings(patterns), rule },
  );
}

/** An approval that `always` gave, and for whom it holds. */
type Approval = Permission.Rule & { sessionID?: string; agent?: string };

/**
 * What rules and approvals say of patterns: an error if one is denied, otherwise the patterns to ask about, none if all
 * are allowed. `whole` is the bash command line that contains the commands; some of it is never asked.
 */
export function decide(
  permission: string,
  patterns: string[],
  rulesets: Permission.Ruleset[],
  approved: Permission.Rule[],
  whole: CommandLine | undefined,
): { error?: Error; asked: string[] } {
  const line = permission === "bash" ? whole : undefined;
  const { denied: pattern, asked } = decidedByRules(permission, patterns, rulesets, approved, line);
  if (pattern === undefined) return { asked };
  return { error: denied(permission, pattern, rulesets), asked };
}

/** What a gate is asked: as tools written in JavaScript may give it. */
export interface GateRequest {
  sessionID: string;
  permission: string;
  patterns: string[];
  always?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  agent?: string | undefined;
  tool?: { messageID: string; callID: string } | undefined;
  rules: Permission.Ruleset[];
  /** The bash command line whose commands the patterns are. */
  whole?: CommandLine | undefined;
}

/** A request under way. */
export interface GateAnswer {
  /** Resolves when it is allowed. */
  allowed: Promise<void>;
  /** The request, if someone must be asked. */
  request?: Permission.Request;
  /** Takes it back. */
  cancel: (error: unknown) => void;
}

/** A request that waits for a reply. */
interface Waiting {
  request: Permission.Request;
  rulesets: Permission.Ruleset[];
  answer: Settled<void>;
  whole: CommandLine | undefined;
}

const settled = (allowed: Promise<void>): GateAnswer => ({ allowed, cancel() {} });

/** Where requests that rules do not decide wait for a reply. */
class PlainGate {
  #onAsk: ConstructorParameters<typeof PlainGate>[0]["onAsk"];
  #scope: "session" | "agent" | "instance";
  #waiting = new Map<string, Waiting>();
  #approved: Approval[] = [];

  /**
   * Creates a gate without requests.
   * @param options - Who shows requests, and how far an approval reaches.
   */
  constructor(options: {
    /** Shows a request; gives the reply, or nothing if `reply` will be called. */
    onAsk(
      request: Permission.Request,
      // biome-ignore lint/suspicious/noConfusingVoidType: a function without a result will do
    ): void | Permission.Reply | Promise<void | Permission.Reply>;
    /** How far `always` reaches: this session (the default), this agent, or everything. */
    scope?: "session" | "agent" | "instance";
  }) {
    const { onAsk, scope } = readOptions(options);
    if (typeof onAsk !== "function") {
      throw invalid("a Gate needs onAsk(request), which shows the request or answers it");
    }
    this.#onAsk = onAsk;
    this.#scope = scope ?? "session";
  }

  /**
   * Resolves when it is allowed; rejects with `PermissionDenied`, `PermissionRejected` or `PermissionCorrected`.
   * @param input - The request, and the rules that hold for it.
   * @returns Nothing, when it is allowed.
   */
  ask(input: Omit<Permission.Request, "id"> & { rules: Permission.Ruleset[] }): Promise<void> {
    return this.request(input).allowed;
  }

  /**
   * The same with the request, and what takes it back.
   * @internal
   */
  request(input: GateRequest): GateAnswer {
    const { rules, permission, sessionID, whole } = { ...input };
    const patterns = strings(input.patterns);
    const rulesets = Array.isArray(rules) ? rules : [];
    let decided: ReturnType<typeof decide>;
    try {
      decided = decide(permission, patterns, rulesets, this.#approvedFor(input), whole);
    } catch (error) {
      return settled(Promise.reject(error));
    }
    if (decided.error) return settled(Promise.reject(decided.error));
    if (decided.asked.length === 0) return settled(Promise.resolve());
    const request: Permission.Request = {
      id: `per_${(++requests).toString(36)}_${Math.random().toString(36).slice(2, 10)}`,
      sessionID,
      permission,
      patterns,
      always: strings(input.always),
      metadata: input.metadata ?? {},
    };
    if (input.agent !== undefined) request.agent = input.agent;
    if (input.tool !== undefined) request.tool = input.tool;
    const answer = deferred<void>();
    this.#waiting.set(request.id, { request, rulesets, answer, whole });
    this.#show(request);
    return { allowed: answer.promise, request, cancel: (error) => this.#end(request.id, error) };
  }

  async #show(request: Permission.Request) {
    let reply: Permission.Reply | undefined;
    try {
      // A cast: nothing is undefined.
      reply = (await this.#onAsk(request)) as Permission.Reply | undefined;
    } catch (error) {
      log("error", "onAsk of a permission gate threw: the request is rejected", error);
      reply = { reply: "reject", message: "the request could not be shown" };
    }
    // Nothing returned: the reply comes by reply(id, …).
    if (reply !== undefined) this.reply(request.id, reply);
  }

  /**
   * Answers a request; `false` if none with this id waits. A rejection rejects all of the session.
   * @param id - The id of the request.
   * @param reply - The answer.
   * @returns `false` if none waits.
   */
  reply(id: string, reply: Permission.Reply): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    const { request } = waiting;
    // What is not a reply does not allow anything.
    const answer = typeof reply === "string" ? { reply } : (reply ?? { reply: "reject" });
    if (answer.reply === "once") {
      this.#end(id);
    } else if (answer.reply === "always") {
      this.#approve(request, answer.patterns);
      this.#end(id);
      this.#answerOthers();
    } else {
      const { message } = answer;
      const details = { request };
      const error =
        typeof message === "string" && message.trim() !== ""
          ? permissionCorrected(`The user turned this call down: ${message}`, details)
          : permissionRejected("The user turned this call down.", details);
      this.#end(id, error);
      this.rejectSession(request.sessionID);
    }
    return true;
  }

  /**
   * The requests that wait, oldest first.
   * @param sessionID - Only those of this session.
   * @returns The requests.
   */
  pending(sessionID?: string): Permission.Request[] {
    const all = [...this.#waiting.values()].map(({ request }) => request);
    return sessionID === undefined ? all : all.filter((request) => request.sessionID === sessionID);
  }

  /**
   * What `always` has allowed. An approval never beats a rule that denies.
   * @returns The rules, and for whom they hold.
   */
  approved(): (Permission.Rule & { sessionID?: string; agent?: string })[] {
    return this.#approved.map((rule) => ({ ...rule }));
  }

  /**
   * Takes an approval back.
   * @param rule - One of `approved()`.
   * @returns `false` if there is none.
   */
  revoke(rule: Permission.Rule): boolean {
    const before = this.#approved.length;
    // A cast: approvals are rules with more.
    const { permission, pattern, sessionID, agent } = (rule ?? {}) as Partial<Approval>;
    this.#approved = this.#approved.filter(
      (own) =>
        !(
          own.permission === permission &&
          own.pattern === pattern &&
          (sessionID === undefined || own.sessionID === sessionID) &&
          (agent === undefined || own.agent === agent)
        ),
    );
    return this.#approved.length < before;
  }

  /**
   * Rejects all requests of a session.
   * @param sessionID - The id of the session.
   */
  rejectSession(sessionID: string): void {
    for (const [id, { request }] of [...this.#waiting]) {
      if (request.sessionID === sessionID) {
        this.#end(
          id,
          permissionRejected("Another call of this session was turned down.", { request }),
        );
      }
    }
  }

  #end(id: string, error?: unknown) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.answer.resolve();
    else waiting.answer.reject(error);
  }

  #approve(request: Permission.Request, narrower: unknown) {
    // What is wider than the request offered is not stored.
    const patterns = Array.isArray(narrower)
      ? strings(narrower).filter((text) =>
          request.always.some((own) => matchOf(request.permission, text, own)),
        )
      : request.always;
    for (const pattern of patterns) {
      const rule: Approval = { permission: request.permission, pattern, action: "allow" };
      if (this.#scope === "session") rule.sessionID = request.sessionID;
      if (this.#scope === "agent" && request.agent !== undefined) rule.agent = request.agent;
      this.#approved.push(rule);
    }
  }

  /** The approvals in whose scope a request is. */
  #approvedFor({ sessionID, agent }: { sessionID: string; agent?: string | undefined }) {
    return this.#approved.filter((rule) => {
      if (this.#scope === "session") return rule.sessionID === sessionID;
      return this.#scope !== "agent" || rule.agent === agent;
    });
  }

  #answerOthers() {
    for (const [id, { request, rulesets, whole }] of [...this.#waiting]) {
      const { permission, patterns } = request;
      const decided = decide(permission, patterns, rulesets, this.#approvedFor(request), whole);
      if (decided.error === undefined && decided.asked.length === 0) this.#end(id);
    }
  }
}

export const Gate: typeof PlainGate = /* @__PURE__ */ guardedClass("Gate", PlainGate, ["ask"]);
export type Gate = PlainGate;
