import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { uploadFor } from './upload.ts';

type Node = { readonly name: string; readonly children?: readonly Node[] };
const sample = fileURLToPath(new URL('../fixtures/sample/garden-shop.json', import.meta.url));
const { hierarchy } = JSON.parse(readFileSync(sample, 'utf8')) as { hierarchy: Node };
const leaves = (node: Node): number => node.children?.reduce((sum, child) => sum + leaves(child), 0) ?? 1;
/** The label at the top left corner of a treemap. */
const biggest = hierarchy.children!.toSorted((a, b) => leaves(b) - leaves(a))[0]!.name;

story('the camera is moved with every input device', () => {
  const stage = useStage();

  test('zooming in until a branch fills the view looks into it, and zooming out leads back', async () => {
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?v=sample&d=all');
    await page.mouse.move(...at(0.1, 0.2));
    await zoomUntil(page, -100, (url) => url.searchParams.has('n'));
    await page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: biggest }).first().waitFor();
    await zoomUntil(page, 100, (url) => !url.searchParams.has('n'));
  });

  test('with opening by zoom switched off, zooming opens no branch', async () => {
    const admin = await stage.signedIn('admin');
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    const byHand = { ...settings, autoExpand: false };
    await admin.call('PUT', '/settings', { version, settings: byHand, enforce: false });
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?v=sample&d=all');
    await page.mouse.move(...at(0.1, 0.2));
    // Closer than the zoom at which the story above enters the branch.
    await zoomUntil(page, -100, (url) => (cameraOf(url)?.k ?? 1) > 2.5);
    // By the time the address has this zoom, a branch would have been entered.
    await zoomUntil(page, 100, (url) => (cameraOf(url)?.k ?? 1) < 2);
    expect(new URL(page.url()).searchParams.has('n')).toBe(false);
  });

  test('a double click on the selected branch opens it, and selects nothing in it', async () => {
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?v=sample&d=1');
    await page.mouse.move(...at(0.1, 0.2));
    await page.getByRole('tooltip').waitFor();
    await page.mouse.click(...at(0.1, 0.2));
    await page.waitForURL((url) => url.searchParams.has('sel'));
    await page.mouse.dblclick(...at(0.1, 0.2));
    await page.waitForURL((url) => url.searchParams.has('n'));
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('sel')).toBe(searchParams.get('n'));
  });

  test('the panels are updated in a task after the one that drew the click', async () => {
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?v=sample&d=1');
    await page.mouse.move(...at(0.1, 0.2));
    await page.getByRole('tooltip').waitFor();
    await page.mouse.click(...at(0.1, 0.2));
    await page.getByRole('treeitem', { name: new RegExp(`^${biggest}`), selected: true }).waitFor();
    const crumb = page.getByRole('navigation', { name: 'Path' }).locator('[aria-current]');
    const atRoot = await crumb.textContent();
    // Browsers dispatch the click event in the task of the mouse release.
    const seen = await page.evaluateHandle<{ readonly inTheTask: Promise<unknown> }>(`({
      inTheTask: new Promise((resolve) =>
        addEventListener('click', () => {
          const crumb = document.querySelector('nav[aria-label=Path] [aria-current]');
          resolve([new URL(location.href).searchParams.has('n'), crumb.textContent]);
        }),
      ),
    })`);
    await page.mouse.click(...at(0.1, 0.2));
    expect(await seen.evaluate(({ inTheTask }) => inTheTask)).toEqual([true, atRoot]);
    await crumb.getByText(biggest).waitFor();
  });

  test('a click on marks too small to tell apart zooms in', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    const children = Array.from({ length: 9_000 }, (_, i) => ({ name: `hose ${i}` }));
    await uploadFor(admin.page, 'approved@example.com', { keywords: [], hierarchy: { name: 'Hoses', children } });
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?view=icicle', /^Icicle of Hoses/);
    await page.mouse.click(...at(0.6, 0.5));
    await page.waitForURL((url) => (cameraOf(url)?.k ?? 1) > 7);
  });

  test('the minimap’s frame can be dragged, jumps to a click and moves with arrow keys', async () => {
    const { page } = await stage.signedIn('approved');
    const { width, height } = await pictureOf(page, '/visualization?v=sample&cam=0,0,3');
    const map = page.getByRole('group', { name: /^Minimap/ });
    await map.waitFor();
    // Inside its border, which is one pixel wide.
    await map.click({ position: { x: 90, y: 60 } });
    // A third of the chart is visible, centred.
    await standsAt(page, width / 3, height / 3);

    const box = (await map.boundingBox())!;
    const middle = [box.x + 91, box.y + 61] as const;
    await page.mouse.move(...middle);
    await page.mouse.down();
    await page.mouse.move(middle[0] - 10, middle[1] + 5, { steps: 2 });
    await page.mouse.move(middle[0] - 20, middle[1] + 10, { steps: 2 });
    await page.mouse.up();
    // The minimap fills the available 180 by 120 px in width, and its height follows.
    const [across, down] = [180 / width, Math.min(180 / width, 120 / height)];
    await standsAt(page, width / 3 - 20 / across, height / 3 + 10 / down);

    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const step = 0.15 / 3;
    await standsAt(page, width / 3 - 20 / across + step * width, height / 3 + 10 / down - step * height);
  });

  test('a box drawn with Shift becomes the view', async () => {
    const { page } = await stage.signedIn('approved');
    const { at, width, height } = await pictureOf(page, '/visualization?v=sample');
    await page.keyboard.down('Shift');
    await page.mouse.move(...at(0.25, 0.25));
    await page.mouse.down();
    await page.mouse.move(...at(0.4, 0.4), { steps: 3 });
    await page.mouse.move(...at(0.5, 0.5), { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    // With a margin of eight pixels.
    const k = Math.min((width - 16) / (width / 4), (height - 16) / (height / 4));
    await standsAt(page, width * 0.375 - width / 2 / k, height * 0.375 - height / 2 / k, k);
  });

  test('a pinch zooms at its centre, and a two-finger tap goes up one level', async () => {
    const { page, context } = await stage.signedIn('approved', { hasTouch: true });
    const { at, width, height } = await pictureOf(page, '/visualization?v=sample');
    const [x, y] = at(0.5, 0.5);
    const fingers = touchScreen(await context.newCDPSession(page));
    await fingers.down([x - 40, y], [x + 40, y]);
    for (const apart of [50, 60, 70, 80]) await fingers.move([x - apart, y], [x + apart, y]);
    await fingers.up();
    await standsAt(page, width / 4, height / 4, 2);

    await page.getByRole('application').press('Enter');
    await page.getByRole('treeitem', { name: new RegExp(`^${biggest}`) }).dblclick();
    await page.waitForURL((url) => url.searchParams.has('n'));
    await fingers.down([x - 40, y], [x + 40, y]);
    await fingers.up();
    await page.waitForURL((url) => !url.searchParams.has('n'));
  });
});

