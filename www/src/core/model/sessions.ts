/** A session of a task, in a file that has more than one. */
export interface SessionView {
  id: string;
  title: string;
  /** The session whose task it is. */
  parent?: string;
}
