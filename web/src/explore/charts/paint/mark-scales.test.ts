import { changeKindValues } from '@kc/pack/compare/describe-changes';
import { planStatusValues } from '@kc/pack/plan/plan-fields';
import { markFields, stampedName } from '@kc/pack/slice/mark-fields';
import type { Slice, SliceField } from '@kc/pack/slice/slice';
import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { colourScale } from './colour-scale.ts';
import { palettes, tonesOf } from './colours.ts';
import { legendFor } from './legend.ts';
import { changeSteps, coveredSteps, planSteps } from './mark-scales.ts';
import { firstIndex, neutralIndex, unknownIndex } from './value-steps.ts';

const slice = sliceOf('shop (a 100 b 100 c 100 d 100 e 100 f 100 g 100 h)');
const filled = (length: number, value: number) => new Uint32Array(length).fill(value);

function category(name: string, values: readonly string[], wanted: readonly string[]): SliceField {
  const value = Uint8Array.from(wanted, (one) => values.indexOf(one));
  return { name, kind: 'category', values, value, count: filled(value.length, 1), known: filled(value.length, 1) };
}
const numbers = (name: string, value: readonly number[]): SliceField => ({
  name,
  kind: 'number',
  rollUp: 'sum',
  value: Float64Array.from(value),
  known: filled(value.length, 1),
});

function treeWith(stamp: string, fields: readonly SliceField[], of: Slice = slice): LoadedTree {
  const tree = new LoadedTree();
  tree.showMarks(new Map([['change', stamp] as const, ['plan', stamp] as const]));
  tree.merge({ ...of, fields });
  return tree;
}

const kinds = ['same', 'same', 'same', 'same', 'same', 'new', 'moved', 'renamed', 'same'];
const befores = [700, 100, 300, 110, 80, Number.NaN, 100, 100, 50];
const nows = [700, 100, 100, 100, 100, 100, 100, 100, Number.NaN];
const ofVolumes = (stamp: string, before: readonly number[], now: readonly number[]) => [
  numbers(stampedName(markFields.volumeBefore, stamp), before),
  numbers(
    stampedName(markFields.volumeChange, stamp),
    now.map((volume, row) => volume - before[row]!),
  ),
];
const ofChange = (stamp: string) => [
  category(stampedName(markFields.change, stamp), changeKindValues, kinds),
  ...ofVolumes(stamp, befores, nows),
];
const words = (tree: LoadedTree, colourBy: 'change' | 'plan' | 'covered', steps: readonly { label: string }[]) =>
  Array.from({ length: tree.size }, (_, row) => {
    const index = colourScale(tree, { colourBy, theme: 'dark' }).indexOf[row]!;
    if (index === neutralIndex) return 'none';
    return index === unknownIndex ? 'unknown' : steps[index - firstIndex]!.label;
  });

// Shows P14.23.
test('what is about the same keeps its edges inside its group, in both themes', () => {
  const same = firstIndex + changeSteps.findIndex(({ label }) => label === 'About the same');
  for (const theme of ['light', 'dark'] as const) {
    const { cellEdge } = tonesOf(colourScale(treeWith('x', ofChange('x')), { colourBy: 'change', theme }), theme);
    expect([2, 3].map((level) => cellEdge(same, level))).toEqual(
      theme === 'light' ? [palettes.light.line, palettes.light.line] : ['', ''],
    );
  }
});

test('the swatches of a plan have the colours of its marks', () => {
  const statuses = category(stampedName(markFields.status, 'x'), planStatusValues, Array<string>(9).fill('live'));
  const tree = treeWith('x', [statuses]);
  const { cell } = tonesOf(colourScale(tree, { colourBy: 'plan', theme: 'light' }), 'light');
  const legend = legendFor(tree, { colourBy: 'plan', theme: 'light' }, { marks: { form: 'boxes', level: 2 } });
  expect(legend.map(({ colour }) => colour)).toEqual(legend.map(({ index }) => cell(index, 2)));
  expect(new Set(legend.map(({ colour }) => colour)).size).toBe(planSteps.length);
});

test('stray keywords are no pillar that grew or shrank, but their keywords are', () => {
  const strays = sliceOf('shop (shoes:pillar (a 100) "Stray keywords":stray (b 100))');
  const tree = treeWith(
    'x',
    [
      category(stampedName(markFields.change, 'x'), changeKindValues, Array<string>(5).fill('same')),
      ...ofVolumes('x', [200, 100, 100, 10, 10], [200, 100, 100, 100, 100]),
    ],
    strays,
  );
  const named = new Map(Array.from({ length: tree.size }, (_, row) => [tree.name(row), row]));
  const { indexOf, signs } = colourScale(tree, { colourBy: 'change', theme: 'light' });
  expect(indexOf[named.get('Stray keywords')!]).toBe(neutralIndex);
  expect(signs?.[neutralIndex]).toBeUndefined();
  const [a, b] = ['a', 'b'].map((name) => indexOf[named.get(name)!]);
  expect([a, b].every((index) => index! >= firstIndex)).toBe(true);
  const legend = legendFor(tree, { colourBy: 'change', theme: 'light' });
  expect(legend.at(-1)?.label).toBe('Stray keywords (no pillar)');
});

