// The gate: requests that rules do not decide wait here for a reply.
import { log } from "apex-parts:bridge";
import { guardedClass, invalid, readOptions } from "./boundary.ts";
import { deferred } from "./deferred.ts";
import {
  permissionCorrected,
  permissionDenied,
  permissionRejected,
} from "./errors.ts";
import { namesOf } from "./permission-names.ts";
import { decide as decidedByRules, match, matchOf } from "./rules.mjs";

const SHOWN_RULES = 10;
let requests = 0;

const texts = (list) =>
  Array.isArray(list) ? list.filter((text) => typeof text === "string") : [];

/** The rules that concern a permission. */
function concerning(permission, rulesets) {
  const names = namesOf(permission);
  return rulesets.flat().filter((rule) => names.some((name) => match(name, rule.permission)));
}

/** The same as text for a message. */
function listed(rules) {
  const shown = rules.slice(-SHOWN_RULES).map(({ permission: p, pattern, action }) => {
    return `${action} ${p} ${JSON.stringify(pattern)}`;
  });
  return shown.join(", ");
}

/** The error for patterns that rules deny. */
function denied(permission, pattern, rulesets) {
  const rules = concerning(permission, rulesets);
  return permissionDenied(
    `The rules deny ${permission} of ${JSON.stringify(pattern)}. Rules for ${permission}: ${listed(rules)}.`,
    { permission, pattern, rules },
  );
}

/** The error for a request that nobody is there to answer. */
export function unwatched({ permission, patterns, always }) {
  const pattern = texts(always)[0] ?? texts(patterns)[0] ?? "*";
  const rule = { permission, pattern, action: "allow" };
  return permissionDenied(
    `${permission} of ${texts(patterns)
      .map((text) => JSON.stringify(text))
      .join(
        ", ",
      )} needs permission, and nobody watches this run. The rule ${JSON.stringify(rule)} would allow it.`,
    { permission, patterns: texts(patterns), rule },
  );
}

/**
 * What rules and approvals say of patterns: an error if one is denied, otherwise the patterns to ask about, none if all
 * are allowed. `whole` is the text of bash whose commands the patterns are: in it is also what is never asked.
 */
export function decide(permission, patterns, rulesets, approved, whole) {
  const { denied: pattern, asked } = decidedByRules(
    permission,
    patterns,
    rulesets,
    approved,
    permission === "bash" ? whole : undefined,
  );
  return pattern === undefined ? { asked } : { error: denied(permission, pattern, rulesets), asked };
}

class PlainGate {
  #onAsk;
  #scope;
  #waiting = new Map();
  #approved = [];

  constructor(options) {
    const { onAsk, scope } = readOptions(options);
    if (typeof onAsk !== "function") {
      throw invalid("a Gate needs onAsk(request), which shows the request or answers it");
    }
    this.#onAsk = onAsk;
    this.#scope = scope ?? "session";
  }

  /** Resolves when the request is allowed. */
  ask(input) {
    return this.request(input).allowed;
  }

  /**
   * The same with the request, if someone must be asked, and `cancel(error)`, which takes it back. Not part
   * of the API.
   */
  request(input) {
    const { rules, permission, sessionID, whole } = { ...input };
    const patterns = texts(input.patterns);
    const rulesets = Array.isArray(rules) ? rules : [];
    let decided;
    try {
      decided = decide(permission, patterns, rulesets, this.#approvedFor(input), whole);
    } catch (error) {
      return { allowed: Promise.reject(error), cancel() {} };
    }
    if (decided.error) return { allowed: Promise.reject(decided.error), cancel() {} };
    if (decided.asked.length === 0) return { allowed: Promise.resolve(), cancel() {} };
    const request = {
      id: `per_${(++requests).toString(36)}_${Math.random().toString(36).slice(2, 10)}`,
      sessionID,
      permission,
      patterns,
      always: texts(input.always),
      metadata: input.metadata ?? {},
    };
    if (input.agent !== undefined) request.agent = input.agent;
    if (input.tool !== undefined) request.tool = input.tool;
    const answer = deferred();
    this.#waiting.set(request.id, { request, rulesets, answer, whole });
    this.#show(request);
    return { allowed: answer.promise, request, cancel: (error) => this.#end(request.id, error) };
  }

  async #show(request) {
    let reply;
    try {
      reply = await this.#onAsk(request);
    } catch (error) {
      log("error", "onAsk of a permission gate threw: the request is rejected", error);
      reply = { reply: "reject", message: "the request could not be shown" };
    }
    // Nothing returned: the reply comes by reply(id, …).
    if (reply !== undefined) this.reply(request.id, reply);
  }

  /** Answers a request; false if none with this id is waiting. */
  reply(id, reply) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    const answer = typeof reply === "string" ? { reply } : (reply ?? {});
    const { request } = waiting;
    if (answer.reply === "once") {
      this.#end(id);
    } else if (answer.reply === "always") {
      this.#approve(request, answer.patterns);
      this.#end(id);
      this.#answerOthers();
    } else {
      const { message } = answer;
      const said = typeof message === "string" && message.trim() !== "";
      const details = { request };
      this.#end(
        id,
        said
          ? permissionCorrected(`The user turned this call down: ${message}`, details)
          : permissionRejected("The user turned this call down.", details),
      );
      this.rejectSession(request.sessionID);
    }
    return true;
  }

  /** The requests that wait for a reply. */
  pending(sessionID) {
    const all = [...this.#waiting.values()].map(({ request }) => request);
    return sessionID === undefined ? all : all.filter((request) => request.sessionID === sessionID);
  }

  /** What `always` has allowed so far. */
  approved() {
    return this.#approved.map((rule) => ({ ...rule }));
  }

  /** Takes an approval back; false if there is none. */
  revoke(rule) {
    const before = this.#approved.length;
    this.#approved = this.#approved.filter((own) => {
      const { permission, pattern, sessionID, agent } = rule ?? {};
      return !(
        own.permission === permission &&
        own.pattern === pattern &&
        (sessionID === undefined || own.sessionID === sessionID) &&
        (agent === undefined || own.agent === agent)
      );
    });
    return this.#approved.length < before;
  }

  /** Rejects what waits for this session. */
  rejectSession(sessionID) {
    for (const [id, { request }] of [...this.#waiting]) {
      if (request.sessionID === sessionID) {
        this.#end(
          id,
          permissionRejected("Another call of this session was turned down.", { request }),
        );
      }
    }
  }

  #end(id, error) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.answer.resolve();
    else waiting.answer.reject(error);
  }

  #approve(request, narrower) {
    // What is wider than the request offered is not stored.
    const patterns = Array.isArray(narrower)
      ? texts(narrower).filter((text) =>
          request.always.some((own) => matchOf(request.permission, text, own)),
        )
      : request.always;
    for (const pattern of patterns) {
      const rule = { permission: request.permission, pattern, action: "allow" };
      if (this.#scope === "session") rule.sessionID = request.sessionID;
      if (this.#scope === "agent" && request.agent !== undefined) rule.agent = request.agent;
      this.#approved.push(rule);
    }
  }

  /** The approvals in whose scope a request is. */
  #approvedFor({ sessionID, agent }) {
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

export const Gate = /* @__PURE__ */ guardedClass("Gate", PlainGate, ["ask"]);
