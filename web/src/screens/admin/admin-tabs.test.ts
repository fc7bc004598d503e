import { expect, test } from 'vitest';
import { addressProblem, tabOf } from './admin-tabs.tsx';

test('the dashboard opens on Users, or on Upload if the address names a user', () => {
  expect(tabOf(undefined, undefined)).toBe('users');
  expect(tabOf(undefined, 'u1')).toBe('upload');
});

test('the tab parameter takes precedence, and an unknown one names no tab', () => {
  expect(tabOf('settings', 'u1')).toBe('settings');
  expect(tabOf('activity', undefined)).toBe('activity');
  expect(tabOf('reports', undefined)).toBeUndefined();
  expect(tabOf('', undefined)).toBeUndefined();
});

test('an address with invalid bytes is unreadable; otherwise its tab may be unknown', () => {
  expect(addressProblem('settings', 'u1')).toBeUndefined();
  expect(addressProblem(undefined, undefined)).toBeUndefined();
  expect(addressProblem('100 %', undefined)).toEqual({ code: 'admin/invalid-tab', params: { tab: '100 %' } });
  expect(addressProblem('\ufffd', undefined)).toEqual({ code: 'admin/parameters-unreadable' });
  expect(addressProblem(undefined, 'u\ufffd')).toEqual({ code: 'admin/parameters-unreadable' });
});
