// Streams of providers, written by hand after what their APIs send: one response each, with made-up texts.

/** An SSE stream of values; with `named`, each has its type as the event's name. */
const sse = (values, { named = false, end = "" } = {}) =>
  values
    .map((value) => `${named ? `event: ${value.type}\n` : ""}data: ${JSON.stringify(value)}\n\n`)
    .join("") + end;

/* Anthropic: blocks with a start, deltas and a stop. */

const block = (index, content_block, ...deltas) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const textDelta = (text) => ({ type: "text_delta", text });
const jsonDelta = (partial_json) => ({ type: "input_json_delta", partial_json });
const textBlock = (index, ...texts) =>
  block(index, { type: "text", text: "" }, ...texts.map(textDelta));

function anthropic(blocks, { stop = "end_turn", input = 21, output = 17, cacheRead = 0 } = {}) {
  const usage = {
    ...{ input_tokens: input, cache_creation_input_tokens: 0, cache_read_input_tokens: cacheRead },
    ...{ output_tokens: 1, service_tier: "standard" },
  };
  const message = {
    ...{ id: "msg_01Recorded", type: "message", role: "assistant", model: "claude-sonnet-4-5" },
    ...{ content: [], stop_reason: null, stop_sequence: null, usage },
  };
  const delta = { stop_reason: stop, stop_sequence: null };
  return sse(
    [
      { type: "message_start", message },
      ...blocks.slice(0, 1),
      { type: "ping" },
      ...blocks.slice(1),
      ...(stop ? [{ type: "message_delta", delta, usage: { output_tokens: output } }] : []),
      ...(stop ? [{ type: "message_stop" }] : []),
    ],
    { named: true },
  );
}

const anthropicStreams = {
  "anthropic-text": anthropic(textBlock(0, "The lake ", "is cold ", "in May.")),
  "anthropic-cached": anthropic(textBlock(0, "As said ", "before."), { cacheRead: 1200 }),
  "anthropic-json-tool": anthropic(
    [
      ...textBlock(0, "I note ", "the list."),
      ...block(
        1,
        { type: "tool_use", id: "toolu_01List", name: "note", input: {} },
        ...["", '{"items"', ': ["rope", ', '"lamp \\u00e9\\n"]', "}"].map(jsonDelta),
      ),
    ],
    { stop: "tool_use", output: 44 },
  ),
  "anthropic-thinking-parallel-tools": anthropic(
    [
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "Two places, " },
        { type: "thinking_delta", thinking: "both at once." },
        { type: "signature_delta", signature: "bWFkZSB1cA==" },
      ),
      ...block(
        1,
        { type: "tool_use", id: "toolu_01A", name: "weather", input: {} },
        ...["", '{"place": "Ut', 'recht"}'].map(jsonDelta),
      ),
      ...block(2, { type: "tool_use", id: "toolu_01B", name: "clock", input: {} }, jsonDelta("")),
    ],
    { stop: "tool_use", output: 80 },
  ),
  "anthropic-web-search": anthropic(
    [
      ...textBlock(0, "I look it up."),
      ...block(
        1,
        { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: {} },
        ...["", '{"query": ', '"height of a made up hill"}'].map(jsonDelta),
      ),
      ...block(2, {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_01",
        content: [
          {
            ...{ type: "web_search_result", title: "Hills", url: "https://hills.example/" },
            ...{ encrypted_content: "bm90aGluZw==", page_age: null },
          },
        ],
      }),
      ...textBlock(3, "It is ", "312 m high."),
    ],
    { output: 96 },
  ),
  "anthropic-refusal": anthropic(textBlock(0, "I will not ", "do that."), { stop: "refusal" }),
  "anthropic-error":
    anthropic(textBlock(0, "It begins ").slice(0, 2), { stop: null }) +
    sse([{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }], {
      named: true,
    }),
};

/* Chat completions: chunks with deltas. */

function chat(deltas, { finish = "stop", usage } = {}) {
  const chunk = (choices, more) => ({
    ...{ id: "chatcmpl-recorded", object: "chat.completion.chunk", created: 1768210200 },
    ...{ model: "chat-large", choices, ...more },
  });
  const choice = (delta, finish_reason = null) => [{ index: 0, delta, finish_reason }];
  return sse(
    [
      chunk(choice({ role: "assistant", content: "" })),
      ...deltas.map((delta) => chunk(choice(delta))),
      ...(finish ? [chunk(choice({}, finish))] : []),
      ...(usage ? [chunk([], { usage })] : []),
    ],
    { end: finish ? "data: [DONE]\n\n" : "" },
  );
}

