import type { ChosenFile } from '@kc/rules/upload';
import { expect, test } from 'vitest';
import { whyNotTaken } from './why-not-taken.ts';

const file = (change: Partial<ChosenFile> = {}): ChosenFile => ({
  name: 'shoes.json',
  type: 'application/json',
  size: 8_000_000,
  ...change,
});

test('a JSON file for somebody is taken, and of several the first', () => {
  expect(whyNotTaken([file()], 'u1', false)).toBeUndefined();
  expect(whyNotTaken([file(), file({ name: 'a.txt', type: '' })], 'u1', false)).toBeUndefined();
});

test.each([
  ['No file selected', [], 'u1', false],
  ['Please select a user first', [file()], undefined, false],
  ['Only JSON files are supported', [file({ name: 'notes.txt', type: 'text/plain' })], 'u1', false],
  ['File size exceeds 3072MB limit', [file({ size: 3_221_225_473 })], 'u1', false],
  ['Another upload is running. Wait until it is done, or cancel it.', [file()], 'u1', true],
])('%j is said otherwise', (text, files, receiverId, isRunning) => {
  expect(whyNotTaken(files, receiverId, isRunning)).toBe(text);
});
