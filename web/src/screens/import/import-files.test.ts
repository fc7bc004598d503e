import { limits } from '@kc/rules/limits';
import { expect, test } from 'vitest';
import { haveEqualBytes, pastedFile, sortFiles } from './import-files.ts';

const file = (name: string, size = 10) => ({ name, size, type: '' });

test('the first file decides whether lists or JSON are taken', () => {
  expect(sortFiles([file('a.json'), file('b.csv')])).toMatchObject({ as: 'json' });
  expect(sortFiles([file('notes.pdf')])).toMatchObject({ as: 'json' });
  expect(sortFiles([])).toMatchObject({ as: 'json' });
  const lists = [file('a.CSV'), file('b.tsv'), file('c.txt'), file('d.xlsx')];
  expect(sortFiles(lists)).toEqual({ as: 'lists', files: lists, notices: [] });
});

test('a file whose type is JSON is JSON, whatever its name', () => {
  const named = { ...file('keywords.txt'), type: 'application/json' };
  expect(sortFiles([named])).toEqual({ as: 'json', files: [named] });
  expect(sortFiles([{ ...named, type: 'application/ld+json; charset=utf-8' }])).toMatchObject({ as: 'json' });
  expect(sortFiles([file('a.csv'), named])).toEqual({
    as: 'lists',
    files: [file('a.csv')],
    notices: ['keywords.txt is a JSON file and was left out. Upload it on its own.'],
  });
});

test('what is no list among lists is left out by name', () => {
  expect(sortFiles([file('a.csv'), file('b.json'), file('c.pdf')])).toEqual({
    as: 'lists',
    files: [file('a.csv')],
    notices: [
      'b.json is a JSON file and was left out. Upload it on its own.',
      'c.pdf is not a keyword list and was left out.',
    ],
  });
  expect(sortFiles([file('a.csv', 0)])).toEqual({ as: 'nothing', notices: ['a.csv is empty and was left out.'] });
  expect(sortFiles([file('big.csv', limits.maxUploadBytes + 1)])).toMatchObject({
    notices: ['big.csv was left out: a file may have up to 3072MB.'],
  });
});

test('beside lists, everything else is left out, and at most twenty are taken', () => {
  expect(sortFiles([file('b.json')], 1)).toEqual({
    as: 'nothing',
    notices: ['b.json is a JSON file and was left out. Upload it on its own.'],
  });
  const many = Array.from({ length: 3 }, (_, at) => file(`${at}.csv`));
  expect(sortFiles(many, 18)).toEqual({
    as: 'lists',
    files: many.slice(0, 2),
    notices: ['At most 20 lists can be imported together.'],
  });
});

test('files are compared by their bytes', async () => {
  const long = 'x'.repeat(3_000_000);
  expect(await haveEqualBytes(new Blob([long]), new Blob([long]))).toBe(true);
  expect(await haveEqualBytes(new Blob([long]), new Blob([`${long.slice(1)}y`]))).toBe(false);
  expect(await haveEqualBytes(new Blob(['a']), new Blob(['ab']))).toBe(false);
});

test('a pasted text is a file of at most 5 MB', () => {
  expect(pastedFile('hose\n')).toMatchObject({ name: 'Pasted list.txt', size: 5 });
  expect(pastedFile('é'.repeat(limits.maxPastedBytes / 2))?.size).toBe(limits.maxPastedBytes);
  expect(pastedFile('é'.repeat(limits.maxPastedBytes / 2 + 1))).toBeUndefined();
});
