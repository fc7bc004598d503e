import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createUploadReader } from './upload-reader.ts';

const uploads = new URL('../../../fixtures/uploads/', import.meta.url);

function read(file: string) {
  const reader = createUploadReader();
  reader.push(readFileSync(new URL(file, uploads)));
  return reader.finish();
}

function tablesOf(file: string) {
  const result = read(file);
  if (!result.ok) throw new Error(result.problem.what);
  return result.tables;
}

describe('the fixtures for uploads', () => {
  it.each(readdirSync(new URL('good/', uploads)))('%s is read', (file) => {
    expect(read(`good/${file}`).ok).toBe(true);
  });

  it.each([
    ['cut-off.json', 'the file ends too early', 51, 1],
    ['trailing-comma.json', 'unexpected "]" where a value should be', 29, 2],
    ['single-quotes.json', `unexpected "'" where a name in quotes or } should be`, 1, 1],
    ['no-hierarchy.json', 'no "hierarchy" in the file', 25, 1],
    ['two-hierarchies.json', '"hierarchy" twice in the file', 27, 2],
    ['nameless-node.json', 'a node without a name', 55, 2],
    ['utf-16.json', 'UTF-16 text instead of UTF-8 (save it as UTF-8)', 0, 1],
    ['latin-1.json', 'a byte that is not UTF-8', 26, 1],
    ['gzip.json', 'gzip-compressed data instead of JSON (unpack it first)', 0, 1],
    ['empty.json', 'the file is empty', 0, 1],
    ['two-values.json', 'something after the end of the JSON value', 56, 2],
  ])('%s is rejected', (file, what, byte, line) => {
    const result = read(`broken/${file}`);
    expect(result.ok ? undefined : result.problem).toMatchObject({ what, byte, line });
  });

  it('rejects every broken file', () => {
    for (const file of readdirSync(new URL('broken/', uploads))) expect(read(`broken/${file}`).ok, file).toBe(false);
  });

  // Shows P10.3.
  it('reads the spellings of each tool as the same metrics', () => {
    const { metrics } = tablesOf('good/spellings.json').keywords;
    const unknown = Number.NaN;
    expect([...metrics.volume!]).toEqual([1300, 5500, 880, unknown]);
    expect([...metrics.difficulty!]).toEqual([Math.fround(33.33), unknown, 12, unknown]);
    expect([...metrics.cpc!]).toEqual([Math.fround(1.2), 1, 2.5, unknown]);
    expect([...metrics.competition!]).toEqual([0.5, Math.fround(0.17), 0.25, unknown]);
    expect([...metrics.position!]).toEqual([4, unknown, unknown, unknown]);
    expect([...metrics.intent!]).toEqual([9, 0, 2, 0]);
  });
});
