import type { Transcript } from "apex-parts";

/** The module tells what a file is by its first bytes, when there are so many. */
const FIRST_LOOK = 256;

/** Has something come, but too little to tell what it is? */
export function isShort(bytes: number): boolean {
  return bytes > 0 && bytes < FIRST_LOOK;
}

/**
 * Puts blank lines, which say nothing, behind what has come, so that it shows. The transcript cannot
 * go on behind them as the stream does: it is to be thrown away when more comes.
 */
export function fillUp(transcript: Transcript): void {
  transcript.push(new Uint8Array(FIRST_LOOK).fill(10));
}
