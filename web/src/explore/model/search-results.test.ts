import type { SearchHit } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { groupByPillar } from './search-results.ts';

const known: string[] = [];
/** One hit for each name. */
function nodeOf(name: string): number {
  if (!known.includes(name)) known.push(name);
  return known.indexOf(name);
}

function hit(name: string, ...path: string[]): SearchHit {
  const places = path.map((p) => ({ node: nodeOf(p), name: p }));
  return { node: nodeOf(name), name, type: 'keyword', keywords: 1, path: places };
}

test('hits are grouped by pillar topic, best group first', () => {
  const hits = [
    hit('trail shoes', 'root', 'Shoes', 'Trail'),
    hit('socks', 'root', 'Wear'),
    hit('shoe rack', 'root', 'Shoes'),
  ];
  expect(groupByPillar(hits).map((g) => [g.pillar, g.hits.map((h) => h.name)])).toEqual([
    ['Shoes', ['trail shoes', 'shoe rack']],
    ['Wear', ['socks']],
  ]);
});

test('a pillar topic and the root are grouped under their own names', () => {
  expect(groupByPillar([hit('Shoes', 'root'), hit('root')]).map((g) => g.pillar)).toEqual(['Shoes', 'root']);
});
