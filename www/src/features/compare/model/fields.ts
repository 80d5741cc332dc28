import type { Diff } from "../../../ui/values";

/** Something that two parts side by side say differently; without a diff it is too long for one. */
export interface FieldChange {
  name: string;
  diff?: Diff;
}

/** What a row says, under the names by which a person would call it. */
export type ComparableFields = [name: string, value: string][];
