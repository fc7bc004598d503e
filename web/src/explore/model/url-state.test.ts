import { maxFilterLength, writeFilter } from '@kc/pack/filter/filter-text';
import { writeSort } from '@kc/pack/levels/row-sort';
import { anyFilter } from '@kc/pack/test/support/filters';
import { changeNames, defaultThresholds } from '@kc/pack/vocabulary/changes';
import { matchModes } from '@kc/pack/vocabulary/choices';
import { writeThresholds } from '@kc/rules/changes';
import { limits } from '@kc/rules/limits';
import { isViewState, viewStateIn } from '@kc/rules/saved-view';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldKey } from '../tree-data/figures.ts';
import { writeColumns } from './list-columns.ts';
import { tableLevels } from './list-query.ts';
import { maxPickedInLinks } from './picked.ts';
import {
  colours,
  defaultUrlState,
  depths,
  isStep,
  maxCompared,
  metrics,
  panels,
  readUrlState,
  roundedTo4,
  sizes,
  type UrlState,
  views,
  writeUrlState,
} from './url-state.ts';

const address = fc.stringMatching(/^[0-9a-f]{16}$/);
const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((n) => roundedTo4(n) + 0);
const pixels = fc.integer({ min: 1, max: 8000 });
const field = fc
  .string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
  .map((name): FieldKey => `field:${name}`)
  .filter((key) => key.length <= 300);
const score = fc
  .tuple(fc.constantFrom('branch', 'sum', 'mean', 'max'), fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }))
  .map(([rollUp, formula]) => `${rollUp}.${formula}`);
/** What people type, and what a score may need. */
const threshold = fc.oneof(
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 1000),
  fc.constantFrom(1e-9, 1.5e21),
);
/** With the key of the score in some places. */
const withScore = fc.tuple(score, fc.subarray(['colour', 'size', 'y'] as const));
const urlState: fc.Arbitrary<UrlState> = fc
  .record({
    visualization: fc.option(fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }), { nil: undefined }),
    view: fc.constantFrom(...views),
    focus: fc.option(address, { nil: undefined }),
    selected: fc.option(address, { nil: undefined }),
    compared: fc.uniqueArray(address, { maxLength: maxCompared }),
    depth: fc.option(fc.constantFrom(...depths), { nil: undefined }),
    colour: fc.oneof(fc.constantFrom(...colours.filter((one) => one !== 'change')), field),
    size: fc.oneof(fc.constantFrom(...sizes), field),
    steps: fc.option(fc.constantFrom('even' as const, 'log' as const), { nil: undefined }),
    axes: fc.tuple(fc.oneof(fc.constantFrom(...metrics), field), fc.oneof(fc.constantFrom(...metrics), field)),
    tx: fc.option(threshold, { nil: undefined }),
    ty: fc.option(threshold, { nil: undefined }),
    xs: fc.constantFrom(undefined, 'even', 'log'),
    ys: fc.constantFrom(undefined, 'even', 'log'),
    filter: anyFilter()
      .map((filter) => writeFilter({ ...filter, seen: '' }))
      .filter((text) => text.length <= maxFilterLength),
    isFaint: fc.boolean(),
    level: fc.constantFrom(undefined, ...tableLevels),
    rowSort: fc
      .uniqueArray(fc.oneof(fc.constantFrom('name', 'volume', 'known:difficulty'), field), { maxLength: 3 })
      .chain((keys) => fc.tuple(...keys.map((by) => fc.record({ by: fc.constant(by), descending: fc.boolean() }))))
      .map(writeSort),
    planList: fc.constantFrom('', 'by=-due&assignee=Lena', 'tag=a+b%26c'),
    cols: fc
      .uniqueArray(
        fc.record(
          { id: fc.oneof(fc.constantFrom('name', 'volume'), field), width: fc.integer({ min: 48, max: 640 }) },
          { requiredKeys: ['id'] },
        ),
        { maxLength: 5, selector: ({ id }) => id },
      )
      .map(writeColumns),
    query: fc.string({ maxLength: 60, unit: 'grapheme' }).filter((q) => q.length <= 200),
    match: fc.constantFrom(...matchModes),
    comparison: fc.oneof(
      fc.record({
        vs: fc.stringMatching(/^[0-9a-f]{32}$/),
        thresholds: fc.constantFrom('', '0_0_0_0', '12.5_100_5_3'),
        showsGone: fc.boolean(),
        changeLevel: fc.constantFrom('clusters' as const, 'keywords' as const),
        changeKind: fc.option(fc.constantFrom(...changeNames), { nil: undefined }),
        changesIn: fc.option(address, { nil: undefined }),
        panel: fc.constantFrom(...panels),
      }),
      fc.record({
        vs: fc.constant(undefined),
        thresholds: fc.constant(''),
        showsGone: fc.constant(true),
        changeLevel: fc.constant('clusters' as const),
        changeKind: fc.constant(undefined),
        changesIn: fc.constant(undefined),
        panel: fc.constantFrom('details' as const, 'plan' as const),
      }),
    ),
    theme: fc.option(fc.constantFrom('light' as const, 'dark' as const), { nil: undefined }),
    picked: fc.uniqueArray(address, { maxLength: maxPickedInLinks }),
    camera: fc.option(
      fc
        .record({
          x: coordinate,
          y: coordinate,
          k: fc.double({ min: 0.01, max: 5e3, noNaN: true }).map(roundedTo4),
          viewport: fc.option(fc.record({ width: pixels, height: pixels }), { nil: undefined }),
        })
        .map(({ viewport, ...camera }) => (viewport ? { ...camera, viewport } : camera)),
      { nil: undefined },
    ),
  })
  .filter(({ axes: [x, y] }) => x !== y)
  .chain(({ axes: [x, y], comparison, ...state }) =>
    fc.option(withScore, { nil: undefined }).map((scored) => {
      const plain = { ...state, ...comparison, x, y, score: scored?.[0] };
      const key = `field:score=${scored?.[0]}` as const;
      return { ...plain, ...Object.fromEntries((scored?.[1] ?? []).map((use) => [use, key])) };
    }),
  );

