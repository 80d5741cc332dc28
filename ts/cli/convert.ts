// `convert`: a transcript in another format, message by message, so that it may be of any length.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import {
  htmlPage,
  markdownHead,
  messageToHtml,
  messageToMarkdown,
  toMessages,
  toModelMessage,
} from "apex-parts";
import { withTranscript } from "./file.ts";
import { writeOpenCode } from "./opencode.ts";
import { isSame } from "./out-file.ts";
import { CliError, nameOf } from "./output.ts";
import { pageOf } from "./page.ts";
import { messagesOf, relation, sessionsOf, wantedSession } from "./sessions.ts";

/** A target that writes a JSON array of what `convert` returns for each message. */
function jsonArray(convert) {
  return () => {
    let isFirst = true;
    return {
      head: "[",
      message(message) {
        let text = "";
        for (const made of convert(message)) {
          text += `${isFirst ? "\n" : ",\n"}${JSON.stringify(made)}`;
          isFirst = false;
        }
        return text;
      },
      foot: "\n]\n",
    };
  };
}

/** Each target: its beginning, the text of a message, and its end. */
const TARGETS = {
  "with-parts": jsonArray((message) => [message]),
  "ui-messages": jsonArray((message) => toModelMessage([message])),
  messages: jsonArray((message) => toMessages([message])),
  markdown: (page) => ({
    head: markdownHead(page),
    session: (title, facts) => `\n${markdownHead({ title, facts })}`,
    message: messageToMarkdown,
    foot: "",
  }),
  html: (page) => ({
    ...htmlPage(page),
    session: (title, facts) => `<h1>${htmlText([title, ...facts].join(" · "))}</h1>\n`,
    // Of the main session alone: the numbers are addresses in the page.
    message: (message, i, isMain) => messageToHtml(message, isMain ? i : undefined),
  }),
};

const htmlText = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The heading of a session in a document with several. */
function headingOf(target, session) {
  const { id, title } = session;
  const facts = [relation(session)].filter((fact) => fact !== undefined);
  return target.session(`Session ${id}${title ? `: ${title}` : ""}`, facts);
}

/** The target that is written as a whole session, not message by message. */
const SESSION = "opencode";

/** The options of that target alone, and what each is. */
const OF_SESSION = {
  "new-ids": "a copy of a session there",
  title: "the title of the session there",
  directory: "the folder of the session there",
};

/** The output; `write` waits while the reader is slower. */
function outputTo(out) {
  if (out === undefined || out === "-") {
    const write = async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    };
    return { write, async end() {} };
  }
  const stream = createWriteStream(out);
  // Errors are reported by `finished`, which needs a listener from the start.
  const done = finished(stream);
  done.catch(() => {});
  const refused = (error) => new CliError(`${out}: ${error.message}`, 2);
  return {
    async write(text) {
      if (stream.errored) throw refused(stream.errored);
      if (stream.write(text)) return;
      await Promise.race([once(stream, "drain"), done]).catch((error) => {
        throw refused(error);
      });
    },
    async end() {
      stream.end();
      await done.catch((error) => {
        throw refused(error);
      });
    },
  };
}

/** Reports what could not be read: it is missing from the result. */
export function tellLost(transcript, name) {
  const lost = transcript.problems().filter((p) => p.path === "" && p.severity === "error");
  if (lost.length === 0) return;
  const [first] = lost;
  const more = lost.length > 1 ? ` (and ${lost.length - 1} more: apex-parts validate)` : "";
  process.stderr.write(`${name}: byte ${first.offset}: ${first.message}${more}\n`);
}

/** Small texts are collected up to this length before they are written. */
const BUFFERED = 1 << 16;

export function convert(file, values) {
  const { to, session, out } = values;
  if (to !== SESSION && !Object.hasOwn(TARGETS, to ?? "")) {
    const names = [...Object.keys(TARGETS), SESSION].join(", ");
    throw new CliError(`--to is one of ${names}${to === undefined ? "" : `; not ${to}`}`, 2);
  }
  for (const [name, what] of Object.entries(OF_SESSION)) {
    if (values[name] !== undefined && to !== SESSION) {
      throw new CliError(`--${name} is for --to ${SESSION}: ${what}`, 2);
    }
    if (values[name] === "") throw new CliError(`--${name} is empty: ${what}`, 2);
  }
  if (out !== undefined && out !== "-" && isSame(file, out)) {
    throw new CliError(`${out}: it cannot be read and written at once`, 2);
  }
  return withTranscript(file, values, async (transcript) => {
    wantedSession(transcript, nameOf(file), session);
    if (to === SESSION) {
      await writeOpenCode(transcript, nameOf(file), values);
      tellLost(transcript, nameOf(file));
      return 0;
    }
    const target = TARGETS[to](pageOf(transcript, nameOf(file), session));
    const output = outputTo(out);
    const sessions = sessionsOf(transcript, session);
    let buffered = target.head;
    let last;
    for (const { message, i, session: own } of messagesOf(transcript, session)) {
      if (sessions.length > 1 && target.session && own !== last) {
        buffered += headingOf(target, own);
      }
      last = own;
      buffered += target.message(message, i, own.id === sessions[0].id);
      if (buffered.length < BUFFERED) continue;
      await output.write(buffered);
      buffered = "";
    }
    await output.write(buffered + target.foot);
    await output.end();
    tellLost(transcript, nameOf(file));
    return 0;
  });
}
