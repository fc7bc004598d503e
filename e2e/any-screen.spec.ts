import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { uploadFor } from './upload.ts';

const sample = '/visualization?v=sample';
const picture = (page: Page) => page.getByRole('application');
const opened = async (page: Page, path = sample) => {
  await page.goto(path);
  await picture(page).waitFor();
  await uncovered(page);
};

/** Elements that must be reachable on the smallest screen, whatever has to be scrolled. */
const controls = (page: Page): readonly Locator[] => [
  page.getByRole('button', { name: 'My Visualizations' }),
  page.getByRole('combobox', { name: 'Search keywords' }),
  page.getByRole('button', { name: 'Filter', exact: true }),
  page.getByRole('radio', { name: 'Table', exact: true }).locator('..'),
  page.getByRole('button', { name: 'Share', exact: true }),
  page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }),
  page.getByRole('button', { name: 'Zoom in' }),
  page.getByRole('button', { name: 'Next sibling' }),
  page.getByRole('button', { name: 'Open the sheet further' }),
];

story('the explorer on any screen', () => {
  const stage = useStage();

  test.each([
    { what: '320 px wide', viewport: { width: 320, height: 640 }, deviceScaleFactor: 1 },
    { what: 'at 400 % zoom', viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 },
  ])('$what: everything is reachable, and nothing covers the focused element', async ({ what: _, ...how }) => {
    const { page } = await stage.signedIn('approved', how);
    await opened(page);
    for (const control of controls(page)) {
      await control.scrollIntoViewIfNeeded();
      expect(await control.evaluate(isInTheOpen), `${control}`).toBe(true);
    }
    expect(await sideways(page)).toBe(0);
    expect(await page.evaluate<number>(stuckShare)).toBeLessThanOrEqual(0.5);

    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await inView(page, page.getByRole('dialog', { name: 'Filter' }));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await inView(page, page.getByRole('menu', { name: 'Share' }));
    await page.getByRole('menuitem', { name: 'Copy as a list' }).scrollIntoViewIfNeeded();
    await page.keyboard.press('Escape');
    await page.getByRole('menu', { name: 'Share' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open the sheet further' }).click();
    await page.getByRole('button', { name: 'Open the sheet further' }).click();
    await page.getByRole('tab', { name: /^Outline/ }).click();
    await page.getByRole('treeitem', { level: 2 }).first().click();
    await page.getByRole('tab', { name: 'Detail' }).click();
    await page.getByRole('button', { name: 'Show the list' }).scrollIntoViewIfNeeded();
    expect(await sideways(page)).toBe(0);
    await page.getByRole('button', { name: 'Close the sheet' }).click();

    await picture(page).focus();
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) break;
      expect(await focused.evaluate(isInTheOpen), await focused.evaluate((one) => one.outerHTML.slice(0, 160))).toBe(
        true,
      );
    }
  });

  test('in forced colours focus, selection, choices and switches differ by more than colour', async () => {
    const { page } = await stage.signedIn('approved', { forcedColors: 'active' });
    await opened(page, `${sample}&f=has-spade`);
    const line = page.getByRole('treeitem', { level: 2 }).first();
    const before = await look(line);
    await line.click();
    await expect.poll(() => look(line)).not.toEqual(before);
    expect((await look(line)).outline).toMatch(/^solid [2-9]/);

    const view = (name: string) => page.getByRole('radio', { name, exact: true }).locator('..');
    expect((await look(view('Treemap'))).outline).toMatch(/^solid [2-9]/);
    expect((await look(view('Table'))).outline).not.toMatch(/^solid [2-9]/);

    const chip = page.getByRole('button', { name: /^Remove filter: / });
    expect((await look(chip)).border).toMatch(/^solid [1-9]/);
    await chip.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    expect((await look(chip)).outline).toMatch(/^solid [2-9]/);

    await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).click();
    const onOff = page.getByRole('switch', { name: 'Keys without ⌘ or Ctrl' });
    const isOn = await look(onOff.locator('> *').first());
    await onOff.click();
    await expect.poll(() => look(onOff.locator('> *').first())).not.toEqual(isOn);
  });

  test('on a phone in landscape the chart keeps half of the window below the header', async () => {
    const { page } = await stage.signedIn('approved', { viewport: { width: 844, height: 390 }, hasTouch: true });
    await opened(page);
    const header = (await page.getByRole('banner').boundingBox())!;
    const box = (await picture(page).boundingBox())!;
    expect(box.height / (390 - header.height)).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: 'Colour, size and depth' }).click();
    await page.getByRole('combobox', { name: 'Size by' }).waitFor();
  });

  test('the buttons of a long dialog are below its text', async () => {
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 700 } });
    await opened(page);
    await page.getByRole('button', { name: 'Keyboard shortcuts', exact: true }).click();
    const last = page.getByText('This list', { exact: true });
    const button = page.getByRole('button', { name: 'Show the first steps' });
    await button.scrollIntoViewIfNeeded();
    const below = async () => (await button.boundingBox())!.y - (await last.boundingBox())!.y;
    await expect.poll(below).toBeGreaterThan(20);
  });

  test('with reduced motion a zoom takes one frame, and nothing is animated', async () => {
    const still = await stage.signedIn('approved');
    expect(await picturesOfADive(still.page)).toMatchObject({ isSame: true, animations: 0 });
    const moving = await stage.signedIn('approved', { reducedMotion: 'no-preference' });
    expect(await picturesOfADive(moving.page)).toMatchObject({ isSame: false });
  });

  test('right-to-left names are shown right to left on a left-to-right page', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    await uploadFor(admin.page, 'approved@example.com', garden);
    const { page } = await stage.signedIn('approved');
    await opened(page, '/visualization');
    await page.getByRole('treeitem', { name: /^أدوات الحديقة/ }).dblclick();
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    await page.getByRole('treeitem', { name: /^מעדרים/ }).click();
    const detail = page.getByRole('region', { name: 'All about the selection' });
    const crumb = page.getByRole('navigation', { name: 'Path' }).getByText('أدوات الحديقة', { exact: true });
    for (const name of [
      page.getByRole('treeitem', { name: /^أدوات الحديقة/ }).locator('[title]'),
      page.getByRole('treeitem', { name: /^מעדרים/ }).locator('[title]'),
      detail.getByRole('heading', { name: 'מעדרים' }),
      crumb,
    ])
      expect(await name.evaluate(directionOf)).toBe('rtl');
    const latin = page.getByRole('treeitem', { name: /^Hoses/ }).locator('[title]');
    expect(await latin.evaluate(directionOf)).toBe('ltr');
    expect(await page.evaluate('getComputedStyle(document.querySelector("[role=tree]")).direction')).toBe('ltr');
    expect(await page.title()).toMatch(/^أدوات الحديقة – 3 keywords · Keyword Clustering$/);
    // Each name of a path is isolated: the separator and the order stay even between two right-to-left names.
    const path = detail.locator('bdi').filter({ hasText: 'أدوات الحديقة' });
    expect(await path.count()).toBe(1);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const csv = page.getByRole('menuitem', { name: /^CSV of “מעדרים”/ });
    expect(await csv.locator('bdi').innerText()).toBe('מעדרים');
  });
});

