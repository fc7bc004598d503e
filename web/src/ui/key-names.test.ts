import { expect, test } from 'vitest';
import { keyName } from './key-names.ts';

test('keys are labelled as on the user’s keyboard', () => {
  const keys = ['⌘⇧E', '⌘ Enter', '⌘C', '⌥ ←', '⇧ N'];
  expect(keys.map((key) => keyName(key, true))).toEqual(keys);
  expect(keys.map((key) => keyName(key, false))).toEqual(['Ctrl ⇧E', 'Ctrl Enter', 'Ctrl C', 'Alt ←', '⇧ N']);
});
