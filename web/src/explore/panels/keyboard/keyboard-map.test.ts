import { expect, test } from 'vitest';
import { letterKeys, plainKeys } from '../canvas/canvas-keys.ts';
import { keyboardMap } from './keyboard-map.ts';

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

test('every key of the canvas is in the help dialog', () => {
  const shown = new Set(keyboardMap.flatMap(({ keys }) => keys.flatMap((line) => line.keys)));
  const keys = [...Object.keys(letterKeys).map((letter) => letter.toUpperCase()), ...Object.keys(plainKeys)];
  expect(keys.map((key) => signs[key] ?? key).filter((key) => !unshown.has(key) && !shown.has(key))).toEqual([]);
});

test('no two rows of the help dialog have the same key', () => {
  const all = keyboardMap.flatMap(({ keys }) => keys.flatMap((line) => (line.keys[0] === 'V' ? [] : line.keys)));
  expect(all).toEqual([...new Set(all)]);
});
