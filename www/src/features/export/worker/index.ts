import type { Calls, Desk } from "../../../core/worker/desk";
import { exportPiece } from "./document";
import { Secrets } from "./secrets";

export function exporting(desk: Desk): Calls<"export" | "secrets"> {
  const secrets = new Secrets();
  return {
    export: async (format, name, from, options) => {
      await desk.reading;
      return exportPiece(desk.transcript, name, format, from, options, secrets);
    },
    secrets: async (name, first, from, end) => {
      await desk.reading;
      return secrets.find(desk.transcript, name, first, from, end);
    },
  };
}
