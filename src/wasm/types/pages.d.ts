/** What a document shows above its messages. */
export interface PageOptions {
  title?: string;
  /** One line each: date, number of messages, cost … */
  facts?: string[];
}
/** The HTML before and after the messages of a page. */
export interface HtmlPage {
  head: string;
  foot: string;
}
