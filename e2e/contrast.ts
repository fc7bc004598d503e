import type { Page } from 'playwright-core';
import { violations } from './axe.ts';

/** The panel colours with increased contrast. The night sky of the sign-in page is the same in both themes. */
const surfaces = { light: [255, 255, 255], dark: [5, 7, 15], sky: [5, 7, 15] } as const;

/**
 * Problems for somebody who asks the system for more contrast, in both themes: text below 7:1, edges below 4:1, and
 * surfaces through which something shines.
 */
export async function contrastProblems(page: Page, contrasts: true | 'sky'): Promise<string[]> {
  const found: string[] = [];
  await page.emulateMedia({ contrast: 'more' });
  for (const theme of ['light', 'dark'] as const) {
    await turn(page, theme);
    const edges = await edgesOf(page, 'button, input, select, .rounded-card, [role=dialog]');
    const surface = surfaces[contrasts === true ? theme : contrasts];
    const faint = [...new Set(edges)].filter((edge) => contrast(partsOf(edge), surface) <= 4);
    const problems = [
      ...(await violations(page, { coloursOnly: true, enhanced: true })),
      ...(await translucent(page)).map((one) => `something shines through ${one}`),
      ...(edges.length > 2 ? [] : [`${edges.length} edges`]),
      ...faint.map((edge) => `a faint edge: ${edge}`),
    ];
    found.push(...problems.map((problem) => `${theme}: ${problem}`));
  }
  await page.emulateMedia({ contrast: 'no-preference' });
  return found;
}

const turn = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);

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
