// Figures for docs/results.md: what a benchmark hands over to `npm run bench -- --write`, beside what it prints.
import { appendFileSync } from "node:fs";

const { APEX_PARTS_FIGURES: file } = process.env;

/**
 * Hands over a row of the page: its cells by the heads of their columns. The rows of a benchmark with the same columns are
 * a table. An `id` is for what other pages quote; it may be empty.
 *
 * @param {{ id?: string } & Record<string, string | number>} row
 */
export function figure(row) {
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`);
}

/** A number as a person says it: two digits of it. */
export const rounded = (number) => Number(number.toPrecision(2)).toLocaleString("en");

/** From the least to the most, or one of them if they are said alike. */
export function range(numbers, say = rounded) {
  const said = [Math.min(...numbers), Math.max(...numbers)].map(say);
  return [...new Set(said)].join(" to ");
}

/** A duration as a person says it, from nanoseconds. */
export function inWords(ns) {
  const units = [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
  ];
  // A duration that is said as 1,000 µs is one of 1 ms.
  const [unit, size] = units.find(([, least]) => ns >= 0.9995 * least) ?? units.at(-1);
  return `${rounded(ns / size)} ${unit}`;
}
