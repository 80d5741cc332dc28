import type { Store } from "../../ui/store";
import type { CompactionView } from "../model/compactions";
import type { Growth, Overview } from "../model/overview";
import type { Place } from "../model/row_map";
import type { Source } from "../rpc";
import type { OpenDocument } from "../store/document";

export type Pane = "outline" | "transcript" | "timeline";

/** What the selection can be moved by. */
export type Move = "part" | "turn" | "mark" | "compaction";

/** What the sheet at the bottom of a narrow page shows. */
export type SheetTab = "run" | "part" | "problems";

export type InspectorTab = "rendered" | "input" | "output" | "raw" | "problems";

/**
 * A request to scroll to what is selected; `focus`: it takes the keyboard's focus too, `failure`: on to the
 * line in it that tells why it failed.
 */
export interface Reveal {
  focus: boolean;
  failure?: boolean;
}

/** The state of the page that is no feature's own. */
export interface PageState {
  doc?: OpenDocument | undefined;
  /** The transcript beside it, while two are compared. */
  beside?: OpenDocument | undefined;
  /** Set while a file is read. */
  progress?: { name: string; read: number; total: number } | undefined;
  /** The name of the file that a link was made from, until it is opened. */
  awaited?: string | undefined;
  /** What the address names was looked at, and opened where it can be. */
  started: boolean;
  /** One plain sentence about what went wrong last. */
  error?: string | undefined;
  /** The selected row, or -1. */
  selected: number;
  /** Another object whenever the selected row should be scrolled to. */
  reveal: Reveal;
  /** The message at the top of the transcript column. */
  current: number;
  tab: InspectorTab;
  /** The pane shown where there is room for one only. */
  pane: Pane;
  /** The inspector is beside the transcript, or over it. */
  inspecting: boolean;
  problemsOpen: boolean;
  /** The compact view: a line a part. */
  compact: boolean;
  /** The sheet, where there is room for one pane only. */
  sheet?: SheetTab | undefined;
  dialog?: "open" | "second" | "export" | "help" | "link" | undefined;
}

/**
 * What the features' stores take of the page, whose own store (app/store.ts) has the stores of all
 * features: without this interface each of them and the page would import each other.
 */
export interface AppContext {
  readonly store: Store<PageState>;
  /** It has the page, its address and its history, to itself. */
  readonly hasPage: boolean;
  /** True when the transcript could be opened; otherwise nothing is open. */
  open(source: Source, options?: OpenOptions): Promise<boolean>;
  /**
   * What `open` gives; undefined if it fails, which is shown in place of what was open, or if something
   * newer was opened.
   */
  opens<T>(name: string, open: () => Promise<T>, options?: OpenOptions): Promise<T | undefined>;
  /** Shows a transcript that the worker has opened. */
  show(facts: Overview): OpenDocument;
  /** The open transcript is another now; what was selected stays so. */
  grow(doc: OpenDocument, growth: Growth): void;
  /** Nothing is open any more. */
  clear(): void;
  /** The same, and one sentence on why. */
  refuse(error: string): void;
  /** Ends its worker; nothing can be asked of it any more. */
  close(): void;
  findLoops(doc: OpenDocument): Promise<void>;
  /** Selects a row; `reveal` scrolls to it, `focus` moves the keyboard there too. */
  select(row: number, options?: SelectOptions): void;
  /** Goes to another session of the open file, as soon as its sessions are known. */
  goToSession(id: string): void;
  toggleFold(row: number): void;
  /** Folds or unfolds what a compaction hid; the selection stays in sight. */
  toggleHidden(compaction: CompactionView): void;
  toggleRaw(): void;
  /** Opens the inspector. */
  inspect(): void;
  /** Shows one sentence that goes away by itself. */
  say(sentence: string): void;
  /** Selects what the address points at, if anything. `quiet`: what is not there may still come. */
  followLink(options?: { quiet?: boolean }): void;
  /** Keeps the address up with the selection and the search. */
  writeLink(): void;
  /** Names what is open in the address, so that loading the page again opens it again. */
  showAddress(field: "src" | "live", url: string): void;
  /** The whole address of a place. */
  linkTo(place: Place): string;
  /** Does the page's address alone bring this transcript up again? */
  isAddressed(): boolean;
}

/** The stores of the features: each adds its own, and makes it (`features/NAME/feature.ts`). */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Stores {}

/** The page as views know it: with the stores of all features, and what app/ adds as the page's own (app/store.ts). */
export interface Page extends AppContext, Stores {}

export interface SelectOptions {
  /** Scrolls to the row, and unfolds what a compaction hid where the row is of that. */
  reveal?: boolean;
  /** Moves the keyboard there too. */
  focus?: boolean;
  /** Scrolls on to the line in it that tells why it failed. */
  failure?: boolean;
  /** The row may stand for what is folded away. */
  folded?: boolean;
}

export interface OpenOptions {
  keepAddress?: boolean;
  /** It is one of a list of runs, which stays to go back to. */
  listed?: boolean;
  /** No second transcript stays open. */
  alone?: boolean;
}
