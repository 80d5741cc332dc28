import type { LiveBegun } from "../../core/model/live";
import type { Feature } from "../../core/page/feature";
import { Live } from "./store";
import { AtTheEnd, FollowField, LiveNotice, LiveStatus } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** A transcript whose bytes are given piece by piece with `livePush`, until `liveEnd`. */
    liveBegin(name: string): LiveBegun;
    livePush(bytes: Uint8Array): void;
    liveEnd(): void;
    /** The same for what an address of this origin sends, as long as it sends. */
    liveFollow(url: string, name: string): LiveBegun;
    /** Asks the address again for what comes after what came; false if it can only be read from the beginning. */
    liveReconnect(): boolean;
  }
}

/** The store of this feature, for the views of all. */
declare module "../../core/page/context" {
  interface Stores {
    readonly live: Live;
  }
}

/** A transcript that is still being written: streams, followed or fed. */
export const live = {
  stores: { live: (page, { client }) => new Live(page, client) },
  slots: { bar: LiveNotice, end: AtTheEnd, status: LiveStatus, opening: FollowField },
  addressed: {
    field: "live",
    // What the address names stays in it, so that loading the page again asks again.
    open: async ({ live }, address) => void (await live.follow(address, { keepAddress: true })),
  },
} satisfies Feature;
