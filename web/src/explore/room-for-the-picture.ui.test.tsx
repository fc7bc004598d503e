import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { garden } from '../../test/page/garden.ts';
import {
  details,
  focus,
  follow,
  isGone,
  outline,
  picture,
  pressInPicture,
  reload,
} from '../../test/page/in-explorer.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';
import { resize } from '../../test/page/window.ts';

const boxOf = (one: Locator): DOMRect => one.element().getBoundingClientRect();

/** Opens the garden, and waits until the picture has no more than the room beside its panels. */
async function openWithPanels(): Promise<void> {
  await openExplorer(garden);
  for (const panel of [outline, details, page.getByRole('region', { name: 'Legend' })]) {
    await expect.element(panel).toBeVisible();
  }
}

/** Waits until two elements do not overlap. */
async function apart(one: Locator, other: Locator): Promise<void> {
  await expect.element(other).toBeVisible();
  const overlaps = () => {
    const [a, b] = [boxOf(one), boxOf(other)];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 0.5 && high > 0.5;
  };
  await expect.poll(overlaps).toBe(false);
}

test('the filter docks beside the chart, with its content, and gives the keyboard back', async () => {
  await openWithPanels();
  const { width } = boxOf(picture);
  const button = page.getByRole('button', { name: /^Filter/ });
  const dock = page.getByRole('complementary', { name: 'Filter' });
  const contains = dock.getByRole('textbox', { name: 'Contains', exact: true });
  const seen: boolean[] = [];
  const watch = new MutationObserver(() => {
    const shown = document.querySelector('aside[aria-label=Filter]');
    if (shown) seen.push(shown.querySelector('input') !== null);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await button.click();
  await expect.element(contains).toBeVisible();
  watch.disconnect();
  expect(seen, 'with content whenever it is there').not.toContain(false);
  await apart(picture, dock);
  await apart(page.getByRole('toolbar', { name: 'Camera' }), dock);
  await expect.element(button).toHaveAttribute('aria-expanded', 'true');
  await contains.fill('spade');
  await expect.element(page.getByRole('button', { name: 'Remove filter: Contains “spade”' })).toBeVisible();
  await picture.click();
  await expect.element(contains).toBeVisible();
  await focus(contains);
  await userEvent.keyboard('{Escape}');
  await isGone(dock);
  await expect.poll(() => boxOf(picture).width).toBe(width);
  await expect.poll(() => document.activeElement?.textContent).toMatch(/^Filter/);
});

test('the opened legend takes room of its own, beside the status line', async () => {
  await openWithPanels();
  const { height } = boxOf(picture);
  const legend = page.getByRole('region', { name: 'Legend' });
  await legend.getByRole('button', { name: 'Pillar topic' }).click();
  await expect.element(legend.getByRole('button', { name: /^Plants/ })).toBeVisible();
  await expect.poll(() => boxOf(picture).height).toBeLessThan(height);
  await apart(picture, legend);
  await apart(page.getByText('11 keywords', { exact: true }).last(), legend);
  await apart(page.getByRole('toolbar', { name: 'Camera' }), legend);
  await legend.getByRole('button', { name: 'Pillar topic' }).click();
  await expect.poll(() => boxOf(picture).height).toBe(height);
});

test('the status line tells of the branch in focus', async () => {
  await openExplorer(garden);
  const status = page.getByRole('paragraph').filter({ hasText: /\d+.branch/ });
  const says = async (...parts: readonly string[]) => {
    for (const part of parts) await expect.element(status.getByText(part)).toBeVisible();
  };
  await says('11 keywords', '· 3 branches');
  await page.getByRole('treeitem', { name: /^Tools/ }).dblClick();
  await says('Tools', '· 5 keywords', '· 2 branches');
});

test('the first steps take a line of their own, and cover neither a chart nor the rows of a table', async () => {
  await openWithPanels();
  const { height } = boxOf(picture);
  const steps = page.getByRole('region', { name: 'First steps' });
  const show = async () => {
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    await page.getByRole('button', { name: 'Show the first steps' }).click();
    await expect.element(steps.getByText('Look inside')).toBeVisible();
  };
  await show();
  await apart(picture, steps);
  await apart(page.getByRole('tree', { name: 'Outline' }), steps);
  await expect.poll(() => boxOf(picture).height).toBeLessThan(height);
  await steps.getByRole('button', { name: 'Skip' }).click();
  await isGone(steps);
  await expect.poll(() => boxOf(picture).height).toBe(height);
  await page.getByRole('radio', { name: 'Table' }).click();
  await show();
  await apart(page.getByRole('row').nth(1), steps);
  await apart(page.getByRole('row').nth(0), steps);
});

test('the legend of intents counts what the sizes stand for, and says which that is', async () => {
  await openExplorer(garden, { search: '?color=intent' });
  const legend = page.getByRole('region', { name: 'Legend' });
  await expect.element(legend.getByRole('button', { name: /^Commercial\s*820$/ })).toBeVisible();
  await expect.element(legend.getByRole('button', { name: /^Transactional\s*500$/ })).toBeVisible();
  await expect.element(legend.getByRole('button', { name: /^Informational\s*170$/ })).toBeVisible();
  await expect.element(legend.getByText(/Numbers are volume a month/)).toBeVisible();
  await follow('?color=intent&size=keywords');
  await expect.element(legend.getByRole('button', { name: /^Commercial\s*3$/ })).toBeVisible();
  await expect.element(legend.getByText(/Numbers are keywords/)).toBeVisible();
});

test.each([
  ['on a phone', 390],
  ['where they cover the chart', 1000],
])('details that are closed %s are open again in a wide window', async (_, width) => {
  await openExplorer(garden);
  await expect.element(details).toBeVisible();
  await resize(width, 844);
  await pressInPicture('{Escape}');
  await page.viewport(1440, 900);
  await expect.element(page.getByRole('button', { name: 'Show the details' })).toBeVisible();
  await reload();
  await expect.element(details).toBeVisible();
  // In the wide window it is a choice.
  await page.getByRole('button', { name: 'Hide the details' }).click();
  await reload();
  await expect.element(page.getByRole('button', { name: 'Show the details' })).toBeVisible();
});

test('a search takes nothing from the picture where its hits fit beside the controls', async () => {
  await resize(700, 800);
  await openExplorer(garden);
  await expect.element(page.getByRole('toolbar', { name: 'Camera' })).toBeVisible();
  const { height } = boxOf(picture);
  await page.getByRole('combobox', { name: 'Search keywords' }).fill('ro');
  await expect.element(page.getByRole('region', { name: 'Matches' })).toBeVisible();
  expect(boxOf(picture).height).toBe(height);
});
