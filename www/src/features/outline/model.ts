export interface OutlineEntry {
  /** The first words of the message, or the tools that it called. */
  title: string;
  tools: boolean;
}
