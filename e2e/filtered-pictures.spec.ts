import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/**
 * A script that returns the pixels of the canvas, four bytes each, as base64. It reads a copy, because the browser
 * warns about repeated reads from a canvas on screen. Empty during an animation.
 */
const pixels = `(() => {
  const [canvas, overlay] = document.querySelectorAll('[role=application] > canvas');
  if (!canvas || canvas.width === 0 || overlay.width > 0) return '';
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
})()`;

/** Interval between two reads: longer than an animation, or than the camera takes to settle. */
const lookMs = 700;

/** The chart once two reads are equal and show more than the background. */
async function settled(page: Page): Promise<Uint32Array> {
  // Nothing is hovered.
  await page.mouse.move(0, 0);
  for (let before = ''; ; await page.waitForTimeout(lookMs)) {
    const now = await page.evaluate<string>(pixels);
    const colours = new Uint32Array(Uint8Array.from(Buffer.from(now, 'base64')).buffer);
    if (now === before && new Set(colours).size >= 12) return colours;
    before = now;
  }
}

/** Number of pixels in which two images differ; all of them if their sizes differ. */
function differences(one: Uint32Array, other: Uint32Array): number {
  if (one.length !== other.length) return Math.max(one.length, other.length);
  return one.reduce((sum, pixel, at) => sum + Number(pixel !== other[at]), 0);
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
      await page.goto(`/visualization?v=sample&d=all&view=${view}`);
      await page.getByRole('application', { name: new RegExp(`^${name} of `) }).waitFor();
      const unfiltered = await settled(page);
      const fresh = await context.newPage();
      const changed: number[] = [];

      /** Both pages draw with the same code and fonts, so every pixel must be equal. */
      async function isTrue(): Promise<void> {
        const shown = await settled(page);
        await fresh.goto(page.url());
        expect(differences(shown, await settled(fresh))).toBe(0);
        changed.push(differences(shown, unfiltered));
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
