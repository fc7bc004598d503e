import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { cutTo, loadTree, partOf, withRest } from '../../../../test/support/tree.ts';
import type { SizeBy } from '../../model/encodings.ts';
import { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { colourScale } from './colour-scale.ts';
import { contrast, palettes, tonesOf } from './colours.ts';
import { countUnit, legendFor } from './legend.ts';
import { neutralIndex, stepOf, unknownIndex } from './value-steps.ts';

const whole = sliceOf('shop (shoes (trail 300 road 20) hats (caps 4 hoods))');
const tree = loadTree(whole);
const rowNamed = (name: string) =>
  Array.from({ length: tree.size }, (_, row) => row).find((row) => tree.name(row) === name)!;

test('children inherit the colour of their pillar, and the largest pillar has the first colour', () => {
  const { indexOf, colours } = colourScale(tree, { colourBy: 'pillar', theme: 'dark' });
  expect(colours[indexOf[rowNamed('road')]!]).toBe('#8f8bff');
  expect(indexOf[rowNamed('caps')]).toBe(indexOf[rowNamed('hats')]);
  expect(indexOf[tree.root]).toBe(neutralIndex);
});

test('a pillar keeps its colour as more rows load', () => {
  const part = loadTree(partOf(whole, [0, 2]));
  const before = colourScale(part, { colourBy: 'pillar', theme: 'dark' }).indexOf[1];
  part.merge(whole);
  expect(colourScale(part, { colourBy: 'pillar', theme: 'dark' }).indexOf[1]).toBe(before);
});

// Shows P10.4.
test('an unknown number looks unknown, never like the lowest step', () => {
  const { indexOf } = colourScale(tree, { colourBy: 'volume', theme: 'light' });
  expect(indexOf[rowNamed('hoods')]).toBe(unknownIndex);
  expect(indexOf[rowNamed('caps')]).toBeGreaterThan(unknownIndex);
  expect(legendFor(tree, { colourBy: 'volume', theme: 'light' }).at(-1)).toMatchObject({
    label: 'Unknown',
    unknown: true,
  });
});

test('difficulty without known values is unknown everywhere', () => {
  expect(new Set(colourScale(tree, { colourBy: 'difficulty', theme: 'dark' }).indexOf)).toEqual(
    new Set([unknownIndex]),
  );
});

test.each(['dark', 'light'] as const)('on the %s canvas, difficulty goes from green through amber to red', (theme) => {
  const slice = sliceOf('shop (easy 1 middle 1 hard 1)');
  slice.difficulty.set([50, 5, 50, 95]);
  const wholeScale = loadTree(slice);
  const worn = (isColourBlindSafe: boolean) => {
    const { colours, indexOf } = colourScale(wholeScale, { colourBy: 'difficulty', theme, isColourBlindSafe });
    return Array.from(indexOf.subarray(1), (index) => colours[index]);
  };
  const { low, middle, high } = palettes[theme].difficulty;
  expect(worn(false)).toEqual([low, middle, high]);
  // In the colour-blind palette, neither end is green, and the ends differ in blue.
  const blue = (colour: string | undefined) => Number.parseInt(colour!.slice(5), 16);
  expect(blue(worn(true)[0]) - blue(worn(true)[2])).toBeGreaterThan(100);
});

test('steps of difficulty are fitted to the loaded values, and follow them', () => {
  const slice = sliceOf('shop (a 1 b 1 c 1)');
  slice.difficulty.set([30, 20, 30, 48]);
  const loaded = loadTree(slice);
  const bounds = () => colourScale(loaded, { colourBy: 'difficulty', theme: 'dark' }).steps?.bounds;
  expect(bounds()).toEqual([24, 28, 32, 36, 40, 44]);
  const next = sliceOf('shop (a 1 b 1 c 1)');
  next.difficulty.set([60, 60, 61, 62]);
  loaded.become(loadTree(next));
  expect(bounds()).toEqual([51, 55, 59, 63, 67, 71]);
});

test('a value on a bound belongs to the step above', () => {
  expect([9, 10, 19, 20].map((value) => stepOf(value, [10, 20]))).toEqual([0, 1, 1, 2]);
});

test('the legend of pillars names them with their keywords', () => {
  expect(legendFor(tree, { colourBy: 'pillar', theme: 'dark' }).map(({ label, count }) => ({ label, count }))).toEqual([
    { label: 'shoes', count: 2 },
    { label: 'hats', count: 2 },
  ]);
});

// Shows P14.23.
test('the legend counts pillars in the unit of the sizes, and says which that is', () => {
  const counts = (sizeBy: SizeBy) =>
    legendFor(tree, { colourBy: 'pillar', theme: 'dark' }, { sizeBy }).map(({ count }) => count);
  expect([counts('volume'), countUnit(tree, 'pillar', 'volume')]).toEqual([[320, 4], 'volume']);
  // The volumes of a branch have a sum; its difficulties have not.
  expect([counts('difficulty'), countUnit(tree, 'pillar', 'difficulty')]).toEqual([[2, 2], 'keywords']);
  expect([counts('equal'), countUnit(tree, 'pillar', 'equal')]).toEqual([[2, 2], 'keywords']);
  expect(countUnit(tree, 'depth', 'volume')).toBe('nodes');
});

// Shows P14.23.
test('stray keywords are no pillar: the legend names them last, without a colour of their own', () => {
  const strays = loadTree(sliceOf('shop ("Stray keywords":stray (x 900) shoes:pillar (y 20))'));
  const scale = colourScale(strays, { colourBy: 'pillar', theme: 'dark' });
  const [first, last] = legendFor(strays, { colourBy: 'pillar', theme: 'dark' });
  expect([first?.label, last?.label]).toEqual(['shoes', 'Stray keywords (no pillar)']);
  expect(last?.colour).toBe(scale.colours[neutralIndex]);
  // Their box is in the place of a pillar, one level below the root.
  const marks = { form: 'boxes', level: 2 } as const;
  const swatches = legendFor(strays, { colourBy: 'pillar', theme: 'dark' }, { marks }).map(({ colour }) => colour);
  const { cell } = tonesOf(scale, 'dark');
  expect(swatches).toEqual([cell(scale.indexOf[2]!, 2), cell(neutralIndex, 1)]);
  expect(scale.indexOf[1]).toBe(neutralIndex);
});

test('what has no amount does not stand out among amounts', () => {
  const { cell, header } = tonesOf(colourScale(tree, { colourBy: 'volume', theme: 'light' }), 'light');
  expect(cell(neutralIndex, 2)).toBe(header(neutralIndex, 2));
});

test('a cell that looks like the group around it has an edge, any other has none', () => {
  const { cellEdge } = tonesOf(colourScale(tree, { colourBy: 'volume', theme: 'light' }), 'light');
  expect(cellEdge(unknownIndex, 2)).toBe(palettes.light.line);
  expect(cellEdge(unknownIndex + 7, 2)).toBe('');
  const ofPillars = tonesOf(colourScale(tree, { colourBy: 'pillar', theme: 'light' }), 'light');
  expect(ofPillars.cellEdge(unknownIndex + 1, 2)).toBe('');
});

test('the legend lists every intent that occurs, even one that is nowhere the most frequent', () => {
  const slice = sliceOf('shop (shoes 3 hats 2)');
  slice.intent.set([2, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0]);
  const legend = legendFor(loadTree(slice), { colourBy: 'intent', theme: 'light' });
  expect(legend.map(({ label, count }) => [label, count])).toEqual([
    ['Informational', 2],
    ['Transactional', 1],
  ]);
  expect(new Set(legend.map(({ colour }) => colour)).size).toBe(2);
});

test('the legend counts intents in the unit of the sizes, once their sums are known', () => {
  const slice = sliceOf('shop (shoes 3 hats 2)');
  slice.intent.set([2, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0]);
  const loaded = loadTree(slice);
  const counts = (whole: Parameters<typeof legendFor>[2]) =>
    legendFor(loaded, { colourBy: 'intent', theme: 'light' }, whole).map(({ count }) => count);
  expect(countUnit(loaded, 'intent', 'volume')).toBe('volume');
  expect(counts({ sizeBy: 'volume' })).toEqual([undefined, undefined]);
  const sums = new Map([
    ['informational', 5],
    ['transactional', 3],
  ]);
  expect(counts({ sizeBy: 'volume', sums })).toEqual([5, 3]);
  // Difficulties have no sum, so keywords are counted.
  expect([counts({ sizeBy: 'difficulty', sums }), countUnit(loaded, 'intent', 'difficulty')]).toEqual([
    [2, 1],
    'keywords',
  ]);
});

test('levels have a count only once all their nodes are loaded', () => {
  const counts = (of: LoadedTree) => legendFor(of, { colourBy: 'depth', theme: 'light' }).map((one) => one.count);
  expect(counts(tree)).toEqual([1, 2, 4]);
  expect(counts(loadTree(partOf(whole, [0, 1, 2, 3])))).toEqual([undefined, undefined, undefined]);
});

test('the colour-blind palette replaces the other colours, but not those of unknown values and the canvas', () => {
  const safe = colourScale(tree, { colourBy: 'pillar', theme: 'dark', isColourBlindSafe: true });
  expect(safe.colours.slice(2, 4)).toEqual(['#56b4e9', '#e69f00']);
  expect(safe.colours.slice(0, 2)).toEqual(
    colourScale(tree, { colourBy: 'pillar', theme: 'dark' }).colours.slice(0, 2),
  );
});

test('text is readable on every mark of every colour', () => {
  for (const theme of ['dark', 'light'] as const) {
    for (const [colourBy, isColourBlindSafe] of [
      ['pillar', false],
      ['pillar', true],
      ['volume', false],
    ] as const) {
      const scale = colourScale(tree, { colourBy, theme, isColourBlindSafe });
      const { cell, cellInk, header, headerInk } = tonesOf(scale, theme);
      for (let index = 0; index < scale.colours.length; index++) {
        for (let level = 0; level < 5; level++) {
          expect(contrast(cell(index, level), cellInk(index, level))).toBeGreaterThan(4.5);
          expect(contrast(header(index, level), headerInk(index, level))).toBeGreaterThan(4.5);
        }
      }
    }
  }
});

test('contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 9);
  expect(contrast(palettes.light.mutedInk, '#ffffff')).toBeCloseTo(6.7, 1);
});

