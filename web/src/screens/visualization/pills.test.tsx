import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Pills } from './pills.tsx';

const text = (pills: Parameters<typeof Pills>[0]) =>
  renderToStaticMarkup(<Pills {...pills} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const nothing = { onUpdate: undefined, isSample: false, heardAt: undefined };
const onUpdate = () => undefined;

test('while nothing waits and the server answers nothing is over the picture', () => {
  expect(text(nothing)).toBe('');
});

test('newer data wait behind one button, the first ones, too', () => {
  expect(text({ ...nothing, onUpdate })).toBe('New data available – Update');
  expect(text({ ...nothing, onUpdate, isSample: true })).toBe('Your data is here – Open');
});

test('out of reach, it says of when the data are', () => {
  const heardAt = new Date(2026, 10, 22, 10, 42).getTime();
  expect(text({ ...nothing, heardAt })).toBe('Offline – showing data from 10:42');
});
