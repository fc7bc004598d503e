import { maxFilterLength, writeFilter } from '@kc/pack/filter/filter-text';
import { matchModes } from '@kc/pack/find/text-query';
import { anyFilter } from '@kc/pack/test/support/filters';
import { limits } from '@kc/rules/limits';
import { isViewState, viewStateIn } from '@kc/rules/saved-view';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldKey } from '../tree-data/figures.ts';
import {
  colours,
  defaultUrlState,
  depths,
  isStep,
  metrics,
  mostCompared,
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
const urlState: fc.Arbitrary<UrlState> = fc
  .record({
    visualization: fc.option(fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme-ascii' }), { nil: undefined }),
    view: fc.constantFrom(...views),
    focus: fc.option(address, { nil: undefined }),
    selected: fc.option(address, { nil: undefined }),
    compared: fc.uniqueArray(address, { maxLength: mostCompared }),
    depth: fc.option(fc.constantFrom(...depths), { nil: undefined }),
    colour: fc.oneof(fc.constantFrom(...colours), field),
    size: fc.oneof(fc.constantFrom(...sizes), field),
    steps: fc.option(fc.constantFrom('even' as const, 'log' as const), { nil: undefined }),
    axes: fc.tuple(fc.oneof(fc.constantFrom(...metrics), field), fc.oneof(fc.constantFrom(...metrics), field)),
    filter: anyFilter()
      .map(writeFilter)
      .filter((text) => text.length <= maxFilterLength),
    isFaint: fc.boolean(),
    query: fc.string({ maxLength: 60, unit: 'grapheme' }).filter((q) => q.length <= 200),
    match: fc.constantFrom(...matchModes),
    theme: fc.option(fc.constantFrom('light' as const, 'dark' as const), { nil: undefined }),
    camera: fc.option(
      fc
        .record({
          x: coordinate,
          y: coordinate,
          k: fc.double({ min: 0.01, max: 5e3, noNaN: true }).map(roundedTo4),
          of: fc.option(fc.record({ width: pixels, height: pixels }), { nil: undefined }),
        })
        .map(({ of, ...camera }) => (of ? { ...camera, of } : camera)),
      { nil: undefined },
    ),
  })
  .filter(({ axes: [x, y] }) => x !== y)
  .map(({ axes: [x, y], ...state }) => ({ ...state, x, y }));

describe('the address of a view', () => {
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
  ])('falls back to the default state for %s (%s)', (search) => {
    expect(readUrlState(search)).toEqual(defaultUrlState);
  });
});

describe('a step that Back undoes', () => {
  test('is a new focus, view or visualization, and nothing else', () => {
    const from = defaultUrlState;
    expect(isStep(from, { ...from, focus: '0123456789abcdef' })).toBe(true);
    expect(isStep(from, { ...from, view: 'table' })).toBe(true);
    expect(isStep(from, { ...from, visualization: 'sample' })).toBe(true);
    expect(isStep(from, { ...from, camera: { x: 1, y: 2, k: 3 }, query: 'shoes', depth: '3' })).toBe(false);
  });
});
