import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/**
 * A script that looks at the chart and returns a hash of its pixels and the number of its colours; nothing during an
 * animation. It reads a copy, because the browser warns of repeated reads from a canvas on screen. The page keeps the
 * first image, and counts the pixels in which later ones differ from it.
 */
const look = `(async () => {
  const [canvas, overlay] = document.querySelectorAll('[role=application] > canvas');
  if (!canvas || canvas.width === 0 || canvas.height === 0 || overlay.width > 0) return undefined;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const pixels = new Uint32Array(data.buffer);
  const hash = Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', data)), (byte) => byte.toString(16)).join(' ');
  const isReady = new Set(pixels).size >= 12;
  if (isReady) globalThis.firstImage ??= pixels;
  const changed = globalThis.firstImage?.reduce((sum, pixel, at) => sum + Number(pixel !== pixels[at]), 0);
  return { hash: canvas.width + ' ' + hash, isReady, changed };
})()`;
type Look = { readonly hash: string; readonly isReady: boolean; readonly changed: number };

/** Interval between two looks: longer than an animation, or than the camera takes to settle. */
const lookMs = 700;

/** The chart once two looks are equal and show more than the background. */
async function settled(page: Page): Promise<Look> {
  // Nothing is hovered.
  await page.mouse.move(0, 0);
  for (let before: Look | undefined; ; await page.waitForTimeout(lookMs)) {
    const now = await page.evaluate<Look | undefined>(look);
    if (now?.isReady && now.hash === before?.hash) return now;
    before = now;
  }
}

const keeps = (page: Page, filter: string | null) => page.waitForURL((url) => url.searchParams.get('f') === filter);

async function filterBy(page: Page, act: () => Promise<void>): Promise<void> {
  await page
    .getByRole('button', { name: /^Filter/ })
    .first()
    .click();
  await act();
  await page.keyboard.press('Escape');
}

story('a filtered chart', () => {
  const stage = useStage();

  test.each(['Treemap', 'Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity'])(
    'in the %s is, pixel by pixel, what its address shows in a new page: under a second filter, faintly, by Back, cleared',
    async (name) => {
      const { page, context } = await stage.signedIn('approved');
      const view = name.toLowerCase();
      await page.goto(`/visualization?v=sample&d=all&view=${view}&level=tree`);
      await page.getByRole('application', { name: new RegExp(`^${name} of `) }).waitFor();
      await settled(page);
      const fresh = await context.newPage();
      const changed: number[] = [];

      /** Both pages draw with the same code and fonts, so every pixel must be equal. */
      async function isTrue(): Promise<void> {
        const shown = await settled(page);
        await fresh.goto(page.url());
        expect((await settled(fresh)).hash).toBe(shown.hash);
        changed.push(shown.changed);
        await page.bringToFront();
      }

      const atMost = page.getByRole('textbox', { name: 'Difficulty, at most' });
      await filterBy(page, async () => {
        await page.getByRole('button', { name: 'Difficulty', exact: true }).click();
        await atMost.fill('30');
        await keeps(page, 'difficulty-_30');
      });
      await filterBy(page, async () => {
        await atMost.fill('20');
        await keeps(page, 'difficulty-_20');
      });
      await isTrue();
      await filterBy(page, async () => {
        await page.getByRole('switch', { name: 'Show filtered-out items faintly' }).click();
        await page.waitForURL((url) => url.searchParams.get('rest') === 'faint');
      });
      await isTrue();
      await page.goBack();
      await keeps(page, 'difficulty-_30');
      await isTrue();
      await page.getByRole('button', { name: 'Clear all' }).last().click();
      await keeps(page, null);
      await isTrue();
      // The images did change, and the last one equals the first.
      expect(changed.slice(0, 3).every((count) => count > 1000)).toBe(true);
      expect(changed.at(-1)).toBe(0);
    },
    400_000,
  );
});
