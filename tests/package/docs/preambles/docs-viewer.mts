import type { MessageDelta } from "apex-parts";

export declare const delta: MessageDelta;
export declare const file: File;
