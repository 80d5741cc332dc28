/** The formats in which `toRequest` writes. */
export type RequestFormat = "anthropic" | "openai-chat";
/** What a model is asked. */
export interface RequestOptions {
  model: string;
  /** The messages, as `toMessages` gives them. */
  messages: Message[];
  /** The tools, as `ToolRegistry.definitions` gives them. */
  tools?: { name: string; description: string; inputSchema: JSONSchema }[];
  /** Instructions before the messages. */
  system?: string;
  /** The most tokens of the answer; by default 8,192 for Anthropic, which wants a number, else what the provider says. */
  maxTokens?: number;
}
/**
 * The body of a request for a stream that `DeltaAssembler` reads in the same format: `JSON.stringify` it. Text, images,
 * calls and their results are in it; thinking is left out, because a signature that a provider asks for is not in these
 * messages, and so are references to files. What else a provider takes is yours to add. Throws `PartValidationError` if
 * an option is not what it has to be.
 * @param format - Whose request it is.
 * @param options - The model, the messages, the tools.
 * @returns A new object, for `JSON.stringify`.
 * @example
 * ```ts
 * toRequest("openai-chat", { model: "m", messages: [] }).model; // "m"
 * ```
 */
export function toRequest(format: RequestFormat, options: RequestOptions): Record<string, unknown>;
