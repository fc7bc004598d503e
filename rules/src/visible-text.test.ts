import { expect, test } from 'vitest';
import { shownName } from './visible-text.ts';

test('a name that shows nothing is shown as a text, and every other name as it is', () => {
  for (const name of ['', '   ', '\u200b\u200d', '\u00a0\t', '\ufeff', '\u3164'])
    expect(shownName(name)).toBe('(blank)');
  for (const name of [' a ', '0', '-', '王小明', '👩\u200d🌾', '\ufeffshoes']) expect(shownName(name)).toBe(name);
});
