import { expect, test } from 'vitest';
import { agoText, bytesText, clockText, contentText, countText, dateText, durationText } from './quantity-text.ts';

test('bytes are formatted in their unit', () => {
  expect([0, 999, 1_000, 8_123_456, 412_000_000, 1_200_000_000].map(bytesText)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.0 KB',
    '8.1 MB',
    '412 MB',
    '1.2 GB',
  ]);
});

test('durations are formatted in their unit', () => {
  expect([200, 45_000, 720_000, 7_200_000].map(durationText)).toEqual(['1 s', '45 s', '12 min', '2 h']);
});

test('an age is never, or a number of seconds, minutes, hours or days', () => {
  expect([undefined, 0, 1_500, 59_999, 60_000, 7_200_000, 259_200_000].map(agoText)).toEqual([
    'never',
    '0 seconds ago',
    '1 second ago',
    '59 seconds ago',
    '1 minute ago',
    '2 hours ago',
    '3 days ago',
  ]);
});

test('dates and counts are formatted as in the United States', () => {
  expect(dateText(Date.UTC(2026, 10, 20, 9, 30))).toBe('Nov 20, 2026, 09:30 AM');
  expect(clockText(Date.UTC(2026, 10, 20, 21, 5))).toBe('09:05 PM');
  expect(countText(27640)).toBe('27,640');
});

test('a file without a list of keywords is described by its nodes', () => {
  expect(contentText({ keywords: 27_640, nodes: 27_774 })).toBe('27,640 keywords');
  expect(contentText({ keywords: 1, nodes: 2 })).toBe('1 keyword');
  expect(contentText({ keywords: 0, nodes: 194_913 })).toBe('194,913 nodes');
});