test('nodes that a filter excludes are not unknown: they keep the colour of their pillar or have none, and a legend entry', () => {
  const faint = new LoadedTree();
  faint.merge(withRest(whole, [0, 2, rowNamed('caps')]), whole);
  const { indexOf } = colourScale(faint, { colourBy: 'volume', theme: 'dark' });
  expect(indexOf[rowNamed('shoes')]).toBe(neutralIndex);
  expect(indexOf[rowNamed('caps')]).toBeGreaterThan(unknownIndex);
  const pillars = (of: LoadedTree) => colourScale(of, { colourBy: 'pillar', theme: 'dark' }).indexOf;
  expect(pillars(faint)).toEqual(pillars(tree));
  const legend = (of: LoadedTree) => legendFor(of, { colourBy: 'depth', theme: 'dark' });
  expect(legend(faint).map(({ label, count }) => [label, count])).toEqual([
    ['Root', 1],
    ['Level 1', 1],
    ['Level 2', 1],
    ['Left out by the filter', undefined],
  ]);
});

test('what a filter excludes does not stretch a scale of keywords', () => {
  const leaves = Array.from({ length: 40 }, (_, i) => `k${i}`).join(' ');
  const branches = sliceOf(`shop (a (${leaves}) b (x y) c (${leaves.replaceAll('k', 'l')}))`);
  const kept = Array.from(branches.node.keys()).filter((row) => {
    const names = new TextDecoder().decode(
      branches.names.subarray(branches.nameStart[row], branches.nameStart[row + 1]),
    );
    return /^(?:shop|b|x|y)$/.test(names);
  });
  const faint = new LoadedTree();
  faint.merge(withRest(branches, kept), branches);
  const alone = loadTree(cutTo(branches, kept));
  const bounds = (of: LoadedTree) => colourScale(of, { colourBy: 'keywords', theme: 'light' }).steps;
  expect(bounds(faint)).toEqual(bounds(alone));
});
