import { expect, test } from 'vitest';
import { addressProblem, tabOf } from './admin-tabs.ts';

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

test('an address is said to be unreadable when its bytes spell no text, else its tab to be none', () => {
  expect(addressProblem('settings', 'u1')).toBeUndefined();
  expect(addressProblem(undefined, undefined)).toBeUndefined();
  expect(addressProblem('100 %', undefined)).toEqual({ code: 'admin/invalid-tab', params: { tab: '100 %' } });
  expect(addressProblem('\ufffd', undefined)).toEqual({ code: 'admin/parameters-unreadable' });
  expect(addressProblem(undefined, 'u\ufffd')).toEqual({ code: 'admin/parameters-unreadable' });
});
