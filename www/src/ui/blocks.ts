import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ExpandedBlocks } from "./expanded_blocks";
import type { TextField } from "./values";

/** Where the blocks of a row (code, output, a diff) get what they show, and what of them is expanded. */
export interface BlockSource {
  readonly expandedBlocks: ExpandedBlocks;
  /** A piece of a long text of a row, in UTF-16 units. */
  text(row: number, field: TextField, start: number, end: number): Promise<string>;
}

export const BlockContext = createContext<BlockSource | undefined>(undefined);

export function useBlockSource(): BlockSource {
  const source = useContext(BlockContext);
  if (!source) throw new Error("A block without a source");
  return source;
}
