import { refreshIntervals } from '@kc/rules/settings';
import { expect, test } from 'vitest';
import { clockText } from '../../../ui/number-text.ts';
import { refreshWords } from './visualization-card.tsx';

const now = Date.UTC(2026, 10, 20, 9, 30);

test('each interval says how often a page checks, and when it checks next', () => {
  for (const interval of refreshIntervals.filter((one) => one !== 'none')) {
    const next = clockText(now + Number(interval) * 60_000);
    expect(refreshWords(interval, now)).toContain(`every ${interval} minutes`);
    expect(refreshWords(interval, now)).toContain(`looks again at ${next}.`);
  }
});

test('without an interval a page checks only on request', () => {
  expect(refreshWords('none', now)).toBe(
    'An open page shows newer data only when its reader presses Refresh or opens it again.',
  );
});
