import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { screens } from './screens.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: 'reduce' } as const;

/** Elements that reach beyond the window and are in no scroll container, except those hidden until focused. */
const beyond = `[...document.querySelectorAll('a, button, input, label, h1, h2, h3, p, td, li')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => {
    const { left, right, width, bottom } = one.getBoundingClientRect();
    if (width <= 1 || bottom <= 0 || (left >= -1 && right <= innerWidth + 1)) return false;
    for (let around = one.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      if (overflowX === 'auto' || overflowX === 'scroll') return false;
      const box = around.getBoundingClientRect();
      if (overflowX !== 'visible' && box.left >= -1 && box.right <= innerWidth + 1 && one.tagName !== 'BUTTON') return false;
    }
    return true;
  })
  .map((one) => one.outerHTML.slice(0, 120))`;

story('nothing on a phone reaches beyond its window', () => {
  const stage = useStage();

  test.each(['stranger', 'pending', 'denied', 'approved', 'admin'] as const)(
    'on a screen of %s',
    { timeout: 600_000 },
    async (kind) => {
      for (const other of ['pending', 'approved'] as const) await (await stage.signedIn(other)).context.close();
      const visitor = kind === 'stranger' ? await stage.visitor(phone) : await stage.signedIn(kind, phone);
      visitor.expectProblem(/status of (4\d\d|503)|ERR_FAILED|dynamically imported module|Error in route match/);
      const { page } = visitor;
      const found: string[] = [];
      for (const screen of screens.filter(({ as, wideOnly }) => as === kind && !wideOnly)) {
        await page.goto('about:blank');
        await page.goto(screen.path);
        await screen.open(page, false);
        found.push(...(await tooWide(page)).map((what) => `${screen.name}: ${what}`));
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
      expect(found).toEqual([]);
    },
  );
});

/** Elements that are too wide, once an open list has moved to where it fits. */
async function tooWide(page: Page): Promise<string[]> {
  const measure = async () => {
    const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
    return [...(width > phone.viewport.width ? [`${width} px wide`] : []), ...(await page.evaluate<string[]>(beyond))];
  };
  for (const end = Date.now() + 3_000; Date.now() < end && (await measure()).length > 0; )
    await page.waitForTimeout(50);
  return measure();
}
