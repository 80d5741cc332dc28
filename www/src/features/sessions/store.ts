import type { WorkerClient } from "../../core/client";
import type { Overview } from "../../core/model/overview";
import type { Place } from "../../core/model/row_map";
import type { SessionView } from "../../core/model/sessions";
import { dropLink, type Link, linkHash, readLink } from "../../core/page/address";
import type { AppContext, Page } from "../../core/page/context";
import type { OpenDocument } from "../../core/store/document";
import { Store } from "../../ui/store";

/** The file's own session. */
export const ROOT = "";

interface SessionsState {
  /** What the file's own session is called. */
  title: string;
  /** The sessions of tasks in the file; undefined until they are known. */
  tasks: SessionView[] | undefined;
  /** The id of the one on screen. */
  shown: string;
}

/** Which session of a file is on screen, where it has those of tasks too. */
export class Sessions {
  readonly store = new Store<SessionsState>({ title: "", tasks: undefined, shown: ROOT });
  /** The transcript on screen, and the file's own. */
  private doc: OpenDocument | undefined;
  private root: OpenDocument | undefined;
  private asked = false;
  /** Another session of the same file comes up. */
  private isChanging = false;
  /** One after the other: the worker shows one at a time. */
  private changes: Promise<void> = Promise.resolve();
  /** What was selected in those that were on screen before. */
  private readonly places = new Map<string, Place>();

  constructor(
    private readonly app: AppContext,
    private readonly client: WorkerClient,
    private readonly others: Pick<Page, "replay" | "search">,
    isActive: boolean,
  ) {
    if (isActive) app.store.watch(() => this.heed());
  }

  /** Is there such a session to go to? */
  has(id: string): boolean {
    const { tasks, shown } = this.store.state;
    return id !== shown && (id === ROOT || (tasks?.some((task) => task.id === id) ?? false));
  }

  /** The session in this file of the task that a call started; some formats name it `PARENT/CALL`. */
  taskOf(session: string | undefined, call: string | undefined): string | undefined {
    if (session !== undefined) return this.has(session) ? session : undefined;
    const { tasks, shown } = this.store.state;
    if (call === undefined) return undefined;
    return tasks?.find(({ id, parent = "" }) => id !== shown && id === `${parent}/${call}`)?.id;
  }

  /** The session whose task the one on screen is, or the file's own. */
  get parent(): string {
    const { tasks, shown } = this.store.state;
    const { parent = ROOT } = tasks?.find(({ id }) => id === shown) ?? {};
    return this.has(parent) ? parent : ROOT;
  }

  /** Shows another session of the file, at the place where it was left. */
  open(id: string, options: { focus?: boolean } = {}): Promise<void> {
    this.changes = this.changes.then(() => this.change(id, options)).catch(() => {});
    return this.changes;
  }

  private async change(id: string, options: { focus?: boolean }): Promise<void> {
    const { app, doc, root } = this;
    const { replay } = this.others;
    if (!doc || !root || !this.has(id)) return;
    if (replay.store.get().open) await replay.close();
    let facts: Overview | undefined;
    try {
      facts = await this.client.call("showSession", id);
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      // Otherwise another file is about to come, and the session with it is gone.
      if (name !== "Superseded") {
        app.store.set({ error: `The session could not be opened. ${message}` });
      }
      return;
    }
    const { doc: open, selected } = app.store.get();
    if (open !== doc) return;
    if (selected >= 0) this.places.set(this.store.get().shown, doc.map.place(selected));
    // A link that leads here names its own place.
    if ((readLink(location.hash).session ?? ROOT) !== id) this.writeHash(id);
    this.isChanging = true;
    this.store.set({ shown: id });
    const shown = app.show(facts ?? root.facts);
    this.isChanging = false;
    void app.findLoops(shown);
    if (!options.focus) return;
    const { selected: row } = app.store.get();
    app.select(Math.max(row, 0), { reveal: true, focus: true });
  }

  /** Goes to the session that a link names; true where the link is followed once that is on screen. */
  follow(link: Link): boolean {
    const { tasks, shown } = this.store.get();
    // An id, or nothing, is looked for in what is on screen.
    const wanted = link.session ?? (link.place ? ROOT : shown);
    if (wanted === shown) return false;
    // What was about to be written of the session on screen is not what the address says now.
    dropLink();
    if (this.has(wanted)) void this.open(wanted);
    else if (tasks) this.app.say(`This file has no session ${wanted.slice(0, 80)}.`);
    return true;
  }

  private heed(): void {
    const { doc } = this.app.store.get();
    if (doc !== this.doc) {
      this.doc = doc;
      if (this.isChanging) return;
      this.root = doc;
      this.asked = false;
      this.places.clear();
      this.store.set({ title: "", tasks: undefined, shown: ROOT });
    }
    if (!doc || doc.growing || this.asked) return;
    this.asked = true;
    void this.list(doc);
  }

  private async list(doc: OpenDocument): Promise<void> {
    const tasks = await this.client.call("sessions").catch(() => []);
    if (this.doc !== doc) return;
    this.store.set({ tasks, title: doc.facts.title });
    if (readLink(location.hash).session !== undefined) this.app.followLink();
  }

  private writeHash(id: string): void {
    const place = this.places.get(id);
    const hash = linkHash({ ...this.others.search.link(), session: id, place });
    history.replaceState(history.state, "", `${location.pathname}${location.search}${hash}`);
  }
}
