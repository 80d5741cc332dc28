// From which transcript an array of messages is: its session gets one set of ids, in whatever form it is given.
import type { Transcript } from "apex-parts:glue";

/** Where an array of messages is from. */
interface Origin {
  transcript: WeakRef<Transcript>;
  session?: string;
}

const origins: WeakMap<object, Origin> = /* @__PURE__ */ new WeakMap();

/** Has the class of transcripts note the arrays that it gives. The glue calls it, because the class is not there before. */
export function noteOrigins({ prototype }: { prototype: Transcript }): void {
  const { messages, messagesOf } = prototype;
  prototype.messages = function (...range) {
    const list = messages.apply(this, range);
    origins.set(list, { transcript: new WeakRef(this) });
    return list;
  };
  prototype.messagesOf = function (session, ...more) {
    const list = messagesOf.call(this, session, ...more);
    origins.set(list, { transcript: new WeakRef(this), session });
    return list;
  };
}

/** The transcript that gave an array, and the session; undefined if there is none any more. */
export function originOf(
  list: object,
): { transcript: Transcript; session: string | undefined } | undefined {
  const origin = origins.get(list);
  const transcript = origin?.transcript.deref();
  try {
    // A transcript that was freed says so when it is asked anything.
    const isThere = transcript !== undefined && transcript.messageCount >= 0;
    return isThere ? { transcript, session: origin?.session } : undefined;
  } catch {
    return undefined;
  }
}
