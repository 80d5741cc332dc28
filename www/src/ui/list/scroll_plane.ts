/** Browsers cap an element's height somewhere above this many pixels. */
const CAP = 16_000_000;

/**
 * Mediates between the virtual list, whose rows may add up to any height, and a scroll element whose
 * content is never higher than the cap. The list sees this object in place of the element.
 *
 * Up to the cap the two agree. Above it, near moves (wheel, keys, touch) go pixel by pixel, and far
 * ones (the scroll bar) in proportion; `shift` is what separates list from element coordinates.
 */
export class ScrollPlane {
  shift = 0;
  /** How far the page itself has scrolled in total; the rest was the reader. */
  moved = 0;
  private total = 0;
  private last = 0;

  /** `onShift` is called when rows must be placed again although the list did not scroll. */
  constructor(
    readonly element: HTMLElement,
    private readonly onShift: () => void = () => {},
    private readonly cap = CAP,
  ) {
    // Registered before the list's own listener, so that `scrollTop` is right when that one asks.
    element.addEventListener("scroll", this.follow, { passive: true });
  }

  dispose(): void {
    this.element.removeEventListener("scroll", this.follow);
  }

  /** Height of the spacer for rows of this total height. */
  spacer(total: number): number {
    this.total = total;
    if (total <= this.cap) this.shift = 0;
    return Math.min(total, this.cap);
  }

  get scrollTop(): number {
    return this.clamp(this.element.scrollTop + this.shift);
  }

  get scrollHeight(): number {
    return this.mapped ? this.total : this.element.scrollHeight;
  }

  get clientHeight(): number {
    return this.element.clientHeight;
  }

  get clientWidth(): number {
    return this.element.clientWidth;
  }

  get ownerDocument(): Document {
    return this.element.ownerDocument;
  }

  get style(): CSSStyleDeclaration {
    return this.element.style;
  }

  scrollTo({ top = 0 }: ScrollToOptions): void {
    const before = this.scrollTop;
    this.goTo(top);
    this.moved += this.scrollTop - before;
  }

  private goTo(top: number): void {
    if (!this.mapped) {
      this.element.scrollTop = top;
      return;
    }
    const position = this.clamp(top);
    const near = position - this.shift;
    const isNear = Math.abs(position - this.scrollTop) <= 3 * this.margin;
    const hasRoom = near >= this.margin && near <= this.elementMax - this.margin;
    this.write(isNear && hasRoom ? near : this.home(position), position);
  }

  addEventListener(
    type: string,
    listener: EventListener,
    options?: AddEventListenerOptions | boolean,
  ): void {
    this.element.addEventListener(type, listener, options);
  }

  removeEventListener(type: string, listener: EventListener): void {
    this.element.removeEventListener(type, listener);
  }

  private readonly follow = (): void => {
    const top = this.element.scrollTop;
    const far = Math.abs(top - this.last) > 3 * this.margin;
    this.last = top;
    if (!this.mapped) return;
    if (far) {
      this.shift = (top / this.elementMax) * this.max - top;
      this.onShift();
    } else if (this.edgeIsNear(top)) {
      const position = this.scrollTop;
      this.write(this.home(position), position);
    }
  };

  private write(top: number, position: number): void {
    this.element.scrollTop = top;
    this.last = this.element.scrollTop;
    this.shift = position - this.last;
    this.onShift();
  }

  /** The element's edge comes near, and it is not the list's. */
  private edgeIsNear(top: number): boolean {
    const { margin, elementMax } = this;
    if (top < margin) return this.shift !== 0;
    return top > elementMax - margin && this.shift !== this.max - elementMax;
  }

  /**
   * The scroll offset of the element for a position in the list: in proportion, but no nearer to its
   * edges than it must be. Else it would have to be moved again at every step.
   */
  private home(position: number): number {
    const { max, elementMax } = this;
    if (max === 0) return 0;
    const far = Math.min(position, max - position);
    const edge = Math.max((far / max) * elementMax, Math.min(far, 3 * this.margin));
    return position * 2 <= max ? edge : elementMax - edge;
  }

  private clamp(position: number): number {
    return this.mapped ? Math.min(Math.max(position, 0), this.max) : position;
  }

  private get mapped(): boolean {
    return this.total > this.cap;
  }

  private get max(): number {
    return Math.max(0, this.total - this.element.clientHeight);
  }

  private get elementMax(): number {
    return Math.max(1, this.cap - this.element.clientHeight);
  }

  private get margin(): number {
    return this.element.clientHeight;
  }
}
