import { expect, test } from 'vitest';
import { lifeText, openedText } from './link-line.tsx';

const link = {
  id: 'x',
  kind: 'client',
  sharedWith: 'ACME',
  maker: 'Ana',
  withPlan: true,
  mayEditPlan: false,
  withDownloads: true,
  createdAt: 0,
  expiresAt: Date.UTC(2027, 2, 12, 12),
  opened: 0,
  isResting: false,
} as const;

test('a link says who made it, until when it works, and what it includes', () => {
  expect(lifeText(link)).toBe('By Ana · until Mar 12, 2027 · with the plan and downloads');
  expect(lifeText({ ...link, mayEditPlan: true })).toBe(
    'By Ana · until Mar 12, 2027 · with the plan to edit and downloads',
  );
  expect(lifeText({ ...link, withPlan: false, withDownloads: false })).toBe('By Ana · until Mar 12, 2027');
});

test('a link says how often it was opened', () => {
  const openedAt = Date.UTC(2027, 1, 5, 9, 12);
  expect(openedText(link)).toBe('Not opened yet');
  expect(openedText({ opened: 1, openedAt })).toMatch(/^Opened once, last on Feb 5, 2027/);
  expect(openedText({ opened: 3, openedAt })).toMatch(/^Opened 3 times, last on Feb 5, 2027/);
});