const garden = {
  keywords: [],
  hierarchy: {
    name: 'Garden גן',
    children: [
      {
        name: 'أدوات الحديقة',
        children: [
          { name: 'מעדרים', children: [{ name: 'מעדר גינה' }, { name: 'מעדר ידני 20 cm' }] },
          { name: 'مجرفة' },
        ],
      },
      { name: 'Hoses', children: [{ name: 'hose 20 m' }] },
    ],
  },
};

const sideways = (page: Page) =>
  page.evaluate<number>('Math.max(0, document.scrollingElement.scrollWidth - innerWidth)');

/** Waits until an overlay is entirely within the window's width. */
const inView = (page: Page, overlay: Locator) =>
  expect
    .poll(async () => {
      const box = await overlay.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= page.viewportSize()!.width;
    })
    .toBe(true);

/** The properties of an element used here; DOM types are not available outside of a page. */
type Shown = {
  getBoundingClientRect(): { left: number; top: number; right: number; bottom: number };
  contains(other: Shown): boolean;
  readonly ownerDocument: {
    elementFromPoint(x: number, y: number): Shown | null;
    readonly defaultView: {
      readonly innerWidth: number;
      readonly innerHeight: number;
      getComputedStyle(element: Shown): Readonly<Record<string, string>>;
    };
  };
};

/** Runs in the page: whether the centre of the visible part of an element belongs to the element. */
function isInTheOpen(element: Shown): boolean {
  const { innerWidth, innerHeight } = element.ownerDocument.defaultView;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
  const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return false;
  const there = element.ownerDocument.elementFromPoint(x, y);
  return there !== null && (element.contains(there) || there.contains(element));
}

/** Runs in the page: how much of the window's height is below the sticky parts. */
const stuckShare = `[...document.querySelectorAll('body *')]
  .filter((one) => ['sticky', 'fixed'].includes(getComputedStyle(one).position) && one.checkVisibility())
  .filter((one) => one.closest('#content') === null)
  .map((one) => one.getBoundingClientRect())
  .filter(({ width, height }) => width > innerWidth / 2 && height > 0)
  .reduce((sum, { height }) => sum + height, 0) / innerHeight`;

/** Runs in the page. */
const directionOf = (one: Shown) => one.ownerDocument.defaultView.getComputedStyle(one).direction;

/** Identifies an element without its position. */
const look = (element: Locator) =>
  element.evaluate((one: Shown) => {
    const style = one.ownerDocument.defaultView.getComputedStyle(one);
    return {
      outline: `${style.outlineStyle} ${style.outlineWidth}`,
      border: `${style.borderTopStyle} ${style.borderTopWidth}`,
      backgroundColor: style.backgroundColor,
      place: `${style.translate} ${style.transform}`,
    };
  });

/** Opens a loaded branch, and says whether the chart after two frames equals the chart after many frames. */
async function picturesOfADive(page: Page): Promise<{ isSame: boolean; animations: number }> {
  // Only the story advances the time, so that a slow machine draws the same frames.
  await page.clock.install();
  await opened(page);
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
