export const draw = (layout: object) => console.log(Object.keys(layout));
export const readAhead = async (start: number, end: number) => console.log(start, end);
/** A page's source of events, of which one comes. */
export class EventSource {
  constructor(readonly url: string) {}
  addEventListener(type: string, listener: (event: MessageEvent) => void) {
    const event = { type: "server.connected", properties: {} };
    queueMicrotask(() => listener(new MessageEvent(type, { data: JSON.stringify(event) })));
  }
}
export declare const file: File;
export declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}
