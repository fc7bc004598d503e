import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { type Edges, type Form, type Marks, markKind } from '../layout/layout.ts';
import { type Colouring, colourScale } from './colour-scale.ts';
import { tonesOf } from './colours.ts';

/** A copy of the largest marks of a layout at their positions on screen. Edges are CSS pixels in the viewport. */
export type Pose = {
  readonly form: Form['form'];
  readonly count: number;
  readonly row: Int32Array;
  readonly kind: Uint8Array;
  readonly level: Uint16Array;
  /** Four numbers per mark: left, top, right and bottom edge; for an arc `from`, inner radius, `to`, outer radius. */
  readonly span: Float64Array;
  /** The centre of arcs. */
  readonly centre: { readonly x: number; readonly y: number };
};

/** Where a drawing made for another camera is on screen. Source: `shiftBetween`. */
export type Shift = { readonly scaleX: number; readonly scale: number; readonly x: number; readonly y: number };

type View = { readonly width: number; readonly height: number };

/** Edges are clamped to this distance outside the viewport, in CSS pixels. */
const beyond = 40;

/**
 * The largest visible marks of nodes, at most `maxMarks`, in drawing order.
 *
 * Cost: the marks.
 */
export function poseOf(marks: Marks, view: View, shift: Shift, maxMarks: number): Pose {
  const picked = biggest(marks, view, shift, maxMarks);
  const [row, kind, level] = [
    new Int32Array(picked.length),
    new Uint8Array(picked.length),
    new Uint16Array(picked.length),
  ];
  const span = new Float64Array(picked.length * 4);
  for (const [at, i] of picked.entries()) {
    row[at] = marks.row[i]!;
    kind[at] = marks.kind[i]!;
    level[at] = marks.level[i]!;
    span.set(spanOf(marks, i, view, shift), at * 4);
  }
  const centre =
    marks.form === 'arcs'
      ? { x: shift.x + marks.arcs.x * shift.scaleX, y: shift.y + marks.arcs.y * shift.scale }
      : { x: 0, y: 0 };
  return { form: marks.form, count: picked.length, row, kind, level, span, centre };
}

/** The same pose, moved down by so many CSS pixels. */
export function movedDown(pose: Pose, by: number): Pose {
  const { x, y } = pose.centre;
  // Arcs are relative to their centre.
  if (pose.form === 'arcs') return { ...pose, centre: { x, y: y + by } };
  return { ...pose, span: pose.span.map((edge, at) => (at % 2 === 1 ? edge + by : edge)) };
}

function biggest(marks: Marks, view: View, shift: Shift, maxMarks: number): number[] {
  const areas = new Float64Array(marks.count);
  for (let i = 0; i < marks.count; i++) {
    if (marks.kind[i] !== markKind.tail) areas[i] = visibleArea(edgesOf(marks, i, shift), view);
  }
  const minArea = marks.count > maxMarks ? areas.slice().sort()[marks.count - maxMarks]! : 0;
  const picked: number[] = [];
  for (let i = 0; i < marks.count && picked.length < maxMarks; i++) {
    if (areas[i]! > 0 && areas[i]! >= minArea) picked.push(i);
  }
  return picked;
}

function edgesOf({ x0, y0, x1, y1 }: Marks, i: number, { scale, scaleX, x, y }: Shift): Edges {
  return { x0: x + x0[i]! * scaleX, y0: y + y0[i]! * scale, x1: x + x1[i]! * scaleX, y1: y + y1[i]! * scale };
}

function visibleArea({ x0, y0, x1, y1 }: Edges, { width, height }: View): number {
  return Math.max(0, Math.min(x1, width) - Math.max(x0, 0)) * Math.max(0, Math.min(y1, height) - Math.max(y0, 0));
}

function spanOf(marks: Marks, i: number, { width, height }: View, shift: Shift): readonly number[] {
  if (marks.form === 'arcs') {
    const { from, to, radii } = marks.arcs;
    const level = marks.level[i]!;
    return [from[i]!, radii[level]! * shift.scale, to[i]!, (radii[level + 1]! - 1) * shift.scale];
  }
  const { x0, y0, x1, y1 } = edgesOf(marks, i, shift);
  // A circle fills the square of its edges, even outside the viewport.
  if (isRound(marks)) return [x0, y0, x1, y1];
  return [
    Math.max(x0, -beyond),
    Math.max(y0, -beyond),
    Math.min(Math.max(x0 + 1, x1 - 1), width + beyond),
    Math.min(Math.max(y0 + 1, y1 - 1), height + beyond),
  ];
}

