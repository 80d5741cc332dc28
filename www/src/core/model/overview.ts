import type { Tokens } from "../../ui/values";
import type { CompactionSpan } from "./compactions";
import type { Layout } from "./layout";
import type { ProblemView } from "./problems";
import type { Row } from "./rows";

export interface Overview {
  /** The session of a task that is shown in the file's place. */
  session?: string;
  /** Set while only the beginning of the file was read. */
  reading?: boolean;
  name: string;
  bytes: number;
  format: string;
  title: string;
  model: string;
  start?: number;
  end?: number;
  cost: number;
  tokens: Tokens;
  steps: number;
  errors: number;
  warnings: number;
  /** The first of them; `errors + warnings` counts all. */
  problems: ProblemView[];
  /** One sentence about what was lost, where the file is damaged. */
  damage?: string;
  /** Those that ended well, oldest first. */
  compactions: CompactionSpan[];
  /** Tokens of the context now, where no step after the last compaction tells them. */
  contextNow: number | undefined;
  layout: Layout;
  /** The first rows: they show at once. */
  top?: Row[];
}

/** What a transcript that is still being read, or replayed, has become. */
export interface Growth {
  /** Without problems where they were not looked for again. */
  facts: Omit<Overview, "problems"> & { problems?: ProblemView[] };
  /** The first message that changed. */
  from: number;
  /** Every row may be another one. */
  all?: boolean;
  /** The rows that changed near the end, which most likely is what is in view. */
  rows?: [row: number, value: Row][];
}
