import type { Layout } from "./layout";
import type { RowMap } from "./row_map";

const OF_PARTS = [
  ...["types", "statuses", "exits", "sizes", "starts", "ends", "costs", "tokens", "tools"],
];
const OF_MESSAGES = ["roles", "flags", "created", "completed", "agents", "sessions"];
/** A part that is not over: its text may change and be as long as before. */
const RUNNING = 2;

type Pair = [before: ArrayLike<number>, after: ArrayLike<number>];

/**
 * What has changed in a transcript that is still being read, from its layouts before and after, so that
 * nothing else need be made or drawn again.
 */
export class LayoutChanges {
  private readonly parts: Pair[];
  private readonly messages: Pair[];

  constructor(
    private readonly before: { layout: Layout; map: RowMap },
    private readonly after: { layout: Layout; map: RowMap },
  ) {
    this.parts = pairs(OF_PARTS, before.layout, after.layout);
    this.messages = pairs(OF_MESSAGES, before.layout, after.layout);
  }

  /** The first message that changed; the number of messages where none did. */
  first(): number {
    const last = Math.min(this.before.map.messages, this.after.map.messages) - 1;
    for (let message = 0; message <= last; message++) if (this.message(message)) return message;
    return last + 1;
  }

  /** Whether a message, or any of its parts, changed. The last one is never taken to be over. */
  message(message: number): boolean {
    const { before, after } = this;
    if (message >= Math.min(before.map.messages, after.map.messages) - 1) return true;
    return this.differs(message, (part) => this.part(message, part));
  }

  /** Whether its facts are others, in a message of which nothing else is known. */
  differs(
    message: number,
    partDiffers: (part: number) => boolean = (part) => this.partDiffers(message, part),
  ): boolean {
    const parts = this.after.map.parts(message);
    if (this.before.map.parts(message) !== parts) return true;
    if (this.messages.some(([old, now]) => !Object.is(old[message], now[message]))) return true;
    for (let part = 0; part < parts; part++) if (partDiffers(part)) return true;
    return false;
  }

  part(message: number, part: number): boolean {
    const { before, after } = this;
    if (message >= before.map.messages || part >= before.map.parts(message)) return true;
    const now = (after.map.firstPart[message] ?? 0) + part;
    if (now === after.layout.types.length - 1) return true;
    const status = after.layout.statuses[now] ?? 0;
    if (status > 0 && status <= RUNNING) return true;
    return this.partDiffers(message, part);
  }

  private partDiffers(message: number, part: number): boolean {
    const old = (this.before.map.firstPart[message] ?? 0) + part;
    const now = (this.after.map.firstPart[message] ?? 0) + part;
    return this.parts.some(([was, is]) => !Object.is(was[old], is[now]));
  }
}

/** The package may know more of a part than this viewer names: what is there is compared. */
function pairs(names: string[], before: Layout, after: Layout): Pair[] {
  const field = (layout: Layout, name: string) =>
    (layout as unknown as Record<string, ArrayLike<number> | undefined>)[name];
  return names.flatMap((name): Pair[] => {
    const [old, now] = [field(before, name), field(after, name)];
    return old && now ? [[old, now]] : [];
  });
}
