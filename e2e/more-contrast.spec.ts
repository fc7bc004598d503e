import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { translucent, turn } from './contrast.ts';

story('for who asks the system for more contrast', () => {
  const stage = useStage();

  test('the sign-in page: text of 7:1 on a card that nothing shines through', async () => {
    const { page } = await stage.visitor({ contrast: 'more' });
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await violations(page, { enhanced: true })).toEqual([]);
    expect(await translucent(page)).toEqual([]);
    const card = `getComputedStyle(document.querySelector('main')).backgroundColor`;
    expect(await page.evaluate(card)).toBe('rgb(5, 7, 15)');
  });

  test('what has the keyboard has a ring of 3 px, as far from its ground as can be; nobody else sees more', async () => {
    const { page } = await stage.signedIn('approved', { contrast: 'more' });
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await page.getByRole('treeitem').nth(1).click();
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await page.keyboard.press('Tab');
    for (const [theme, ring] of [
      ['light', 'rgb(0, 0, 0)'],
      ['dark', 'rgb(255, 255, 255)'],
    ] as const) {
      await turn(page, theme);
      const outline = () =>
        page.evaluate(
          `(({ outlineWidth, outlineColor }) => [outlineWidth, outlineColor])(getComputedStyle(document.activeElement))`,
        );
      await expect.poll(outline).toEqual(['3px', ring]);
    }

    await page.emulateMedia({ contrast: 'no-preference' });
    await turn(page, 'light');
    expect(await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--muted')`)).toBe(
      '#535b7c',
    );
    expect(await violations(page, { coloursOnly: true, enhanced: true })).not.toEqual([]);
  });
});
