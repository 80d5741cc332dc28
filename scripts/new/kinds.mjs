// What can be added: one file for each kind.
import { column } from "./column.mjs";
import { format } from "./format.mjs";
import { provider } from "./provider.mjs";
import { rule } from "./rule.mjs";
import { tool } from "./tool.mjs";

/**
 * A kind. Its places are stated once: the command writes or lists them, and tests/command/places.test.mjs asks for each of
 * them for everything that is there.
 *
 * @typedef {object} Kind
 * @property {string} says What it is.
 * @property {string} example A name.
 * @property {(given: string) => Record<string, string>} spell A name in its spellings; `name` is that in the registry.
 * @property {(project: import("./project.mjs").Project) => string[]} names What is there.
 * @property {(words: Record<string, string>) => string} test The narrowest test.
 * @property {Place[]} places Where something has to be written, in the order in which one writes it.
 * @property {Count[]} [counts] Numbers in pages.
 *
 * @typedef {object} Place
 * @property {string} path The file; `{{name}}` and the like are replaced.
 * @property {string} [template] The template that the command makes the file from.
 * @property {(text: string, words: object, project: object) => string} [insert] What the command inserts.
 * @property {string} [write] What is to be written, for a place that is forgotten or left.
 * @property {string} [shown] The command whose failure shows that it is left.
 * @property {(project: object, words: object) => boolean} [has] Whether it is written; by default, the file is there.
 * @property {string[]} [except] Names that do not need it.
 *
 * @typedef {object} Count
 * @property {string} path
 * @property {(project: object) => string} says The words with the number.
 */

/** @type {Record<string, Kind>} */
export const KINDS = { provider, format, rule, tool, column };
