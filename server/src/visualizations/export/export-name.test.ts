import { expect, test } from 'vitest';
import { exportName } from './export-name.ts';

const whole = { form: 'csv', isFiltered: false } as const;

test('an export is called after its file and its branch', () => {
  expect(exportName('shoes 2026.json', undefined, whole)).toBe('shoes 2026.csv');
  expect(exportName('shoes.JSON', 'trail shoes', { form: 'json', isFiltered: false })).toBe('shoes – trail shoes.json');
  expect(exportName('từ khóa.json', '靴', { form: 'csv', isFiltered: true })).toBe('từ khóa – 靴 (filtered).csv');
});

test('a name that no file system takes is made fit', () => {
  expect(exportName('a/..\\b.json', 'what?: "x" <y>|*', whole)).toBe('a .. b – what x y.csv');
  expect(exportName('.hidden..json', 'ends.', whole)).toBe('hidden – ends.csv');
  expect(exportName('a\u202egpj.json', 'b\r\nc\0', whole)).toBe('a gpj – b c.csv');
  expect(exportName('.json', '///', whole)).toBe('keywords.csv');
});

test('a name of any length leaves room for its ending', () => {
  expect([...exportName('😀'.repeat(300), 'b'.repeat(70_000), whole)]).toHaveLength(100 + 3 + 100 + 4);
});
