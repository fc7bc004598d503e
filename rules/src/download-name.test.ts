import { expect, test } from 'vitest';
import { downloadName, handoverName, originalName } from './download-name.ts';

const now = Date.UTC(2026, 10, 23, 23, 59);
const nameOf = (fileName: string, branch?: string, other = {}) =>
  downloadName({ fileName, branch, what: 'everything', isFiltered: false, now, extension: 'csv', ...other });

// Shows P16.14.
test('a download is named after its visualization, branch, content and day', () => {
  expect(nameOf('shoes 2026.json')).toBe('shoes 2026 – everything – 2026-11-23.csv');
  expect(nameOf('shoes.JSON', 'trail shoes', { what: 'treemap', extension: 'png' })).toBe(
    'shoes – trail shoes – treemap – 2026-11-23.png',
  );
  expect(nameOf('từ khóa.json', '靴', { what: 'keywords', isFiltered: true })).toBe(
    'từ khóa – 靴 – keywords (filtered) – 2026-11-23.csv',
  );
});

test('characters that file systems reject are removed', () => {
  expect(nameOf('a/..\\b.json', 'what?: "x" <y>|*')).toBe('a .. b – what x y – everything – 2026-11-23.csv');
  expect(nameOf('.hidden..json', 'ends.')).toBe('hidden – ends – everything – 2026-11-23.csv');
  expect(nameOf('a\u202egpj.json', 'b\r\nc\0')).toBe('a gpj – b c – everything – 2026-11-23.csv');
  expect(nameOf('.json', '///')).toBe('keywords – everything – 2026-11-23.csv');
});

test('an original keeps its name and always ends in .json', () => {
  expect(originalName('shoes 2026.json')).toBe('shoes 2026.json');
  expect(originalName('x.json.html')).toBe('x.json.html.json');
  expect(originalName('a/b:c')).toBe('a b c.json');
  expect(new TextEncoder().encode(originalName('靴'.repeat(200))).length).toBeLessThanOrEqual(255);
});

test('a name of any length fits into 255 bytes, cut between characters', () => {
  for (const text of ['b', 'é', '靴', '😀']) {
    const name = nameOf(text.repeat(70_000), text.repeat(70_000), {
      what: 'opportunity @4x',
      isFiltered: true,
      extension: 'json',
    });
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255);
    expect(name.startsWith(text.repeat(20))).toBe(true);
    // Half a surrogate pair cannot be encoded.
    expect(() => encodeURIComponent(name)).not.toThrow();
  }
});

test('a file that is handed over is named after root, content and day', () => {
  const parts = { root: 'add to website', what: 'plan', now, extension: 'xlsx' };
  expect(handoverName(parts)).toBe('add to website-plan-2026-11-23.xlsx');
  expect(handoverName({ ...parts, root: 'a/b', what: '.trail: x', extension: 'md' })).toBe('a b-trail x-2026-11-23.md');
  expect(handoverName({ ...parts, root: '', what: '' })).toBe('keywords-2026-11-23.xlsx');
});
