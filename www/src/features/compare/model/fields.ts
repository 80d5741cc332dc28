import type { Diff } from "../../../ui/values";

/** A field that differs between two parts side by side; without a diff if it is too long for one. */
export interface FieldChange {
  name: string;
  diff?: Diff;
}

/** The content of a row as fields, under names for readers. */
export type ComparableFields = [name: string, value: string][];
