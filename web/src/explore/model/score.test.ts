import { noFilter } from '@kc/pack/filter/filter';
import { writeFilter } from '@kc/pack/filter/filter-text';
import { type FormulaFigure, formulaFigures } from '@kc/pack/formula/expression';
import { readSort } from '@kc/pack/levels/row-sort';
import { presetsFor } from '@kc/pack/score/score-presets';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scoreUses } from './encodings.ts';
import { readColumns } from './list-columns.ts';
import {
  applyScore,
  filterWithScore,
  presetNames,
  removeScore,
  scoreKeyOf,
  scoreName,
  usesOf,
  withOtherScore,
  withScoreUses,
} from './score.ts';

const has = (figures: readonly FormulaFigure[]) => ({ has: (figure: FormulaFigure) => figures.includes(figure) });

test('a score that equals a preset has its name, whatever the file has', () => {
  const all = [
    presetsFor(has(formulaFigures)),
    presetsFor(has(formulaFigures.filter((one) => one !== 'trafficPotential'))),
  ];
  expect(new Map(all.flat().map(({ name, text }) => [text, name]))).toEqual(presetNames);
  expect(scoreName('branch.volume')).toBe('Score');
});

test('a preset is offered only for files with its figures', () => {
  expect(presetsFor(has(['volume']))).toEqual([]);
  expect(presetsFor(has(['volume', 'cpc'])).map(({ name }) => name)).toEqual(['CPC value']);
  expect(presetsFor(has(['volume', 'difficulty', 'position'])).map(({ name }) => name)).toEqual([
    'Volume × ease',
    'Traffic potential',
  ]);
});

const plain = {
  score: undefined,
  colour: 'intent',
  size: 'volume',
  defaultSize: 'volume',
  x: 'difficulty',
  y: 'volume',
  tableSort: undefined,
  rowSort: '-cpc',
  cols: 'name*volume.90',
} as const;
const [first, second] = ['branch.volume', 'sum.cpc'];

const sortKeys = (text: string) => (readSort(text) ?? []).map(({ by }) => by);

test('the score is used for exactly what was chosen, after any changes, and removing it leaves nothing of it', () => {
  const uses = fc.subarray([...scoreUses]).map((list) => new Set(list));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(first, second), uses), { minLength: 1, maxLength: 5 }), (changes) => {
      let state: Parameters<typeof withScoreUses>[0] = plain;
      for (const [text, uses] of changes) {
        state = { ...state, ...withScoreUses(state, text, uses) };
        expect(usesOf(state)).toEqual(uses);
        expect(state.score).toBe(text);
        const keys = [
          state.colour,
          state.size,
          state.x,
          state.y,
          state.tableSort?.by,
          ...sortKeys(state.rowSort),
        ].filter((key) => key?.includes('score='));
        expect(new Set(keys)).toEqual(new Set(uses.size > 0 ? [scoreKeyOf(text)] : []));
        // The table may show the tree or a flat list.
        const isByScore = (by = '') => by === scoreKeyOf(text);
        const isSorted = uses.has('sort');
        expect([isByScore(state.tableSort?.by), isByScore(sortKeys(state.rowSort)[0])]).toEqual([isSorted, isSorted]);
        expect(state.x).not.toBe(state.y);
        // A column that somebody may have got by sorting stays, and is that of this score.
        const columns = readColumns(state.cols).map(({ id }) => id);
        expect(columns.slice(0, 2)).toEqual(['name', 'volume']);
        expect([[], [scoreKeyOf(text)]]).toContainEqual(columns.slice(2));
        if (isSorted) expect(columns[2]).toBe(scoreKeyOf(text));
      }
      state = { ...state, ...withOtherScore(state, undefined) };
      expect(usesOf(state)).toEqual(new Set());
      expect(state.score).toBeUndefined();
      expect(state.cols).toBe(plain.cols);
    }),
  );
});

test('an axis that gets another figure has no threshold and no scale of its own', () => {
  const divided = { ...plain, tx: 30, xs: 'log', ty: 500, ys: 'even' } as const;
  const across = { ...divided, score: first, x: scoreKeyOf(first) };
  const cleared = { ...across, ...withOtherScore(across, undefined) };
  expect(cleared).toMatchObject({ x: 'difficulty', tx: undefined, xs: undefined, ty: 500, ys: 'even' });
  const upwards = { ...divided, ...withScoreUses(divided, first, new Set(['axis'])) };
  expect(upwards).toMatchObject({ y: scoreKeyOf(first), tx: 30, xs: 'log', ty: undefined, ys: undefined });
});

/** A filter by a score. */
const by = (text: string) =>
  writeFilter({
    ...noFilter,
    contains: ['a'],
    ranges: [
      { of: 'volume', from: 1, to: undefined },
      { of: scoreKeyOf(text), from: 500, to: undefined },
    ],
  });

test('the filter that is shown, or on its way, follows a score that is set or removed', () => {
  const filters: string[] = [];
  const explorer = (state: object) =>
    ({
      store: {
        getState: () => ({ ...plain, score: first, filtering: undefined, ...state }),
        setState: () => undefined,
      },
      setFilter: async (filter: string) => filters.push(filter) > 0,
    }) as unknown as Parameters<typeof removeScore>[0];
  removeScore(explorer({ filter: by(first) }));
  applyScore(explorer({ filter: '', filtering: by(first) }), second, new Set());
  removeScore(explorer({ filter: 'has-a' }));
  expect(filters).toEqual(['has-a*volume-1_', by(second)]);
});

test('a filter by the score follows the score, and goes with it', () => {
  expect(filterWithScore(by(first), second)).toBe(by(second));
  expect(filterWithScore(by(first), undefined)).toBe('has-a*volume-1_');
  expect(filterWithScore('has-a', second)).toBe('has-a');
});
