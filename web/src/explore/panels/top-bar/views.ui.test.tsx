import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { gardenWithGnomes } from '../../../../test/page/garden.ts';
import {
  addressSays,
  focus,
  inAddress,
  line,
  picture,
  pressInPicture,
  reload,
} from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { resize } from '../../../../test/page/window.ts';

const chart = (name: string) => page.getByRole('application', { name: new RegExp(`^${name} of Garden`) });
const button = (name: string) => page.getByRole('button', { name });

/** How many colours the canvas shows: more than its background. */
function colours(): number {
  const canvas = document.querySelector<HTMLCanvasElement>('[role=application] canvas')!;
  // Reads a copy, because the browser warns about repeated reads from a canvas on screen.
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })!;
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}
const isDrawn = () => expect.poll(colours).toBeGreaterThanOrEqual(12);

/** The charts, as the address names them; the default one is not in the address. */
const charts = [
  ['Bubbles', 'bubbles'],
  ['Sunburst', 'sunburst'],
  ['Icicle', 'icicle'],
  ['Tree', 'tree'],
  ['Opportunity', 'opportunity'],
  ['Treemap', null],
] as const;

// Shows P14.1, P14.2.
test('the views are selected by name, keep the selection, and each draws the same branches', async () => {
  await openExplorer(gardenWithGnomes);
  await line('Plants').click();
  await addressSays('sel', /^[0-9a-f]{16}$/);
  const selected = inAddress('sel');
  for (const [name, value] of charts) {
    await page.getByRole('radio', { name }).click();
    await expect.element(chart(name)).toBeVisible();
    await addressSays('view', value);
    expect(inAddress('sel')).toBe(selected);
    await isDrawn();
  }
});

test('in the Sunburst the keyboard opens branches, the centre leads up, and V with a digit switches the view', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=sunburst' });
  await isDrawn();
  await pressInPicture('{ArrowDown}{Enter}');
  await addressSays('n', /^[0-9a-f]{16}$/);
  const { width, height } = picture.element().getBoundingClientRect();
  await picture.click({ position: { x: width / 2, y: height / 2 } });
  await addressSays('n', null);
  await userEvent.keyboard('v4');
  await expect.element(chart('Icicle')).toBeVisible();
});

test('outline and details are open or closed as they were left', async () => {
  await openExplorer(gardenWithGnomes);
  await expect.element(button('Hide the details')).toBeVisible();
  await button('Hide the outline').click();
  await reload();
  await expect.element(button('Hide the details')).toBeVisible();
  await expect.element(button('Show the outline')).toBeVisible();
  // Narrow windows, where both start closed, have a stored state of their own.
  await resize(1000, 800);
  await reload();
  await button('Show the details').click();
  await reload();
  await expect.element(button('Hide the details')).toBeVisible();
  await resize(1440, 900);
  await reload();
  await button('Show the outline').click();
  await reload();
  await expect.element(button('Hide the outline')).toBeVisible();
});

// Shows P14.21.
test('table and Opportunity begin without the outline, and each keeps what was chosen there', async () => {
  await openExplorer(gardenWithGnomes);
  const show = (view: string) => page.getByRole('radio', { name: view }).click();
  await expect.element(button('Hide the outline')).toBeVisible();
  await show('Table');
  await button('Show the outline').click();
  await expect.element(button('Hide the outline')).toBeVisible();
  await show('Opportunity');
  await expect.element(button('Show the outline')).toBeVisible();
  await show('Icicle');
  await expect.element(button('Hide the outline')).toBeVisible();
  await button('Hide the outline').click();
  await show('Table');
  await expect.element(button('Hide the outline')).toBeVisible();
  await reload();
  await expect.element(button('Hide the outline')).toBeVisible();
  await show('Treemap');
  await expect.element(button('Show the outline')).toBeVisible();
});

test('colour and axes are chosen from lists, which load when they are first opened', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=icicle' });
  const colour = page.getByRole('combobox', { name: 'Colour by' });
  await colour.click();
  await page.getByRole('option', { name: 'Volume' }).click();
  await addressSays('color', 'volume');
  await expect.element(colour).toMatchTextContent(/Volume/);
  await page.getByRole('radio', { name: 'Opportunity' }).click();
  const axis = page.getByRole('combobox', { name: 'X axis' });
  await focus(axis);
  await axis.click();
  await page.getByRole('option', { name: 'Competition' }).click();
  await addressSays('x', 'field:competition');
  await expect
    .element(page.getByRole('application', { name: /Competition to the right, Volume upwards/ }))
    .toBeVisible();
});
