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

// Shows P14.7.
story('the camera is moved with every input device', () => {
  const stage = useStage();

  test('a click on marks too small to tell apart zooms in', async () => {
    await (await stage.signedIn('approved')).context.close();
    const admin = await stage.signedIn('admin');
    // Otherwise the zoom of these stories would open branches.
    const { version, settings } = await admin.call<{ version: number; settings: object }>('GET', '/settings');
    const byHand = { ...settings, autoExpand: false };
    await admin.call('PUT', '/settings', { version, settings: byHand, enforce: false });
    const children = Array.from({ length: 9_000 }, (_, i) => ({ name: `hose ${i}` }));
    await uploadFor(admin.page, 'approved@example.com', { keywords: [], hierarchy: { name: 'Hoses', children } });
    const { page } = await stage.signedIn('approved');
    const { at } = await pictureOf(page, '/visualization?view=icicle', /^Icicle of Hoses/);
    // The chart has its name before its marks are drawn, and only a mark can be clicked.
    await expect
      .poll(async () => {
        await page.mouse.click(...at(0.6, 0.5));
        return cameraOf(new URL(page.url()))?.k ?? 1;
      })
      .toBeGreaterThan(7);
  });

  test('the minimap’s frame is dragged, jumps to a click and moves with arrow keys, and a box drawn with Shift becomes the view', async () => {
    const { page } = await stage.signedIn('approved');
    const { at, width, height } = await pictureOf(page, '/visualization?v=sample&cam=0,0,3');
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

    // The whole chart again, of which a quarter is boxed.
    await page.getByRole('application').focus();
    await page.keyboard.press('0');
    await page.waitForURL((url) => !url.searchParams.has('cam'));
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
