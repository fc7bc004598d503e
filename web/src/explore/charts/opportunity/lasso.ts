import { type AreaPart, maxCorners, noFilter } from '@kc/pack/filter/filter';
import { isInArea, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import type { LevelPoints } from '@kc/rules/points-shapes';
import { isPickedOf, type Picked } from '../../model/picked.ts';
import type { PointsQuery } from '../../model/source.ts';
import type { Edges } from '../layout/layout.ts';
import type { Scale } from './plot-scale.ts';

/** A position in the frame of the plot, in CSS pixels. */
export type Place = { readonly x: number; readonly y: number };
export type Scales = { readonly x: Scale; readonly y: Scale };

/** A corner that changes the shape by less than so many square pixels is left out. */
const minPx2 = 4;

/**
 * A drawn line as a closed shape with few corners: the corner that changes the shape least is left out, until the rest
 * matters.
 *
 * Source: Visvalingam and Whyatt, "Line generalisation by repeated elimination of points", 1993.
 *
 * @returns fewer than three corners if it is no shape
 */
export function simplified(line: readonly Place[], maxCount = maxCorners): readonly Place[] {
  const corners = line.filter((place, at) => at === 0 || place.x !== line[at - 1]!.x || place.y !== line[at - 1]!.y);
  while (corners.length > 2) {
    let [flattest, smallest] = [0, Number.POSITIVE_INFINITY];
    for (let at = 0; at < corners.length; at++) {
      const size = triangle(corners.at(at - 1)!, corners[at]!, corners[(at + 1) % corners.length]!);
      if (size < smallest) [flattest, smallest] = [at, size];
    }
    if (corners.length <= maxCount && smallest >= minPx2) break;
    corners.splice(flattest, 1);
  }
  return corners;
}

/** The size of a triangle. */
const triangle = (a: Place, b: Place, c: Place): number =>
  Math.abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;

/** Enough for a large screen, and short in an address. */
const digits = 5;
const rounded = (value: number): number => Number(value.toPrecision(digits));

/** A shape as an area of values. */
export function areaOf(shape: readonly Place[], { areasOf, x, y }: PointsQuery, scales: Scales): AreaPart {
  return {
    level: areasOf,
    x,
    y,
    isLog: { x: scales.x.isLog, y: scales.y.isLog },
    corners: shape.map((place) => [rounded(scales.x.anyAt(place.x)), rounded(scales.y.anyAt(place.y))] as const),
  };
}

/** The area of values between two ends of both axes. */
export function boxOf(
  { areasOf, x, y }: Pick<PointsQuery, 'areasOf' | 'x' | 'y'>,
  [left, right]: readonly [number, number],
  [low, high]: readonly [number, number],
): AreaPart {
  const corners = [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ] as const;
  return { level: areasOf, x, y, isLog: { x: false, y: false }, corners };
}

/** Everything in an area is selected, whether it is drawn or not. */
export function pickArea({ level, within, filter }: PointsQuery, area: AreaPart): Picked {
  const before = readFilter(filter) ?? noFilter;
  const kept = writeFilter({ ...before, areas: [...before.areas, area] });
  return { filter: kept, screenFilter: filter, all: { level, within }, rows: new Map() };
}

/** The area that a selection was made by, if by nothing else, and if the plot has these axes. */
export function pickedArea(picked: Picked, query: PointsQuery): AreaPart | undefined {
  if (!picked.all || !isPickedOf(picked, query)) return undefined;
  const filter = readFilter(picked.filter) ?? noFilter;
  const before = readFilter(query.filter) ?? noFilter;
  const existing = new Set(before.areas.map((area) => JSON.stringify(area)));
  const [area, ...others] = filter.areas.filter((one) => !existing.has(JSON.stringify(one)));
  if (!area || others.length > 0 || area.x !== query.x || area.y !== query.y) return undefined;
  return writeFilter({ ...filter, areas: before.areas }) === writeFilter(before) ? area : undefined;
}

/** The corners of an area in the frame; undefined where its edges are not straight. */
export function shapeOf({ corners, isLog }: AreaPart, { x, y }: Scales): readonly Place[] | undefined {
  const isBox = corners.length === 4 && new Set(corners.map(([across]) => across)).size === 2;
  if (!isBox && (isLog.x !== x.isLog || isLog.y !== y.isLog)) return undefined;
  return corners.map(([across, up]) => ({ x: x.at(across), y: y.at(up) }));
}

/** The numbers of the drawn points that are selected. */
export function pickedPoints({ nodes, x, y }: LevelPoints['points'], picked: Picked, area: AreaPart | undefined) {
  const isWhole = picked.filter === picked.screenFilter;
  const isInside = (i: number) => isWhole || (area !== undefined && isInArea(area, x[i]!, y[i]!));
  const isPicked = (i: number) => {
    const isNamed = picked.rows.has(nodes[i]!);
    return picked.all ? !isNamed && isInside(i) : isNamed;
  };
  return Array.from(nodes.keys()).filter(isPicked);
}

/** A shape that is drawn by keys: the corners so far, and the crosshair. */
export type KeyDrawing = { readonly at: Place; readonly corners: readonly Place[] };

const stepPx = 8;
const fineStepPx = 1;
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * The drawing after a key: arrows move the crosshair, Space sets a corner, Backspace removes the last one.
 *
 * @returns undefined for another key
 */
export function afterKey(
  { at, corners }: KeyDrawing,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  box: Edges,
): KeyDrawing | undefined {
  const move = moves[key];
  if (move) {
    const step = shiftKey ? fineStepPx : stepPx;
    const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
    const [x, y] = [at.x + move[0] * step, at.y + move[1] * step];
    return { corners, at: { x: clamp(x, box.x0, box.x1), y: clamp(y, box.y0, box.y1) } };
  }
  if (key === ' ') return { at, corners: corners.length < maxCorners ? [...corners, at] : corners };
  if (key === 'Backspace') return { at, corners: corners.slice(0, -1) };
  return undefined;
}
