import { expect, test } from 'vitest';
import { say } from './all-messages.ts';

test('texts about drafts count in words: one keyword, many keywords', () => {
  const name = 'Hoses';
  for (const [keywords, words] of [
    ['1', '1 keyword'],
    ['2', '2 keywords'],
    ['1,001', '1,001 keywords'],
  ] as const) {
    expect([
      say('draft/excluded', { keywords }),
      say('draft/restored', { keywords }),
      say('draft/moved', { keywords, name }),
      say('draft/sent-to-strays', { keywords }),
      say('draft/merged', { count: 2, name, keywords }),
      say('draft/kept', { count: 1, shown: keywords }),
    ]).toEqual([
      `Excluded ${words}.`,
      `Restored ${words}.`,
      `Moved ${words} to Hoses.`,
      `Sent ${words} to the strays.`,
      `Merged 2 clusters into Hoses. ${words}.`,
      `Kept ${words} with last month's figures.`,
    ]);
  }
  expect(say('draft/named', { name, count: 1 })).toBe('Named Hoses.');
  expect(say('draft/named', { name, count: 2 })).toBe('Named 2 clusters anew.');
  expect(say('draft/split', { name, parts: 1 })).toBe('Split Hoses into 1 cluster.');
  expect(say('draft/granularity', { stop: 2, clusters: '1' })).toBe('Granularity 2 of 9, broad: 1 cluster.');
  expect(say('draft/too-many', { max: 1 })).toBe('There is 1 draft already. Publish or discard one to start another.');
});
