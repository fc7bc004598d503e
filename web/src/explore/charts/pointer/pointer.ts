import { addsTo, compare } from '../../model/compare-selection.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { View } from '../../model/url-state.ts';
import { none } from '../../tree-data/no-row.ts';
import { createVelocity } from '../camera/glide.ts';
import type { Target } from '../canvas/shown-marks.ts';
import type { Stage } from '../canvas/stage.ts';

export type Point = { readonly x: number; readonly y: number };

export type PointerDeps = {
  readonly surface: HTMLElement;
  readonly stage: Stage;
  readonly explorer: Explorer;
  /** Called with what is under a resting pointer, and the point; undefined when it has left. */
  readonly onRest: (target: Target | undefined, at: Point) => void;
  readonly onMenu: (target: Target, at: Point) => void;
  /** The corners of the box that is being drawn to zoom into; undefined if there is none. */
  readonly onBox: (box: { from: Point; to: Point } | undefined) => void;
};

/** Delay of the tooltip. */
const tooltipMs = 120;
const longPressMs = 450;
const wheelStep = 1.2;
/** Zoom factor of a click on marks that are too small to be told apart. */
const nearer = 8;
const mouseSlop = 12;
const touchSlop = 22;
/** The second click of a double click comes within this time. */
const doubleClickMs = 500;
/** A finger or a hand is never quite still. */
const clickSlop = 5;

