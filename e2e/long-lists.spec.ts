import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { uploadFor } from './upload.ts';

/** More rows of 30 px than the 2,000,000 px that a list gets. */
const siblings = 70_000;
/** At 30 px each, 36 million px: no browser supports an element of that height. */
const planted = 1_200_000;
const middle = 35_000;
/** One of them starts differently from all others. */
const nameOf = (place: number) => (place === middle ? 'zebra' : `word ${place}`);

type Box = { readonly top: number; readonly bottom: number };
type Line = { getBoundingClientRect(): Box; getAttribute(name: string): string | null };

/** The numbers of the fully visible rows. */
async function seen(list: Locator): Promise<number[]> {
  const lines: number[] = await list.evaluate((box) => {
    const { top, bottom } = box.getBoundingClientRect();
    const all: Line[] = [...box.querySelectorAll('[aria-posinset]')];
    const isWhole = (one: Box) => one.top >= top - 0.5 && one.bottom <= bottom + 0.5;
    return all
      .filter((line) => isWhole(line.getBoundingClientRect()))
      .map((line) => Number(line.getAttribute('aria-posinset')));
  });
  return lines.sort((a, b) => a - b);
}
const isRow = (lines: readonly number[]) => lines.every((line, i) => i === 0 || line === lines[i - 1]! + 1);
async function pointedAt(page: Page, list: Locator): Promise<number> {
  const id = await list.getAttribute('aria-activedescendant');
  return Number(await page.locator(`[id="${id}"]`).getAttribute('aria-posinset'));
}

/** Turns the wheel, and waits until the list has come to rest, this many rows further. Returns the rows seen then. */
async function wheel(page: Page, list: Locator, byPx: number, byRows: number): Promise<number[]> {
  const before = await seen(list);
  await list.hover();
  // Browsers may spread a notch of the wheel over several frames.
  const rest = list.evaluate((box) => new Promise((done) => box.addEventListener('scrollend', done, { once: true })));
  await page.mouse.wheel(0, byPx);
  await rest;
  await expect.poll(async () => (await seen(list))[0]! - before[0]!).toBe(byRows);
  return seen(list);
}

story('long lists can be scrolled to their end', () => {
  const stage = useStage();

  test('the outline of seventy thousand siblings, by keys, type-ahead and wheel', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    const children = Array.from({ length: siblings }, (_, i) => ({ name: nameOf(i + 1) }));
    await uploadFor(admin.page, 'approved@example.com', { hierarchy: { name: 'Words', children } });
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline.getByRole('treeitem').nth(1).waitFor();
    await outline.focus();
    const last = outline.locator(`[aria-posinset="${siblings}"]`);
    // The tree is loaded slice by slice.
    const toTheEnd = async () => {
      await page.keyboard.press('End');
      return last.count();
    };
    await expect.poll(toTheEnd, { timeout: 240_000, interval: 200 }).toBe(1);
    await expect.poll(() => pointedAt(page, outline)).toBe(siblings);
    expect((await seen(outline)).at(-1)).toBe(siblings);
    expect(await last.getAttribute('aria-setsize')).toBe(String(siblings));
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => pointedAt(page, outline)).toBe(siblings - 1);

    await page.keyboard.press('z');
    await expect.poll(() => pointedAt(page, outline)).toBe(middle);
    expect(await seen(outline)).toContain(middle);
    for (let key = 1; key <= 40; key++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => pointedAt(page, outline)).toBe(middle + 40);
    expect((await seen(outline)).at(-1)).toBe(middle + 40);
    const after = await wheel(page, outline, 300, 10);
    expect(isRow(after)).toBe(true);
    await page.keyboard.press('PageUp');
    const upBy = middle + 40 - (await pointedAt(page, outline));
    expect(upBy).toBeGreaterThan(5);
    expect(upBy).toBeLessThanOrEqual(after.length);
    await page.keyboard.press('Home');
    await expect.poll(async () => (await seen(outline))[0]).toBe(1);
  });

  test('a million keywords of a branch, by keys, wheel and scroll bar', async () => {
    const { page } = await stage.signedIn('approved');
    await page.addInitScript(`{
      const real = window.fetch;
      window.fetch = async (...asked) => {
        const url = asked[0] instanceof Request ? asked[0].url : String(asked[0]);
        if (!/\\/nodes\\/\\d+\\/keywords/.test(url)) return real(...asked);
        const keywords = Array.from({ length: ${planted} }, (_, node) => ({ node, name: 'word ' + (node + 1) }));
        return new Response(JSON.stringify({ keywords }), { headers: { 'content-type': 'application/json' } });
      };
    }`);
    await page.goto('/visualization?v=sample');
    await page.getByRole('button', { name: 'Show the list' }).click();
    const list = page.getByRole('listbox', { name: /^All keywords of / });
    await list.getByRole('option').first().waitFor();
    await list.focus();
    await page.keyboard.press('End');
    await expect.poll(async () => (await seen(list)).at(-1)).toBe(planted);
    expect(await pointedAt(page, list)).toBe(planted);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => pointedAt(page, list)).toBe(planted - 1);
    await wheel(page, list, -300, -10);

    // For a moment after a wheel the list takes any scrolling for the wheel's.
    const toTheMiddle = async () => {
      await list.evaluate((box) => {
        box.scrollTop = (box.scrollHeight - box.clientHeight) / 2;
      });
      return Math.abs((await seen(list))[0]! - planted / 2);
    };
    await expect.poll(toTheMiddle).toBeLessThan(20);
    expect(isRow(await wheel(page, list, 600, 20))).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(async () => (await seen(list))[0]).toBe(1);
  });
});
