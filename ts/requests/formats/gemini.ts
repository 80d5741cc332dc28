// The body for Gemini's generateContent: https://ai.google.dev/api/generate-content. Neither the model nor whether it
// is a stream stands in it: both are in the address.
import { type Fields, isObject } from "../../tools/boundary.ts";
import type { AskedRequest } from "../asked.ts";
import type { CallEntry, OwnFileEntry, Step, Turn, UserTurn } from "../entries.ts";
import { type FileRules, fileBlock, sentFile } from "../files.ts";
import type { Format } from "../format.ts";
import { isGemini3 } from "../models.ts";
import { warn } from "../placed.ts";
import { CONTINUED } from "../repair.ts";
import { isBlank } from "../unsent.ts";
import { inTurn, type Said } from "./in-turn.ts";

/** Takes the place of a signature that is lost: documented for histories of other models. */
const SKIP = "skip_thought_signature_validator";

interface Content {
  role: "user" | "model";
  parts: Fields[];
}

const FILES: FileRules<Fields> = {
  format: "gemini",
  isRawText: true,
  text: (text) => ({ text }),
  file({ kind, mime, data, url }) {
    if (data !== undefined) return { inlineData: { mimeType: mime, data } };
    const isTaken = url !== undefined && (kind === "image" || kind === "pdf");
    return isTaken ? { fileData: { mimeType: mime, fileUri: url } } : undefined;
  },
};

const signed = ({ thoughtSignature }: Fields): Fields =>
  typeof thoughtSignature === "string" ? { thoughtSignature } : {};

/** Fields of a part that is not whole: those that the entry has no place for. */
const restOf = ({ part }: Fields): Fields => (isObject(part) ? part : {});

function call({ name, input, state = {} }: CallEntry, asked: AskedRequest): Fields {
  const { functionCall, ...rest } = restOf(state);
  const id = typeof state.id === "string" ? { id: state.id } : {};
  const more = isObject(functionCall) ? functionCall : {};
  return {
    functionCall: { ...id, name: asked.nameOf(name), args: input, ...more },
    ...signed(state),
    ...rest,
  };
}

/** A file of the model, as it came. */
function ownFile({ file, state }: OwnFileEntry): Fields {
  const { thoughtSignature: _, thought, part: _rest, ...more } = state;
  const { data } = sentFile(file, "gemini");
  const { mime: mimeType, filename } = file;
  const own = { mimeType, ...(filename !== undefined && { displayName: filename }), ...more };
  return {
    ...(data === undefined
      ? { fileData: { ...own, fileUri: file.url } }
      : { inlineData: { ...own, data } }),
    ...(thought === true && { thought }),
    ...signed(state),
    ...restOf(state),
  };
}

/** The parts of a step. */
function partsOf(step: Step, asked: AskedRequest): Fields[] {
  const parts: Fields[] = [];
  let isFirst = true;
  for (const entry of step.entries) {
    switch (entry.kind) {
      case "text":
      case "reasoning": {
        const state = entry.state ?? {};
        const signature = signed(state);
        if (isBlank(entry.text) && signature.thoughtSignature === undefined) break;
        const thought = entry.kind === "reasoning" && { thought: true };
        parts.push({ text: entry.text, ...thought, ...signature, ...restOf(state) });
        break;
      }
      case "file":
        parts.push(ownFile(entry));
        break;
      case "custom":
        if (isObject(entry.state.part)) parts.push(entry.state.part);
        break;
      case "call": {
        if (entry.isProviders) {
          const { part, result } = entry.state ?? {};
          for (const whole of [part, result]) if (isObject(whole)) parts.push(whole);
          break;
        }
        const made = call(entry, asked);
        if (isFirst && made.thoughtSignature === undefined && isGemini3(asked.model)) {
          made.thoughtSignature = SKIP;
          const message =
            "the first call of a content has no signature: one that is not checked is sent";
          warn(asked.report, "RQ-4", message, entry.index, entry.at);
        }
        isFirst = false;
        parts.push(made);
        break;
      }
      case "lost":
    }
  }
  return parts;
}

