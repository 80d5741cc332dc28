/** What somebody could put into a transcript so that a page which shows it runs something. */
export const EVIL = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</pre></details></style></title></textarea><script>alert(1)</script>",
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<form id=body><input name=innerHTML autofocus onfocus="alert(1)"></form>',
  "[a](javascript:alert(1)) [b](data:text/html,<script>alert(1)</script>)",
  "![c](https://evil.example/c.png) ![d](javascript:alert(1))",
  '```"><script>alert(1)</script>\nx\n```',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "<base href=https://evil.example><link rel=stylesheet href=https://evil.example/x.css>",
  "<style>*{background:url(https://evil.example/x)}</style>",
  "\x1b[31m<script>alert(1)</script>\x1b]8;;javascript:alert(1)\x07",
  "--><!--]]><![CDATA[<script>alert(1)</script>",
  "<object data=javascript:alert(1)></object><embed src=https://evil.example/x>",
];

const of = { sessionID: "s", messageID: "m" };
/** A message with this text in every place that has one. */
export function evilMessage(evil) {
  const time = { start: 1, end: 2 };
  const input = { [evil]: evil, list: [evil] };
  const url = `data:image/png;base64,${evil}`;
  const files = [evil, url, `https://${evil}`].map((url) => ({
    ...{ type: "file", ...of, filename: evil, mime: evil, url },
  }));
  const ended = { input, time, title: evil, metadata: { diff: `+${evil}` } };
  const states = [
    { status: "completed", ...ended, output: evil, attachments: files },
    { status: "error", ...ended, error: evil },
    { status: evil, ...ended },
  ];
  const parts = [
    ...["text", "reasoning"].map((type) => ({ type, text: evil })),
    ...states.map((state) => ({ type: "tool", tool: evil, state })),
    ...files,
    { type: "subtask", agent: evil, description: evil, prompt: evil },
    { type: "agent", name: evil },
    { type: "retry", error: { name: evil, message: evil } },
    { type: "patch", files: [evil] },
    { type: "step-finish", reason: evil, cost: 1 },
    { type: evil, [evil]: evil },
  ];
  const info = { role: "assistant", providerID: evil, modelID: evil, time: { created: 0 } };
  return { info: { ...info, error: { name: evil, data: { message: evil } } }, parts };
}