const chatUsage = (prompt, completion, { cached = 0, reasoning = 0 } = {}) => ({
  ...{ prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
});
const callDelta = (index, args, start) => ({
  tool_calls: [
    start
      ? { index, id: start.id, type: "function", function: { name: start.name, arguments: args } }
      : { index, function: { arguments: args } },
  ],
});

const chatStreams = {
  "chat-text": chat(
    [{ content: "A bridge " }, { content: "of stone, " }, { content: "and older." }],
    { usage: chatUsage(14, 9) },
  ),
  "chat-reasoning-tool": chat(
    [
      { reasoning_content: "The boat is " },
      { reasoning_content: "asked for." },
      { content: "One moment." },
      callDelta(0, "", { id: "call_boat", name: "find_boat" }),
      ...['{"na', 'me": "Ida', ' \\"II\\""}'].map((args) => callDelta(0, args)),
    ],
    { finish: "tool_calls", usage: chatUsage(120, 40, { cached: 64, reasoning: 12 }) },
  ),
  "chat-parallel-tools": chat(
    [
      callDelta(0, "", { id: "call_one", name: "read" }),
      callDelta(0, '{"path": "a.txt"}'),
      callDelta(1, "", { id: "call_two", name: "read" }),
      callDelta(1, '{"path": '),
      callDelta(1, '"b.txt"}'),
    ],
    { finish: "tool_calls", usage: chatUsage(60, 30) },
  ),
  "chat-cut-by-length": chat([{ content: "Once there was " }, { content: "a" }], {
    finish: "length",
    usage: chatUsage(8, 5),
  }),
  "chat-no-usage": chat([{ content: "Yes." }]),
  "chat-error":
    chat([{ content: "It beg" }], { finish: null }) +
    sse([{ error: { message: "The server is busy", type: "server_error", code: 503 } }]),
};

/* Responses: items with events of their own. */

function responses(events, { status = "completed", reason, usage, error } = {}) {
  const response = (more) => ({
    ...{ id: "resp_recorded", object: "response", created_at: 1768210200, model: "o-large" },
    ...{ status: "in_progress", error: null, incomplete_details: null, output: [], usage: null },
    ...more,
  });
  const incomplete_details = reason ? { reason } : null;
  const all = [
    { type: "response.created", response: response() },
    { type: "response.in_progress", response: response() },
    ...events,
    {
      type: `response.${status}`,
      response: response({ status, incomplete_details, usage, error }),
    },
  ];
  return sse(
    all.map(({ type, ...event }, sequence_number) => ({ type, sequence_number, ...event })),
    { named: true },
  );
}

const item = (output_index, first, events, last = first) => [
  { type: "response.output_item.added", output_index, item: first },
  ...events.map((event) => ({ output_index, ...event })),
  { type: "response.output_item.done", output_index, item: last },
];

function said(index, texts) {
  const at = { item_id: `msg_${index}`, content_index: 0 };
  const whole = texts.join("");
  const message = (status, content) => ({
    ...{ id: `msg_${index}`, type: "message", status, role: "assistant", content },
  });
  const part = (text) => ({ type: "output_text", annotations: [], logprobs: [], text });
  return item(
    index,
    message("in_progress", []),
    [
      { type: "response.content_part.added", ...at, part: part("") },
      ...texts.map((delta) => ({
        ...{ type: "response.output_text.delta", ...at, delta, logprobs: [] },
      })),
      { type: "response.output_text.done", ...at, text: whole, logprobs: [] },
      { type: "response.content_part.done", ...at, part: part(whole) },
    ],
    message("completed", [part(whole)]),
  );
}

function called(index, name, pieces) {
  const of = (status, args) => ({
    ...{ id: `fc_${index}`, type: "function_call", status, arguments: args },
    ...{ call_id: `call_${index}`, name },
  });
  const args = pieces.join("");
  const at = { item_id: `fc_${index}` };
  return item(
    index,
    of("in_progress", ""),
    [
      ...pieces.map((delta) => ({ type: "response.function_call_arguments.delta", ...at, delta })),
      { type: "response.function_call_arguments.done", ...at, arguments: args },
    ],
    of("completed", args),
  );
}

function thought(index, texts) {
  const whole = texts.join("");
  const at = { item_id: `rs_${index}`, summary_index: 0 };
  const part = (text) => ({ type: "summary_text", text });
  return item(
    index,
    { id: `rs_${index}`, type: "reasoning", encrypted_content: null, summary: [] },
    [
      { type: "response.reasoning_summary_part.added", ...at, part: part("") },
      ...texts.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text: whole },
      { type: "response.reasoning_summary_part.done", ...at, part: part(whole) },
    ],
    { id: `rs_${index}`, type: "reasoning", encrypted_content: null, summary: [part(whole)] },
  );
}

