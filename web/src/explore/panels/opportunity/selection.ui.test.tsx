import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atRest } from '../../../../test/page/at-rest.ts';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor, fakeApi, neverAnswers, refuses } from '../../../../test/page/fake-api.ts';
import { gardenWithGnomes } from '../../../../test/page/garden.ts';
import {
  addressSays,
  focus,
  isGone,
  line,
  picture,
  pressInPicture,
  reload,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { type Held, mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const keywords = Array.from({ length: 400 }, (_, nth) => ({
  keyword: `word ${nth}`,
  volume: 10 + ((nth * 79) % 991),
  difficulty: (nth * 31) % 101,
}));
const scattered = {
  keywords,
  hierarchy: { name: 'Words', children: keywords.map(({ keyword }) => ({ name: keyword })) },
};

const bar = page.getByRole('toolbar', { name: 'Selection' });
const summary = bar.getByText(/ selected ·/);
const selected = () => summary.element().textContent!;
const lasso = page.getByRole('button', { name: 'Lasso' });
const values = page.getByRole('dialog', { name: 'Select by values' });

/** How many points have a ring. */
const ringed = () =>
  (picture.element().querySelector('path.fill-none.stroke-brand')?.getAttribute('d') ?? '').match(/M/g)?.length ?? 0;

/** Corners around the middle of the plot, in steps of the crosshair. */
const corners = [
  [-20, -10],
  [6, -10],
  [12, 4],
  [-20, 14],
] as const;
const stepPx = 8;
/** Room around the plot within its frame, in CSS pixels. */
const room = { left: 58, right: 96, top: 74, bottom: 66 };

async function drawByPointer(held: Held = 'none'): Promise<void> {
  const { left, top, width, height } = picture.element().getBoundingClientRect();
  const middle = { x: left + (room.left + width - room.right) / 2, y: top + (room.top + height - room.bottom) / 2 };
  const places = corners.map(([across, down]) => ({ x: middle.x + across * stepPx, y: middle.y + down * stepPx }));
  await mouse.drag([...places, places[0]!], { held, steps: 12 });
}

async function drawByKeys(): Promise<void> {
  let [x, y] = [0, 0];
  let keys = '';
  for (const [across, down] of corners) {
    for (; x < across; x++) keys += '{ArrowRight}';
    for (; x > across; x--) keys += '{ArrowLeft}';
    for (; y < down; y++) keys += '{ArrowDown}';
    for (; y > down; y--) keys += '{ArrowUp}';
    keys += ' ';
  }
  await userEvent.keyboard(`${keys}{Enter}`);
}

async function clear(): Promise<void> {
  await bar.getByRole('button', { name: 'Clear' }).click();
  await isGone(bar);
}

// Shows P14.20.
test('rows are selected by numbers, and are what the file says', async () => {
  await openExplorer(scattered, { search: '?view=opportunity&level=keywords' });
  await page.getByRole('button', { name: 'Select by values…' }).click();
  await values.getByLabelText('Difficulty to').fill('thirty');
  await expect.element(values.getByText('“thirty” is not a number.')).toBeVisible();
  await expect.element(values.getByRole('button', { name: 'Select' })).toBeDisabled();
  await values.getByLabelText('Difficulty to').fill('30');
  await values.getByLabelText('Volume from').fill('100');
  const inRange = keywords.filter(({ volume, difficulty }) => volume >= 100 && difficulty <= 30);
  expect(inRange.length).toBeGreaterThan(10);
  const volume = inRange.reduce((sum, one) => sum + one.volume, 0).toLocaleString('en');
  await expect.element(values.getByText(new RegExp(` ${inRange.length} keywords · volume ${volume}$`))).toBeVisible();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.element(bar.getByText(new RegExp(`${inRange.length} keywords · ${volume} volume`))).toBeVisible();
  await expect.poll(ringed).toBeGreaterThan(10);
});

test('what cannot be selected by numbers is not planned either, nor what was selected before', async () => {
  const planned = vi.fn(neverAnswers);
  await openExplorer(gardenWithGnomes, {
    search: '?view=opportunity&level=clusters&tx=35&ty=170',
    api: { 'plans.change': planned },
  });
  await page.getByRole('button', { name: /^Write first/ }).click();
  await page.getByRole('menuitem', { name: 'Select 2 clusters' }).click();
  await expect.element(bar.getByText(/^2 selected/)).toBeVisible();
  await page.getByRole('button', { name: 'Select by values…' }).click();
  await values.getByLabelText(/known for at least/).fill('10');
  await expect.element(values.getByText(/ clusters · /)).toBeVisible();
  const works = failsFor('GET /api/visualizations/{id}/rows');
  const failsOnce = () => {
    works();
    return refuses('fault/unavailable')();
  };
  fakeApi({ 'GET /api/visualizations/{id}/rows': failsOnce });
  await values.getByRole('button', { name: 'Add to plan' }).click();
  await expect.element(page.getByText(/^The server is not ready/)).toBeVisible();
  await atRest();
  expect(planned).not.toHaveBeenCalled();
});

// Shows P14.20.
test('the same shape selects the same by pointer and by keys, is added and taken away, and is kept as a filter', async () => {
  await openExplorer(scattered, { search: '?view=opportunity&level=keywords' });
  await lasso.click();
  await drawByPointer();
  await expect.element(summary).toBeVisible();
  const drawn = selected();
  await expect.poll(ringed).toBe(Number(drawn.split(' ')[0]!.replace(',', '')));
  await clear();
  await focus(picture);
  await drawByKeys();
  await expect.element(summary).toBeVisible();
  await expect.poll(selected).toBe(drawn);
  // The bar below has made the plot smaller. What is taken away is gone, and can be added again.
  await drawByPointer();
  await expect.poll(selected).not.toBe(drawn);
  await drawByPointer('Alt');
  await isGone(bar);
  await drawByPointer('Shift');
  await expect.element(summary).toBeVisible();
  await expect.poll(selected).toBe(drawn);
  expect(await violations()).toEqual([]);

  // As a filter it is in the link, and keeps the same rows after a reload.
  await userEvent.keyboard('{Escape}');
  await expect.element(lasso).toHaveAttribute('aria-pressed', 'false');
  await bar.getByRole('button', { name: 'Keep only these' }).click();
  await expect.element(page.getByText(/Keywords in an area of difficulty and volume/).first()).toBeVisible();
  // The condition is shown at once, and in the address when its rows have come.
  await addressSays('f', /./);
  await reload();
  await shows(new RegExp(`^${drawn.split(' ')[0]} rows: `));
});

// Shows P14.20.
test('a quadrant has the rows that its label counts, and is planned from its menu', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=opportunity&level=clusters&tx=35&ty=170' });
  const firstQuadrant = page.getByRole('button', { name: /^Write first/ });
  await firstQuadrant.click();
  await page.getByRole('menuitem', { name: 'Select 2 clusters' }).click();
  await expect.element(bar.getByText(/^2 selected · 6 keywords · 960 volume/)).toBeVisible();
  await expect.poll(ringed).toBe(2);
  await page.getByRole('button', { name: /^Worth the effort/ }).click();
  await page.getByRole('menuitem', { name: 'Add 1 cluster to plan' }).click();
  await shows(/^Added 1\b/);
  await isGone(page.getByRole('menu'));
  await userEvent.keyboard('{ControlOrMeta>}z{/ControlOrMeta}');
  await shows(/^Undone/);
  // A filter that is set elsewhere ends it, and so does another level.
  await userEvent.keyboard('{Alt>}1{/Alt}');
  await expect.element(page.getByRole('application', { name: /^Treemap/ })).toBeVisible();
  await line('Watering').click();
  await userEvent.keyboard('{Shift>}H{/Shift}');
  await expect.element(page.getByRole('button', { name: 'Remove filter: Hidden: Watering' })).toBeVisible();
  await userEvent.keyboard('{Alt>}6{/Alt}');
  await expect.element(firstQuadrant).toBeVisible();
  await isGone(bar);
  await firstQuadrant.click();
  await page.getByRole('menuitem', { name: /^Select \d+ clusters/ }).click();
  await expect.element(summary).toBeVisible();
  await pressInPicture('{Escape}');
  await isGone(bar);
});
