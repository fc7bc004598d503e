import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from '../../test/support/sampled.ts';
import { tablesArbitrary } from '../../test/support/tables.ts';
import { tablesOf } from '../../test/support/trees.ts';
import type { HashKey } from '../names/half-sip-hash.ts';
import { KeywordJoin } from './keyword-join.ts';
import { NameTable } from './name-table.ts';

/** A table in which all names have the same hash. */
class Colliding extends NameTable {
  override hash(_name: number, _key: HashKey, out: Uint32Array, at: number): void {
    out.fill(7, at, at + 2);
  }
}

test('texts with the same hash but different bytes are never joined', () => {
  fc.assert(
    fc.property(tablesArbitrary, (tables) => {
      const colliding = new KeywordJoin([1, 2], undefined, (first, second) => new Colliding(first, second)).finish(
        tables,
      );
      expect(colliding).toEqual(new KeywordJoin([1, 2]).finish(tables));
    }),
    { numRuns: sampled(200) },
  );
});

test('nodes find their entries in any order of the array, and behind entries that no node names', () => {
  const joined = (hierarchy: string, keywords: string) => {
    const tables = tablesOf(hierarchy, keywords);
    const { keyword, entry, unplaced } = new KeywordJoin([1, 2]).finish(tables);
    return { of: [...keyword].map((id) => (id < 0 ? -1 : entry[id])), unplaced: [...unplaced] };
  };
  expect(joined('r (a b c)', 'a b c')).toEqual({ of: [-1, 0, 1, 2], unplaced: [] });
  expect(joined('r (c A b)', 'a b c')).toEqual({ of: [-1, 2, 0, 1], unplaced: [] });
  expect(joined('r (a g)', 'a b c d e f g')).toEqual({ of: [-1, 0, 6], unplaced: [1, 2, 3, 4, 5] });
  expect(joined('r (a x a:cluster y:cluster b)', 'a a b')).toEqual({ of: [-1, 0, -1, 0, -1, 2], unplaced: [] });
});

test('nodes in a different order than the entries find the same entries as by hash alone', () => {
  const entries = Array.from({ length: 10_000 }, (_, entry) => `e${entry}`);
  // Clusters of 500 keywords in a different order; every third one is shuffled, and some entries are repeated.
  const nodes = Array.from({ length: 10_000 }, (_, node) => {
    const cluster = (Math.floor(node / 500) * 7) % 20;
    return `e${cluster * 500 + (cluster % 3 === 0 ? (node * 77) % 500 : node % 500)}`;
  });
  const tables = tablesOf(`r (${nodes.join(' ')})`, [...entries, 'e3', 'e9999'].join(' '));
  const { keyword, entry } = new KeywordJoin([1, 2]).finish(tables);
  expect([...keyword].slice(1).map((id) => entry[id])).toEqual(nodes.map((name) => entries.indexOf(name)));
});
