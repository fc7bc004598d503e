import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { garden } from '../../test/page/garden.ts';
import { focus, outline } from '../../test/page/in-explorer.ts';
import { middleOf, mouse } from '../../test/page/mouse.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';

/** More rows of 30 px than the 2,000,000 px that a list gets. */
const siblings = 70_000;
/** At 30 px each, 36 million px: no browser supports an element of that height. */
const planted = 1_200_000;
const middle = 35_000;
/** One of them starts differently from all others. */
const nameOf = (place: number) => (place === middle ? 'zebra' : `word ${place}`);

const numberOf = (one: Element | null) => Number(one?.getAttribute('aria-posinset'));

/** The numbers of the fully visible rows. */
function seen(list: Locator): number[] {
  const box = list.element();
  const { top, bottom } = box.getBoundingClientRect();
  return [...box.querySelectorAll('[aria-posinset]')]
    .filter((line) => {
      const place = line.getBoundingClientRect();
      return place.top >= top - 0.5 && place.bottom <= bottom + 0.5;
    })
    .map(numberOf)
    .sort((a, b) => a - b);
}
const isRow = (lines: readonly number[]) => lines.every((line, i) => i === 0 || line === lines[i - 1]! + 1);
const pointedAt = (list: Locator) =>
  numberOf(document.getElementById(list.element().getAttribute('aria-activedescendant') ?? ''));

/** Turns the wheel, and waits until the list has come to rest, this many rows further. Returns the rows seen then. */
async function wheel(list: Locator, byPx: number, byRows: number): Promise<number[]> {
  const [before] = seen(list);
  const at = middleOf(list.element());
  await mouse.move(at);
  // Browsers may spread a notch of the wheel over several frames.
  const rest = new Promise((done) => list.element().addEventListener('scrollend', done, { once: true }));
  await mouse.wheel(at, byPx);
  await rest;
  await expect.poll(() => seen(list)[0]! - before!).toBe(byRows);
  return seen(list);
}

test('the outline of seventy thousand siblings is scrolled to its end by keys, type-ahead and wheel', async () => {
  const children = Array.from({ length: siblings }, (_, i) => ({ name: nameOf(i + 1) }));
  await openExplorer({ keywords: [], hierarchy: { name: 'Words', children } });
  await focus(outline);
  const last = () => outline.element().querySelector(`[aria-posinset="${siblings}"]`);
  // The tree is loaded slice by slice.
  const toTheEnd = async () => {
    await userEvent.keyboard('{End}');
    return last() !== null;
  };
  await expect.poll(toTheEnd).toBe(true);
  await expect.poll(() => pointedAt(outline)).toBe(siblings);
  await expect.poll(() => seen(outline).at(-1)).toBe(siblings);
  expect(last()!.getAttribute('aria-setsize')).toBe(String(siblings));
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(() => pointedAt(outline)).toBe(siblings - 1);

  await userEvent.keyboard('z');
  await expect.poll(() => pointedAt(outline)).toBe(middle);
  await expect.poll(() => seen(outline)).toContain(middle);
  await userEvent.keyboard('{ArrowDown>40/}');
  await expect.poll(() => pointedAt(outline)).toBe(middle + 40);
  await expect.poll(() => seen(outline).at(-1)).toBe(middle + 40);
  const after = await wheel(outline, 300, 10);
  expect(isRow(after)).toBe(true);
  await userEvent.keyboard('{PageUp}');
  const upBy = () => middle + 40 - pointedAt(outline);
  await expect.poll(upBy).toBeGreaterThan(5);
  expect(upBy()).toBeLessThanOrEqual(after.length);
  await userEvent.keyboard('{Home}');
  await expect.poll(() => seen(outline)[0]).toBe(1);
}, 120_000);

// Shows P15.10.
test('a million keywords of a branch are scrolled by keys, wheel and scroll bar', async () => {
  const keywords = Array.from({ length: planted }, (_, node) => ({ node, name: `word ${node + 1}` }));
  await openExplorer(garden, { api: { 'visualizations.keywords': () => ({ keywords }) } });
  await page.getByRole('button', { name: 'Show the list' }).click();
  const list = page.getByRole('listbox', { name: /^All keywords of / });
  await expect.element(list.getByRole('option').first()).toBeVisible();
  await focus(list);
  await userEvent.keyboard('{End}');
  await expect.poll(() => seen(list).at(-1)).toBe(planted);
  await expect.poll(() => pointedAt(list)).toBe(planted);
  await userEvent.keyboard('{ArrowUp}');
  await expect.poll(() => pointedAt(list)).toBe(planted - 1);
  await wheel(list, -300, -10);

  // For a moment after a wheel the list takes any scrolling for the wheel's.
  const toTheMiddle = () => {
    const box = list.element();
    box.scrollTop = (box.scrollHeight - box.clientHeight) / 2;
    return Math.abs(seen(list)[0]! - planted / 2);
  };
  await expect.poll(toTheMiddle).toBeLessThan(20);
  expect(isRow(await wheel(list, 600, 20))).toBe(true);
  await userEvent.keyboard('{Home}');
  await expect.poll(() => seen(list)[0]).toBe(1);
}, 120_000);
