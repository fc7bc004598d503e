import { expect, test } from 'vitest';
import { letterKeys, plainKeys } from '../canvas/canvas-keys.ts';
import { keyboardMap, keysOfGuest } from './keyboard-help.tsx';

/** Keys that duplicate a documented one, or are every platform's menu key. */
const unshown: ReadonlySet<string> = new Set(['=', ' ', 'ContextMenu']);
const signs: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  '-': '−',
};

// Shows P17.2.
test('every key of the canvas is in the help dialog', () => {
  const shown = new Set(keyboardMap.flatMap(({ keys }) => keys.flatMap((line) => line.keys)));
  const keys = [...Object.keys(letterKeys).map((letter) => letter.toUpperCase()), ...Object.keys(plainKeys)];
  expect(keys.map((key) => signs[key] ?? key).filter((key) => !unshown.has(key) && !shown.has(key))).toEqual([]);
});

// Shows P17.2.
test('no two rows of the help dialog have the same key', () => {
  const all = keyboardMap.flatMap(({ keys }) => keys.flatMap((line) => (line.keys[0] === 'V' ? [] : line.keys)));
  expect(all).toEqual([...new Set(all)]);
});

test('visitors of a link are told no key of what they may not do', () => {
  const keysFor = (may: Parameters<typeof keysOfGuest>[0]) =>
    keysOfGuest(may).flatMap(({ keys }) => keys.map(({ keys: [first] }) => first));
  const client = keysFor({ hasWarnings: false, mayDownload: false });
  for (const key of ['X', 'E', '⇧ X', 'P', '⇧ S', '⌘⇧L', 'U', 'I', '⌘⇧E']) expect(client).not.toContain(key);
  expect(client).toEqual(expect.arrayContaining(['F', 'O', 'V', '/']));
  expect(keysFor({ hasWarnings: true, mayDownload: true })).toEqual(expect.arrayContaining(['I', '⌘⇧E']));
});