/** Handles mouse, pen, trackpad and touch input on the canvas. @returns detaches the handlers */
export function attachPointer(deps: PointerDeps): () => void {
  const { surface, stage, explorer } = deps;
  /** Where each finger is, and where it touched down. */
  const held = new Map<number, { readonly at: Point; readonly from: Point }>();
  const velocity = createVelocity();
  let pressed: { readonly at: Point; readonly box: boolean } | undefined;
  let moved = false;
  let hasPinched = false;
  let hasMenu = false;
  /** When a click opened a branch, in event time. */
  let divedAt = Number.NEGATIVE_INFINITY;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let pressTimer: ReturnType<typeof setTimeout> | undefined;

  const pointOf = (event: MouseEvent): Point => {
    const frame = surface.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const targetOf = (event: PointerEvent, at: Point) =>
    stage.targetAt(at.x, at.y, event.pointerType === 'touch' ? touchSlop : mouseSlop);

  function down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button === 2) return;
    stage.drivenBy('pointer');
    surface.focus({ preventScroll: true });
    surface.setPointerCapture(event.pointerId);
    const at = pointOf(event);
    held.set(event.pointerId, { at, from: at });
    rest(undefined, at);
    velocity.begin();
    if (held.size === 1) {
      pressed = { at, box: event.shiftKey };
      moved = false;
      hasPinched = false;
      hasMenu = false;
      if (event.pointerType === 'touch') pressTimer = setTimeout(() => longPress(event, at), longPressMs);
    } else {
      hasPinched = true;
      clearTimeout(pressTimer);
    }
  }

  function longPress(event: PointerEvent, at: Point): void {
    const target = targetOf(event, at);
    if (!target || moved) return;
    moved = true;
    hasMenu = true;
    deps.onMenu(target, at);
  }

  /**
   * When the finger that opened a menu lifts, suppresses the emulated mouse event, which would close the menu again.
   */
  function lift(event: TouchEvent): void {
    if (hasMenu) event.preventDefault();
  }

  function move(event: PointerEvent): void {
    const at = pointOf(event);
    const finger = held.get(event.pointerId);
    if (!finger || !pressed) {
      if (event.pointerType !== 'touch') hoverAt(event, at);
      return;
    }
    const { at: before, from } = finger;
    if (!moved && Math.hypot(at.x - from.x, at.y - from.y) < clickSlop) return;
    moved = true;
    clearTimeout(pressTimer);
    if (held.size === 2) pinch(event.pointerId, before, at);
    else if (pressed.box) deps.onBox({ from: pressed.at, to: at });
    else pan(at.x - before.x, at.y - before.y, event.timeStamp);
    held.set(event.pointerId, { at, from });
    surface.style.cursor = 'grabbing';
  }

  function pan(dx: number, dy: number, at: number): void {
    velocity.moved(dx, dy, at);
    stage.panBy(dx, dy);
  }

  /** The point between two fingers stays under them; their distance sets the zoom. */
  function pinch(id: number, before: Point, at: Point): void {
    const other = [...held].find(([key]) => key !== id)?.[1].at;
    if (!other) return;
    const distance = (p: Point) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
    stage.panBy((at.x - before.x) / 2, (at.y - before.y) / 2);
    stage.zoomBy(distance(at) / distance(before), (at.x + other.x) / 2, (at.y + other.y) / 2);
  }

  function up(event: PointerEvent): void {
    clearTimeout(pressTimer);
    const wasHeld = held.delete(event.pointerId);
    surface.style.cursor = '';
    if (!wasHeld || held.size > 0 || !pressed) return;
    const { at, box } = pressed;
    pressed = undefined;
    if (box && moved) zoomInto(at, pointOf(event));
    else if (hasPinched && !moved) explorer.climb();
    else if (hasPinched) return;
    else if (moved) stage.glide(velocity.now(event.timeStamp));
    else if (event.button === 0) explorer.look.follow(() => click(event, pointOf(event)));
  }

  /** The browser took over the pointer: this is not a click. */
  function cancel(event: PointerEvent): void {
    clearTimeout(pressTimer);
    held.delete(event.pointerId);
    if (held.size > 0) return;
    pressed = undefined;
    deps.onBox(undefined);
  }

  function zoomInto(from: Point, to: Point): void {
    deps.onBox(undefined);
    stage.fitBox({
      x0: Math.min(from.x, to.x),
      y0: Math.min(from.y, to.y),
      x1: Math.max(from.x, to.x),
      y1: Math.max(from.y, to.y),
    });
  }

  function click(event: PointerEvent, at: Point): void {
    const target = targetOf(event, at);
    const { selected, view, focus } = explorer.store.getState();
    // The first click of a double click dives into the selected mark; the second must not hit what appears under it.
    if (event.timeStamp - divedAt < doubleClickMs) return;
    if (target && !target.isTail && (addsTo(event) || event.shiftKey)) void compare(explorer, target.row);
    else if (!target) explorer.select(none);
    else if (isCentre(target, view, focus)) explorer.climb();
    else if (target.isTail && (view === 'tree' || target.row === focus)) {
      explorer.unfold(target.row);
      // Where marks have a size of their own, zooming in separates them.
      if (view !== 'tree' && view !== 'opportunity') stage.zoomBy(nearer, at.x, at.y, true);
    } else if (target.isTail || target.row === selected) {
      divedAt = event.timeStamp;
      explorer.focusOn(target.row);
    } else explorer.select(target.row);
  }

  function hoverAt(event: PointerEvent, at: Point): void {
    const target = targetOf(event, at);
    explorer.hover(target ? target.row : none);
    surface.style.cursor = target ? 'pointer' : 'grab';
    rest(target, at);
  }

  /**
   * The tooltip first waits until the pointer rests, and follows it from then on. It then repeats the hit test, because
   * a slice or another filter may have changed the chart in the meantime.
   */
  function rest(target: Target | undefined, at: Point): void {
    clearTimeout(restTimer);
    if (!target) deps.onRest(undefined, at);
    else restTimer = setTimeout(() => deps.onRest(stage.targetAt(at.x, at.y, mouseSlop), at), tooltipMs);
  }

  function leave(event: PointerEvent): void {
    if (held.has(event.pointerId)) return;
    explorer.hover(none);
    rest(undefined, pointOf(event));
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const at = pointOf(event);
    rest(undefined, at);
    if (event.ctrlKey || event.metaKey) stage.zoomBy(Math.exp(-event.deltaY / 100), at.x, at.y);
    else if (isMouseWheel(event)) stage.zoomBy(event.deltaY < 0 ? wheelStep : 1 / wheelStep, at.x, at.y, true);
    else stage.panBy(-event.deltaX, -event.deltaY);
  }

  function menu(event: MouseEvent): void {
    event.preventDefault();
    const at = pointOf(event);
    const target = stage.targetAt(at.x, at.y, mouseSlop);
    if (!target) return;
    rest(undefined, at);
    deps.onMenu(target, at);
  }

  const stop = new AbortController();
  const options = { signal: stop.signal };
  surface.addEventListener('pointerdown', down, options);
  surface.addEventListener('pointermove', move, options);
  surface.addEventListener('pointerup', up, options);
  surface.addEventListener('pointercancel', cancel, options);
  surface.addEventListener('pointerleave', leave, options);
  surface.addEventListener('contextmenu', menu, options);
  surface.addEventListener('touchend', lift, { ...options, passive: false });
  surface.addEventListener('wheel', wheel, { ...options, passive: false });
  return () => {
    clearTimeout(restTimer);
    clearTimeout(pressTimer);
    stop.abort();
  };
}

/** The disc in the centre of a sunburst leads one level up. */
function isCentre({ row, isTail }: Target, view: View, focus: number): boolean {
  return view === 'sunburst' && row === focus && !isTail && focus !== 0;
}

/** Mouse wheels turn in notches: lines, or large even vertical steps. Trackpads scroll smoothly. */
function isMouseWheel(event: WheelEvent): boolean {
  if (event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return true;
  return event.deltaX === 0 && Math.abs(event.deltaY) >= 50 && Number.isInteger(event.deltaY);
}
