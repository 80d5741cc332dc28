/** What the page says where something could not be opened. */
export const NO_CONNECTIONS =
  "This copy of the viewer makes no connections: drop the file onto the page instead.";

/** `notes.txt could not be opened. There is no JSON in it.` */
export function sentence(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return `${name} could not be opened. ${start}${/[.!?]$/.test(start) ? "" : "."}`;
}
