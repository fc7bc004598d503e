import { expect, test } from 'vitest';
import { type Focused, keepsKey, keyName, opensMenu } from './keys.ts';

const button: Focused = { tag: 'button', role: undefined, type: undefined, isEditable: false };
const input = (type: string): Focused => ({ ...button, tag: 'input', type });
const shortcuts = ['/', '?', '[', ']', ',', '.', 'v', '1'];
const kept = (focused: Focused) => shortcuts.filter((key) => keepsKey(focused, key));

test('text fields handle every key', () => {
  for (const type of ['text', 'search', 'email', 'password', 'number', 'date']) {
    expect(kept(input(type))).toEqual(shortcuts);
  }
  expect(kept({ ...button, tag: 'textarea' })).toEqual(shortcuts);
  expect(kept({ ...button, tag: 'div', isEditable: true })).toEqual(shortcuts);
});

test('buttons, radios, the chart, the outline and the table let every shortcut through', () => {
  expect(kept(button)).toEqual([]);
  expect(kept(input('radio'))).toEqual([]);
  for (const role of ['application', 'tree', 'treegrid']) expect(kept({ ...button, tag: 'div', role })).toEqual([]);
});

test('a select handles letters and digits for type-ahead, and lets signs through', () => {
  expect(kept({ ...button, role: 'combobox' })).toEqual(['v', '1']);
  expect(kept({ ...button, tag: 'select' })).toEqual(['v', '1']);
});

test('keys are labelled as on the user’s keyboard', () => {
  const keys = ['⌘⇧E', '⌘ Enter', '⌘C', '⌥ ←', '⇧ N'];
  expect(keys.map((key) => keyName(key, true))).toEqual(keys);
  expect(keys.map((key) => keyName(key, false))).toEqual(['Ctrl ⇧E', 'Ctrl Enter', 'Ctrl C', 'Alt ←', '⇧ N']);
});

test('a right click opens the menu, on Apple platforms a click with Ctrl as well, and a finger never does', () => {
  const press = { pointerType: 'mouse', button: 0, ctrlKey: false };
  const opens = (more: Partial<typeof press>) => [false, true].map((mac) => opensMenu({ ...press, ...more }, mac));
  expect(opens({})).toEqual([false, false]);
  expect(opens({ button: 2 })).toEqual([true, true]);
  expect(opens({ ctrlKey: true })).toEqual([false, true]);
  expect(opens({ button: 1, ctrlKey: true })).toEqual([false, false]);
  expect(opens({ pointerType: 'touch', ctrlKey: true })).toEqual([false, false]);
});
