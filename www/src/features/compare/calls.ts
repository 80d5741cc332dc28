import type { Digests } from "./model/digests";
import type { ComparableFields, FieldChange } from "./model/fields";
import type { AlignedRuns } from "./model/fork";

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