test('marks are coloured by their kind of change, or by how much their volume has changed', () => {
  expect(words(treeWith('x', ofChange('x')), 'change', changeSteps)).toEqual([
    'none',
    'About the same',
    'Volume −50 % and less',
    'About the same',
    '+20 % to +100 %',
    'New',
    'Moved',
    'Renamed',
    'unknown',
  ]);
});

test('a change on the edge of two steps is the stronger one, whether volume grew or shrank', () => {
  const edges = sliceOf('shop (a 5 b 5 c 5 d 5 e 5 f 5)');
  const tree = treeWith(
    'x',
    [
      category(stampedName(markFields.change, 'x'), changeKindValues, Array<string>(7).fill('same')),
      ...ofVolumes('x', [600, 100, 100, 100, 100, 100, 100], [600, 50, 51, 80, 81, 120, 200]),
    ],
    edges,
  );
  expect(words(tree, 'change', changeSteps).slice(1)).toEqual([
    'Volume −50 % and less',
    '−50 % to −20 %',
    '−50 % to −20 %',
    'About the same',
    '+20 % to +100 %',
    '+100 % and more',
  ]);
});

test('a volume of 0 before can only grow, and stays the same at 0', () => {
  const zero = sliceOf('shop (a 5 b 0)');
  const tree = treeWith(
    'x',
    [
      category(stampedName(markFields.change, 'x'), changeKindValues, ['same', 'same', 'same']),
      ...ofVolumes('x', [0, 0, 0], [5, 5, 0]),
    ],
    zero,
  );
  expect(words(tree, 'change', changeSteps).slice(1).sort()).toEqual(['+100 % and more', 'About the same']);
});

test('a branch without keywords has lost everything, although its volume is shown as unknown', () => {
  const empty = sliceOf('shop (a 5 b)');
  const tree = treeWith(
    'x',
    [
      category(stampedName(markFields.change, 'x'), changeKindValues, ['same', 'same', 'same']),
      ...ofVolumes('x', [15, 5, 10], [5, 5, 0]),
    ],
    empty,
  );
  expect(words(tree, 'change', changeSteps)).toEqual(['none', 'About the same', 'Volume −50 % and less']);
});

test('every step of the scale is in the legend, with its sign and what to filter by', () => {
  const entries = legendFor(treeWith('x', ofChange('x')), { colourBy: 'change', theme: 'light' });
  expect(entries.map(({ label }) => label)).toEqual([...changeSteps.map(({ label }) => label), 'Unknown']);
  expect(entries.flatMap(({ value }) => value ?? [])).toEqual(['new', 'moved', 'renamed']);
});

test('another upload to compare with never shows the colours of the one before', () => {
  const tree = treeWith('x', ofChange('x'));
  tree.showMarks(new Map([['change', 'y']]));
  expect(new Set(words(tree, 'change', changeSteps))).toEqual(new Set(['none']));
  tree.merge({ ...slice, fields: ofChange('y') });
  expect(words(tree, 'change', changeSteps)[1]).toBe('About the same');
  // Back to the first: it is loaded again.
  tree.showMarks(new Map([['change', 'x']]));
  expect(tree.markField(markFields.change)).toBeUndefined();
});

test('the tree of another filter takes its own comparison along, and none of another upload', () => {
  const tree = treeWith('x', ofChange('x'));
  const filtered = new LoadedTree();
  filtered.merge({ ...slice, fields: [...ofChange('x'), ...ofChange('y')] });
  tree.become(filtered);
  expect(words(tree, 'change', changeSteps)[1]).toBe('About the same');
  expect(tree.field(stampedName(markFields.change, 'y'))).toBeUndefined();
});

const statuses = ['none', 'idea', 'planned', 'written', 'live', 'none', 'none', 'none', ''];
const ofPlan = (stamp: string, given = statuses) => [
  category(stampedName(markFields.status, stamp), planStatusValues, given),
  numbers(stampedName(markFields.covered, stamp), [10, 0, 0, 100, 100, 50, 19.9, 99.9, Number.NaN]),
];

test('a changed plan keeps its colours until all rows have the new ones', () => {
  const tree = treeWith('1', ofPlan('1'));
  const first = words(tree, 'plan', planSteps);
  expect(first).toEqual(['none', 'Idea', 'Planned', 'Written', 'Live', ...Array(3).fill('Not planned'), 'none']);
  tree.showMarks(new Map([['plan', '2']]));
  expect(words(tree, 'plan', planSteps)).toEqual(first);
  const next = statuses.map((status) => (status === 'idea' ? 'live' : status));
  tree.merge({ ...slice, fields: ofPlan('2', next) });
  expect(words(tree, 'plan', planSteps)[1]).toBe('Live');
  // What is replaced is forgotten.
  expect(tree.field(stampedName(markFields.status, '1'))).toBeUndefined();
  tree.showMarks(new Map());
  expect(tree.field(stampedName(markFields.status, '2'))).toBeUndefined();
});

test('nothing covered, a part of a percent and all of it are different steps', () => {
  expect(words(treeWith('1', ofPlan('1')), 'covered', coveredSteps).slice(1)).toEqual([
    'Not covered',
    'Not covered',
    'All covered',
    'All covered',
    '40 % – 60 %',
    'Below 20 %',
    '80 % and more',
    'unknown',
  ]);
});
