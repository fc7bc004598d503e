import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { stopClock } from './clock.ts';

/** Runs before the page's own scripts: records each text of the overlay. */
const noteTexts = `window.overlayTexts = [];
  new MutationObserver(() => {
    const text = document.getElementById('loading-message')?.textContent;
    if (text && text !== window.overlayTexts.at(-1)) window.overlayTexts.push(text);
  }).observe(document, { subtree: true, childList: true, characterData: true });`;
const overlay = (page: Page) => page.locator('#loading-overlay');

story('the overlay covers the start of the application', () => {
  const stage = useStage();

  /** A server that never returns the session: no screen is drawn. */
  async function stuck() {
    const { page } = await stage.visitor();
    await stopClock(page);
    await page.route('**/api/session', () => undefined);
    await page.goto('/visualization');
    await overlay(page).getByText('Loading application...').waitFor();
    return page;
  }

  test('it shows the steps, the sign-in page last, and disappears', async () => {
    const { page, context } = await stage.visitor();
    await context.addInitScript({ content: noteTexts });
    await page.goto('/');
    await page.getByLabel('Email address').waitFor();
    await overlay(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('overlayTexts')).toEqual([
      'Initializing application...',
      'Loading application...',
      'Preparing login page...',
    ]);
  });

  test('on other pages it does not mention the sign-in page', async () => {
    const { page, context } = await stage.signedIn('pending');
    await context.addInitScript({ content: noteTexts });
    await page.goto('/pending-approval');
    await overlay(page).waitFor({ state: 'detached' });
    expect(await page.evaluate('overlayTexts')).toEqual(['Initializing application...', 'Loading application...']);
  });

  test('it stays while the page starts, and is cleared after ten seconds at the latest', async () => {
    const page = await stuck();
    await page.clock.runFor(9_999);
    expect(await overlay(page).getAttribute('data-leaving')).toBeNull();
    await page.clock.runFor(1);
    expect(await overlay(page).getAttribute('data-leaving')).toBe('');
    await page.clock.runFor(300);
    expect(await overlay(page).count()).toBe(0);
  });

  test('Alt+Shift+R clears it', async () => {
    const page = await stuck();
    await page.keyboard.press('Alt+Shift+R');
    await page.clock.runFor(300);
    expect(await overlay(page).count()).toBe(0);
  });

  test('without scripts, the stylesheet hides it after fifteen seconds', async () => {
    const { page } = await stage.visitor({ javaScriptEnabled: false });
    await page.goto('/test');
    expect(await overlay(page).isVisible()).toBe(true);
    const forced = await page.evaluate(`(() => {
      const element = document.getElementById('loading-overlay');
      const [animation] = element.getAnimations();
      const { delay } = animation.effect.getTiming();
      animation.finish();
      return { delay, visibility: getComputedStyle(element).visibility };
    })()`);
    expect(forced).toEqual({ delay: 15_000, visibility: 'hidden' });
  });
});
