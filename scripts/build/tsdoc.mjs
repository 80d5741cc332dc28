// The comments of declarations as TSDoc: a sentence "Throws `X` if …" becomes `@throws`, a block of code `@example`, so
// that an editor shows them as such. The docs of the Rust source stay the one place where they are written.

/** What a class of the module has beside its own methods. */
const FREE = `/**
     * Releases the memory that it has in the module. Nothing else may be called after it; without it, the memory is
     * released when the object is collected.
     */`;

/** What the constructor of an error takes. */
const CREATED = `/**
 * Creates an error, for tests and for programs that throw it themselves.
 * @param message - What is wrong, and what to do.
 * @param details - The facts, as the property \`details\` has them.
 */`;

/** The objects of functions, which are no item of the Rust source. */
const NAMESPACES = {
  PartFactory: `/**
 * Creates parts from their required fields by position, each with a new id. A missing argument is logged.
 *
 * @example
 * \`\`\`ts
 * PartFactory.createTextPart("s", "m", "Hi").text; // "Hi"
 * \`\`\`
 */`,
  PartValidator: `/**
 * Checks values against the rules of parts and messages; \`apex-parts explain\` lists them.
 *
 * @example
 * \`\`\`ts
 * const { valid, problems } = PartValidator.validatePart({ type: "text", text: "Hi" });
 * valid; // false
 * problems.length > 0; // true
 * \`\`\`
 */`,
  ToolStateTransition: `/**
 * Creates the states of a tool call and moves from one to the next: pending, running, completed or error.
 *
 * @example
 * \`\`\`ts
 * const pending = ToolStateTransition.createPending({ filePath: "a.txt" }, "");
 * const running = ToolStateTransition.pendingToRunning(pending);
 * ToolStateTransition.runningToCompleted(running, "text", Date.now()).status; // "completed"
 * ToolStateTransition.validTransitions("running"); // ["running", "completed", "error"]
 * \`\`\`
 */`,
};

/** Fields of tool states, and those of the options of `create…` functions that the made value has under another name. */
const OPTIONS = {
  id: "A new one unless given.",
  agent: "The name of the agent.",
  providerID: "The id of the provider.",
  modelID: "The id of the model.",
  cwd: "The working directory, for `path.cwd`.",
  root: "The root of the project, for `path.root`.",
  created: "When it failed, in milliseconds since 1970, for `time.created`.",
  startTime: "When it began, in milliseconds since 1970; now unless given.",
  endTime: "When it ended, in milliseconds since 1970; now unless given.",
  summary: "What the message is a summary of.",
  sessionID: "The session that it belongs to.",
  messageID: "The message that it belongs to.",
  status: "Which state it is.",
  input: "The arguments of the call, parsed.",
  raw: "The arguments as the model wrote them.",
  output: "What the tool gave, for the model; not empty (BR-09).",
  title: "A line for people.",
  error: "Why it failed, for the model; not empty (BR-10).",
  metadata: "Additional data.",
  attachments: "Files of the result, for the model.",
};

