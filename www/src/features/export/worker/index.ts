import type { Calls, Desk } from "../../../core/worker/desk";
import { exportPiece } from "./document";
import { secretsFrom } from "./secrets";

export const exporting = (desk: Desk): Calls<"export" | "secrets"> => ({
  export: async (format, name, from, options) => {
    await desk.reading;
    return exportPiece(desk.transcript, name, format, from, options);
  },
  secrets: async (name, first, from, end) => {
    await desk.reading;
    return secretsFrom(desk.transcript, name, first, from, end);
  },
});
