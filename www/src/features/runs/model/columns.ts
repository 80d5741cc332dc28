import { agentTitle } from "../../../ui/agents";
import { bytes, cost, count, duration, minute, modelWords } from "../../../ui/format";
import { dateOf, type Run, titleOf } from "./runs";

/** A column of the list. All that the list knows of it stands here. */
interface ListColumn {
  readonly id: string;
  readonly title: string;
  /** Its track in the grid. */
  readonly width: string;
  /** How wide the page must be for it; without one it is always there. */
  readonly from?: "middle" | "wide";
  /** Texts begin with A, all others with the highest; numbers stand at the end of their cells. */
  readonly kind: "text" | "date" | "number";
  /** What its cell says; a dash where it is not known. */
  cell(run: Run): string;
  /** What it is sorted by; undefined, where it is not known, comes last both ways. */
  value(run: Run): string | number | undefined;
  /** The class of a cell that is to be noticed. */
  tone?(run: Run): string;
}

const UNKNOWN = "—";

/** When it began, as the file says; the file's own date, by which it is sorted until it was read, is not that. */
export function dated({ facts }: Run): string {
  return facts?.start === undefined ? UNKNOWN : minute(facts.start);
}

/** The columns in their order; the list draws the cell of the first by itself. */
const TABLE = [
  {
    id: "title",
    title: "Title",
    width: "minmax(var(--run-title), 1fr)",
    kind: "text",
    cell: titleOf,
    value: (run) => titleOf(run).toLowerCase(),
  },
  {
    id: "date",
    title: "Date",
    width: "10rem",
    from: "middle",
    kind: "date",
    cell: dated,
    value: dateOf,
  },
  {
    id: "agent",
    title: "Agent",
    width: "8rem",
    from: "middle",
    kind: "text",
    cell: ({ facts }) => (facts ? agentTitle(facts.format) : UNKNOWN),
    value: ({ facts }) => facts?.format,
  },
  {
    id: "model",
    title: "Model",
    width: "minmax(0, 9rem)",
    from: "wide",
    kind: "text",
    cell: ({ facts }) => (facts?.model ? modelWords(facts.models ?? [facts.model]) : UNKNOWN),
    value: ({ facts }) => facts?.model || undefined,
  },
  {
    id: "cost",
    title: "Cost",
    width: "4.5rem",
    from: "middle",
    kind: "number",
    cell: ({ facts }) => (facts?.cost === undefined ? UNKNOWN : cost(facts.cost)),
    value: ({ facts }) => facts?.cost,
  },
  {
    id: "failed",
    title: "Failed",
    width: "4rem",
    from: "middle",
    kind: "number",
    cell: ({ facts }) => (facts ? count(facts.failed) : UNKNOWN),
    value: ({ facts }) => facts?.failed,
    tone: ({ facts }) => (facts && facts.failed > 0 ? "tone-bad" : ""),
  },
  {
    id: "loops",
    title: "Loops",
    width: "4rem",
    from: "middle",
    kind: "number",
    cell: ({ facts }) => (facts ? count(facts.loops) : UNKNOWN),
    value: ({ facts }) => facts?.loops,
    tone: ({ facts }) => (facts && facts.loops > 0 ? "tone-busy" : ""),
  },
  {
    id: "busy",
    title: "Busy time",
    width: "6rem",
    from: "middle",
    kind: "number",
    cell: ({ facts }) => (facts?.busy === undefined ? UNKNOWN : duration(facts.busy)),
    value: ({ facts }) => facts?.busy,
  },
  {
    id: "size",
    title: "Size",
    width: "5rem",
    from: "wide",
    kind: "number",
    cell: ({ size }) => bytes(size),
    value: ({ size }) => size,
  },
] as const satisfies readonly ListColumn[];

export type RunColumn = (typeof TABLE)[number]["id"];
export const COLUMNS: readonly (ListColumn & { readonly id: RunColumn })[] = TABLE;

export function columnOf(id: RunColumn): ListColumn {
  return COLUMNS.find((column) => column.id === id) ?? TABLE[0];
}

/** The tracks of the grid: where there is room for all columns, and where only for those that need less. */
export function tracks(): { wide: string; middle: string } {
  const widths = (columns: readonly ListColumn[]) => columns.map(({ width }) => width).join(" ");
  return {
    wide: widths(COLUMNS),
    middle: widths(COLUMNS.filter(({ from }) => from !== "wide")),
  };
}