/** The response as the program sent it in another form, if the output is still what it says. */
function responseOf({ state, result: given }: CallEntry): Fields | undefined {
  const own = isObject(state?.result) ? state.result.functionResponse : undefined;
  const response = isObject(own) ? own.response : undefined;
  if (!isObject(response) || given === undefined) return undefined;
  const isTold = (value: unknown) => (JSON.stringify(value) ?? "") === given.text;
  const isSame = Object.values(response).some((value) => value === given.text || isTold(value));
  return isSame || isTold(response) ? response : undefined;
}

/** The parts of a call's result. */
function result(entry: CallEntry, asked: AskedRequest): Fields[] {
  if (entry.isProviders || entry.result === undefined) return [];
  const { text, isError, files } = entry.result;
  const id = entry.state?.id;
  const sent = files.map((file) => fileBlock(file, FILES, entry, asked.report));
  const isWithin = isGemini3(asked.model) && sent.length > 0;
  const response = responseOf(entry) ?? (isError ? { error: text } : { output: text });
  return [
    {
      functionResponse: {
        ...(typeof id === "string" && { id }),
        ...{ name: asked.nameOf(entry.name), response, ...(isWithin && { parts: sent }) },
      },
    },
    ...(isWithin ? [] : sent),
  ];
}

function ofUser({ entries }: UserTurn, asked: AskedRequest): Fields[] {
  const parts = entries.map((entry) => {
    if (entry.kind === "text") return { text: entry.text };
    if (entry.kind === "file") return fileBlock(entry.file, FILES, entry, asked.report);
    return entry.state.part;
  });
  return parts.filter(isObject);
}

function* said(turn: Turn, asked: AskedRequest): Iterable<Said<Fields>> {
  if (turn.role === "user") {
    yield { isUser: true, pieces: ofUser(turn, asked) };
    return;
  }
  yield { isUser: false, pieces: partsOf(turn, asked) };
  const calls = turn.entries.filter((entry) => entry.kind === "call");
  const results = calls.flatMap((one) => result(one, asked));
  // The responses first, then the files that stand behind them.
  const isResponse = (part: Fields) => part.functionResponse !== undefined;
  const files = results.filter((part) => !isResponse(part));
  yield { isUser: true, pieces: [...results.filter(isResponse), ...files] };
}

function contentsOf(turns: Turn[], asked: AskedRequest): Content[] {
  const messages = inTurn<Fields>(turns, asked, {
    continued: { text: CONTINUED },
    said: (turn) => said(turn, asked),
  });
  return messages.map(({ isUser, pieces }) => ({ role: isUser ? "user" : "model", parts: pieces }));
}

export const gemini: Format = {
  rules: {
    reads({ state, hasState, answerer }) {
      if (state !== undefined) return !answerer.isOtherModel;
      // Thoughts need no signature: they go to the provider that had them, and where nobody knows who had.
      return answerer.isUnknown || (answerer.isKnown && !hasState && !answerer.isOtherModel);
    },
    readsCall: ({ part }) => isObject(part),
    takesFiles: true,
    ofOtherModel(state) {
      const { thoughtSignature, ...unsigned } = state;
      return thoughtSignature === undefined ? state : unsigned;
    },
  },
  body(turns, asked) {
    const { maxTokens, tools } = asked;
    const parts = asked.system.map((text) => ({ text }));
    return {
      ...(parts.length > 0 && { systemInstruction: { parts } }),
      contents: contentsOf(turns, asked),
      ...(tools.length > 0 && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, schema }) => ({
              ...{ name, ...(description !== undefined && { description }) },
              parametersJsonSchema: schema,
            })),
          },
        ],
      }),
      ...(maxTokens !== undefined && { generationConfig: { maxOutputTokens: maxTokens } }),
    };
  },
};
