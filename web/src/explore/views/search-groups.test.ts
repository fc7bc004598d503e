import type { SearchHit } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { groupByPillar, markMatches } from './search-groups.ts';

function hit(name: string, ...path: string[]): SearchHit {
  return { node: name.length, name, type: 'keyword', keywords: 1, path: path.map((p, node) => ({ node, name: p })) };
}

test('hits stand under their pillar topic, best group first', () => {
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

test('a pillar topic and the root stand under their own name', () => {
  expect(groupByPillar([hit('Shoes', 'root'), hit('root')]).map((g) => g.pillar)).toEqual(['Shoes', 'root']);
});

test('every occurrence of the query is marked, whatever its case', () => {
  expect(markMatches('Shoe to shoe', 'SHOE')).toEqual([
    { text: 'Shoe', hit: true },
    { text: ' to ', hit: false },
    { text: 'shoe', hit: true },
  ]);
  expect(markMatches('shoe', '  ')).toEqual([{ text: 'shoe', hit: false }]);
  expect(markMatches('İstanbul', 'stan')).toEqual([{ text: 'İstanbul', hit: false }]);
});
