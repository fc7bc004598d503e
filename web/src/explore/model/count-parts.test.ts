import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { anyFilter } from '@kc/pack/test/support/filters';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countParts } from './change-filter.ts';

test('the button counts the chips', () => {
  fc.assert(
    fc.property(anyFilter(), (generated) => {
      const filter = readFilter(writeFilter(generated))!;
      expect(countParts(filter)).toBe(partsOf(filter).length);
    }),
  );
});