const isRound = ({ form }: Pick<Pose, 'form'>) => form === 'circles';

/** The size of a mark of a pose, in CSS pixels. */
export function reachOf({ form, span }: Pose, i: number): number {
  const [a, b, c, d] = [span[i * 4]!, span[i * 4 + 1]!, span[i * 4 + 2]!, span[i * 4 + 3]!];
  return form === 'arcs' ? Math.max(d - b, (c - a) * 2 * Math.PI * d) : Math.max(c - a, d - b);
}

/**
 * Writes the outline of a mark as `points` points, clockwise from its top left corner, a quarter of them on each side,
 * so that outlines of different shapes correspond point by point.
 *
 * @param points a multiple of 4; x and y of each are written to `out`, starting at `at`
 */
export function traceOutline(pose: Pose, i: number, points: number, out: Float32Array, at: number): void {
  const [a, b, c, d] = [pose.span[i * 4]!, pose.span[i * 4 + 1]!, pose.span[i * 4 + 2]!, pose.span[i * 4 + 3]!];
  const side = points / 4;
  for (let point = 0; point < points; point++) {
    const [x, y] =
      pose.form === 'arcs'
        ? pose.level[i] === 0
          ? onCircle(pose.centre.x, pose.centre.y, d, point / points)
          : onSector(pose.centre, a, b, c, d, Math.floor(point / side), (point % side) / side)
        : isRound(pose)
          ? onCircle((a + c) / 2, (b + d) / 2, (c - a) / 2, point / points)
          : onBox(a, b, c, d, Math.floor(point / side), (point % side) / side);
    out[at + point * 2] = x;
    out[at + point * 2 + 1] = y;
  }
}

type Xy = readonly [x: number, y: number];

/** @param share of the way around, starting in the direction of the top left corner */
function onCircle(x: number, y: number, radius: number, share: number): Xy {
  const angle = share * 2 * Math.PI - 0.75 * Math.PI;
  return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius];
}

function onBox(x0: number, y0: number, x1: number, y1: number, side: number, share: number): Xy {
  if (side === 0) return [x0 + (x1 - x0) * share, y0];
  if (side === 1) return [x1, y0 + (y1 - y0) * share];
  return side === 2 ? [x1 - (x1 - x0) * share, y1] : [x0, y1 - (y1 - y0) * share];
}

/** The outer arc is the top side, the inner one the bottom side. */
function onSector(
  { x, y }: Pose['centre'],
  from: number,
  inner: number,
  to: number,
  outer: number,
  side: number,
  share: number,
): Xy {
  const turn = side === 0 ? from + (to - from) * share : side === 1 ? to : side === 2 ? to - (to - from) * share : from;
  const radius =
    side === 0
      ? outer
      : side === 1
        ? outer - (outer - inner) * share
        : side === 2
          ? inner
          : inner + (outer - inner) * share;
  return [x + Math.sin(turn * 2 * Math.PI) * radius, y - Math.cos(turn * 2 * Math.PI) * radius];
}

/** The fill of a mark of a pose, without text and texture; none if a filter has removed its row. */
export function plainFills(pose: Pose, tree: LoadedTree, colouring: Colouring): (mark: number) => string {
  const scale = colourScale(tree, colouring);
  const tones = tonesOf(scale, colouring.theme);
  const isNested = pose.form === 'boxes' || pose.form === 'circles';
  return (i) => {
    const isFrame = pose.form === 'links' || (isNested && pose.kind[i] === markKind.group);
    const isFaint = isFrame || tree.isLeftOut(pose.row[i]!);
    const level = pose.form === 'links' ? 3 : pose.level[i]!;
    return (isFaint ? tones.frame : tones.cell)(scale.indexOf[pose.row[i]!]!, level);
  };
}
