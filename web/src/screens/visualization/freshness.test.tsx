import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { lastUpdatedText, Pills } from './freshness.tsx';

test('it says how long ago newer data was checked for', () => {
  expect([-5, 59_999, 12 * 60_000, 3 * 3_600_000].map(lastUpdatedText)).toEqual([
    'Updated just now',
    'Updated just now',
    'Updated 12 min ago',
    'Updated 3 h ago',
  ]);
});

const text = (pills: Parameters<typeof Pills>[0]) =>
  renderToStaticMarkup(<Pills {...pills} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const props = { onUpdate: undefined, isSample: false, dataAt: undefined };
const onUpdate = () => undefined;

test('nothing covers the chart while nothing waits and the server responds', () => {
  expect(text(props)).toBe('');
});

test('newer data waits behind one button, even the first data', () => {
  expect(text({ ...props, onUpdate })).toBe('New data available – Update');
  expect(text({ ...props, onUpdate, isSample: true })).toBe('Your data is here – Open');
});

// Shows P13.4.
test('while the server is unreachable, it says how old the data is', () => {
  const dataAt = new Date(2026, 10, 22, 10, 42).getTime();
  expect(text({ ...props, dataAt })).toBe('Offline – showing data from 10:42 AM');
});