/**
 * Opens a chart.
 *
 * @returns its size, and points of the page by their share of its width and height
 */
async function pictureOf(page: Page, path: string, name = /^Treemap of Garden shop/) {
  await page.goto(path);
  const picture = page.getByRole('application', { name });
  await picture.waitFor();
  await uncovered(page);
  const box = (await picture.boundingBox())!;
  const at = (x: number, y: number) => [box.x + x * box.width, box.y + y * box.height] as const;
  return { at, width: box.width, height: box.height };
}

const mostTurns = 12;

/** Turns the wheel three notches at a time, and lets the chart settle each time, until the address matches. */
async function zoomUntil(page: Page, notch: number, isThere: (url: URL) => boolean): Promise<void> {
  for (let turn = 0; turn < mostTurns && !isThere(new URL(page.url())); turn++) {
    const before = page.url();
    for (let step = 0; step < 3; step++) await page.mouse.wheel(0, notch);
    await page.waitForURL((url) => url.href !== before);
  }
  expect(isThere(new URL(page.url())), page.url()).toBe(true);
}

function cameraOf(url: URL) {
  const [x, y, k] = (url.searchParams.get('cam') ?? '').split(',').map(Number);
  return k === undefined ? undefined : { x: x!, y: y!, k };
}

/** Waits until the address has this camera position, within a pixel or two. */
async function standsAt(page: Page, x: number, y: number, k = 3): Promise<void> {
  const isNear = (a: number, b: number) => Math.abs(a - b) < 3;
  await expect
    .poll(() => {
      const at = cameraOf(new URL(page.url()));
      return at && isNear(at.x, x) && isNear(at.y, y) && Math.abs(at.k - k) < 0.05
        ? 'there'
        : JSON.stringify({ at, x, y, k });
    })
    .toBe('there');
}

type Place = readonly [x: number, y: number];

/** Touch events as the browser receives them from a touch screen. */
function touchScreen(session: CDPSession) {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', places: readonly Place[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });
  return {
    down: (...places: readonly Place[]) => send('touchStart', places),
    move: (...places: readonly Place[]) => send('touchMove', places),
    up: () => send('touchEnd', []),
  };
}
