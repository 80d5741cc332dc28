// What the function of a format gets.
import type { MessagePart } from "apex-parts:glue";
import type { RequestOptions } from "./types.ts";

/** The options with a list of tools, which may be empty. */
export type AskedRequest = RequestOptions & Required<Pick<RequestOptions, "tools">>;

/** What a part of this kind holds. */
export type Payload<Kind extends MessagePart["kind"]> = Extract<
  MessagePart,
  { kind: Kind }
>["payload"];
