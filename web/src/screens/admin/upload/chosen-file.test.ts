import type { OpenUpload } from '@kc/rules/shapes';
import type { ChosenFile } from '@kc/rules/upload';
import { expect, test } from 'vitest';
import { unfinishedOf, whyRefused } from './chosen-file.ts';

const chosen = (change: Partial<ChosenFile> = {}): ChosenFile => ({
  name: 'shoes.json',
  type: 'application/json',
  size: 8_000_000,
  ...change,
});

// Shows P9.1.
test('a JSON file for a selected user is accepted, and the first of several', () => {
  expect(whyRefused([chosen()], 'u1', false)).toBeUndefined();
  expect(whyRefused([chosen(), chosen({ name: 'a.txt', type: '' })], 'u1', false)).toBeUndefined();
});

test.each([
  ['No file selected', [], 'u1', false],
  ['Please select a user first', [chosen()], undefined, false],
  ['Only JSON files are supported', [chosen({ name: 'notes.txt', type: 'text/plain' })], 'u1', false],
  ['File size exceeds 3072MB limit', [chosen({ size: 3_221_225_473 })], 'u1', false],
  ['Another upload is running. Wait until it is done, or cancel it.', [chosen()], 'u1', true],
])('%j is shown for files that cannot be sent', (text, files, receiverId, isRunning) => {
  expect(whyRefused(files, receiverId, isRunning)).toBe(text);
});

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

test('the same file is recognised by name, size and modification time', () => {
  const mine = upload({ id: 'u2' });
  expect(unfinishedOf(file, [upload({ fileSize: 99 }), mine])).toBe(mine);
  // The server stores names in the form it displays.
  expect(unfinishedOf({ ...file, name: '"shoes.json"' }, [mine])).toBe(mine);
});

test.each([
  ['another name', { fileName: 'boots.json' }],
  ['another size', { fileSize: 101 }],
  ['changed since', { fileModified: 7_001 }],
  ['an unknown modification time', { fileModified: undefined }],
  ['another admin’s', { isYours: false }],
  ['received already', { state: 'received' as const }],
  ['failed', { state: 'failed' as const }],
])('%s: the upload starts from the beginning', (_why, change) => {
  expect(unfinishedOf(file, [upload(change)])).toBeUndefined();
});
