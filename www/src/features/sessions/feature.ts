import type { Overview } from "../../core/model/overview";
import type { SessionView } from "../../core/model/sessions";
import type { Feature } from "../../core/page/feature";
import { Sessions } from "./store";
import { SessionBar, SessionButton } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** The sessions of tasks that the open file has. */
    sessions(): SessionView[];
    /** Shows the session of a task in the file's place; with an empty id the file's own, which is known. */
    showSession(id: string): Overview | undefined;
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly sessions: Sessions;
  }
}

/** The sessions of tasks in a file, each in the place of the file's own. */
export const sessions = {
  stores: { sessions: (page, { client }) => new Sessions(page, client, page, page.hasPage) },
  slots: { bar: SessionBar, call: SessionButton },
  link: ({ sessions }) => ({ session: sessions.store.get().shown }),
  follow: ({ sessions }, link) => sessions.follow(link),
} satisfies Feature;
