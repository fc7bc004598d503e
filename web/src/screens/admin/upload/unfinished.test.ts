import type { OpenUpload } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { unfinishedOf } from './unfinished.ts';

const upload = (change: Partial<OpenUpload> = {}): OpenUpload => ({
  id: 'u1',
  state: 'receiving',
  share: 0.4,
  fileName: 'shoes.json',
  fileSize: 100,
  fileModified: 7_000,
  description: '',
  begunAt: 0,
  uploadedBy: 'a1',
  isYours: true,
  isSending: false,
  ...change,
});
const file = { name: 'shoes.json', size: 100, lastModified: 7_000 };

test('the same file chosen again is known by name, size and last change', () => {
  const mine = upload({ id: 'u2' });
  expect(unfinishedOf(file, [upload({ fileSize: 99 }), mine])).toBe(mine);
  // The server keeps names as it may show them.
  expect(unfinishedOf({ ...file, name: '"shoes.json"' }, [mine])).toBe(mine);
});

test.each([
  ['another name', { fileName: 'boots.json' }],
  ['another size', { fileSize: 101 }],
  ['changed since', { fileModified: 7_001 }],
  ['a time of its last change that is not known', { fileModified: undefined }],
  ['another admin’s', { isYours: false }],
  ['received already', { state: 'received' as const }],
  ['failed', { state: 'failed' as const }],
])('%s: it begins anew', (_why, change) => {
  expect(unfinishedOf(file, [upload(change)])).toBeUndefined();
});
