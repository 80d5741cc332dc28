// `convert`: a transcript in another format, message by message, so that it may be of any length.
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { PageOptions, Transcript, WithParts } from "apex-parts";
import {
  htmlPage,
  markdownHead,
  messageToHtml,
  messageToMarkdown,
  openCodeText,
  toMessages,
  toModelMessage,
} from "apex-parts";
import type { CopyNote } from "./copy.ts";
import { noteOf, withNote } from "./copy.ts";
import { withTranscript } from "./file.ts";
import { OPENCODE, writeOpenCode } from "./opencode.ts";
import type { Values } from "./options.ts";
import { isSame } from "./out-file.ts";
import { CliError, faultOf, nameOf, tellLost } from "./output.ts";
import { pageOf } from "./page.ts";
import type { NamedSession } from "./sessions.ts";
import { messagesOf, relation, sessionsOf, wantedSession } from "./sessions.ts";

/** How a file is written: its beginning, the text of a message, and its end. */
interface Writing {
  head: string;
  /** The heading of a session. */
  session?(title: string, facts: string[]): string;
  message(message: WithParts, i: number, isMain: boolean): string;
  foot: string;
}

type Target = (page: PageOptions, note: () => CopyNote) => Writing;

/** A target that writes a JSON array of what `convert` returns for each message. */
function jsonArray(convert: (message: WithParts) => unknown[]): Target {
  return () => {
    let isFirst = true;
    return {
      head: "[",
      message(message) {
        let text = "";
        for (const one of convert(message)) {
          text += `${isFirst ? "\n" : ",\n"}${JSON.stringify(one)}`;
          isFirst = false;
        }
        return text;
      },
      foot: "\n]\n",
    };
  };
}

/** Each target by its name. */
const TARGETS: Record<string, Target> = {
  "with-parts": (page, note) => {
    let own = note();
    const noted = (message: WithParts) => {
      const whole = withNote(message, own);
      own = undefined;
      return [whole];
    };
    return jsonArray(noted)(page, note);
  },
  "ui-messages": jsonArray((message) => toModelMessage([message])),
  messages: jsonArray((message) => toMessages([message])),
  markdown: (page) => ({
    head: markdownHead(page),
    session: (title, facts) => `\n${markdownHead({ title, facts })}`,
    message: (message, i) => messageToMarkdown(message, i),
    foot: "",
  }),
  html: (page) => ({
    ...htmlPage(page),
    session: (title, facts) => `<h1>${htmlText([title, ...facts].join(" · "))}</h1>\n`,
    // Of the main session alone: the numbers are addresses in the page.
    message: (message, i, isMain) => messageToHtml(message, isMain ? i : undefined),
  }),
};

const htmlText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** The heading of a session in a document with several. */
function headingOf(target: Writing, session: NamedSession): string {
  const { id, title } = session;
  const fact = relation(session);
  const facts = fact === undefined ? [] : [fact];
  return target.session?.(`Session ${id}${title ? `: ${title}` : ""}`, facts) ?? "";
}

/** The options of the targets that are whole sessions alone, and what each is. */
const OF_SESSION = [
  ["new-ids", "a copy of the session in OpenCode"],
  ["title", "the title of the session in OpenCode"],
  ["directory", "the folder of the session in OpenCode"],
] as const;

/** An output; `write` waits while the reader is slower. */
interface Output {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

/** What a command writes to this file, or to standard output. */
function outputTo(out: string | undefined): Output {
  if (out === undefined || out === "-") {
    const write = async (text: string) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    };
    return { write, async end() {} };
  }
  const stream = createWriteStream(out);
  // Errors are reported by `finished`, which needs a listener from the start.
  const done = finished(stream);
  done.catch(() => {});
  const refused = (error: unknown) => new CliError(`${out}: ${faultOf(error).message}`, 2);
  return {
    async write(text: string) {
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

/** Says that the instructions of a file of messages for models are in no message, so that they are missing too. */
function tellInstructions(transcript: Transcript, name: string): void {
  if (transcript.session?.system === undefined) return;
  if (!transcript.format?.startsWith("messages-")) return;
  process.stderr.write(`${name}: its instructions are not in it (apex-parts inspect --json)\n`);
}

/** Small texts are collected up to this length before they are written. */
const BUFFERED = 1 << 16;

export function convert(file: string, values: Values): Promise<number> {
  const { to, session, out } = values;
  const makeTarget = Object.hasOwn(TARGETS, to ?? "") ? TARGETS[to ?? ""] : undefined;
  const toSession = Object.hasOwn(OPENCODE, to ?? "") ? OPENCODE[to ?? ""] : undefined;
  if (!toSession && !makeTarget) {
    const names = [...Object.keys(TARGETS), ...Object.keys(OPENCODE)].join(", ");
    throw new CliError(`--to must be one of ${names}${to === undefined ? "" : `; not ${to}`}`, 2);
  }
  for (const [name, what] of OF_SESSION) {
    if (values[name] !== undefined && !toSession) {
      throw new CliError(`--${name} is for --to ${Object.keys(OPENCODE).join(" or ")}: ${what}`, 2);
    }
    if (values[name] === "") throw new CliError(`--${name} is empty: ${what}`, 2);
  }
  if (out !== undefined && out !== "-" && isSame(file, out)) {
    throw new CliError(`${out}: it cannot be both read and written`, 2);
  }
  return withTranscript(file, values, async (transcript) => {
    wantedSession(transcript, nameOf(file), session);
    if (toSession || !makeTarget) {
      await writeOpenCode(transcript, nameOf(file), values, toSession ?? openCodeText);
      tellLost(transcript, nameOf(file));
      tellInstructions(transcript, nameOf(file));
      return 0;
    }
    const target = makeTarget(pageOf(transcript, nameOf(file), session), () =>
      noteOf(transcript, session),
    );
    const output = outputTo(out);
    const sessions = sessionsOf(transcript, session);
    let buffered = target.head;
    let last: NamedSession | undefined;
    for (const { message, i, session: own } of messagesOf(transcript, session)) {
      if (sessions.length > 1 && target.session && own !== last) {
        buffered += headingOf(target, own);
      }
      last = own;
      buffered += target.message(message, i, own.id === sessions[0]?.id);
      if (buffered.length < BUFFERED) continue;
      await output.write(buffered);
      buffered = "";
    }
    await output.write(buffered + target.foot);
    await output.end();
    tellLost(transcript, nameOf(file));
    tellInstructions(transcript, nameOf(file));
    return 0;
  });
}
