import type { MessageInfo, Part, PartBase } from "apex-parts:glue";

/** A part of this type in which the ids may be left out. */
export type WithoutIds<P> = P extends PartBase ? Omit<P, keyof PartBase> & Partial<PartBase> : never;
/** What `createWithParts` takes. */
export interface CreateWithPartsOptions {
  info: MessageInfo;
  parts: WithoutIds<Part>[];
}
