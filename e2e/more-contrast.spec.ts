import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';

const light = [255, 255, 255] as const;
/** The panel colour of the dark theme with increased contrast. */
const dark = [5, 7, 15] as const;

/** Source: WCAG 2.2, "contrast ratio". */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (colour: readonly number[]) => {
    const [r, g, b] = colour.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const [less, more] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more! + 0.05) / (less! + 0.05);
}
const partsOf = (colour: string) => colour.match(/[\d.]+/g)!.map(Number);

/** Class names of translucent surfaces with text on them. */
const translucent = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
    .filter((one) => one.innerText?.trim() && one.getClientRects().length > 0)
    .filter((one) => { const at = getComputedStyle(one).backgroundColor.match(/(?:,|\\/) *(0?\\.\\d+)\\)$/); return at && Number(at[1]) > 0; })
    .map((one) => one.className)`);
/** The border colours of elements that have a border. */
const edgesOf = (page: Page, selector: string) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')]
    .filter((one) => one.getClientRects().length > 0)
    .map((one) => getComputedStyle(one))
    .filter((style) => parseFloat(style.borderTopWidth) > 0 && !/, 0\\)$/.test(style.borderTopColor))
    .map((style) => style.borderTopColor)`);
const turn = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);

async function openExplorer(page: Page): Promise<void> {
  await page.goto('/visualization?v=sample');
  await page.getByRole('application').waitFor();
  await page.getByRole('treeitem').nth(1).click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
}

const screens: readonly { readonly name: string; readonly open: (page: Page) => Promise<unknown> }[] = [
  { name: 'the explorer', open: openExplorer },
  {
    name: 'the filter',
    open: async (page) => {
      await openExplorer(page);
      await page.getByRole('application').focus();
      await page.keyboard.press('f');
      await page.getByRole('complementary', { name: 'Filter' }).waitFor();
    },
  },
  {
    name: 'the Table',
    open: async (page) => {
      await page.goto('/visualization?v=sample&view=table');
      await page.getByRole('row').nth(2).waitFor();
    },
  },
  {
    name: 'the list of people',
    open: async (page) => {
      await page.goto('/admin');
      await page.getByText('approved@example.com').first().waitFor();
    },
  },
  {
    name: 'the Upload tab',
    open: async (page) => {
      await page.goto('/admin?tab=upload');
      await page.getByRole('group', { name: 'JSON file' }).waitFor();
    },
  },
];

story('for who asks the system for more contrast', () => {
  const stage = useStage();
  const how = { contrast: 'more', reducedMotion: 'reduce' } as const;

  test.each(screens)('$name: text of 7:1, edges of 4:1, nothing shines through', async ({ open }) => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = await stage.signedIn('admin', how);
    await open(page);
    for (const [theme, surface] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      await turn(page, theme);
      expect(await violations(page, { coloursOnly: true, enhanced: true }), theme).toEqual([]);
      expect(await translucent(page), theme).toEqual([]);
      const edges = await edgesOf(page, 'button, input, select, .rounded-card, [role=dialog]');
      expect(edges.length, theme).toBeGreaterThan(2);
      for (const edge of new Set(edges))
        expect(contrast(partsOf(edge), surface), `${theme} ${edge}`).toBeGreaterThan(4);
    }
  });

  test('the sign-in page: text of 7:1 on a card that nothing shines through', async () => {
    const { page } = await stage.visitor(how);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await violations(page, { enhanced: true })).toEqual([]);
    expect(await translucent(page)).toEqual([]);
    const card = `getComputedStyle(document.querySelector('main')).backgroundColor`;
    expect(await page.evaluate(card)).toBe('rgb(5, 7, 15)');
  });

  test('what has the keyboard has a ring of 3 px, as far from its ground as can be', async () => {
    const { page } = await stage.signedIn('approved', how);
    await openExplorer(page);
    await page.keyboard.press('Tab');
    for (const [theme, ring] of [
      ['light', 'rgb(0, 0, 0)'],
      ['dark', 'rgb(255, 255, 255)'],
    ] as const) {
      await turn(page, theme);
      const outline = () =>
        page.evaluate(
          `(({ outlineWidth, outlineColor }) => [outlineWidth, outlineColor])(getComputedStyle(document.activeElement))`,
        );
      await expect.poll(outline).toEqual(['3px', ring]);
    }
  });

  test('who does not ask for it has the usual colours', async () => {
    const usual = { reducedMotion: 'reduce' } as const;
    const { page } = await stage.signedIn('approved', usual);
    await openExplorer(page);
    await turn(page, 'light');
    expect(await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--muted')`)).toBe(
      '#535b7c',
    );
    expect(await violations(page, { coloursOnly: true, enhanced: true })).not.toEqual([]);
  });
});
