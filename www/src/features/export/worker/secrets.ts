import { Redactor, type SecretPlace } from "apex-parts";
import { pageOf } from "../../../../../ts/cli/page.ts";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import type { SecretSpot, SecretsFound, SecretView } from "../model";

/** A step of a search for secrets ends after this many milliseconds. */
const PATIENCE = 25;
/** The places of a kind that are looked through for those of the same secret. */
const PLACES = 200;
/** The secrets that are shown of a kind. */
const SPOTS = 3;

/** What masks the secrets of one document. */
export interface Masking {
  redact<T>(value: T): T;
  free(): void;
}

/** Nothing is masked. */
export const unmasked: Masking = { redact: (value) => value, free: () => {} };

interface Redaction {
  open: OpenTranscript;
  redactor: Redactor;
}

/** Finds and masks secrets: in the document that is being written, and in the search that is under way, of each one at a time. */
export class Secrets {
  private writing: Redaction | undefined;
  private looking: Redaction | undefined;

  /** The masking of a document; `begins`: of a new one, otherwise of the one that is being written. */
  maskingOf(open: OpenTranscript, keep: string[], begins: boolean): Masking {
    if (begins || this.writing?.open !== open) {
      this.writing?.redactor.free();
      this.writing = { open, redactor: new Redactor({ keep, places: 0 }) };
    }
    const mine = this.writing;
    return {
      redact: (value) => mine.redactor.redact(value),
      free: () => {
        if (this.writing !== mine) return;
        this.writing = undefined;
        mine.redactor.free();
      },
    };
  }

  /** Looks for secrets in messages, a few at a time: the page asks for step after step. */
  find(open: OpenTranscript, name: string, first: number, from: number, end: number): SecretsFound {
    const { transcript } = open;
    if (from === first || this.looking?.open !== open) {
      this.looking?.redactor.free();
      this.looking = { open, redactor: new Redactor({ places: PLACES }) };
    }
    const { redactor } = this.looking;
    const page = pageOf(transcript, name, undefined, { isOfMain: true });
    const { title } = from === first ? redactor.redact(page) : page;
    if (from === first) redactor.redact(transcript.session ?? {});
    const late = performance.now() + PATIENCE;
    let next = from;
    const last = Math.min(end, transcript.messageCount);
    for (; next < last && (next === from || performance.now() < late); next++) {
      redactor.redact(transcript.message(next));
    }
    const found = redactor.findings.map(
      ({ kind, what, count, distinct, places }): SecretView => ({
        ...{ kind, what, count, distinct },
        spots: spotsOf(places),
        more: places.length < count,
      }),
    );
    return { next, found, title: title ?? name };
  }
}

/** Each secret once, where it is first, with how often it is there. */
function spotsOf(places: SecretPlace[]): SecretSpot[] {
  const spots = new Map<unknown, SecretSpot>();
  for (const place of places) {
    const { message, part, shown, number } = place;
    const spot = spots.get(number ?? place);
    if (spot) spot.times++;
    else spots.set(number ?? place, { id: part ?? message, shown, times: 1 });
  }
  return [...spots.values()].slice(0, SPOTS);
}
