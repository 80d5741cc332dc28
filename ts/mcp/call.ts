// A call of a tool. It settles by its own time, whatever the client does.

import type { Tool } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { deferred } from "../tools/deferred.ts";
import { Deadline } from "./deadline.ts";
import { McpCallError } from "./errors.ts";
import type { Call } from "./options.ts";
import { Progress, type Report } from "./progress.ts";
import { toolResult } from "./result.ts";
import { aborted, thrownBy, timedOut } from "./thrown.ts";
import type { McpResultContext } from "./types.ts";

/** The context of a call: a program that calls a tool by itself may give none, or a part of it. */
export type CallContext = Partial<Tool.Context> | undefined;

/** Shows a report in the running state; a context need not have one. */
function show(call: Call, context: CallContext, report: Report) {
  try {
    // It may be a function of any kind, which gives a promise.
    const metadata: ((update: object) => unknown) | undefined = context?.metadata;
    const promise = metadata?.call(context, { title: call.title, metadata: { mcp: report } });
    Promise.resolve(promise).catch(() => {});
  } catch (error) {
    log("warn", `the progress of the MCP tool ${call.toolName} could not be shown`, error);
  }
}

/** Sends the request; the options are where the client's SDK expects them. */
function send({ client, sdk, toolName }: Call, args: unknown, options: object) {
  // A cast: the server checks them.
  const params = { name: toolName, arguments: (args ?? {}) as Record<string, unknown> };
  // v2 ignores options in the wrong place, and v1 throws after the server has acted.
  return sdk === 2 ? client.callTool(params, options) : client.callTool(params, undefined, options);
}

/** What the client gives, or what ends the call before. */
async function answered(call: Call, args: unknown, context: CallContext) {
  const { timeout, maxTotalTimeout, resetTimeoutOnProgress } = call;
  const abort = context?.abort;
  if (abort?.aborted) throw aborted(abort.reason);
  const { promise, resolve, reject } = deferred<unknown>();
  const request = new AbortController();
  const progress = new Progress((report) => show(call, context, report));
  const onAbort = () => {
    reject(aborted(abort?.reason));
    request.abort(abort?.reason);
  };
  const deadline = new Deadline(timeout, maxTotalTimeout, (which) => {
    const error = timedOut(call, which);
    reject(error);
    request.abort(error);
  });
  try {
    abort?.addEventListener?.("abort", onAbort);
    const options = {
      signal: request.signal,
      timeout,
      maxTotalTimeout,
      resetTimeoutOnProgress,
      // Always given: without it the SDK asks for no progress, and its own time never begins anew.
      onprogress: (report: unknown) => {
        if (progress.take(report) && resetTimeoutOnProgress) deadline.restart();
      },
    };
    Promise.resolve(send(call, args, options)).then(resolve, reject);
    return await promise;
  } finally {
    deadline.stop();
    progress.end();
    abort?.removeEventListener?.("abort", onAbort);
  }
}

/** Calls the tool; gives its result. Throws `McpCallError`. Nothing is tried again: a call may have acted. */
export async function callTool(
  call: Call,
  args: unknown,
  context: CallContext,
): Promise<Tool.Result> {
  const about: McpResultContext = {
    clientName: call.clientName,
    sessionID: context?.sessionID ?? "",
    messageID: context?.messageID ?? "",
    limits: call.limits,
  };
  if (call.newId !== undefined) about.newId = call.newId;
  let result: unknown;
  try {
    result = await answered(call, args, context);
  } catch (error) {
    // Told by the signal: the codes for an abort and for a time-out are the same.
    if (context?.abort?.aborted && !(error instanceof McpCallError)) {
      throw aborted(context.abort.reason);
    }
    throw thrownBy(call, error, about);
  }
  if (context?.abort?.aborted) throw aborted(context.abort.reason);
  return toolResult(call, result, about);
}
