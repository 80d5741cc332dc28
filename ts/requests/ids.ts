// Ids of calls and names of tools that a provider takes: RP-3, RP-6, RQ-5.
import { toolsSha256 } from "apex-parts:glue";
import type { RequestFormat } from "./types.ts";

/** Whose rules hold for the ids of calls. */
export type IDRules = RequestFormat | "mistral";

const CALL_IDS: { [rules in IDRules]: RegExp } = {
  anthropic: /^[A-Za-z0-9_-]{1,64}$/,
  "openai-chat": /^.{1,40}$/s,
  "openai-responses": /^.{1,64}$/s,
  gemini: /./s,
  mistral: /^[A-Za-z0-9]{9}$/,
};

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The id as the provider takes it: the same string if it does so already (RP-6). */
export function callID(id: string, rules: IDRules): string {
  if (CALL_IDS[rules].test(id)) return id;
  const hash = toolsSha256(id);
  if (rules !== "mistral") return `call_${hash.slice(0, 24)}`;
  let left = BigInt(`0x${hash.slice(0, 16)}`);
  let digits = "";
  for (let at = 0; at < 9; at++) {
    digits += DIGITS.charAt(Number(left % 62n));
    left /= 62n;
  }
  return digits;
}

/** An id that is not taken: the id, else `ID_2`, `ID_3` … (RP-3); it is taken from now on. */
export function freeID(id: string, taken: Map<string, number>): string {
  let count = taken.get(id);
  if (count === undefined) {
    taken.set(id, 1);
    return id;
  }
  let free = id;
  do free = `${id}_${++count}`;
  while (taken.has(free));
  taken.set(id, count);
  taken.set(free, 1);
  return free;
}

const NAMES: { [format in RequestFormat]: RegExp } = {
  anthropic: /^[A-Za-z0-9_-]{1,128}$/,
  "openai-chat": /^[A-Za-z0-9_-]{1,64}$/,
  "openai-responses": /^[A-Za-z0-9_-]{1,64}$/,
  gemini: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
};

/** The name as the provider takes it: the same string if it does so already (RQ-5). */
export function toolName(name: string, format: RequestFormat): string {
  if (NAMES[format].test(name)) return name;
  let plain = name.slice(0, 55).replace(/[^A-Za-z0-9_-]/g, "_");
  if (format === "gemini") plain = plain.replace(/^[^A-Za-z_]/, "_");
  return `${plain}_${toolsSha256(name).slice(0, 8)}`;
}
