import type { Explorer } from '../../model/explorer.ts';
import type { Point } from '../camera/camera.ts';
import type { Target } from '../canvas/shown-marks.ts';
import type { Stage } from '../canvas/stage.ts';
import { createClick } from './click.ts';
import { DragGesture } from './drag-gesture.ts';
import { createHover, mouseSlop } from './hover.ts';

export type PointerDeps = {
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
    if (event.pointerType === 'mouse' && event.button === 2) return;
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
function zoomOrPan(stage: Stage, event: WheelEvent, { x, y }: Point): void {
  if (event.ctrlKey || event.metaKey) stage.zoomBy(Math.exp(-event.deltaY / 100), x, y);
  else if (isMouseWheel(event)) stage.zoomBy(event.deltaY < 0 ? wheelStep : 1 / wheelStep, x, y, true);
  else stage.panBy(-event.deltaX, -event.deltaY);
}

/**
 * Wheels of mice turn in notches: lines, or big even steps straight down. Trackpads send small steps in any direction.
 */
function isMouseWheel(event: WheelEvent): boolean {
  if (event.deltaMode !== WheelEvent.DOM_DELTA_PIXEL) return true;
  return event.deltaX === 0 && Math.abs(event.deltaY) >= 50 && Number.isInteger(event.deltaY);
}
