import type { MessageRow } from "../model/rows";
import { type Fields, fields, label, number } from "./fields";
import { time } from "./no_time";
import { failure, tokens } from "./values";

/** The row of a message's header. */
export function messageRow(message: number, info: Fields): MessageRow {
  const role = info.role === "user" || info.role === "assistant" ? info.role : "other";
  const times = fields(info.time);
  const model = fields(info.model);
  const optional = {
    agent: label(info.agent, 60) || undefined,
    model: modelName(info.providerID ?? model?.providerID, info.modelID ?? model?.modelID),
    created: time(times?.created),
    completed: time(times?.completed),
    cost: number(info.cost),
    tokens: fields(info.tokens) ? tokens(info.tokens) : undefined,
    finish: label(info.finish, 60) || undefined,
    error: info.error === undefined || info.error === null ? undefined : failure(info.error),
  };
  return {
    kind: "message",
    message,
    id: label(info.id),
    role,
    roleName: label(info.role, 40) || "unknown",
    summary: info.summary === true,
    ...optional,
  } as MessageRow;
}

function modelName(provider: unknown, model: unknown): string | undefined {
  const name = [label(provider, 60), label(model, 80)].filter(Boolean).join("/");
  return name || undefined;
}