/** The interfaces of declarations: where their fields begin, and the fields with the comments before them. */
const INTERFACE = /^export (?:interface|type) (\w+) (?:= |extends \w+ )?\{\n([\s\S]*?)^\};?$/gm;
const FIELD = /((?:^ {4}\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)^ {4}(\w+)(\??: .*)$/gm;

/**
 * Comments the fields of the options of `create…` functions with what is written at those of the value that they make,
 * and the fields of tool states.
 *
 * @param {string} text declarations
 */
export function withOptionFields(text) {
  const result = new Map();
  for (const [, name, fields] of text.matchAll(INTERFACE)) {
    const comments = [...fields.matchAll(FIELD)].map(([, comment, field]) => [field, comment]);
    result.set(name, new Map(comments));
  }
  return text.replace(INTERFACE, (whole, name, fields) => {
    const [, of, state] = /^(?:Create(\w+)Options|(ToolState[A-Z]\w+))$/.exec(name) ?? [];
    if (!of && !state) return whole;
    const commented = fields.replace(FIELD, (line, comment, field, rest) => {
      if (comment) return line;
      const own = field === "id" ? undefined : result.get(of)?.get(field);
      const words = own || (OPTIONS[field] && `    /** ${OPTIONS[field]} */\n`) || "";
      return `${words}    ${field}${rest}`;
    });
    return whole.replace(fields, () => commented);
  });
}

/** What follows the comment of something that can throw. */
const CALLED =
  /^\s*(?:export (?:default )?)?(?:declare )?(?:static |private )?(?:function\b|const \w+: Create|constructor\(|readonly |\w+\??(?:<[^>]*>)?\()/;

/** "Throws …", "throws …", "rejects with …", up to the end of the sentence or its half. */
const CLAUSE = /\b(?:[Tt]hrows|[Rr]ejects with) (?:an? (?=`))?(.*?)(?:; (?!throws|rejects)|$)/;
const NEVER = /\b(?:[Nn]ever|not|What it) (?:throws|rejects)\b/;

const sentences = (text) => text.split(/(?<=\.) +(?=[A-Z`])/);

/** A text in lines of at most this many characters. */
function wrapped(text, width = 112) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}

/** The tags for what a sentence says is thrown; `codes` is the class of errors that are named by their code. */
function thrown(sentence, codes) {
  const clause = CLAUSE.exec(sentence)?.[1];
  if (!clause || NEVER.test(sentence)) return [];
  const text = clause.replace(/[.;]$/, "");
  if (/^(?:as|what)\b/i.test(text)) return [`@throws ${text[0].toUpperCase()}${text.slice(1)}.`];
  if (codes && /^`[a-z_]+`/.test(text)) return [`@throws {${codes}} ${text}.`];
  // One tag an error: "`A` if …, `B` if …", "`A`, `B` or `C`".
  return text.split(/(?:, and |, or | or |, | and )(?=`[A-Z]\w*`)|, and (?=as )/).map((one) => {
    const [, name, when] = /^`([A-Z]\w*)`[:,]? ?(.*)$/.exec(one) ?? [];
    if (!name) return `@throws ${one[0].toUpperCase()}${one.slice(1)}.`;
    return when ? `@throws {${name}} ${when}.` : `@throws {${name}}`;
  });
}

/**
 * The lines of a comment, with tags at its end in the order of TSDoc.
 *
 * @param {string[]} lines without ` * `
 * @param {{ canThrow: boolean, codes?: string }} of
 */
export function tagged(lines, { canThrow, codes }) {
  const [body, params, returns, throws, examples] = [[], [], [], [], []];
  let code;
  let tags = body;
  for (const line of lines) {
    if (code) {
      code.push(line);
      if (line.startsWith("```")) code = undefined;
      continue;
    }
    if (line.startsWith("```js")) {
      code = ["@example", line.replace("```js", "```ts")];
      examples.push(code);
      continue;
    }
    // wasm-bindgen adds one for each argument; ours are in the comment of the Rust source.
    if (/^@param \w+$/.test(line)) continue;
    const tag = /^@(\w+)/.exec(line)?.[1];
    if (tag) tags = { param: params, returns, throws, example: examples }[tag] ?? body;
    tags.push(line);
  }
  const paragraphs = body.join("\n").trim().split(/\n\n+/);
  const kept = paragraphs.map((paragraph) => {
    if (!canThrow || /^(?:[-#|]|\d\.)/m.test(paragraph)) return paragraph;
    const moved = new Set();
    const all = sentences(paragraph.replaceAll("\n", " "));
    for (const sentence of all) {
      const errors = thrown(sentence, codes);
      throws.push(...errors);
      // What else the sentence says stays in the text.
      if (
        errors.length > 0 &&
        /^(?:Throws|Rejects with) /.test(sentence) &&
        !sentence.includes("; ")
      ) {
        moved.add(sentence);
      }
    }
    if (moved.size === 0) return paragraph;
    return wrapped(all.filter((sentence) => !moved.has(sentence)).join(" ")).join("\n");
  });
  const text = kept.filter(Boolean).join("\n\n");
  return [
    ...(text ? text.split("\n") : []),
    ...params,
    ...returns,
    ...throws.flatMap((tag) => wrapped(tag)),
    ...examples.flat(),
  ];
}

/**
 * A file of declarations with TSDoc.
 *
 * @param {string} text
 * @param {{ codes?: string }} [options]
 */
export function withTags(text, { codes } = {}) {
  const free = text.replace(/^( {4})free\(\): void;/gm, `$1${FREE}\n$1free(): void;`);
  const created = free.replace(
    /(?<!\*\/\n)^( *)(?=constructor\(message: string, details: )/gm,
    (_, indent) => `${indent}${CREATED.replaceAll("\n", `\n${indent}`)}\n${indent}`,
  );
  const objects = created.replace(/^(?=export namespace (\w+) \{)/gm, (_, name) =>
    NAMESPACES[name] ? `${NAMESPACES[name]}\n` : "",
  );
  return withOptionFields(objects).replace(
    /^( *)\/\*\*((?:(?!\*\/)[\s\S])*)\*\/(?=\n(.*))/gm,
    (whole, indent, inside, next) => {
      const lines = inside
        .replace(/\[`crate::(?:\w+::)*(\w+)`\]/g, "`$1`")
        .split("\n")
        .map((line) => line.replace(/^\s*\* ?/, "").trimEnd());
      while (lines[0] === "") lines.shift();
      while (lines.at(-1) === "") lines.pop();
      lines[0] = (lines[0] ?? "").trimStart();
      const comment = tagged(lines, { canThrow: CALLED.test(next), codes });
      if (comment.length === 1 && !whole.includes("\n")) return `${indent}/** ${comment[0]} */`;
      const starred = comment.map((line) => `${indent} *${line ? ` ${line}` : ""}\n`).join("");
      return `${indent}/**\n${starred}${indent} */`;
    },
  );
}
