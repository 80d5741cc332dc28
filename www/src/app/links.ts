import type { Place } from "../core/model/row_map";
import type { AppContext } from "../core/page/context";
import type { OpenDocument } from "../core/store/document";
import { Store } from "../ui/store";

/** How long a toast is shown, in milliseconds. */
const SHOWN = 5000;
/** A search for an id is shown as running after this long, in milliseconds. */
const LATE = 200;

/** Links to places in the transcript: copied, and followed where they name an id. */
export class Links {
  readonly store = new Store<{
    /** One sentence that is shown for a while. */
    toast?: string | undefined;
    /** The id that is looked for. */
    looking?: string | undefined;
    /** The link that could not be copied, for the dialog that shows it. */
    address?: string | undefined;
  }>({});
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(private readonly viewer: AppContext) {}

  /** Copies the link of the selected part, or shows it where the browser does not allow that. */
  async copy(): Promise<void> {
    const { doc, selected, current } = this.viewer.store.get();
    if (!doc) return;
    const place = doc.map.place(selected >= 0 ? selected : doc.map.header(current));
    const address = this.viewer.linkTo(place);
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      this.store.set({ address });
      this.viewer.store.set({ dialog: "link" });
      return;
    }
    this.say(`Link copied.${this.condition()}`);
  }

  /** A sentence on what a link needs to work if the address does not name the file; otherwise "". */
  condition(): string {
    if (this.viewer.isAddressed()) return "";
    return " This file has no address: the link asks for it, and works once the same file is open.";
  }

  /** Selects the part or message that has this id. */
  async find(id: string): Promise<void> {
    const { doc } = this.viewer.store.get();
    if (!doc) return;
    const turn = ++this.turn;
    this.store.set({ looking: undefined });
    const timer = setTimeout(() => {
      if (turn === this.turn) this.store.set({ looking: id });
    }, LATE);
    const row = await doc.client.call("rowOfId", id).catch(() => -1);
    clearTimeout(timer);
    if (turn !== this.turn) return;
    this.store.set({ looking: undefined });
    if (this.viewer.store.get().doc !== doc) return;
    if (row >= 0) this.viewer.select(row, { reveal: true });
    else this.say(`No part and no message has the id ${id.slice(0, 80)}.`);
  }

  /** Shows why there is nothing at a place that an address names. */
  missing(doc: OpenDocument, { message, part }: Place): void {
    const { messages } = doc.map;
    if (message >= messages) {
      this.say(
        `There is no message ${message}: this transcript has ${numbered(messages, "message")}.`,
      );
      return;
    }
    const parts = doc.map.parts(message);
    this.say(`Message ${message} has no part ${part}: it has ${numbered(parts, "part")}.`);
  }

  say(sentence: string): void {
    clearTimeout(this.timer);
    this.store.set({ toast: sentence });
    this.timer = setTimeout(() => this.store.set({ toast: undefined }), SHOWN);
  }
}

/** `messages 0 to 11` */
function numbered(count: number, noun: string): string {
  if (count === 0) return `no ${noun}s`;
  return count === 1 ? `${noun} 0 only` : `${noun}s 0 to ${count - 1}`;
}
