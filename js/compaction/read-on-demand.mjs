// The view of a transcript: messages that become objects when somebody looks at them.

/** The messages at these indices, each read when it is looked at. */
function readOnDemand(transcript, indices) {
  const messages = new Array(indices.length);
  const read = (at) => {
    messages[at] ??= transcript.message(indices[at]);
  };
  const place = (key) => {
    const at = typeof key === "string" ? Number(key) : -1;
    return Number.isInteger(at) && at >= 0 && at < indices.length ? at : -1;
  };
  return new Proxy(messages, {
    get(target, key, receiver) {
      const at = place(key);
      if (at >= 0) read(at);
      return Reflect.get(target, key, receiver);
    },
    has: (target, key) => place(key) >= 0 || Reflect.has(target, key),
    getOwnPropertyDescriptor(target, key) {
      const at = place(key);
      if (at >= 0) read(at);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

/** Gives the class of transcripts `filterCompacted`. The glue calls it, because the class is not there before. */
export function addFilterCompacted({ prototype }) {
  prototype.filterCompacted = function () {
    return readOnDemand(this, this.compactedView());
  };
}
