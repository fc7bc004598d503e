import { say } from '@kc/rules/explorer-messages';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Edges } from '../../charts/layout/layout.ts';
import {
  afterKey,
  areaOf,
  type KeyDrawing,
  type Place,
  pickArea,
  type Scales,
  simplified,
} from '../../charts/opportunity/lasso.ts';
import { counted, exact } from '../../format/figure-text.ts';
import { combinePicked, maxPicked, nothingPicked } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';

/** What a shape does to the selection. */
type LassoEffect = 'replace' | 'add' | 'subtract';

type Props = {
  readonly isOn: boolean;
  readonly area: Edges;
  /** @param shape at least three corners */
  readonly onShape: (shape: readonly Place[], effect: LassoEffect) => void;
  readonly onLeave: () => void;
  /** What keys have done, for screen readers. */
  readonly onSay: (text: string) => void;
};

const minCorners = 3;
/** What is no larger than this in both directions is a click, in CSS pixels. */
const clickPx = 6;

/** Draws a shape with the pointer or, corner by corner, with keys. */
export function useLasso({ isOn, area, onShape, onLeave, onSay }: Props) {
  const [line, setLine] = useState<readonly Place[]>([]);
  /** The same at once: several moves may come before the next render. */
  const drawn = useRef<readonly Place[]>([]);
  const draw = (next: readonly Place[]) => {
    drawn.current = next;
    setLine(next);
  };
  const [drawing, setDrawing] = useState<KeyDrawing>();
  /** The pointer that draws; a second finger ends the drawing, because both zoom. */
  const pointer = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time begins with nothing
  useEffect(() => {
    pointer.current = undefined;
    draw([]);
    setDrawing(undefined);
  }, [isOn]);

  const placeOf = (event: PointerEvent): Place => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const held = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
    return { x: held(event.clientX - left, area.x0, area.x1), y: held(event.clientY - top, area.y0, area.y1) };
  };
  function down(event: PointerEvent): void {
    if (!isOn || event.button !== 0) return;
    if (pointer.current !== undefined) {
      pointer.current = undefined;
      draw([]);
      return;
    }
    pointer.current = event.pointerId;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrawing(undefined);
    draw([placeOf(event)]);
  }
  function move(event: PointerEvent): void {
    if (pointer.current !== event.pointerId) return;
    draw([...drawn.current, placeOf(event)]);
  }
  function up(event: PointerEvent): void {
    if (pointer.current !== event.pointerId) return;
    pointer.current = undefined;
    const shape = simplified([...drawn.current, placeOf(event)]);
    draw([]);
    const sizeOf = (of: 'x' | 'y') =>
      Math.max(...shape.map((place) => place[of])) - Math.min(...shape.map((place) => place[of]));
    if (shape.length >= minCorners && Math.max(sizeOf('x'), sizeOf('y')) > clickPx) onShape(shape, effectOf(event));
  }
  function cancel(): void {
    pointer.current = undefined;
    draw([]);
  }

  /** @returns whether the key belonged to the lasso */
  function press(event: KeyboardEvent): boolean {
    if (!isOn || event.ctrlKey || event.metaKey) return false;
    const now = drawing ?? { at: { x: (area.x0 + area.x1) / 2, y: (area.y0 + area.y1) / 2 }, corners: [] };
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter') {
      if (now.corners.length < minCorners) {
        onSay('A shape needs three corners.');
        return true;
      }
      setDrawing({ at: now.at, corners: [] });
      onShape(now.corners, effectOf(event));
    } else {
      const next = afterKey(now, event, area);
      if (!next) return false;
      if (next.corners !== now.corners) onSay(`${counted(next.corners.length, 'corner')}.`);
      setDrawing(next);
    }
    return true;
  }

  return {
    /** The line so far, in CSS pixels. */
    line: line.length > 0 ? line : drawing ? [...drawing.corners, drawing.at] : [],
    /** The crosshair, and how many corners the keys have set; undefined until a key is pressed. */
    crosshair: drawing && { ...drawing.at, corners: drawing.corners.length },
    press,
    pointerProps: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: cancel },
  };
}

const effectOf = ({ shiftKey, altKey }: { readonly shiftKey: boolean; readonly altKey: boolean }): LassoEffect =>
  shiftKey ? 'add' : altKey ? 'subtract' : 'replace';

/** Selects everything in a shape, or adds it to what is selected, or takes it away. */
export function usePickShape(query: PointsQuery, scales: Scales) {
  const { store, source, explain } = useExplorer();
  return async (shape: readonly Place[], effect: LassoEffect): Promise<void> => {
    const before = store.getState().picked;
    const inShape = pickArea(query, areaOf(shape, query, scales));
    if (effect === 'replace' || (effect === 'add' && before === nothingPicked)) {
      store.setState({ picked: inShape });
      return;
    }
    try {
      const both = await combinePicked(source, before, inShape, effect, query.filter);
      // Something else was selected in the meantime.
      if (store.getState().picked !== before) return;
      if (!both) store.setState({ notice: say('explore/selection-too-large', { most: exact(maxPicked) }) });
      else store.setState({ picked: both.rows.size === 0 ? nothingPicked : both });
    } catch (failure) {
      store.setState({ notice: explain(failure) });
    }
  };
}
