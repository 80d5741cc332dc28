import {
  runResponse as answerOf,
  memoryRunLog as runs,
  RunWriter as Writer,
} from "apex-parts/store";

export const url = process.env.MODEL_URL ?? "";
export const draw = (parts: object[]) => console.log(parts);

/** The run that the page follows. */
const followed = runs();
const first = await Writer.open(followed, "1", { format: "anthropic" });
for await (const chunk of (await fetch(url)).body ?? []) await first.pushBytes(chunk);
await first.end();
await first.close();

/** What a browser has, over the events that the server's handler really gives. */
export class EventSource {
  #listeners = new Map<string, (event: MessageEvent) => void>();
  constructor(readonly url: string) {
    this.#read();
  }
  async #read() {
    const request = new Request(`http://localhost${this.url}`);
    const text = await ((await answerOf(request, followed, "1")) as Response).text();
    for (const event of text.split("\n\n")) {
      const fields = event.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line));
      const values = (name: string) =>
        fields.flatMap((found) => (found?.[1] === name ? [found[2]] : []));
      const data = values("data").join("\n");
      const [type = "message"] = values("event");
      if (data) this.#listeners.get(type)?.(new MessageEvent(type, { data }));
    }
  }
  addEventListener(type: string, listener: (event: MessageEvent) => void) {
    this.#listeners.set(type, listener);
  }
  close() {}
}
export const requestAnimationFrame = (paint: () => void) => Number(setTimeout(paint, 0));
export const cancelAnimationFrame = (frame: number) => clearTimeout(frame);
export const document = { createElement: (name: string) => ({ name, textContent: "" }) };
