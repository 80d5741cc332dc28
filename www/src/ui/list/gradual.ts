/** The most that is drawn for the first time within one frame, in KB of the rows' content. */
const ENOUGH = 12;

/**
 * Rows that come into view all at once, as after a jump, are drawn in several frames, so that none of
 * them takes long. A row that waits is like one that is not here yet.
 */
export class Gradual {
  private drawn = new Set<number>();
  private spent = 0;
  private waiting = false;
  private frame = 0;

  constructor(private readonly draw: () => void) {}

  /** Which of these rows are to be drawn now. The reader looks at the first ones first. */
  take(rows: Iterable<{ key: number; weight: number }>): Set<number> {
    const now = new Set<number>();
    this.waiting = false;
    for (const { key, weight } of rows) {
      if (!this.drawn.has(key)) {
        if (this.spent > 0 && this.spent + weight > ENOUGH) {
          this.waiting = true;
          continue;
        }
        this.spent += weight;
      }
      now.add(key);
    }
    this.drawn = now;
    if (this.spent > 0) this.frame ||= requestAnimationFrame(this.next);
    return now;
  }

  stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  private readonly next = (): void => {
    this.frame = 0;
    this.spent = 0;
    if (this.waiting) this.draw();
  };
}
