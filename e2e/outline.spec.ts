import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';

story('the outline and the arrow keys', () => {
  const stage = useStage();

  test.each([
    { size: 'volume', caption: 'Sorted by volume. Bars: share of parent' },
    { size: 'keywords', caption: 'Sorted by keywords. Bars: share of parent' },
  ])('sized by $size both go by it, and the caption says so', async ({ size, caption }) => {
    // Tall enough to show all pillar topics and the branches below them.
    const { page, call } = await stage.signedIn('approved', { viewport: { width: 1440, height: 2000 } });
    await page.goto(`/visualization?v=sample&size=${size}`);
    const picture = page.getByRole('application', { name: /^Treemap of/ });
    await picture.waitFor();
    await uncovered(page);
    await page.getByText(caption).waitFor();
    const lines = await pillarsIn(page);
    const known = await figuresOf(call, size);
    expect(lines.map((name) => known.get(name))).toEqual([...known.values()].sort((a, b) => b - a));

    await picture.focus();
    await page.keyboard.press('ArrowDown');
    for (const [nth, name] of lines.entries()) {
      await page
        .getByRole('status')
        .filter({ hasText: new RegExp(`^${name}, .*, ${nth + 1} of ${lines.length}, `) })
        .waitFor();
      await page.keyboard.press('ArrowRight');
    }
  });

  test('the picture points at the line of what is selected, and at nothing where there is no outline', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    const picture = page.getByRole('application', { name: /^Treemap of/ });
    await picture.waitFor();
    await uncovered(page);
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    const pointed = async () => {
      const line = await picture.getAttribute('aria-activedescendant');
      return line === null ? 'nothing' : page.locator(`[id="${line}"][role=treeitem]`).count();
    };
    await expect.poll(pointed).toBe(1);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(pointed).toBe('nothing');
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(pointed).toBe(1);
  });

  test('a tooltip gives the share that sizes show', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&size=volume');
    const picture = page.getByRole('application', { name: /^Treemap of/ });
    await picture.waitFor();
    await uncovered(page);
    const box = (await picture.boundingBox())!;
    await page.mouse.move(box.x + 60, box.y + 60, { steps: 3 });
    const tooltip = page.getByRole('tooltip').filter({ hasText: / % of the volume of / });
    await tooltip.waitFor();
    await page.getByRole('combobox', { name: 'Size by' }).click();
    await page.getByRole('option', { name: 'Keywords' }).click();
    await page.mouse.move(box.x + 70, box.y + 60, { steps: 3 });
    await page
      .getByRole('tooltip')
      .filter({ hasText: / % of the keywords of / })
      .waitFor();
  });
});

const pillarsIn = (page: Page): Promise<string[]> =>
  page.locator('[role=treeitem][aria-level="2"] [title]').allInnerTexts();

type Call = <T>(method: string, path: string) => Promise<T>;
type Detail = { readonly name: string; readonly keywords: number; readonly volume: { readonly value: number } };

/** The size of each pillar topic, by name: the children of the root are the first rows after it. */
async function figuresOf(call: Call, size: string): Promise<ReadonlyMap<string, number>> {
  const { children } = await call<{ children: number }>('GET', '/visualizations/sample/nodes/0');
  const details = await Promise.all(
    Array.from({ length: children }, (_, i) => call<Detail>('GET', `/visualizations/sample/nodes/${i + 1}`)),
  );
  return new Map(details.map((one) => [one.name, size === 'volume' ? one.volume.value : one.keywords]));
}
