import type { LiveBegun } from "../../core/model/live";

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
