import { expect, test } from 'vitest';
import { sayRefusal } from './messages.ts';
import { done, refuse } from './result.ts';
import { type ChosenFile, checkUploadFile, progressFor, progressTexts } from './upload.ts';

const file = (changes: Partial<ChosenFile> = {}): ChosenFile => ({
  name: 'keywords.json',
  type: 'application/json',
  size: 8_000_000,
  ...changes,
});

test('a JSON file for a chosen user may be sent', () => {
  expect(checkUploadFile(file(), 'u1')).toEqual(done(file()));
});

// Shows P9.2.
test('JSON is recognised by its type or its extension', () => {
  expect(checkUploadFile(file({ name: 'keywords' }), 'u1').ok).toBe(true);
  expect(checkUploadFile(file({ type: '', name: 'KEYWORDS.JSON' }), 'u1').ok).toBe(true);
  expect(checkUploadFile(file({ type: 'text/csv', name: 'a.json.csv' }), 'u1')).toEqual(refuse('upload/not-json'));
});

test('a missing file is reported before a missing user, and a missing user before an invalid file', () => {
  expect(checkUploadFile(undefined, undefined)).toEqual(refuse('upload/no-file'));
  expect(checkUploadFile(file({ type: '', name: 'a.txt' }), undefined)).toEqual(refuse('upload/no-user'));
  expect(checkUploadFile(file(), '')).toEqual(refuse('upload/no-user'));
});

// Shows P9.2.
test('3072 MB is accepted, and one byte more is refused', () => {
  expect(checkUploadFile(file({ size: 3_221_225_472 }), 'u1').ok).toBe(true);
  expect(checkUploadFile(file({ size: 3_221_225_473 }), 'u1')).toEqual(refuse('upload/too-large', { maxMb: 3072 }));
});

test.each([
  ['No file selected', undefined, 'u1'],
  ['Please select a user first', file(), undefined],
  ['Only JSON files are supported', file({ name: 'a.csv', type: 'text/csv' }), 'u1'],
  ['File size exceeds 3072MB limit', file({ size: 3_221_225_473 }), 'u1'],
])('the message is %j', (text, chosen, userId) => {
  const checked = checkUploadFile(chosen, userId);
  expect(checked.ok ? '' : sayRefusal(checked.refusal)).toBe(text);
});

// Shows P9.3.
test('progress is 10 once created, rises to 60 in transfer, then 60, 70, 85 and 100', () => {
  expect([0, 0.5, 1].map((share) => progressFor('receiving', share))).toEqual([10, 35, 60]);
  expect(progressFor('received')).toBe(60);
  expect([0, 1].map((share) => progressFor('reading', share))).toEqual([60, 70]);
  expect(progressFor('saving')).toBe(85);
  expect(progressFor('active')).toBe(100);
  expect(progressFor('failed')).toBe(0);
});

test('a share outside 0 to 1 moves the bar no further than its step', () => {
  expect(progressFor('receiving', -1)).toBe(10);
  expect(progressFor('receiving', 7)).toBe(60);
  expect(progressFor('reading', 7)).toBe(70);
});

// Shows P9.3.
test.each([
  [10, 'Uploading...', 'Transferring file to server'],
  [59, 'Uploading...', 'Transferring file to server'],
  [60, 'Processing...', 'Saving visualization data'],
  [84, 'Processing...', 'Saving visualization data'],
  [85, 'Processing...', 'Finalizing upload'],
  [100, 'Processing...', 'Finalizing upload'],
])('at %i percent the card says %j, %j', (percent, title, text) => {
  expect(progressTexts(percent)).toEqual({ title, text });
});
