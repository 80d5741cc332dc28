export interface OutlineEntry {
  /** The first words of the message, or its calls with what they are about. */
  title: string;
  tools: boolean;
}
