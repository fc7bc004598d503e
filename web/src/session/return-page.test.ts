import { beforeEach, expect, test, vi } from 'vitest';
import { keepReturnPage, takeReturnPage } from './approval.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

// Shows P1.9.
test('after sign-in the user is sent to the opened link, once', () => {
  keepReturnPage('/visualization?v=1&view=table');
  expect(takeReturnPage('/visualization')).toBe('/visualization?v=1&view=table');
  expect(takeReturnPage('/visualization')).toBe('/visualization');
});

test('a link outside the user’s landing page is dropped', () => {
  for (const href of ['/visualization?v=1', '/admin?tab=users', '//elsewhere.example/pending-approval?']) {
    keepReturnPage(href);
    expect(takeReturnPage('/pending-approval')).toBe('/pending-approval');
  }
  expect(takeReturnPage('/visualization')).toBe('/visualization');
});