describe('the address of a view', () => {
  // Shows P16.1.
  test('restores every state', () => {
    fc.assert(
      fc.property(urlState, (state) => {
        expect(readUrlState(writeUrlState(state))).toEqual(state);
      }),
    );
  });

  test('contains a complete saved view, except for the visualization and the theme', () => {
    fc.assert(
      fc.property(urlState, (state) => {
        const kept = viewStateIn(writeUrlState(state));
        expect(isViewState(kept) || kept.length > limits.maxViewStateLength).toBe(true);
        expect(readUrlState(`?${kept}`)).toEqual({ ...state, visualization: undefined, theme: undefined });
      }),
    );
  });

  // Shows P15.22.
  test('names the formula of a score once, however often the score is used', () => {
    const key = 'field:score=branch.volume*(1-difficulty/100)' as const;
    const state = { ...defaultUrlState, score: 'branch.volume*(1-difficulty/100)', colour: key, size: key, y: key };
    const text = '?score=branch.volume*%281-difficulty%2F100%29&color=score&size=score&y=score';
    expect(writeUrlState(state)).toBe(text);
    expect(readUrlState(text)).toEqual(state);
  });

  test('is empty for the default state', () => {
    expect(writeUrlState(defaultUrlState)).toBe('');
    expect(readUrlState('')).toEqual(defaultUrlState);
  });

  test('does not change when it is parsed and written repeatedly', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const once = writeUrlState(readUrlState(`?${text}`));
        expect(writeUrlState(readUrlState(once))).toBe(once);
      }),
    );
  });

  test('names nothing of a comparison that has ended', () => {
    const compared = readUrlState('?vs=before&ct=12.5_100_5_3&gone=0&changes=keywords.new&in=0123456789abcdef');
    expect(compared).toMatchObject({ thresholds: '12.5_100_5_3', changesIn: '0123456789abcdef' });
    expect(writeUrlState({ ...compared, vs: undefined })).toBe('');
  });

  test('does not tell the usual thresholds of a comparison from none', () => {
    const thresholds = writeThresholds(defaultThresholds);
    expect(readUrlState(`?vs=before&ct=${thresholds}`)).toEqual(readUrlState('?vs=before'));
  });

  // Shows P16.2.
  test.each([
    ['?view=pie', 'an unknown view'],
    ['?n=xyz', 'an invalid node ID'],
    ['?n=0123456789ABCDEF', 'a node ID in capitals'],
    ['?d=7', 'a depth that is not offered'],
    ['?cam=1,2', 'a camera without a zoom'],
    ['?cam=1,2,0', 'a zoom of zero'],
    ['?cam=1,,2', 'a camera without a y'],
    ['?cam=1,2,Infinity', 'an infinite zoom'],
    ['?x=cpc&y=cpc', 'one metric for both axes'],
    ['?x=pillar&y=equal', 'axes that are not numbers'],
    ['?t=sepia', 'an unknown theme'],
    ['?rest=bold', 'an unknown way to show excluded nodes'],
    ['?v=', 'an empty id'],
    ['?color=field:&size=field:', 'a field without a name'],
    ['?color=traffic&size=intent&steps=3', 'encodings that do not exist'],
    ['?color=score&size=score&y=score', 'a score without a formula'],
    ['?score=volume', 'a score without a roll-up'],
    ['?color=field:score=sum.volume', 'a score that is not the one of the address'],
    ['?color=change&panel=changes&changes=keywords.new&ct=12.5_100_5_3&gone=0', 'changes since no upload'],
  ])('falls back to the default state for %s (%s)', (search) => {
    expect(readUrlState(search)).toEqual(defaultUrlState);
  });
});

describe('a step that Back undoes', () => {
  test('is a new focus, view, visualization, filter, level or comparison, and nothing else', () => {
    const from = defaultUrlState;
    expect(isStep(from, { ...from, focus: '0123456789abcdef' })).toBe(true);
    expect(isStep(from, { ...from, view: 'table' })).toBe(true);
    expect(isStep(from, { ...from, visualization: 'sample' })).toBe(true);
    expect(isStep(from, { ...from, filter: 'has-white' })).toBe(true);
    expect(isStep(from, { ...from, level: 'keywords' })).toBe(true);
    expect(isStep(from, { ...from, vs: 'before' })).toBe(true);
    expect(isStep(from, { ...from, camera: { x: 1, y: 2, k: 3 }, query: 'shoes', depth: '3' })).toBe(false);
  });
});
