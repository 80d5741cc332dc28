// The events of a recorder as apex-bridge sends them to a browser.
import type { StreamEvent } from "apex-parts:glue";

/**
 * An event of a run whose `data` is what apex-bridge's `ReActStrategy.stream` forwards: for `content` and
 * `reasoning-delta` the text itself, as a string.
 */
export type ApexEvent = Omit<StreamEvent, "data"> & { data: unknown };

/**
 * An event of a `ReActRecorder` in the form that apex-bridge expects: the `data` of `content` and of
 * `reasoning-delta` is their text. Other events stay as they are.
 * @param event - One of `takeEvents()`.
 * @returns The event itself, or a copy of it with the text.
 * @example
 * ```ts
 * const recorder = new ReActRecorder({ sessionID: "s", messageID: "m" });
 * recorder.appendText("Hello");
 * recorder.takeEvents().map(toApexEvent)[0]?.data; // "Hello"
 * recorder.free();
 * ```
 */
export function toApexEvent(event: StreamEvent): ApexEvent {
  if (event.type !== "content" && event.type !== "reasoning-delta") return event;
  // A cast: these two have their text, as the type of `data` says.
  const { text } = event.data as { text: string };
  return { ...event, data: text };
}
