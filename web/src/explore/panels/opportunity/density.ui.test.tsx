import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atRest } from '../../../../test/page/at-rest.ts';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor } from '../../../../test/page/fake-api.ts';
import { focus, inAddress, picture, reload } from '../../../../test/page/in-explorer.ts';
import { mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const count = 9_000;
/** Many figures near each other, and large ones everywhere. */
const keywords = Array.from({ length: count }, (_, nth) => ({
  keyword: `word ${nth}`,
  volume: 10 + ((nth * 7919) % 971) ** 2 / 100,
  difficulty: (nth * 31) % 101,
}));
const chat = {
  keywords,
  hierarchy: {
    name: 'chat',
    children: [
      { name: 'All', type: 'cluster', children: keywords.map(({ keyword }) => ({ name: keyword, type: 'keyword' })) },
    ],
  },
};

const numbers = (text: string | null | undefined): number[] =>
  [...(text ?? '').matchAll(/\d[\d,]*(\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
const note = page.getByText(/largest of .* in view are drawn/);
const all = page.getByText(/^All [\d,]+ rows in view are drawn/);
const drawnOf = () => numbers(note.element().textContent).slice(0, 2);
const inView = () => numbers(all.element().textContent)[0]!;

/** How many marks are beyond each edge of the window, all together. */
const beyond = () =>
  page
    .getByRole('button', { name: /^[\d,]+ marks? further/ })
    .elements()
    .reduce((sum, label) => sum + numbers(label.textContent)[0]!, 0);

// Shows P14.18.
test('the points that are not drawn are counted in cells, which say what they hold and become points further in', async () => {
  await openExplorer(chat, { search: '?view=opportunity&level=keywords' });
  await expect.element(note).toBeVisible();
  expect(drawnOf()).toEqual([5_000, count]);
  expect(picture.element().getAttribute('aria-label')).toContain('are counted in cells');
  expect(await violations()).toEqual([]);

  // Every cell under the pointer says how many it holds, and between which values: no more than the file has there.
  const { left, top, width, height } = picture.element().getBoundingClientRect();
  const card = page.getByRole('tooltip').filter({ hasText: 'Click to zoom in' });
  let seen = 0;
  for (let step = 0; step < 40 && seen < 3; step++) {
    await mouse.move({ x: left + width * (0.1 + 0.02 * step), y: top + height * 0.72 });
    await atRest();
    const texts = card.elements().flatMap((one) => [...one.querySelectorAll('p')].map((line) => line.textContent));
    if (texts.length === 0) continue;
    const [title, sum, difficulty, volume] = texts;
    const [rows] = numbers(title);
    // Figures are rounded on the card.
    const [from, to] = numbers(difficulty);
    const [low, high] = numbers(volume);
    const inside = keywords.filter(
      (one) =>
        one.difficulty >= from! - 0.5 &&
        one.difficulty <= to! + 0.5 &&
        one.volume >= low! - 1 &&
        one.volume <= high! + 1,
    );
    expect(rows).toBeGreaterThan(0);
    expect(inside.length).toBeGreaterThanOrEqual(rows!);
    expect(sum).toMatch(rows === 1 ? /^Volume [\d,]+$/ : /^Volumes add up to [\d,]+$/);
    const mean = numbers(sum)[0]! / rows!;
    expect(mean).toBeGreaterThanOrEqual(low! - 1);
    expect(mean).toBeLessThanOrEqual(high! + 1);
    seen++;
  }
  expect(seen).toBe(3);

  // A click goes in. Further in all are points, and what is beyond the edges makes up the rest.
  await mouse.click({ x: left + width * 0.3, y: top + height * 0.72 });
  await focus(picture);
  // Each time until the camera is at rest: only that is in the address.
  for (let times = 0; times < 4; times++) {
    const last = inAddress('cam');
    await userEvent.keyboard('+');
    await expect.poll(() => inAddress('cam')).not.toBe(last);
  }
  await expect.element(all).toBeVisible();
  await expect.poll(() => inView() + beyond()).toBe(count);
  expect(inView()).toBeLessThan(5_000);
  const before = inView();
  await reload();
  await expect.element(all).toBeVisible();
  expect(inView()).toBe(before);

  // And out again.
  await focus(picture);
  await userEvent.keyboard('0');
  await expect.element(note).toBeVisible();
  expect(drawnOf()).toEqual([5_000, count]);
});

test('if the cells cannot be counted, the page says so, and counts them on request', async () => {
  await openExplorer(chat, { search: '?view=treemap&level=keywords' });
  const repair = failsFor('visualizations.density');
  await userEvent.keyboard('{Alt>}6{/Alt}');
  const failed = page.getByText(/^The points that are not drawn could not be counted\./);
  await expect.element(failed).toBeVisible();
  repair();
  await failed.getByRole('button', { name: 'Try again' }).click();
  await expect.element(note).toBeVisible();
});
