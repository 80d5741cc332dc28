import type { BodyOf, WebAnswer } from "../../../../core/model/tools";
import { type Fields, label, text } from "../../../../core/worker/fields";
import { node } from "../../../../core/worker/values";
import { known, type ToolReader, whole } from "./tool_call";

export const web: ToolReader<BodyOf<"web">> = {
  read({ input, metadata }) {
    const asked = text(input.url) ?? text(input.query);
    if (asked === undefined) return undefined;
    return { kind: "web", input: node(input), answer: answerOf(metadata, asked) };
  },
};

function answerOf(metadata: Fields, asked: string): WebAnswer {
  const last = label(metadata.url, LONGEST_URL);
  return known<WebAnswer>({
    status: whole(metadata.status),
    mime: label(metadata.type, 100) || undefined,
    bytes: whole(metadata.bytes),
    redirected: last && last !== hrefOf(asked) ? last : undefined,
    results: whole(metadata.results),
  });
}

const LONGEST_URL = 300;

/** A URL as requests have it: with the `/` that its writer left out. */
function hrefOf(asked: string): string {
  try {
    return label(new URL(asked).href, LONGEST_URL);
  } catch {
    return asked;
  }
}
