import type { Query } from "../../core/model/query";
import { shortAddress, sourceFromAddress } from "../../core/page/address";
import type { Feature } from "../../core/page/feature";
import type { RunFacts, RunHits } from "./model/runs";
import { runOfFile } from "./model/runs";
import { type Runs, stores } from "./store/runs";
import { RunList, RunsBar } from "./view/list";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** Which of these files are of one run: of each run the paths, first that of the session itself. */
    runFiles(files: readonly SourceFile[]): string[][];
    /** What a list of runs says of a file, which is read whole for that and left again. */
    runFacts(source: Source): RunFacts;
    /** What a query finds in a file, likewise. */
    runHits(source: Source, query: Query): RunHits;
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly runs: Runs;
  }
}

/** The runs of a folder, as a list. */
export const runs = {
  stores,
  slots: { bar: RunsBar },
  panes: { page: { View: RunList, isShown: ({ runs }) => runs.store.state.shown } },
  keys: [
    { keys: ["/"], when: ({ runs }) => runs.store.get().shown, run: ({ runs }) => runs.ask() },
  ],
  whenOpening({ runs }, { listed }) {
    if (!listed) runs.leave();
  },
  addressed: {
    field: "runs",
    async open(page, address, src) {
      const list = sourceFromAddress(address, document.baseURI);
      if (src && "error" in src) return page.refuse(src.error);
      if (list && "error" in list) return page.refuse(list.error);
      if (list) await page.runs.follow(list.source.url, src?.source.url);
      if (src) await page.compare.start();
    },
  },
  stays({ runs }) {
    const { address } = runs.store.get();
    return address === undefined ? "" : `runs=${shortAddress(address)}`;
  },
  takeFiles: ({ runs }, files, name) =>
    runs.take(
      files.map((file) => runOfFile(file.webkitRelativePath || file.name, file)),
      name,
    ),
  takeFolder: ({ runs }, entries, name) => void runs.drop(entries, name),
} satisfies Feature;
