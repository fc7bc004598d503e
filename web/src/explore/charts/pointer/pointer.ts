import { addsTo, opensMenu } from '../../../ui/keys.ts';
import { toggleCompared } from '../../model/compare.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { View } from '../../model/url-state.ts';
import { none } from '../../tree-data/columns.ts';
import type { Point } from '../camera/camera.ts';
import { createVelocity } from '../camera/flights.ts';
import type { Target } from '../canvas/shown-marks.ts';
import type { Stage } from '../canvas/stage.ts';

type PointerDeps = {
  readonly surface: HTMLElement;
  readonly stage: Stage;
  readonly explorer: Explorer;
  /** Called with what lies under a resting pointer; undefined when the pointer left it. */
  readonly onRest: (target: Target | undefined, at: Point) => void;
  readonly onMenu: (target: Target, at: Point) => void;
  /** The corners of the box that is being drawn, to zoom into; undefined when there is none. */
  readonly onBox: (box: { from: Point; to: Point } | undefined) => void;
};

/** How far from a mark a finger still hits it, in CSS pixels. */
const touchSlop = 22;
/** The zoom of one notch of a mouse wheel. */
const wheelStep = 1.2;

/** Handles mouse, pen, trackpad and fingers on the canvas. @returns detaches */
export function attachPointer(deps: PointerDeps): () => void {
  const { surface, stage, explorer, onMenu, onBox } = deps;
  const pointOf = (event: MouseEvent): Point => {
    const frame = surface.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const targetOf = (event: PointerEvent, at: Point) =>
    stage.targetAt(at.x, at.y, event.pointerType === 'touch' ? touchSlop : mouseSlop);

  const hover = createHover(deps);
  const click = createClick(deps);
  const gesture = new DragGesture({
    surface,
    stage,
    onBox,
    onLongPress(event, at) {
      const target = targetOf(event, at);
      if (target) onMenu(target, at);
      return target !== undefined;
    },
    onClick: (event, at) => explorer.look.follow(() => click(event, targetOf(event, at), at)),
    onTwoFingerTap: () => explorer.climb(),
  });

  function down(event: PointerEvent): void {
    if (opensMenu(event)) return;
    stage.drivenBy('pointer');
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    hover.hideTooltip(at);
    gesture.down(event, at);
  }

  function move(event: PointerEvent): void {
    const at = pointOf(event);
    if (gesture.isDown(event.pointerId)) gesture.move(event, at);
    else if (event.pointerType !== 'touch') hover.over(targetOf(event, at), at);
  }

  function leave(event: PointerEvent): void {
    if (!gesture.isDown(event.pointerId)) hover.leave(pointOf(event));
  }

  /** Keeps a menu open when the finger that opened it lifts: the mouse click that browsers derive would close it. */
  function lift(event: TouchEvent): void {
    if (gesture.hasMenu) event.preventDefault();
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const at = pointOf(event);
    hover.hideTooltip(at);
    zoomOrPan(stage, event, at);
  }

  function menu(event: MouseEvent): void {
    event.preventDefault();
    const at = pointOf(event);
    const target = stage.targetAt(at.x, at.y, mouseSlop);
    if (!target) return;
    hover.hideTooltip(at);
    onMenu(target, at);
  }

  const stop = new AbortController();
  const options = { signal: stop.signal };
  surface.addEventListener('pointerdown', down, options);
  surface.addEventListener('pointermove', move, options);
  surface.addEventListener('pointerup', (event) => gesture.up(event, pointOf(event)), options);
  surface.addEventListener('pointercancel', (event) => gesture.cancel(event.pointerId), options);
  surface.addEventListener('pointerleave', leave, options);
  surface.addEventListener('contextmenu', menu, options);
  surface.addEventListener('touchend', lift, { ...options, passive: false });
  surface.addEventListener('wheel', wheel, { ...options, passive: false });
  return () => {
    hover.close();
    gesture.close();
    stop.abort();
  };
}

/** A pinch on a trackpad, which browsers report as a wheel with Ctrl, and a mouse wheel zoom; a trackpad swipe pans. */
export function zoomOrPan(stage: Pick<Stage, 'zoomBy' | 'panBy'>, event: WheelEvent, { x, y }: Point): void {
  if (event.ctrlKey || event.metaKey) stage.zoomBy(Math.exp(-event.deltaY / 100), x, y);
  else if (isMouseWheel(event)) stage.zoomBy(event.deltaY < 0 ? wheelStep : 1 / wheelStep, x, y, true);
  else {
    const px = event.deltaMode === domDeltaPixel ? 1 : linePx;
    stage.panBy(-event.deltaX * px, -event.deltaY * px);
  }
}

/** The constant of `WheelEvent`. */
const domDeltaPixel = 0;
/** How far a line of a wheel that is tilted sideways pans, in CSS pixels. */
const linePx = 33;

/**
 * Wheels of mice turn in notches: lines, or big even steps straight down. Trackpads send small steps in any direction.
 */
function isMouseWheel(event: WheelEvent): boolean {
  // A wheel that is tilted sideways, or turned with Shift, has no direction to zoom in.
  if (event.deltaMode !== domDeltaPixel) return event.deltaY !== 0;
  return event.deltaX === 0 && Math.abs(event.deltaY) >= 50 && Number.isInteger(event.deltaY);
}

type ClickDeps = { readonly stage: Pick<Stage, 'zoomBy' | 'hiddenAt'>; readonly explorer: Explorer };

/** How far a click on marks that are too small to tell apart zooms in. */
const closerFactor = 8;
/** The longest time between the two clicks of a double-click. */
const doubleClickMs = 500;

/** @returns handles a click on a target, or on nothing */
export function createClick({ stage, explorer }: ClickDeps) {
  /** When a click last focused a branch, as a time stamp of events. */
  let focusedAt = Number.NEGATIVE_INFINITY;

  /** Shows the list of what is gone from a branch, at the level of what the mark stands for. */
  function listGone({ mark, row }: Target): void {
    const { nodes, keywords } = stage.hiddenAt(mark);
    const changeLevel = nodes === keywords ? 'keywords' : 'clusters';
    const { tree, store } = explorer;
    const changesIn = row === 0 ? undefined : tree.addressOf(row);
    store.setState({ panel: 'changes', changeKind: 'gone', changeLevel, changesIn, detailOpen: true });
  }

  return (event: PointerEvent, target: Target | undefined, at: Point): void => {
    const { selected, view, focus } = explorer.store.getState();
    // The first click of a double-click on the selection focuses it. The second must not hit what is drawn there then.
    if (event.timeStamp - focusedAt < doubleClickMs) return;
    if (target?.isGone) listGone(target);
    else if (target && !target.isTail && (addsTo(event) || event.shiftKey)) toggleCompared(explorer, target.row);
    else if (!target) explorer.select(none);
    else if (isCentre(target, view, focus)) explorer.climb();
    else if (target.isTail && (view === 'tree' || target.row === focus)) {
      explorer.unfold(target.row);
      // In charts that size marks by the space there is, only zooming in tells them apart.
      if (view !== 'tree') stage.zoomBy(closerFactor, at.x, at.y, true);
    } else if (target.isTail || target.row === selected) {
      focusedAt = event.timeStamp;
      explorer.focusOn(target.row);
    } else explorer.select(target.row);
  };
}

/** Whether the target is the disc in the middle of a sunburst, which leads one level up. */
function isCentre({ row, isTail }: Target, view: View, focus: number): boolean {
  return view === 'sunburst' && row === focus && !isTail && focus !== 0;
}

type HoverDeps = {
  readonly surface: HTMLElement;
  readonly stage: Pick<Stage, 'targetAt'>;
  readonly explorer: Pick<Explorer, 'hover'>;
  /** Called with what lies under a resting pointer; undefined when the pointer left it. */
  readonly onRest: (target: Target | undefined, at: Point) => void;
};

/** How far from a mark a mouse still hits it, in CSS pixels. */
const mouseSlop = 12;
/** How long the pointer rests before the tooltip opens. */
const tooltipMs = 120;

/** Highlights the mark under the pointer, and opens the tooltip when the pointer rests. */
function createHover({ surface, stage, explorer, onRest }: HoverDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Reports the target after a moment, so that the tooltip does not open on the way over a mark. Looks the target up
   * again then: a slice or another filter may have changed the marks.
   */
  function restSoon(target: Target | undefined, at: Point): void {
    clearTimeout(timer);
    if (!target) onRest(undefined, at);
    else timer = setTimeout(() => onRest(stage.targetAt(at.x, at.y, mouseSlop), at), tooltipMs);
  }

  return {
    over(target: Target | undefined, at: Point): void {
      explorer.hover(target ? target.row : none);
      surface.style.cursor = target ? 'pointer' : 'grab';
      restSoon(target, at);
    },
    /** Closes the tooltip. */
    hideTooltip: (at: Point): void => restSoon(undefined, at),
    leave(at: Point): void {
      explorer.hover(none);
      restSoon(undefined, at);
    },
    close: (): void => clearTimeout(timer),
  };
}

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
 * down and ends with the last one up. A third finger belongs to the system or to assistive technology: while it is down,
 * nothing moves.
 */
export class DragGesture {
  readonly #deps: GestureDeps;
  /** By pointer ID. */
  readonly #contacts = new Map<number, Contact>();
  readonly #velocity = createVelocity();
  #pressed: { readonly at: Point; readonly isBox: boolean } | undefined;
  #hasMoved = false;
  /** The most pointers that were down at once. */
  #fingers = 0;
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
    this.#fingers = Math.max(this.#fingers, this.#contacts.size);
    if (this.#contacts.size > 1) {
      clearTimeout(this.#longPress);
      return;
    }
    this.#pressed = { at, isBox: event.shiftKey };
    this.#hasMoved = this.#hasMenu = false;
    this.#fingers = 1;
    if (event.pointerType === 'touch') this.#longPress = setTimeout(() => this.#pressLong(event, at), longPressMs);
  }

  move(event: PointerEvent, at: Point): void {
    const contact = this.#contacts.get(event.pointerId);
    // A finger that rests under its menu is never quite still.
    if (!contact || !this.#pressed || this.#hasMenu) return;
    const { at: before, from } = contact;
    if (!this.#hasMoved && Math.hypot(at.x - from.x, at.y - from.y) < clickSlop) return;
    this.#hasMoved = true;
    clearTimeout(this.#longPress);
    if (this.#contacts.size === 2) this.#pinch(event.pointerId, before, at);
    else if (this.#contacts.size === 1 && this.#pressed.isBox) this.#deps.onBox({ from: this.#pressed.at, to: at });
    else if (this.#contacts.size === 1) this.#pan(at.x - before.x, at.y - before.y, event.timeStamp);
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
    else if (this.#fingers === 2 && !this.#hasMoved) this.#deps.onTwoFingerTap();
    else if (this.#fingers > 1) return;
    else if (this.#hasMoved) this.#deps.stage.glide(this.#velocity.now(event.timeStamp));
    else if (event.button === 0) this.#deps.onClick(event, to);
  }

  /** The browser claimed the pointer for something else: nothing was clicked. */
  cancel(pointerId: number): void {
    clearTimeout(this.#longPress);
    this.#contacts.delete(pointerId);
    this.#deps.surface.style.cursor = '';
    this.#deps.onBox(undefined);
    // Another finger may go on, but no tap, click or box is left of the press.
    this.#hasMoved = true;
    this.#pressed = this.#contacts.size > 0 && this.#pressed ? { ...this.#pressed, isBox: false } : undefined;
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
