import { within } from '@kc/pack/match/narrow';
import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { cutTo, loadTree, withFields } from '../../../../test/support/tree.ts';
import { colourScale } from '../../charts/paint/colour-scale.ts';
import { legendFor } from '../../charts/paint/legend.ts';
import type { LegendValue } from '../../model/change-filter.ts';
import type { ColourBy } from '../../model/encodings.ts';
import { isolatedBy } from './legend-body.tsx';

/** Rows: 0 shop, 1 shoes, 2 hats, 3 running, 4 walking, 5 caps. */
const whole = withFields(sliceOf('shop (shoes (running 30 walking 5) hats (caps 4))'), {
  Stage: { values: ['', 'early', 'late'], rows: [1, 1, 2, 1, 0, 2] },
  Traffic: [9, 5, 4, 3, Number.NaN, 4],
});
const tree = loadTree(whole);

const lines = (colourBy: ColourBy, of = tree, isCut = false) =>
  legendFor(of, { colourBy, theme: 'light' }, { isCut }).map((entry) => ({
    label: entry.label,
    line: isolatedBy(colourBy, entry),
  }));

test('values, including unknown ones, and levels can be filtered by their legend entries', () => {
  expect(lines('field:Stage')).toEqual([
    { label: 'early', line: { kind: 'category', field: 'Stage', value: 'early' } },
    { label: 'late', line: { kind: 'category', field: 'Stage', value: 'late' } },
    { label: 'Unknown', line: { kind: 'category', field: 'Stage', value: '' } },
  ]);
  expect(lines('depth').map(({ line }) => line)).toEqual([
    undefined,
    { kind: 'level', value: 1 },
    { kind: 'level', value: 2 },
  ]);
  expect(lines('type').map(({ line }) => line)).toContainEqual({ kind: 'type', value: tree.types[0] });
});

test('a numeric step is filtered by its bounds; unknown values and keyword counts cannot be filtered', () => {
  const traffic = lines('field:Traffic');
  expect(traffic.at(-1)).toEqual({ label: 'Unknown', line: undefined });
  for (const { line } of traffic.slice(0, -1)) expect(line).toMatchObject({ kind: 'range', figure: 'field:Traffic' });
  expect(lines('difficulty').every(({ line }) => line === undefined || line.kind === 'range')).toBe(true);
  expect(lines('keywords').every(({ line }) => line === undefined)).toBe(true);
});

test('a step keeps exactly the keywords of its colour: a limit belongs to the step that it begins, the highest value to the last', () => {
  // Every step of the scale has a limit among the values, and 0.7 is not what a 32-bit column has for it.
  const values = [9, ...Array.from({ length: 71 }, (_, nth) => nth / 10)];
  const names = values.slice(1).map((_, nth) => `k${nth} 1`);
  for (const column of [Float64Array, Float32Array]) {
    const inFile = column.from(values);
    const slice = withFields(sliceOf(`shop (${names.join(' ')})`), { Traffic: [...inFile] });
    const scale = colourScale(loadTree(slice), { colourBy: 'field:Traffic', theme: 'light' });
    const steps = legendFor(loadTree(slice), { colourBy: 'field:Traffic', theme: 'light' });
    expect(steps.some(({ step }) => values.includes(step!.to!))).toBe(true);
    const keptBy = steps.map((entry) => {
      const line = isolatedBy('field:Traffic', entry);
      const { from, to, isBelow } = (line as LegendValue & { kind: 'range' }).range;
      const kept = new Uint8Array(values.length).fill(1);
      within(inFile, from, to, isBelow)(kept, 1, values.length);
      return [...kept].slice(1);
    });
    expect(keptBy).toEqual(steps.map(({ index }) => [...scale.indexOf.slice(1)].map((own) => Number(own === index))));
  }
});

test('a pillar topic is filtered by its node ID, even an excluded one, which keeps its colour', () => {
  expect(lines('pillar')).toEqual([
    { label: 'shoes', line: { kind: 'place', value: tree.addressOf(1) } },
    { label: 'hats', line: { kind: 'place', value: tree.addressOf(2) } },
  ]);
  const pillars = [1, 2].map((row) => ({
    node: row,
    name: tree.name(row),
    address: tree.addressOf(row),
    isStrays: false,
  }));
  const entries = (of: typeof tree) => legendFor(of, { colourBy: 'pillar', theme: 'dark' }, { pillars, isCut: true });
  const hats = loadTree(cutTo(whole, [0, 2, 5]));
  expect(entries(hats).map(({ label, count, row }) => ({ label, count, row }))).toEqual([
    { label: 'shoes', count: 0, row: -1 },
    { label: 'hats', count: 1, row: 1 },
  ]);
  expect(entries(hats).map(({ colour }) => colour)).toEqual(entries(tree).map(({ colour }) => colour));
});

test('values that a filter excludes stay in the legend, so that they can be added', () => {
  const hats = loadTree(cutTo(whole, [0, 2, 5]));
  expect(
    lines('intent', hats, true)
      .slice(0, 4)
      .map(({ line }) => line),
  ).toEqual(
    ['informational', 'navigational', 'commercial', 'transactional'].map((value) => ({ kind: 'intent', value })),
  );
});
