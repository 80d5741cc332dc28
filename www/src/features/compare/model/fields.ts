import type { Diff } from "../../../ui/values";

/** Something that two parts side by side say differently; without a diff it is too long for one. */
export interface FieldChange {
  name: string;
  diff?: Diff;
}
