import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { entryColumns } from '../../test/support/columns.ts';
import { simdLoop } from '../upload/json-loop-simd.ts';
import { FoldLengths, isLong, isUnfolded } from './fold-lengths.ts';

const { names } = simdLoop(new Uint8Array(readFileSync(new URL('../../dist/json-loop.wasm', import.meta.url))))!;

test.each([
  ['WebAssembly', names],
  ['TypeScript', undefined],
])('the length of a folded name is stored, the longest ones separately, by %s', (_, loop) => {
  const texts = ['Ab', 'ab', 'É', '', 'B'.repeat(300), 'C'.repeat(isLong - 1), 'D'.repeat(isLong), 'E'.repeat(65_536)];
  const nodes = {
    ...entryColumns(
      texts.map((name) => ({ name, volume: Number.NaN })),
      1,
    ),
    parent: new Uint32Array(texts.length),
    type: new Uint16Array(texts.length),
  };
  const folds = new FoldLengths(loop).finish(nodes);
  expect([...folds.length]).toEqual([2, isUnfolded, 1, isUnfolded, 300, isLong - 1, isLong, isLong]);
  expect([...folds.long]).toEqual([
    [6, isLong],
    [7, 65_536],
  ]);
  expect(folds.count).toBe(6);
});
