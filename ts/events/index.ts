// Events in the form that others expect: those of a recorder for apex-bridge, and deltas for clients of AG-UI.
import type { StreamEvent, StreamEventOf } from "apex-parts:glue";
import { guarded, invalid, isObject } from "../tools/boundary.ts";

export { type AgUiEvent, type AgUiOptions, type AgUiUsage, toAgUi } from "./ag-ui.ts";

/**
 * An event of a run as apex-bridge's `ReActStrategy.stream` forwards it: the `data` of `content` and of
 * `reasoning-delta` is the text itself, as a string.
 */
export type ApexEvent = StreamEventOf<StreamEvent["type"], unknown>;

/**
 * An event of a `ReActRecorder` in the form that apex-bridge expects: the `data` of `content` and of
 * `reasoning-delta` is their text. Other events stay as they are.
 * @param event - One of `takeEvents()`.
 * @returns The event itself, or a copy of it with the text.
 * @throws {PartValidationError} if it is not an event.
 * @example
 * ```ts
 * const recorder = new ReActRecorder({ sessionID: "s", messageID: "m" });
 * recorder.appendText("Hello");
 * recorder.takeEvents().map(toApexEvent)[0]?.data; // "Hello"
 * recorder.free();
 * ```
 */
export function toApexEvent(event: StreamEvent): ApexEvent {
  return guarded(forwarded)(event);
}

function forwarded(event: StreamEvent): ApexEvent {
  if (!isObject(event)) throw invalid("an event must be an object, one of `takeEvents()`");
  const isText = event.type === "content" || event.type === "reasoning-delta";
  return isText ? { ...event, data: event.data.text } : event;
}
