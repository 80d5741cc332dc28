import type { Digests } from "../../../../ts/cli/comparison/digests.ts";
import type { AlignedRuns } from "../../../../ts/cli/comparison/fork.ts";
import { named } from "../../core/page/address";
import type { Page } from "../../core/page/context";
import type { Feature } from "../../core/page/feature";
import type { ComparableFields, FieldChange } from "./model/fields";
import { type Compare, stores } from "./store/compare";
import { CompareInspector, Compare as ComparePane } from "./view/compare";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** A number for the content of each message and part. It takes a while where there are many. */
    digests(): Digests;
    /** The open transcript beside another. */
    align(first: Digests): AlignedRuns;
    /** What a row says, for `changes` of the worker that has the other transcript. */
    comparableFields(row: number): ComparableFields;
    changes(row: number, before: ComparableFields): FieldChange[];
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly compare: Compare<Page>;
  }
}

const NO_FIRST =
  "This address names a second transcript (beside=) but no first one: it needs src= as well.";

const isShown = ({ store }: Page) => store.state.beside !== undefined;

/** A second transcript beside the one that is open. */
export const compare = {
  stores,
  panes: {
    main: { View: ComparePane, isShown },
    inspector: { View: CompareInspector, isShown },
  },
  keys: [
    { keys: ["Enter"], when: isShown, run: ({ compare }) => compare.fold() },
    { keys: ["r"], when: isShown, run: ({ compare }) => compare.raw() },
  ],
  dialogButton: { name: "Compare…", icon: "second", dialog: "second" },
  whenAlone: ({ compare }) => compare.leave(),
  whenStarted(page, isOpen) {
    if (isOpen) return page.compare.start();
    if (named(location, "beside") !== undefined) page.refuse(NO_FIRST);
  },
  move: ({ compare }, by, direction) => compare.move(by, direction),
  openBeside: ({ compare }, source) => void compare.open(source),
} satisfies Feature;
