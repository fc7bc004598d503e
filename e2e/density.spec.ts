import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const count = 9_000;
/** Many figures near each other, and large ones everywhere. */
const keywords = Array.from({ length: count }, (_, nth) => ({
  keyword: `word ${nth}`,
  volume: 10 + ((nth * 7919) % 971) ** 2 / 100,
  difficulty: (nth * 31) % 101,
}));
const hierarchy = {
  name: 'chat',
  children: [
    { name: 'All', type: 'cluster', children: keywords.map(({ keyword }) => ({ name: keyword, type: 'keyword' })) },
  ],
};

const plot = (page: Page) => page.getByRole('application', { name: /^Opportunity/ });
const numbers = (text: string | undefined): number[] =>
  [...(text ?? '').matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')));

/** How many marks are beyond each edge of the window, all together. */
async function beyond(page: Page): Promise<number> {
  const labels = await page.getByRole('button', { name: /^[\d,]+ marks? further/ }).allInnerTexts();
  return labels.reduce((sum, label) => sum + numbers(label)[0]!, 0);
}

story('more points than are drawn one by one', () => {
  const stage = useStage();

  test('the others are counted in cells, which say what they hold and become points further in', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    await uploadFor(admin.page, 'approved@example.com', { keywords, hierarchy });
    await page.goto('/visualization?view=opportunity&level=keywords');
    await plot(page).waitFor();
    await uncovered(page);
    const note = page.getByText(/largest of .* in view are drawn/);
    await note.waitFor();
    expect(numbers(await note.innerText()).slice(0, 2)).toEqual([5_000, count]);
    expect(await plot(page).getAttribute('aria-label')).toContain('are counted in cells');
    expect(await violations(page)).toEqual([]);

    // Every cell under the pointer says how many it holds, and between which values: no more than the file has there.
    const box = (await plot(page).boundingBox())!;
    const card = page.getByRole('tooltip').filter({ hasText: 'Click to zoom in' });
    let seen = 0;
    for (let step = 0; step < 40 && seen < 3; step++) {
      const place = { x: box.x + box.width * (0.1 + 0.02 * step), y: box.y + box.height * 0.72 };
      await page.mouse.move(place.x, place.y);
      if (!(await card.isVisible())) continue;
      const [title, sum, difficulty, volume] = await card.getByRole('paragraph').allInnerTexts();
      const [rows] = numbers(title);
      // Figures are rounded on the card.
      const [[left, right], [low, high]] = [rangeOf(difficulty!), rangeOf(volume!)];
      const inside = keywords.filter(
        (one) =>
          one.difficulty >= left - 0.5 &&
          one.difficulty <= right + 0.5 &&
          one.volume >= low - 1 &&
          one.volume <= high + 1,
      );
      expect(rows).toBeGreaterThan(0);
      expect(inside.length).toBeGreaterThanOrEqual(rows!);
      expect(sum).toMatch(rows === 1 ? /^Volume [\d,]+$/ : /^Volumes add up to [\d,]+$/);
      const added = numbers(sum)[0]! / rows!;
      expect(added).toBeGreaterThanOrEqual(low - 1);
      expect(added).toBeLessThanOrEqual(high + 1);
      seen++;
    }
    expect(seen).toBe(3);

    // A click goes in. Further in all are points, and what is beyond the edges makes up the rest.
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.72);
    await plot(page).focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press('+');
    const all = page.getByText(/^All [\d,]+ rows in view are drawn/);
    await all.waitFor();
    await expect.poll(async () => numbers(await all.innerText())[0]! + (await beyond(page))).toBe(count);
    expect(numbers(await all.innerText())[0]!).toBeLessThan(5_000);
    await page.waitForURL(/[?&]cam=/);
    const inView = await all.innerText();
    await page.reload();
    await all.waitFor();
    expect(await all.innerText()).toBe(inView);

    // And out again.
    await plot(page).focus();
    await page.keyboard.press('0');
    await note.waitFor();
    expect(numbers(await note.innerText()).slice(0, 2)).toEqual([5_000, count]);
  });

  test('if the cells cannot be counted, the page says so, and counts them on request', async () => {
    const { page, expectProblem } = await stage.signedIn('approved');
    expectProblem(/status of 503/);
    await page.route('**/density', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto('/visualization?view=opportunity&level=keywords');
    const failed = page.getByText('The points that are not drawn could not be counted.');
    await failed.waitFor();
    await page.unroute('**/density');
    await failed.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/largest of .* in view are drawn/).waitFor();
  });
});

/** The two figures of a line of a card. */
function rangeOf(line: string): [number, number] {
  const [from, to] = [...line.matchAll(/\d[\d,]*(\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(',', '')));
  return [from!, to!];
}
