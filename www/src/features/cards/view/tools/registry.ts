import type { BodyOf, ToolKind } from "../../../../core/model/tools";
import { edit } from "./edit";
import { json } from "./json";
import { read } from "./read";
import { search } from "./search";
import { shell } from "./shell";
import { todos } from "./todos";
import type { ToolCard } from "./tool_card";
import { web } from "./web";
import { write } from "./write";

/** One card a kind; worker/registry.ts has what reads the calls for them. */
const CARDS: { [K in ToolKind]: ToolCard<BodyOf<K>> } = {
  shell,
  read,
  write,
  edit,
  todos,
  search,
  web,
  json,
};

export function cardOf(kind: ToolKind): ToolCard {
  return CARDS[kind];
}
