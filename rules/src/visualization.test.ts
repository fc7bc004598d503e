// Shows S13.
import { expect, test } from 'vitest';
import { cleanDescription, cleanFileName, storagePath } from './upload.ts';

test('a storage path consists of user, time and file name', () => {
  expect(storagePath('u1', 1_767_225_600_000, 'shoes.json')).toBe('users/u1/visualizations/1767225600000_shoes.json');
});

test.each([
  ['../../etc/passwd.json', 'passwd.json'],
  ['C:\\data\\shoes.json', 'shoes.json'],
  ['..', 'upload.json'],
  ['', 'upload.json'],
  ['.hidden.json', 'hidden.json'],
  ['a\r\nb\0.json', 'ab.json'],
  ['exe\u202enosj.json', 'exenosj.json'],
  ['say "hi".json', 'say hi.json'],
  ['Обувь 2026.json', 'Обувь 2026.json'],
])('the file name %j becomes %j', (given, cleaned) => {
  expect(cleanFileName(given)).toBe(cleaned);
});

test('a long file name keeps its end, which has the file type', () => {
  const cleaned = cleanFileName(`${'x'.repeat(300)}.json`);
  expect(cleaned).toHaveLength(200);
  expect(cleaned.endsWith('.json')).toBe(true);
});

test('a description keeps its lines and loses invisible characters', () => {
  expect(cleanDescription(' Spring\u0000 research\n\tof April\u0007 ')).toBe('Spring research\n\tof April');
});
