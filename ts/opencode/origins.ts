// From which transcript an array of messages is: its session gets one set of ids, in whatever form it is given.

const origins = /* @__PURE__ */ new WeakMap();

/** Has the class of transcripts note the arrays that it gives. The glue calls it, because the class is not there before. */
export function noteOrigins({ prototype }) {
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
export function originOf(list) {
  const origin = origins.get(list);
  const transcript = origin?.transcript.deref();
  try {
    // A transcript that was freed says so when it is asked anything.
    return transcript?.messageCount >= 0 ? { transcript, session: origin.session } : undefined;
  } catch {
    return undefined;
  }
}
