import { expect, test } from 'vitest';
import { tabOf } from './admin-tabs.ts';

test('the dashboard opens on Users, with a user in the address on Upload', () => {
  expect(tabOf(undefined, undefined)).toBe('users');
  expect(tabOf(undefined, 'u1')).toBe('upload');
});

test('the parameter wins, and an unknown one names no tab', () => {
  expect(tabOf('settings', 'u1')).toBe('settings');
  expect(tabOf('activity', undefined)).toBe('activity');
  expect(tabOf('reports', undefined)).toBeUndefined();
  expect(tabOf('', undefined)).toBeUndefined();
});
