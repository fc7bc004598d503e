import { type RefObject, useEffect, useRef } from 'react';
import { type PlotView, pannedView, zoomedView } from './plot-view.ts';
import type { Box } from './point-labels.ts';

type Gestures = {
  readonly frame: RefObject<HTMLElement | null>;
  readonly area: Box;
  readonly view: PlotView;
  readonly onView: (next: PlotView) => void;
  /** Whether one finger or the pressed button draws instead. */
  readonly isDrawing: boolean;
};

/** A finger or a pressed button becomes a drag after so many CSS pixels. */
const dragPx = 4;
/** A wheel event of this many CSS pixels zooms by half. */
const wheelPx = 250;

type Place = { readonly x: number; readonly y: number };

/** Zooms by wheel and pinch, pans by drag. @returns whether the last press became a drag, so that it is no click */
export function usePlotGestures(gestures: Gestures): () => boolean {
  const now = useRef(gestures);
  now.current = gestures;
  const wasDrag = useRef(false);
  const { frame } = gestures;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const down = new Map<number, Place>();
    let start: Place = { x: 0, y: 0 };
    const inFrame = (event: MouseEvent): Place => {
      const { left, top } = element.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const shareOf = ({ x, y }: Place) => {
      const { area } = now.current;
      return { x: (x - area.x0) / (area.x1 - area.x0), y: (area.y1 - y) / (area.y1 - area.y0) };
    };
    const show = (next: PlotView) => {
      // Two events of one frame must both count.
      now.current = { ...now.current, view: next };
      now.current.onView(next);
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      show(zoomedView(now.current.view, 1.5 ** ((-event.deltaY * lines) / wheelPx), shareOf(inFrame(event))));
    };
    const press = (event: PointerEvent) => {
      if (event.button !== 0) return;
      if (down.size === 0) {
        wasDrag.current = false;
        start = inFrame(event);
      }
      down.set(event.pointerId, inFrame(event));
    };
    const move = (event: PointerEvent) => {
      const before = down.get(event.pointerId);
      if (!before) return;
      const to = inFrame(event);
      const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
      if (
        !other &&
        (now.current.isDrawing || (!wasDrag.current && Math.hypot(to.x - start.x, to.y - start.y) < dragPx))
      )
        return;
      if (!wasDrag.current) element.setPointerCapture(event.pointerId);
      wasDrag.current = true;
      down.set(event.pointerId, to);
      const { area, view } = now.current;
      const between = (one: Place) => (other ? { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } : one);
      const [from, at] = [between(before), between(to)];
      const panned = pannedView(view, (at.x - from.x) / (area.x1 - area.x0), (from.y - at.y) / (area.y1 - area.y0));
      const apart = (one: Place) => (other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1);
      show(zoomedView(panned, apart(to) / apart(before), shareOf(at)));
    };
    const release = (event: PointerEvent) => down.delete(event.pointerId);
    element.addEventListener('wheel', wheel, { passive: false });
    element.addEventListener('pointerdown', press);
    element.addEventListener('pointermove', move);
    element.addEventListener('pointerup', release);
    element.addEventListener('pointercancel', release);
    return () => {
      element.removeEventListener('wheel', wheel);
      element.removeEventListener('pointerdown', press);
      element.removeEventListener('pointermove', move);
      element.removeEventListener('pointerup', release);
      element.removeEventListener('pointercancel', release);
    };
  }, [frame]);
  return () => wasDrag.current;
}
