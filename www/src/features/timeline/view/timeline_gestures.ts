import type { Timeline } from "../model/timeline";
import type { TimelineState } from "../store";

/** A press that moves less than this is a click. */
const STILL = 4;
/** How near to a bar is on it, in pixels. */
const NEAR = 4;

/**
 * The pointer on the lanes: it shows what is under it, a drag pans, a click selects, the wheel with
 * Ctrl (which is also what a touchpad's pinch sends) and two fingers zoom. With Shift, and where all is in
 * sight, a drag chooses a stretch for its sums.
 */
export class TimelineGestures {
  private readonly pressed = new Map<number, { x: number; y: number }>();
  private moved = false;
  /** Where a stretch begins that is being chosen. */
  private chosenFrom: number | undefined;
  private pending: PointerEvent | undefined;
  private frame = 0;

  constructor(
    private readonly element: HTMLElement,
    private readonly state: TimelineState,
    private readonly jump: (row: number) => void,
    private readonly timeline: Timeline,
    private readonly laneHeight: () => number,
  ) {
    element.addEventListener("pointerdown", this.press);
    element.addEventListener("pointermove", this.move);
    element.addEventListener("pointerup", this.release);
    element.addEventListener("pointercancel", this.release);
    element.addEventListener("pointerleave", this.leave);
    element.addEventListener("wheel", this.wheel, { passive: false });
  }

  dispose(): void {
    cancelAnimationFrame(this.frame);
    const { element } = this;
    element.removeEventListener("pointerdown", this.press);
    element.removeEventListener("pointermove", this.move);
    element.removeEventListener("pointerup", this.release);
    element.removeEventListener("pointercancel", this.release);
    element.removeEventListener("pointerleave", this.leave);
    element.removeEventListener("wheel", this.wheel);
  }

  private readonly press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.pressed.size === 0) {
      this.moved = false;
      const chooses = event.shiftKey || this.state.isWhole;
      this.chosenFrom = chooses ? this.place(event.clientX) : undefined;
    } else {
      this.chosenFrom = undefined;
    }
    this.pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.element.setPointerCapture(event.pointerId);
  };

  private readonly move = (event: PointerEvent): void => {
    const held = this.pressed.get(event.pointerId);
    if (!held) {
      // Looking for what is under the pointer goes through all parts: once a frame.
      this.pending = event;
      this.frame ||= requestAnimationFrame(this.hover);
      return;
    }
    const far = Math.abs(event.clientX - held.x) >= STILL;
    if (!this.moved && !far && this.pressed.size === 1) return;
    this.moved = true;
    this.state.leave();
    if (this.chosenFrom !== undefined) {
      this.state.choose(this.chosenFrom, this.place(event.clientX));
      return;
    }
    const before = this.spread();
    const by = event.clientX - held.x;
    this.pressed.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.pressed.size === 2) this.pinch(before);
    else this.state.moveTo(this.state.store.get().range.from - by * this.perPixel);
  };

  private readonly release = (event: PointerEvent): void => {
    if (!this.pressed.delete(event.pointerId)) return;
    if (this.moved || this.pressed.size > 0 || event.type !== "pointerup") return;
    this.state.choose();
    this.point(event);
    const { row } = this.state.store.get().hover ?? { row: -1 };
    if (row >= 0) this.jump(row);
  };

  private readonly leave = (): void => {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.state.leave();
  };

  private readonly wheel = (event: WheelEvent): void => {
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (event.ctrlKey) {
      event.preventDefault();
      this.state.zoom(Math.exp(clamp(event.deltaY, 100) / 200), this.place(event.clientX));
    } else if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      event.preventDefault();
      const { from } = this.state.store.get().range;
      this.state.moveTo(from + sideways * this.perPixel);
    }
  };

  private readonly hover = (): void => {
    this.frame = 0;
    if (this.pending && this.pressed.size === 0) this.point(this.pending);
  };

  private point(event: PointerEvent): void {
    const box = this.element.getBoundingClientRect();
    const lane = Math.floor((event.clientY - box.top) / this.laneHeight());
    const isLane = lane >= 0 && lane < this.timeline.lanes.length;
    this.state.point(this.place(event.clientX), isLane ? lane : -1, NEAR * this.perPixel);
  }

  private pinch(before: { width: number; middle: number } | undefined): void {
    const after = this.spread();
    if (!before || !after || after.width < 1) return;
    this.state.zoom(before.width / after.width, this.place(before.middle));
    const { from } = this.state.store.get().range;
    this.state.moveTo(from - (after.middle - before.middle) * this.perPixel);
  }

  private spread(): { width: number; middle: number } | undefined {
    const [a, b] = [...this.pressed.values()];
    return a && b && { width: Math.abs(a.x - b.x), middle: (a.x + b.x) / 2 };
  }

  private place(clientX: number): number {
    const box = this.element.getBoundingClientRect();
    return this.state.store.get().range.from + (clientX - box.left) * this.perPixel;
  }

  private get perPixel(): number {
    const { from, to } = this.state.store.get().range;
    return (to - from) / Math.max(1, this.element.clientWidth);
  }
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}
