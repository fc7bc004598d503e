import type { Corrections, Meaning } from '@kc/cluster/read/reading';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Correction, corrected } from './corrections.ts';

const after = (...corrections: Correction[]): Corrections => corrections.reduce(corrected, {});
const meaning = (column: number, value: Meaning): Correction => ({ what: 'meaning', column, meaning: value });

test('a meaning that exists once leaves the column that was given it before', () => {
  expect(after(meaning(0, 'volume'), meaning(2, 'volume')).meanings).toEqual({ 0: 'keep', 2: 'volume' });
  expect(after(meaning(2, 'volume'), meaning(0, 'volume')).meanings).toEqual({ 0: 'volume', 2: 'keep' });
});

test('several columns may be left out', () => {
  expect(after(meaning(0, 'leaveOut'), meaning(2, 'leaveOut')).meanings).toEqual({ 0: 'leaveOut', 2: 'leaveOut' });
});

test('other columns forget what the old ones meant', () => {
  const chosen = meaning(1, 'volume');
  expect(after(chosen, { what: 'delimiter', value: ';' })).toEqual({ delimiter: ';' });
  expect(after(chosen, { what: 'header', value: 0 })).toEqual({ header: 0 });
  expect(after({ what: 'header', value: 3 }, chosen, { what: 'sheet', value: 'Queries' })).toEqual({
    sheet: 'Queries',
  });
});

test('encoding and market leave the columns as they are', () => {
  const chosen = meaning(1, 'volume');
  expect(after(chosen, { what: 'encoding', value: 'utf-16le' }, { what: 'market', value: 'de' })).toEqual({
    meanings: { 1: 'volume' },
    encoding: 'utf-16le',
    market: 'de',
  });
  expect(after({ what: 'market', value: 'de' }, { what: 'market', value: '' })).toEqual({});
});

const anyMeaning = fc.record({
  what: fc.constant('meaning' as const),
  column: fc.nat({ max: 5 }),
  meaning: fc.constantFrom<Meaning>('keyword', 'volume', 'level1', 'keep', 'leaveOut'),
});
const anyCorrection: fc.Arbitrary<Correction> = fc.oneof(
  { weight: 3, arbitrary: anyMeaning },
  fc.record({ what: fc.constant('encoding' as const), value: fc.constantFrom('utf-8' as const, 'shift_jis' as const) }),
  fc.record({ what: fc.constant('delimiter' as const), value: fc.constantFrom(',' as const, 'lines' as const) }),
  fc.record({ what: fc.constant('header' as const), value: fc.nat({ max: 9 }) }),
  fc.record({ what: fc.constant('sheet' as const), value: fc.constantFrom('One', 'Two') }),
  fc.record({ what: fc.constant('market' as const), value: fc.constantFrom('', 'us', 'de') }),
);

/** The corrections as the last word on each thing, looked up in the whole history. */
function fromScratch(history: readonly Correction[]): Corrections {
  const last = (what: Correction['what'], from = 0) =>
    history.slice(from).findLast((one) => one.what === what) as { value: string | number } | undefined;
  const lastIndex = (...kinds: Correction['what'][]) => history.findLastIndex((one) => kinds.includes(one.what)) + 1;
  const meanings: Record<number, Meaning> = {};
  for (const one of history.slice(lastIndex('delimiter', 'header', 'sheet'))) {
    if (one.what !== 'meaning') continue;
    const isSingle = one.meaning === 'keyword' || one.meaning === 'volume' || one.meaning === 'level1';
    for (const at of Object.keys(meanings).map(Number))
      if (isSingle && meanings[at] === one.meaning && at !== one.column) meanings[at] = 'keep';
    meanings[one.column] = one.meaning;
  }
  const header = last('header', lastIndex('sheet'));
  const plain = { encoding: last('encoding'), delimiter: last('delimiter'), header, sheet: last('sheet') };
  const market = last('market')?.value || undefined;
  const known = Object.entries({ ...plain }).flatMap(([key, one]) => (one ? [[key, one.value] as const] : []));
  return {
    ...Object.fromEntries(known),
    ...(market && { market }),
    ...(Object.keys(meanings).length > 0 && { meanings }),
  } as Corrections;
}

// Shows P21.2.
test('corrections in any order are what the last word on each thing says', () => {
  fc.assert(
    fc.property(fc.array(anyCorrection, { maxLength: 12 }), (history) => {
      expect(after(...history)).toEqual(fromScratch(history));
    }),
  );
});
