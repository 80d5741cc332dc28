import type { QueryReading, Toggles } from "../../core/model/query";
import type { Feature } from "../../core/page/feature";
import type { HitMarks, HitView, SearchAnswer } from "./model/hits";
import { type Search, stores } from "./store/search";
import { HitCount, SearchBar, SearchButton } from "./view/bar";
import { ResultsPane } from "./view/results";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** A query as it is read, or what is wrong with it. */
    readQuery(text: string, toggles: Toggles): QueryReading;
    /** Runs a search, which replaces the one before it. */
    search(text: string, toggles: Toggles): SearchAnswer;
    /** Some hits of the search with this id, for a list of them. */
    hits(id: number, start: number, end: number): HitView[];
    /** What the search with this id found in these rows; of many hits in one, those around `hit`. */
    marks(id: number, rows: number[], hit: number): HitMarks[];
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly search: Search;
  }
}

/** The search in the open transcript. */
export const search = {
  stores,
  slots: { button: SearchButton, search: SearchBar, entry: HitCount },
  side: {
    title: "Results",
    View: ResultsPane,
    isOffered({ search }) {
      const { open, found } = search.store.state;
      return open && found !== undefined;
    },
    isChosen: ({ search }) => search.store.state.side !== "outline",
    choose: ({ search }, isChosen) => search.store.set({ side: isChosen ? "results" : "outline" }),
  },
  keys: [{ keys: ["/"], run: ({ search }) => search.show() }],
  link: ({ search }) => search.link(),
  follow({ search }, link) {
    search.follow(link);
    return false;
  },
} satisfies Feature;
