import { createElement, render } from "preact";
import { ViewerContext } from "../core/page/hooks";
import { FeaturesContext } from "../core/page/slot";
import { FEATURES } from "../features/page";
import { ElementView } from "./element_view";
import { listenToKeys } from "./keys";
import { Viewer } from "./store";

/** The style sheet, put here when the element is built (scripts/build/viewer.mjs). */
declare const VIEWER_STYLE: string;

/** Where there is no page (a server that renders the page's HTML), importing this does no harm. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {};

let style: CSSStyleSheet | undefined;

/**
 * `<apex-transcript src="session.json">`: a transcript in somebody's page.
 *
 * It shows what `src` names, or what it is fed: `push` takes bytes of any of the formats that
 * apex-parts reads, in pieces as they come, or deltas and events as objects; `end` says that no more
 * will come. Colours, sizes and fonts are custom properties (`--accent`, `--ground`, `--text-m`, …).
 * Errors are shown in it and dispatched as `error` events; `open` is dispatched when a transcript is
 * shown, `end` when a stream has ended.
 */
export class ApexTranscript extends Base {
  static readonly observedAttributes: string[] = ["src", "live"];

  private viewer: Viewer | undefined;
  private connected = false;
  /** A transcript is being pushed. */
  private feeding = false;
  /** What was pushed is taken one after the other, also where one transcript follows another. */
  private fed: Promise<unknown> = Promise.resolve();

  /** The address of a transcript. Another origin must allow it (CORS). */
  get src(): string {
    return this.getAttribute("src") ?? "";
  }
  set src(value: string) {
    this.setAttribute("src", value);
  }

  /** The address of a stream that is still being written (SSE, or lines), of the page's own origin. */
  get live(): string {
    return this.getAttribute("live") ?? "";
  }
  set live(value: string) {
    this.setAttribute("live", value);
  }

  /**
   * More of a transcript: bytes or text of the file or stream as they come, or one delta or event as
   * an object. The first `push` begins a new transcript.
   */
  push(piece: object | string | Uint8Array | ArrayBuffer): void {
    const { live } = this.shown().page;
    const bytes = bytesOf(piece);
    if (!this.feeding) this.feed(() => live.begin(this.title || "transcript"));
    this.feeding = true;
    this.feed(() => live.push(bytes));
  }

  /** No more will be pushed. What is pushed after it begins another transcript. */
  end(): void {
    const { viewer } = this;
    if (!viewer || !this.feeding) return;
    this.feeding = false;
    this.feed(() => viewer.page.live.end());
  }

  /** Opens a file, or text or bytes of one. */
  async open(file: Blob | string | Uint8Array | ArrayBuffer, name = "transcript"): Promise<void> {
    const whole = file instanceof File ? file : new File([file as BlobPart], name);
    await this.shown().open({ kind: "file", file: whole });
  }

  connectedCallback(): void {
    this.connected = true;
    if (this.viewer) return;
    this.load("src", this.src);
    this.load("live", this.live);
  }

  disconnectedCallback(): void {
    this.connected = false;
    // One that is only moved within the page is connected again at once.
    queueMicrotask(() => {
      if (this.connected || !this.viewer) return;
      if (this.shadowRoot) render(null, this.shadowRoot);
      this.viewer.close();
      this.viewer = undefined;
    });
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (this.connected && value !== before) this.load(name, value ?? "");
  }

  private feed(next: () => unknown): void {
    // Errors are shown in the element, and dispatched as its `error` event.
    this.fed = this.fed.then(next).catch(() => {});
  }

  private load(attribute: string, value: string): void {
    if (!value) return;
    const viewer = this.shown();
    if (!URL.canParse(value, document.baseURI)) {
      viewer.store.set({ error: `${value} is not a valid address.` });
      return;
    }
    const url = new URL(value, document.baseURI);
    const name = url.pathname.split("/").pop() || url.host;
    if (attribute === "live") void viewer.page.live.follow(url.href);
    else void viewer.open({ kind: "url", url: url.href, name, anywhere: true });
  }

  /** The viewer, which is there from the first use on. */
  private shown(): Viewer {
    if (this.viewer) return this.viewer;
    const viewer = new Viewer(false);
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    if (!style) {
      style = new CSSStyleSheet();
      style.replaceSync(VIEWER_STYLE);
    }
    root.adoptedStyleSheets = [style];
    listenToKeys(viewer.page, root);
    let doc: object | undefined;
    let error: string | undefined;
    viewer.store.watch(() => {
      const state = viewer.store.get();
      if (state.doc !== doc) {
        doc = state.doc;
        if (doc) this.dispatchEvent(new Event("open"));
      }
      if (state.error !== error) {
        error = state.error;
        if (error) this.dispatchEvent(new ErrorEvent("error", { message: error }));
      }
    });
    let { phase } = viewer.page.live.store.get();
    viewer.page.live.store.watch(() => {
      const { phase: now, message } = viewer.page.live.store.get();
      if (now === phase) return;
      phase = now;
      if (phase === "ended") this.dispatchEvent(new Event("end"));
      if (phase === "broken") this.dispatchEvent(new ErrorEvent("error", { message }));
    });
    const view = createElement(
      ViewerContext.Provider,
      { value: viewer.page },
      createElement(ElementView, null),
    );
    render(createElement(FeaturesContext.Provider, { value: FEATURES }, view), root);
    this.viewer = viewer;
    return viewer;
  }
}

/** A line of NDJSON for an object; text as UTF-8. */
function bytesOf(piece: object | string | Uint8Array | ArrayBuffer): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  const text = typeof piece === "string" ? piece : `${JSON.stringify(piece)}\n`;
  return new TextEncoder().encode(text);
}

if (globalThis.customElements && !customElements.get("apex-transcript")) {
  customElements.define("apex-transcript", ApexTranscript);
}

declare global {
  interface HTMLElementTagNameMap {
    "apex-transcript": ApexTranscript;
  }
}
