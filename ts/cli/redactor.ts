// The `Redactor` of a command: the kinds of --keep, the texts of --mask.
import { isApexPartsError, Redactor } from "apex-parts";
import { oneLine } from "./colour.ts";
import type { Values } from "./options.ts";
import { CliError, faultOf } from "./output.ts";

/** The most places of a kind that are listed. */
const PLACES = 1000;

/** An expression between slashes, and its flags. */
const EXPRESSION = /^\/(.+)\/([imsu]*)$/su;

/** What `--mask` says: a text, or the expression of `/re/i`. */
function maskOf(given: string): string | RegExp {
  if (given === "") throw new CliError("--mask is empty: it is the text to mask, or /re/i", 2);
  const [, source, flags] = EXPRESSION.exec(given) ?? [];
  if (source === undefined) return given;
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new CliError(`--mask ${oneLine(given)}: ${faultOf(error).message}`, 2);
  }
}

/** A session of masking. */
export function redactorOf({ keep, mask = [] }: Values): Redactor {
  const kinds = keep?.split(",").map((kind) => kind.trim()) ?? [];
  const masks = mask.map(maskOf);
  try {
    return new Redactor({
      keep: kinds.filter((kind) => kind !== ""),
      mask: masks,
      places: PLACES,
    });
  } catch (error) {
    if (isApexPartsError(error)) throw new CliError(`--keep: ${error.message}`, 2);
    throw error;
  }
}

/** Says which texts of --mask were nowhere. */
export function tellUnused(redactor: Redactor, { mask = [] }: Values): void {
  for (const index of redactor.unusedMasks) {
    process.stderr.write(`--mask ${oneLine(mask[index] ?? "")}: it occurs nowhere\n`);
  }
}
