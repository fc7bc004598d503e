import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

/** The charts, as the address names them; the default one is not in the address. */
const drawn = [
  ['Bubbles', 'bubbles'],
  ['Sunburst', 'sunburst'],
  ['Icicle', 'icicle'],
  ['Tree', 'tree'],
  ['Opportunity', 'opportunity'],
  ['Treemap', null],
] as const;

story('one branch in every view', () => {
  const stage = useStage();

  test('the views are selected by name, keep the selection, and each draws the same branches', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('treeitem', { level: 2 }).first().click();
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    for (const [name, value] of drawn) {
      await page.getByRole('radio', { name, exact: true }).check();
      await page.getByRole('application', { name: new RegExp(`^${name} of Garden shop`) }).waitFor();
      await page.waitForURL((url) => url.searchParams.get('view') === value && url.searchParams.has('sel'));
      await drawnIn(page);
    }
  });

  test('in the Sunburst the keyboard opens branches, the centre leads up, and V with a digit switches the view', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&view=sunburst');
    const picture = page.getByRole('application', { name: /^Sunburst of/ });
    await picture.waitFor();
    await drawnIn(page);
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    const box = (await picture.boundingBox())!;
    await picture.click({ position: { x: box.width / 2, y: box.height / 2 } });
    await page.waitForURL((url) => !url.searchParams.has('n'));
    await page.keyboard.press('v');
    await page.keyboard.press('4');
    await page.getByRole('application', { name: /^Icicle of/ }).waitFor();
  });

  test('outline and details are open or closed as they were left', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('button', { name: 'Hide the details' }).waitFor();
    await page.getByRole('button', { name: 'Hide the outline' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Hide the details' }).waitFor();
    await page.getByRole('button', { name: 'Show the outline' }).waitFor();
    // Narrow windows, where both start closed, have a stored state of their own.
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.reload();
    await page.getByRole('button', { name: 'Show the details' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Hide the details' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await page.getByRole('button', { name: 'Show the outline' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Hide the outline' }).waitFor();
  });

  test('the colour encoding is chosen from a list, which loads when it is first opened', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample&view=icicle');
    await page.getByRole('combobox', { name: 'Colour by' }).click();
    await page.getByRole('option', { name: 'Volume' }).click();
    await page.waitForURL(/[?&]color=volume/);
    expect(await page.getByRole('combobox', { name: 'Colour by' }).textContent()).toContain('Volume');
    await page.getByRole('radio', { name: 'Opportunity', exact: true }).check();
    await page.getByRole('combobox', { name: 'X axis' }).click();
    await page.getByRole('option', { name: 'CPC' }).click();
    await page.waitForURL(/[?&]x=cpc/);
    await page.getByRole('application', { name: /CPC to the right, Volume upwards/ }).waitFor();
  });
});

/**
 * Waits until the canvas shows more than its background. Evaluated from here: the page's policy forbids evaluating
 * text.
 */
const drawnIn = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate<number>(`((canvas) => {
          if (!canvas || canvas.width === 0) return 0;
          // Reads a copy, because the browser warns about repeated reads from a canvas on screen.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
          copy.drawImage(canvas, 0, 0);
          const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
          return new Set(new Uint32Array(data.buffer).filter((_, at) => at % 100 === 0)).size;
        })(document.querySelector('[role=application] canvas'))`),
      { interval: 100, message: 'colours on the canvas' },
    )
    .toBeGreaterThanOrEqual(12);
