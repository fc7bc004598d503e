import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('third-party software', () => {
  const stage = useStage();

  /** The text behind a link that opens in a new tab. */
  async function textBehind(page: Page, follow: () => Promise<void>): Promise<string> {
    const [opened] = await Promise.all([page.waitForEvent('popup'), follow()]);
    await opened.waitForLoadState();
    return opened.locator('body').innerText();
  }

  test('the user menu leads to the licences', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('button', { name: /approved/ }).click();
    const text = await textBehind(page, () => page.getByRole('menuitem', { name: 'Third-party notices' }).click());
    expect(text).toMatch(/^react-dom \d/m);
    expect(text).toMatch(/^fastify \d/m);
    expect(text).toContain('SIL OPEN FONT LICENSE');
  });

  test('so does the menu on a phone', async () => {
    const { page } = await stage.signedIn('approved');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/visualization');
    await page.getByRole('button', { name: 'Menu' }).click();
    const text = await textBehind(page, () => page.getByRole('link', { name: 'Third-party notices' }).click());
    expect(text).toContain('Third-party notices');
  });

  test('they are plain text that any visitor may read and no browser runs', async () => {
    const response = await fetch(`${stage.server.url}/third-party-notices.txt`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
