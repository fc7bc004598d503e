import { expect, test } from 'vitest';
import { concernsSession } from './refusal.ts';

test('losing the session or a permission concerns the session; a wrong password does not', () => {
  expect(concernsSession({ code: 'session/required' })).toBe(true);
  expect(concernsSession({ code: 'admin/only' })).toBe(true);
  expect(concernsSession({ code: 'sign-in/wrong-password' })).toBe(false);
});
