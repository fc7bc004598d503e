import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';

const picture = (page: Page) => page.getByRole('application');

story('the explorer with reduced motion', () => {
  const stage = useStage();

  // Shows P14.12.
  test('with reduced motion a zoom takes one frame, and nothing is animated', async () => {
    const still = await stage.signedIn('approved');
    expect(await picturesOfADive(still.page)).toMatchObject({ isSame: true, animations: 0 });
    const moving = await stage.signedIn('approved', { reducedMotion: 'no-preference' });
    expect(await picturesOfADive(moving.page)).toMatchObject({ isSame: false });
  });
});

/** Opens a loaded branch, and says whether the chart after two frames equals the chart after many frames. */
async function picturesOfADive(page: Page): Promise<{ isSame: boolean; animations: number }> {
  // Only the story advances the time, so that a slow machine draws the same frames.
  await page.clock.install();
  await page.goto('/visualization?v=sample');
  await picture(page).waitFor();
  await uncovered(page);
  await picture(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('n'));
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + longMs);
  await page.clock.runFor(longMs);
  await page.keyboard.press('Enter');
  await page.clock.runFor(3 * frameMs);
  const soon = await pixels(page);
  const animations = await page.evaluate<number>(
    `document.getAnimations().filter((one) => one.playState === 'running' && one.effect.target?.closest('#content')).length`,
  );
  await page.clock.runFor(longMs);
  return { isSame: soon === (await pixels(page)), animations };
}

const frameMs = 17;
/** Longer than any animation. */
const longMs = 2_000;

/** All canvases of the chart, as one text. */
const pixels = (page: Page) =>
  page.evaluate<string>(
    `[...document.querySelectorAll('[role=application] > canvas')].map((one) => (one.width ? one.toDataURL() : '')).join()`,
  );