function interpreted(index, code, logs) {
  const of = (status, more) => ({
    ...{ id: `ci_${index}`, type: "code_interpreter_call", status, container_id: "cntr_1" },
    ...more,
  });
  const at = { item_id: `ci_${index}` };
  const name = "response.code_interpreter_call";
  return item(
    index,
    of("in_progress", { code: "", outputs: [] }),
    [
      { type: `${name}.in_progress`, ...at },
      { type: `${name}_code.delta`, ...at, delta: code },
      { type: `${name}_code.done`, ...at, code },
      { type: `${name}.interpreting`, ...at },
      { type: `${name}.completed`, ...at },
    ],
    of("completed", { code, outputs: [{ type: "logs", logs }] }),
  );
}

const tokens = (input, output, { cached = 0, reasoning = 0 } = {}) => ({
  ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached } },
  ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: reasoning } },
  total_tokens: input + output,
});
const quota = { code: "insufficient_quota", message: "There is no quota left" };

const responsesStreams = {
  "openai-text": responses(said(0, ["Of wood, ", "mostly."]), { usage: tokens(18, 7) }),
  "openai-reasoning-tools": responses(
    [
      ...thought(0, ["**Two files**\n\n", "Both are needed."]),
      ...called(1, "read", ['{"path":', '"a.txt"}']),
      ...called(2, "list", ["{}"]),
    ],
    { usage: tokens(90, 60, { cached: 32, reasoning: 20 }) },
  ),
  "openai-code-interpreter-tool": responses(
    [...interpreted(0, "print(6 * 7)", "42\n"), ...said(1, ["It is ", "42."])],
    { usage: tokens(200, 50) },
  ),
  "openai-incomplete": responses(said(0, ["Once there was a"]), {
    ...{ status: "incomplete", reason: "max_output_tokens", usage: tokens(9, 4) },
  }),
  "openai-error": responses([{ type: "error", param: null, ...quota }], {
    ...{ status: "failed", error: quota },
  }),
};

/* Gemini: chunks with parts. */

function gemini(chunks, usage, finishReason = "STOP") {
  return sse(
    chunks.map((parts, at) => {
      const isLast = at === chunks.length - 1;
      const content = { role: "model", parts };
      return {
        candidates: [{ content, index: 0, ...(isLast ? { finishReason } : {}) }],
        usageMetadata: usage,
        ...{ modelVersion: "gemini-large", responseId: "recorded" },
      };
    }),
  );
}
const counts = (prompt, candidates, thoughts) => ({
  ...{ promptTokenCount: prompt, candidatesTokenCount: candidates },
  ...(thoughts ? { thoughtsTokenCount: thoughts } : {}),
  totalTokenCount: prompt + candidates + (thoughts ?? 0),
});

const geminiStreams = {
  "google-text": gemini([[{ text: "Red, " }], [{ text: "then green." }]], counts(7, 6)),
  "google-reasoning": gemini(
    [
      [{ text: "Which colour? ", thought: true }],
      [{ text: "The first one.", thought: true }],
      [{ text: "Red.", thoughtSignature: "bWFkZSB1cA==" }],
    ],
    counts(11, 3, 15),
  ),
  "google-tool-call": gemini(
    [
      [{ text: "I ask both." }],
      [
        { functionCall: { name: "weather", args: { place: "Lund", days: [1, 2] } } },
        { functionCall: { name: "clock", args: {} } },
      ],
      [{ text: "" }],
    ],
    counts(30, 22),
  ),
  "google-blocked": gemini([[{ text: "That is" }]], counts(5, 2), "SAFETY"),
  "google-cut-by-length": gemini(
    [[{ text: "Once there " }], [{ text: "was" }]],
    counts(6, 4),
    "MAX_TOKENS",
  ),
};

/** The ids of a response in the streams above, without what makes each one's own. */
const RESPONSE_ID = /"(msg_01Recorded|chatcmpl-recorded|resp_recorded|recorded)"/g;

/** The streams with the id of their response: readers tell responses apart by it. */
const withIds = (streams) =>
  Object.fromEntries(
    Object.entries(streams).map(([name, stream], i) => [
      name,
      stream.replace(RESPONSE_ID, (_, id) => `"${id}${i + 1}"`),
    ]),
  );

/** The streams by format. */
export const STREAMS = {
  anthropic: withIds(anthropicStreams),
  "openai-chat": withIds(chatStreams),
  "openai-responses": withIds(responsesStreams),
  gemini: withIds(geminiStreams),
};
