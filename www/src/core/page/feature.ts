import type { ComponentChildren, FunctionComponent } from "preact";
import type { IconName } from "../../ui/icons";
import type { WorkerClient } from "../client";
import type { LoopView } from "../model/loops";
import type { ProblemView } from "../model/problems";
import type { MessageRow, PartRow, Row } from "../model/rows";
import type { ToolView } from "../model/tools";
import type { Source } from "../rpc";
import type { OpenDocument } from "../store/document";
import type { AddressedSource, Link } from "./address";
import type { Move, OpenOptions, Page, PageState, Stores } from "./context";
import type { Key } from "./keys";

/**
 * The places in which features draw, by what they are given: some are the shell's, some are in what other features
 * draw. Whoever has a place writes `<Slot name="…" />` there, and knows nobody who fills it.
 */
export interface Slots {
  /** Below the header: what is to be known of the file, and where it came from. */
  bar: object;
  /** Over the transcript's end. */
  end: object;
  /** A button in the header that is about the open transcript. */
  button: { doc: OpenDocument };
  dialog: object;
  /** How the run ended, or that more of it may come. */
  status: { doc: OpenDocument };
  /** One more way to open a transcript, in the dialog for that. */
  opening: object;
  /** Above the transcript's list. */
  search: object;
  /** Above the transcript's rows, which leave `onHeight` pixels of room for it. */
  head: {
    doc: OpenDocument;
    /** What separates the coordinates of the list from those of its element. */
    shift: number;
    onHeight: (height: number) => void;
  };
  /** A row, in a list. */
  row: RowProps;
  /** One part, by its type. */
  part: {
    row: PartRow;
    index: number;
    folded: boolean;
    /** The inspector shows the same part without folding it. */
    whole?: boolean;
  };
  /** What is known of a message. */
  message: { row: MessageRow };
  /** What is said of a row that is part of a loop. */
  loop: { loop: LoopView; row: number };
  /** A problem, in words. */
  problem: { problem: ProblemView };
  /** On the card of a call. */
  call: { call: ToolView };
  /** What the outline says of a message besides. */
  entry: { message: number };
  /** In the summary: what time and money were spent on. */
  spent: { doc: OpenDocument };
  /** The selected part in full. `file` says which transcript it is of, where two are open. */
  inspector: { file?: string };
}

export interface RowProps {
  row: Row;
  index: number;
  folded: boolean;
  /** What is folded is one line. */
  compact?: boolean;
  problems: ProblemView[] | undefined;
  /** The loops that it is part of. */
  loops: LoopView[] | undefined;
}

/** The panes of the page, each of which one feature draws. */
export type PaneName = "page" | "main" | "inspector" | "problems" | "timeline";

interface FeaturePane {
  View: FunctionComponent;
  /** Without it the pane is there where no other feature has one in its place. */
  isShown?(page: Page): boolean;
}

/** One of those that share the column at the side: the last of them that is offered and chosen is shown. */
interface SidePane {
  title: string;
  View: FunctionComponent<{
    /** The button that shows another one. */
    switcher: ComponentChildren;
  }>;
  /** Without it, it is always there. */
  isOffered?(page: Page): boolean;
  isChosen?(page: Page): boolean;
  choose?(page: Page, isChosen: boolean): void;
}

/** A first guess at the height of a part, by its code and its size in bytes. */
export type Estimate = (code: number, size: number) => number;

/** The usual height of a message's header, in pixels. */
export const HEADER = 52;

/** What can be known of cards without drawing them. */
export interface Cards {
  /** What a part is, in words, for labels. */
  nameOf(row: PartRow): string;
  estimate: Estimate;
}

/** What stores are made with. */
interface Host {
  readonly client: WorkerClient;
  /** A client with a worker of its own. */
  anotherClient(): WorkerClient;
  /** A page without a place of its own, for a second transcript. */
  anotherPage(): Page;
  /** Gives the viewer as one page, where there is one. */
  readonly shell: (() => Promise<string>) | undefined;
}

/**
 * What a feature is made of, for the page: `features/NAME/feature.ts` gives it; `features/page.ts` lists all, and
 * `features/element.ts` those of the element. Where features have the same kind of thing, they are drawn and asked in
 * the order of that list. Its half in the worker is in `worker.ts` or `worker/index.ts`, which the page does not
 * bundle.
 */
export interface Feature {
  /** What it keeps, under the names that views have for it: `useViewer().live`. */
  stores?: { [N in keyof Stores]?: (page: Page, host: Host) => Stores[N] };
  /** What it draws in places of the shell and of other features. */
  slots?: { [S in keyof Slots]?: FunctionComponent<Slots[S]> };
  /** The panes of the page that it draws. */
  panes?: { [P in PaneName]?: FeaturePane };
  /** Its pane in the column at the side. */
  side?: SidePane;
  keys?: readonly Key[];
  cards?: Cards;
  /** A button of the header that opens a dialog. */
  dialogButton?: {
    name: string;
    icon: IconName;
    dialog: NonNullable<PageState["dialog"]>;
  };

  /** Something is about to be opened. */
  whenOpening?(page: Page, options: OpenOptions): void;
  /** What is open stays alone: another came in its place, or nothing is open any more. */
  whenAlone?(page: Page): void;
  /** The page has started, and opened what its address names; `isOpen`: there was something. */
  whenStarted?(page: Page, isOpen: boolean): Promise<void> | void;
  /** A field of the page's address that names what is to be opened. */
  addressed?: {
    field: "live" | "runs";
    /** `src` is the transcript that the address names too. */
    open(page: Page, value: string, src: AddressedSource | undefined): Promise<void>;
  };
  /** What stays in the address while a transcript is named in it: `runs=…`. */
  stays?(page: Page): string;
  /** What it adds to the link of a place. */
  link?(page: Page): Partial<Link>;
  /** Follows its part of a link; true where the rest of it has to wait. */
  follow?(page: Page, link: Link): boolean;
  /** Moves the selection; false where it leaves that to the transcript. */
  move?(page: Page, by: Move, direction: 1 | -1): boolean;
  /** Opens a second transcript beside the one that is open. */
  openBeside?(page: Page, source: Source): void;
  /** Takes many files, or what is in folders. */
  takeFiles?(page: Page, files: readonly File[], name: string): void;
  takeFolder?(page: Page, entries: readonly FileSystemEntry[], name: string): void;
}

type StoresOf<F> = F extends { stores: infer S } ? keyof S : never;

/** A list of features, in which a store that none of them makes is an error of types. */
export type WithAllStores<All extends readonly Feature[]> = All &
  Record<Exclude<keyof Stores, StoresOf<All[number]>>, never>;

/** A page with what all these features keep. */
export function withStores<P extends object>(page: P, features: readonly Feature[], host: Host) {
  const whole = page as P & Page;
  for (const { stores = {} } of features) {
    for (const [name, make] of Object.entries(stores)) {
      Object.assign(page, { [name]: make(whole, host) });
    }
  }
  return whole;
}
