import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atRest } from '../../test/page/at-rest.ts';
import { garden } from '../../test/page/garden.ts';
import { addressSays, picture, pressInPicture, reload } from '../../test/page/in-explorer.ts';
import { mouse } from '../../test/page/mouse.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';

/** The pixels of the chart, from a copy: the browser warns of repeated reads from a canvas on screen. */
function pixels(): Uint32Array {
  const canvas = picture.element().querySelector('canvas')!;
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
  copy.drawImage(canvas, 0, 0);
  return new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
}

/** How many pixels differ. */
const differing = (one: Uint32Array, other: Uint32Array) =>
  one.length === other.length ? one.reduce((sum, pixel, at) => sum + Number(pixel !== other[at]), 0) : one.length;

const frame = () => new Promise(requestAnimationFrame);

/** The chart once it shows more than the background, and two frames in a row are equal. */
async function settled(): Promise<Uint32Array> {
  // Nothing is hovered.
  await mouse.move({ x: 2, y: 2 });
  for (let before = pixels(); ; ) {
    await atRest();
    await frame();
    await frame();
    const now = pixels();
    if (differing(before, now) === 0 && new Set(now).size >= 12) return now;
    before = now;
  }
}

const panel = page.getByRole('complementary', { name: 'Filter' });
const atMost = panel.getByRole('textbox', { name: 'Difficulty, at most' });

async function filterBy(act: () => Promise<void>): Promise<void> {
  await pressInPicture('f');
  await act();
  await userEvent.keyboard('{Escape}');
}

// Shows P14.10.
test.each(['Treemap', 'Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity'])(
  'a filtered %s is, pixel by pixel, what its address shows in a new page: under a second filter, faintly, by Back, cleared',
  async (name) => {
    await openExplorer(garden, { search: `?d=all&view=${name.toLowerCase()}&level=tree` });
    await expect.element(page.getByRole('application', { name: new RegExp(`^${name} of `) })).toBeVisible();
    const first = await settled();

    /** Both pages draw with the same code and fonts, so every pixel must be equal. Returns how many changed. */
    async function isTrue(): Promise<number> {
      const shown = await settled();
      await reload();
      expect(differing(await settled(), shown)).toBe(0);
      return differing(first, shown);
    }

    await filterBy(async () => {
      await panel.getByRole('button', { name: 'Difficulty' }).click();
      await atMost.fill('30');
      await addressSays('f', 'difficulty-_30');
    });
    await filterBy(async () => {
      await atMost.fill('20');
      await addressSays('f', 'difficulty-_20');
    });
    const changed = [await isTrue()];
    await filterBy(async () => {
      await panel.getByRole('switch', { name: 'Show filtered-out items faintly' }).click();
      await addressSays('rest', 'faint');
    });
    changed.push(await isTrue());
    history.back();
    await addressSays('f', 'difficulty-_30');
    changed.push(await isTrue());
    expect(Math.min(...changed)).toBeGreaterThan(1000);
    await page.getByRole('button', { name: 'Clear all' }).last().click();
    await addressSays('f', null);
    expect(await isTrue()).toBe(0);
  },
);
