import type { Point } from '../camera/camera.ts';
import { createVelocity } from '../camera/flights.ts';
import type { Stage } from '../canvas/stage.ts';

type GestureDeps = {
  readonly surface: HTMLElement;
  readonly stage: Pick<Stage, 'panBy' | 'zoomBy' | 'fitBox' | 'glide'>;
  /** A finger rests where it came down. @returns whether a menu opened for it */
  readonly onLongPress: (event: PointerEvent, at: Point) => boolean;
  /** The corners of the box that is being drawn, to zoom into; undefined when there is none. */
  readonly onBox: (box: { from: Point; to: Point } | undefined) => void;
  readonly onClick: (event: PointerEvent, at: Point) => void;
  /** Two fingers tapped. */
  readonly onTwoFingerTap: () => void;
};

const longPressMs = 450;
/** Movement in CSS pixels that still counts as a click: fingers and hands are never quite still. */
const clickSlop = 5;

/** A pointer that is down: where it is, and where it went down. */
type Contact = { readonly at: Point; readonly from: Point };

/**
 * What a press turns into: a click, a long press, a pan, a pinch, a box to zoom into. It begins with the first pointer
 * down and ends with the last one up.
 */
export class DragGesture {
  readonly #deps: GestureDeps;
  /** By pointer ID. */
  readonly #contacts = new Map<number, Contact>();
  readonly #velocity = createVelocity();
  #pressed: { readonly at: Point; readonly isBox: boolean } | undefined;
  #hasMoved = false;
  #hasPinched = false;
  #hasMenu = false;
  #longPress: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: GestureDeps) {
    this.#deps = deps;
  }

  /** Whether a pointer is down on the canvas. */
  isDown(pointerId: number): boolean {
    return this.#pressed !== undefined && this.#contacts.has(pointerId);
  }

  /** Whether this press opened a menu. */
  get hasMenu(): boolean {
    return this.#hasMenu;
  }

  down(event: PointerEvent, at: Point): void {
    this.#contacts.set(event.pointerId, { at, from: at });
    this.#velocity.begin();
    if (this.#contacts.size > 1) {
      this.#hasPinched = true;
      clearTimeout(this.#longPress);
      return;
    }
    this.#pressed = { at, isBox: event.shiftKey };
    this.#hasMoved = this.#hasPinched = this.#hasMenu = false;
    if (event.pointerType === 'touch') this.#longPress = setTimeout(() => this.#pressLong(event, at), longPressMs);
  }

  move(event: PointerEvent, at: Point): void {
    const contact = this.#contacts.get(event.pointerId);
    if (!contact || !this.#pressed) return;
    const { at: before, from } = contact;
    if (!this.#hasMoved && Math.hypot(at.x - from.x, at.y - from.y) < clickSlop) return;
    this.#hasMoved = true;
    clearTimeout(this.#longPress);
    if (this.#contacts.size === 2) this.#pinch(event.pointerId, before, at);
    else if (this.#pressed.isBox) this.#deps.onBox({ from: this.#pressed.at, to: at });
    else this.#pan(at.x - before.x, at.y - before.y, event.timeStamp);
    this.#contacts.set(event.pointerId, { at, from });
    this.#deps.surface.style.cursor = 'grabbing';
  }

  up(event: PointerEvent, to: Point): void {
    clearTimeout(this.#longPress);
    const wasDown = this.#contacts.delete(event.pointerId);
    this.#deps.surface.style.cursor = '';
    if (!wasDown || this.#contacts.size > 0 || !this.#pressed) return;
    const { at, isBox } = this.#pressed;
    this.#pressed = undefined;
    if (isBox && this.#hasMoved) this.#zoomInto(at, to);
    else if (this.#hasPinched && !this.#hasMoved) this.#deps.onTwoFingerTap();
    else if (this.#hasPinched) return;
    else if (this.#hasMoved) this.#deps.stage.glide(this.#velocity.now(event.timeStamp));
    else if (event.button === 0) this.#deps.onClick(event, to);
  }

  /** The browser took the pointer for something else: nothing was clicked. */
  cancel(pointerId: number): void {
    clearTimeout(this.#longPress);
    this.#contacts.delete(pointerId);
    if (this.#contacts.size > 0) return;
    this.#pressed = undefined;
    this.#deps.onBox(undefined);
  }

  close(): void {
    clearTimeout(this.#longPress);
  }

  #pressLong(event: PointerEvent, at: Point): void {
    if (this.#hasMoved || !this.#deps.onLongPress(event, at)) return;
    this.#hasMoved = true;
    this.#hasMenu = true;
  }

  #pan(dx: number, dy: number, at: number): void {
    this.#velocity.moved(dx, dy, at);
    this.#deps.stage.panBy(dx, dy);
  }

  /** Keeps the point between two fingers under them. Their distance is the zoom. */
  #pinch(id: number, before: Point, at: Point): void {
    const other = [...this.#contacts].find(([key]) => key !== id)?.[1].at;
    if (!other) return;
    const { stage } = this.#deps;
    const distance = (p: Point) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
    stage.panBy((at.x - before.x) / 2, (at.y - before.y) / 2);
    stage.zoomBy(distance(at) / distance(before), (at.x + other.x) / 2, (at.y + other.y) / 2);
  }

  #zoomInto(from: Point, to: Point): void {
    this.#deps.onBox(undefined);
    this.#deps.stage.fitBox({
      x0: Math.min(from.x, to.x),
      y0: Math.min(from.y, to.y),
      x1: Math.max(from.x, to.x),
      y1: Math.max(from.y, to.y),
    });
  }
}
