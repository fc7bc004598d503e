import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { createBubbles } from '../bubbles/layout.ts';
import { createMorphPainter, matchPoses, strengthsAt } from '../canvas/motion.ts';
import { createIcicle } from '../icicle/layout.ts';
import { type Layout, type LayoutOptions, markKind } from '../layout/layout.ts';
import { createSunburst } from '../sunburst/layout.ts';
import { createTree } from '../tree/layout.ts';
import { createTreemap } from '../treemap/layout.ts';
import { poseOf, reachOf, traceOutline } from './mark-outline.ts';

const tree = loadTree(sliceOf('shop (shoes (running (trail 30 road 20) walking 5) hats (caps 4 hoods 2 +7))'));
const options: LayoutOptions = {
  focus: 0,
  width: 800,
  height: 600,
  camera: { x: 0, y: 0, k: 1 },
  sizeBy: 'keywords',
  depth: Number.POSITIVE_INFINITY,
  minPx: 3,
  budget: 20_000,
};
const unshifted = { scaleX: 1, scale: 1, x: 0, y: 0 };
const poseIn = (create: () => Layout, maxMarks = 2_000, shift = unshifted) =>
  poseOf(create()(tree, options), options, shift, maxMarks);
const rowOf = (name: string) =>
  Array.from({ length: tree.size }, (_, row) => row).find((row) => tree.name(row) === name)!;

/** Points of the outline of a row. */
function outline(pose: ReturnType<typeof poseIn>, row: number, points = 16): (readonly [number, number])[] {
  const out = new Float32Array(points * 2);
  traceOutline(pose, pose.row.indexOf(row), points, out, 0);
  return Array.from({ length: points }, (_, i) => [out[i * 2]!, out[i * 2 + 1]!]);
}

describe('the animation from one chart to another', () => {
  test.each([
    ['treemap', createTreemap],
    ['bubbles', createBubbles],
    ['sunburst', createSunburst],
    ['icicle', createIcicle],
    ['tree', createTree],
  ])('of a %s has each visible node in its pose once, and no tails', (_, create) => {
    const marks = create()(tree, options);
    const nodes = Array.from(marks.row.subarray(0, marks.count)).filter((_, i) => marks.kind[i] !== markKind.tail);
    expect(Array.from(poseIn(create).row)).toEqual(nodes);
  });

  test('only the largest marks fly if there are many, parents before their children', () => {
    const { row, span, count } = poseIn(createTreemap);
    const areas = Array.from({ length: count }, (_, i) => {
      const [x0, y0, x1, y1] = span.subarray(i * 4, i * 4 + 4);
      return (x1! - x0!) * (y1! - y0!);
    });
    const third = areas.toSorted((a, b) => b - a)[2]!;
    expect(Array.from(poseIn(createTreemap, 3).row)).toEqual(Array.from(row).filter((_, i) => areas[i]! >= third));
  });

  test('every node in both charts flies from its old to its new outline', () => {
    const [from, to] = [poseIn(createTreemap), poseIn(createSunburst)];
    const morph = matchPoses(from, to);
    expect(new Set(morph.row)).toEqual(new Set(Array.from(to.row).filter((row) => from.row.includes(row))));
    for (let i = 0; i < morph.count; i++) {
      const points = morph.start[i + 1]! - morph.start[i]!;
      const flat = (pose: typeof from) => outline(pose, morph.row[i]!, points).flat();
      expect(Array.from(morph.from.subarray(morph.start[i]! * 2, morph.start[i + 1]! * 2))).toEqual(flat(from));
      expect(Array.from(morph.to.subarray(morph.start[i]! * 2, morph.start[i + 1]! * 2))).toEqual(flat(to));
    }
  });

  test('a node in only one of the charts does not fly', () => {
    const within = createTreemap()(tree, { ...options, focus: rowOf('hats') });
    const morph = matchPoses(poseIn(createTreemap), poseOf(within, options, unshifted, 2_000));
    expect(Array.from(morph.row, (row) => tree.name(row))).toEqual(['hats', 'caps', 'hoods']);
  });

  test('a node removed by a filter does not fly, and its colour is not computed', () => {
    const [from, to] = [poseIn(createTreemap), poseIn(createSunburst)];
    const gone = from.row.indexOf(rowOf('hoods'));
    from.row[gone] = -1;
    const morph = matchPoses(from, to);
    expect(Array.from(morph.row, (row) => tree.name(row))).not.toContain('hoods');
    const paint = { theme: 'dark', colourBy: 'pillar', dpr: 1, selected: -1 } as const;
    expect(() => createMorphPainter(morph, from, to, tree, paint)).not.toThrow();
  });
});

describe('an outline', () => {
  test('of a box begins at its top left corner and runs clockwise', () => {
    const pose = poseIn(createIcicle);
    const [x0, y0, x1, y1] = pose.span;
    expect(outline(pose, 0, 4)).toEqual([
      [x0, y0],
      [x1, y0],
      [x1, y1],
      [x0, y1],
    ]);
  });

  test('of a circle is on it, and begins at the top left', () => {
    const pose = poseIn(createBubbles);
    const points = outline(pose, 0);
    for (const [x, y] of points) expect(Math.hypot(x - 400, y - 300)).toBeCloseTo(292, 3);
    expect(points[0]![0]).toBeCloseTo(400 - 292 * Math.SQRT1_2, 3);
    expect(points[0]![1]).toBeCloseTo(300 - 292 * Math.SQRT1_2, 3);
  });

  test('of an arc is between its radii', () => {
    const pose = poseIn(createSunburst);
    const row = rowOf('shoes');
    const at = pose.row.indexOf(row) * 4;
    const [inner, outer] = [pose.span[at + 1]!, pose.span[at + 3]!];
    for (const [x, y] of outline(pose, row)) {
      const radius = Math.hypot(x - pose.centre.x, y - pose.centre.y);
      expect(radius).toBeGreaterThan(inner - 1e-3);
      expect(radius).toBeLessThan(outer + 1e-3);
    }
  });

  test('moves with the chart', () => {
    const moved = { scaleX: 0.5, scale: 0.5, x: 100, y: 40 };
    const [before, after] = [poseIn(createBubbles), poseIn(createBubbles, 2_000, moved)];
    for (const [i, [x, y]] of outline(after, 0).entries()) {
      expect(x).toBeCloseTo(100 + outline(before, 0)[i]![0] / 2, 3);
      expect(y).toBeCloseTo(40 + outline(before, 0)[i]![1] / 2, 3);
    }
    expect(reachOf(after, 0)).toBeCloseTo(reachOf(before, 0) / 2, 6);
  });
});

test('the animation begins with the old chart and ends with the new one; old names fade before marks have moved far', () => {
  expect(strengthsAt(0)).toEqual({ veil: 1, leaving: 1, flying: 0 });
  expect(strengthsAt(0.3)).toEqual({ veil: 1, leaving: 0, flying: 1 });
  expect(strengthsAt(1)).toEqual({ veil: 0, leaving: 0, flying: 0 });
});
