import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { garden } from '../../test/page/garden.ts';
import { addressSays, focus, isGone, line, outline, picture } from '../../test/page/in-explorer.ts';
import type { Upload } from '../../test/page/maps-api.ts';
import { asksFor } from '../../test/page/media.ts';
import { openExplorer } from '../../test/page/open-explorer.tsx';
import { resize } from '../../test/page/window.ts';

const button = (name: string) => page.getByRole('button', { name });

/** What must be reachable on the smallest screen, whatever has to be scrolled. A choice is its label. */
const controls: readonly (readonly [name: string, () => Element])[] = [
  ...[
    'My Visualizations',
    'Filter',
    'Share',
    'Keyboard shortcuts',
    'Zoom in',
    'Next sibling',
    'Open the sheet further',
  ].map((name) => [name, () => button(name).element()] as const),
  ['Search keywords', () => page.getByRole('combobox', { name: 'Search keywords' }).element()],
  ['Table', () => page.getByRole('radio', { name: 'Table' }).element().parentElement!],
];

/** Whether the centre of the visible part of an element belongs to the element. */
function isInTheOpen(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return false;
  const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2;
  const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2;
  const there = document.elementFromPoint(x, y);
  return there !== null && (element.contains(there) || there.contains(element));
}

const sideways = () => Math.max(0, document.scrollingElement!.scrollWidth - innerWidth);

/** How much of the window's height is covered by what stays when the page scrolls. */
const stuckShare = () =>
  [...document.querySelectorAll('body *')]
    .filter((one) => ['sticky', 'fixed'].includes(getComputedStyle(one).position) && one.checkVisibility())
    .filter((one) => one.closest('#content') === null)
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, height }) => width > innerWidth / 2 && height > 0)
    .reduce((sum, { height }) => sum + height, 0) / innerHeight;

/** Waits until an overlay is entirely within the window's width. */
const inView = (overlay: Locator) =>
  expect
    .poll(() => {
      const box = overlay.elements()[0]?.getBoundingClientRect();
      return box !== undefined && box.left >= 0 && box.right <= innerWidth;
    })
    .toBe(true);

// Shows P17.8.
test.each([
  { what: '320 px wide', height: 640 },
  { what: 'at 400 % zoom', height: 256 },
])('$what everything is reachable, and nothing covers the focused element', async ({ height }) => {
  await resize(320, height);
  await openExplorer(garden);
  await expect.element(button('Open the sheet further')).toBeInTheDocument();
  await expect.element(button('Share')).toBeInTheDocument();
  for (const [name, control] of controls) {
    control().scrollIntoView({ block: 'center', inline: 'center' });
    await expect.poll(() => isInTheOpen(control()), { message: name }).toBe(true);
  }
  expect(sideways()).toBe(0);
  expect(stuckShare()).toBeLessThanOrEqual(0.5);

  await button('Filter').click();
  await inView(page.getByRole('dialog', { name: 'Filter' }));
  await userEvent.keyboard('{Escape}');
  await button('Share').click();
  await inView(page.getByRole('menu', { name: 'Share' }));
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await isGone(page.getByRole('menu', { name: 'Share' }));
  await inView(page.getByRole('dialog', { name: 'Export' }));
  const last = page.getByRole('button', { name: 'Print', exact: true });
  last.element().scrollIntoView();
  expect(isInTheOpen(last.element())).toBe(true);
  await userEvent.keyboard('{Escape}');
  await isGone(page.getByRole('dialog', { name: 'Export' }));
  await button('Open the sheet further').click();
  await button('Open the sheet further').click();
  await page.getByRole('tab', { name: /^Outline/ }).click();
  await outline.getByRole('treeitem', { level: 2 }).first().click();
  await page.getByRole('tab', { name: 'Detail' }).click();
  const list = button('Show the list');
  await expect.element(list).toBeInTheDocument();
  list.element().scrollIntoView();
  expect(isInTheOpen(list.element())).toBe(true);
  expect(sideways()).toBe(0);
  await focus(button('Close the sheet'));
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => isInTheOpen(document.activeElement!)).toBe(true);
  await expect.element(button('Open the sheet further')).toHaveFocus();

  await focus(picture);
  for (let stop = 0; stop < 40; stop++) {
    await userEvent.tab();
    const focused = document.activeElement!;
    if (focused === document.body) break;
    await expect.poll(() => isInTheOpen(focused), { message: focused.outerHTML.slice(0, 160) }).toBe(true);
  }
});

test('the page stays where it is while the address follows what a person does on it, also with Back', async () => {
  await resize(320, 256);
  await openExplorer(garden);
  await focus(picture);
  await userEvent.keyboard('{ArrowDown}');
  await addressSays('sel', /./);
  await painted();
  scrollTo(0, 60);
  await userEvent.keyboard('{Enter}');
  await addressSays('n', /./);
  await painted();
  expect(scrollY).toBe(60);
  history.back();
  await addressSays('n', null);
  await painted();
  expect(scrollY).toBe(60);
});

/** Waits until what has changed is on the screen. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** What tells an element from others without its position. */
function look(element: Element) {
  const { outlineStyle, outlineWidth, borderTopStyle, borderTopWidth, backgroundColor, translate, transform } =
    getComputedStyle(element);
  return {
    outline: `${outlineStyle} ${outlineWidth}`,
    border: `${borderTopStyle} ${borderTopWidth}`,
    backgroundColor,
    place: `${translate} ${transform}`,
  };
}

