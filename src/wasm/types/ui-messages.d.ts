// biome-ignore-all lint/suspicious/noExplicitAny: the comment of `UIPart` says why.

/** A message in the form of the AI SDK. */
export interface UIMessage {
  id: string;
  role: "user" | "assistant";
  parts: UIPart[];
}
/**
 * A part of a message in the form of the AI SDK. Provider metadata is `any`: the SDK requires JSON values, apex-bridge
 * has `unknown` ones, and programs give these parts to both. An output is a string, or the value whose JSON it is.
 * A call whose `approval` says so has the state `output-denied`, `approval-responded` or `approval-requested` and neither
 * `output` nor `errorText`; the type leaves these states out, because apex-bridge's does.
 */
export type UIPart =
  | { type: "text"; text: string; providerMetadata?: Record<string, any> }
  | { type: "reasoning"; text: string; providerMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-available"; toolCallId: string; input: Record<string, unknown>; output: any; providerExecuted?: boolean; approval?: any; callProviderMetadata?: Record<string, any>; resultProviderMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-error"; toolCallId: string; input: Record<string, unknown>; errorText: string; providerExecuted?: boolean; approval?: any; callProviderMetadata?: Record<string, any>; resultProviderMetadata?: Record<string, any> }
  | { type: "file"; url: string; mediaType: string; filename?: string; providerMetadata?: Record<string, any> };
