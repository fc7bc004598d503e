import { expect, test } from 'vitest';
import type { Answer } from './draft-editor.ts';
import { placesAfter } from './revision-bar.ts';

const [a, b, c] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb', 'cccccccccccccccc'];
const renamed: Answer = {
  edit: { kind: 'operate', operation: { kind: 'rename', node: a, name: 'views' } },
  effect: { code: 'draft/renamed', node: c },
  addresses: new Map([[a, c]]),
};
const excluded: Answer = {
  edit: { kind: 'operate', operation: { kind: 'exclude', nodes: [a] } },
  effect: { code: 'draft/excluded' },
  addresses: new Map(),
};

test('the focus follows a renamed node, and the result is selected', () => {
  expect(placesAfter(`?v=d&n=${a}&sel=${b}`, renamed, true)).toBe(`?v=d&n=${c}&sel=${c}`);
});

test('whoever has selected something else meanwhile stays there', () => {
  expect(placesAfter(`?v=d&n=${a}&sel=${b}`, renamed, false)).toBe(`?v=d&n=${c}&sel=${b}`);
  expect(placesAfter(`?v=d&sel=${a}`, renamed, false)).toBe(`?v=d&sel=${c}`);
});

test('what an operation took away is not selected any more', () => {
  expect(placesAfter(`?v=d&sel=${a}`, excluded, true)).toBe('?v=d');
  expect(placesAfter(`?v=d&sel=${b}`, excluded, true)).toBe(`?v=d&sel=${b}`);
});

test('camera, view and filter stay', () => {
  const search = '?v=d&view=tree&cam=1%2C2%2C3';
  expect(placesAfter(search, renamed, false)).toBe(search);
  expect(placesAfter(search, undefined, true)).toBe(search);
});
