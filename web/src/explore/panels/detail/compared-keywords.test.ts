import { expect, test } from 'vitest';
import { differingKeywords } from './comparison.tsx';

const list = (names: string) => names.split(', ').map((name, node) => ({ node, name }));
const namesOf = (keywords: readonly { readonly name: string }[]) => keywords.map(({ name }) => name).join(', ');

function compared(...lists: string[]) {
  const { shared, only } = differingKeywords(lists.map(list));
  return { shared: namesOf(shared), only: only.map(namesOf) };
}

test('two branches have some common keywords, and some of their own', () => {
  expect(compared('spade, rake, hoe', 'hoe, hose, spade')).toEqual({ shared: 'spade, hoe', only: ['rake', 'hose'] });
});

test('of three, a keyword of two is neither common to all nor unique to one', () => {
  expect(compared('a, b, c', 'a, b, d', 'a, e')).toEqual({ shared: 'a', only: ['c', 'd', 'e'] });
});

test('spellings of one keyword count as one keyword, also within a branch', () => {
  expect(compared('Garden  Hose, garden hose, Caf\u00e9', 'garden hose, cafe\u0301')).toEqual({
    shared: 'Garden  Hose, Caf\u00e9',
    only: ['', ''],
  });
});
