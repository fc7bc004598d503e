import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { uploadLoop } from './make-pack.ts';

const folder = mkdtempSync(join(tmpdir(), 'kc-loop-'));
afterAll(() => rmSync(folder, { recursive: true }));

function loopOf(name: string, bytes: readonly number[]) {
  const path = join(folder, name);
  writeFileSync(path, Uint8Array.from(bytes));
  return uploadLoop(pathToFileURL(path));
}

test('the built loop is used', () => expect(uploadLoop()).toBeDefined());

test('if the loop is missing, stale or broken, uploads are read without it', () => {
  const module = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  // It imports "env" "memory" with at most one page, which our larger memory does not match.
  const otherMemory = [2, 16, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 1, 1, 1];
  expect(uploadLoop(pathToFileURL(join(folder, 'none.wasm')))).toBeUndefined();
  expect(loopOf('empty.wasm', module)).toBeUndefined();
  expect(loopOf('smaller.wasm', [...module, ...otherMemory])).toBeUndefined();
  expect(loopOf('text.wasm', [0x7b, 0x7d])).toBeUndefined();
});
