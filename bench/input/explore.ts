import type { Page } from 'playwright-core';

/** A part of a visit, by real input; `interactions` counts clicks and keys, as the browser does. */
export type Phase = {
  readonly name: string;
  readonly interactions: number;
  run(page: Page, url: string): Promise<void>;
};

const frameMs = 16;
const restMs = 700;
const drawn = ['Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity', 'Treemap'];
const searched = 'red shoe';

/** Opens a visualization and explores it as users do. Each phase begins where the previous one ended. */
export const phases: readonly Phase[] = [
  {
    name: 'load',
    interactions: 0,
    async run(page, url) {
      await page.goto(`${url}/visualization`);
      await canvas(page).waitFor();
      await page.getByRole('treeitem').nth(3).waitFor();
      await rest(page);
    },
  },
  {
    name: 'hover',
    interactions: 0,
    async run(page) {
      const at = await places(page);
      for (let step = 0; step < 40; step++) {
        await page.mouse.move(...at(0.1 + (0.8 * step) / 40, 0.2 + 0.3 * Math.abs(Math.sin(step))));
        await page.waitForTimeout(frameMs);
      }
      await rest(page);
    },
  },
  { name: 'wheel', interactions: 0, run: wheelInAndOut },
  {
    name: 'drag',
    interactions: 1,
    async run(page) {
      const at = await places(page);
      await page.mouse.move(...at(0.4, 0.5));
      await page.mouse.wheel(0, -800);
      await rest(page);
      await page.mouse.down();
      for (let step = 0; step < 30; step++) {
        await page.mouse.move(...at(0.4 + step / 150, 0.5 + step / 150));
        await page.waitForTimeout(frameMs);
      }
      await page.mouse.up();
      await rest(page);
    },
  },
  {
    name: 'click and dive',
    interactions: 8,
    async run(page) {
      await canvas(page).press('0');
      const at = await places(page);
      await page.mouse.click(...at(0.2, 0.3));
      await rest(page);
      await page.mouse.dblclick(...at(0.3, 0.4));
      await rest(page);
      await page.mouse.dblclick(...at(0.5, 0.5));
      await rest(page);
      for (const key of ['Escape', 'Escape']) {
        await page.keyboard.press(key);
        await rest(page);
      }
    },
  },
  {
    name: 'keys',
    interactions: 14,
    async run(page) {
      await canvas(page).focus();
      for (const key of [
        'ArrowDown',
        'ArrowRight',
        'ArrowRight',
        'ArrowDown',
        'ArrowRight',
        'Enter',
        'Escape',
        'Escape',
        'End',
        'Home',
        '+',
        '+',
        '-',
        '0',
      ]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(150);
      }
      await rest(page);
    },
  },
  {
    name: 'search',
    interactions: searched.length + 5,
    async run(page) {
      await page.getByRole('combobox', { name: 'Search keywords' }).click();
      await page.keyboard.type(searched, { delay: 120 });
      await page.getByRole('option').first().waitFor();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(200);
      }
      await rest(page);
    },
  },
  ...drawn.map((view) => ({
    name: `to ${view}`,
    interactions: 1,
    async run(page: Page) {
      await page.getByRole('radio', { name: view, exact: true }).click();
      await canvas(page, view).waitFor();
      await rest(page);
      await wheelInAndOut(page);
    },
  })),
  {
    name: 'colours and depth',
    interactions: 6,
    async run(page) {
      await page.getByRole('combobox', { name: 'Colour by' }).click();
      await page.getByRole('option', { name: 'Volume' }).click();
      await rest(page);
      await page.getByRole('combobox', { name: 'Size by' }).click();
      await page.getByRole('option', { name: 'Volume' }).click();
      await rest(page);
      for (const depth of ['1', 'All']) {
        await page.getByRole('radio', { name: depth, exact: true }).click();
        await rest(page);
      }
    },
  },
];

/** Signs in as the sign-in page does, and stays on that page. */
export async function signInPage(page: Page, url: string, credentials: object): Promise<void> {
  await page.goto(`${url}/login`);
  await page.evaluate(
    (body) => fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
    JSON.stringify(credentials),
  );
}

/** Turns the wheel quickly, in and out again. */
async function wheelInAndOut(page: Page): Promise<void> {
  const at = await places(page);
  await page.mouse.move(...at(0.3, 0.4));
  for (const notch of [-100, 100]) {
    for (let step = 0; step < 12; step++) {
      await page.mouse.wheel(0, notch);
      await page.waitForTimeout(2 * frameMs);
    }
    await rest(page);
  }
}

const canvas = (page: Page, view = '') => page.getByRole('application', { name: new RegExp(`^${view}.*keywords`) });
const rest = (page: Page) => page.waitForTimeout(restMs);

/** Converts shares of the chart's width and height to points. */
async function places(page: Page): Promise<(x: number, y: number) => readonly [number, number]> {
  const box = await canvas(page).boundingBox();
  if (!box) throw new Error('There is no picture');
  return (x, y) => [box.x + x * box.width, box.y + y * box.height];
}