// Shows P17.7.
test('in forced colours focus, selection, choices and switches differ by more than colour', async () => {
  await asksFor({ 'forced-colors': 'active' });
  await openExplorer(garden, { search: '?f=has-spade' });
  const tools = line('Tools').element();
  const before = look(tools);
  await line('Tools').click();
  await expect.poll(() => look(tools)).not.toEqual(before);
  expect(look(tools).outline).toMatch(/^solid [2-9]/);

  const view = (name: string) => look(page.getByRole('radio', { name }).element().parentElement!);
  expect(view('Treemap').outline).toMatch(/^solid [2-9]/);
  expect(view('Table').outline).not.toMatch(/^solid [2-9]/);

  const chip = page.getByRole('button', { name: /^Remove filter: / });
  await expect.element(chip).toBeInTheDocument();
  expect(look(chip.element()).border).toMatch(/^solid [1-9]/);
  await focus(chip);
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  expect(look(chip.element()).outline).toMatch(/^solid [2-9]/);

  await button('Keyboard shortcuts').click();
  const onOff = page.getByRole('switch', { name: 'Keys without ⌘ or Ctrl' });
  const knob = () => look(onOff.element().firstElementChild!);
  await expect.element(onOff).toBeVisible();
  const isOn = knob();
  await onOff.click();
  await expect.poll(knob).not.toEqual(isOn);
  // Kept by the module, so that the next test has its keys.
  await onOff.click();
});

// Shows P17.8.
test('on a phone in landscape the chart keeps half of the window below the header', async () => {
  await resize(844, 390);
  await openExplorer(garden);
  const header = page.getByRole('banner').element().getBoundingClientRect();
  expect(picture.element().getBoundingClientRect().height / (390 - header.height)).toBeGreaterThan(0.5);
  await button('Colour, size and depth').click();
  await expect.element(page.getByRole('combobox', { name: 'Size by' })).toBeVisible();
});

test.each([
  ['view=opportunity', 780],
  ['view=opportunity&level=keywords', 844],
  ['view=table&level=keywords', 844],
  ['view=treemap', 780],
])('on a phone in landscape the controls of %s are in two rows', async (search, width) => {
  await resize(width, 390);
  await openExplorer(garden, { search: `?${search}` });
  const score = page.getByRole('button', { name: 'Score', exact: true });
  const middle = (one: Element) => {
    const { top, bottom } = one.getBoundingClientRect();
    return (top + bottom) / 2;
  };
  await expect.element(score).toBeEnabled();
  const first = page.getByRole('radio', { name: 'Treemap' }).element().parentElement!;
  expect(Math.abs(middle(score.element()) - middle(first))).toBeLessThan(4);
});

test('the buttons of a long dialog are below its text', async () => {
  await resize(1440, 700);
  await openExplorer(garden);
  await button('Keyboard shortcuts').click();
  const last = page.getByText('This list', { exact: true });
  const below = button('Show the first steps');
  await expect.element(below).toBeInTheDocument();
  below.element().scrollIntoView();
  const top = (one: Locator) => one.element().getBoundingClientRect().top;
  await expect.poll(() => top(below) - top(last)).toBeGreaterThan(20);
});

const scripts: Upload = {
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

// Shows P17.9.
test('right-to-left names are shown right to left on a left-to-right page', async () => {
  await openExplorer(scripts, { search: '?d=all' });
  await line('أدوات الحديقة').dblClick();
  await addressSays('n', /^[0-9a-f]{16}$/);
  await line('מעדרים').click();
  const detail = page.getByRole('region', { name: 'All about the selection' });
  await expect.element(detail.getByRole('heading', { name: 'מעדרים' })).toBeVisible();
  const nameIn = (name: string) => line(name).element().querySelector('[title]')!;
  const crumb = page.getByRole('navigation', { name: 'Path' }).getByText('أدوات الحديقة', { exact: true });
  const directionOf = (one: Element) => getComputedStyle(one).direction;
  for (const name of [
    nameIn('أدوات الحديقة'),
    nameIn('מעדרים'),
    detail.getByRole('heading', { name: 'מעדרים' }).element(),
    crumb.element(),
  ])
    expect(directionOf(name)).toBe('rtl');
  expect(directionOf(nameIn('Hoses'))).toBe('ltr');
  expect(directionOf(outline.element())).toBe('ltr');
  await expect.poll(() => document.title).toBe('أدوات الحديقة – 3 keywords · Keyword Clustering');
  // Each name of a path is isolated: the separator and the order stay even between two right-to-left names.
  const isolated = [...detail.element().querySelectorAll('bdi')].filter((one) => one.textContent === 'أدوات الحديقة');
  expect(isolated).toHaveLength(1);
  await button('Share').click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await expect.element(page.getByRole('button', { name: 'CSV: “מעדרים”' })).toBeVisible();
  const heading = page.getByRole('heading', { name: /מעדרים/ }).last();
  expect(heading.element().querySelector('bdi')!.textContent).toBe('מעדרים');
});

test('what is on or off says so, and is at least 24 pixels large', async () => {
  await openExplorer(garden, { search: '?color=intent' });
  const legend = page.getByRole('region', { name: 'Legend' });
  for (const toggle of [
    button('Minimap'),
    legend.getByRole('button', { name: /^Commercial/ }),
    legend.getByRole('button', { name: /^Informational/ }),
  ]) {
    await expect.element(toggle).toBeVisible();
    const { width, height } = toggle.element().getBoundingClientRect();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    const before = toggle.element().getAttribute('aria-pressed');
    expect(['true', 'false']).toContain(before);
    await toggle.click();
    await expect.element(toggle).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true');
  }
});
