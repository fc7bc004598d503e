import { defaultSettings } from '@kc/rules/settings';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import sample from '../../../../../fixtures/sample/garden-shop.json';
import { inAddress, picture } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

type Node = { readonly name: string; readonly children?: readonly Node[] };
const leaves = (node: Node): number => node.children?.reduce((sum, child) => sum + leaves(child), 0) ?? 1;
const garden = sample as Upload;
/** The branch at the top left corner of a treemap. */
const biggest = garden.hierarchy.children!.toSorted((a, b) => leaves(b) - leaves(a))[0]!.name;

const zoom = () => Number(inAddress('cam')?.split(',')[2] ?? 1);
const crumb = () => document.querySelector('nav[aria-label=Path] [aria-current]')!;

/** A point of the chart by its share of the width and the height, in CSS pixels from its corner. */
function at(x: number, y: number) {
  const { width, height } = picture.element().getBoundingClientRect();
  return { x: x * width, y: y * height };
}

/** Turns the wheel over a point of the chart, a few notches at a time, until the address matches. */
async function zoomUntil(notch: number, isThere: () => boolean): Promise<void> {
  const box = picture.element().getBoundingClientRect();
  const { x, y } = at(0.1, 0.2);
  const place = { clientX: box.x + x, clientY: box.y + y, bubbles: true, cancelable: true };
  // Its marks are drawn once one of them has a card.
  await picture.hover({ position: { x, y } });
  await expect.element(page.getByRole('tooltip')).toBeInTheDocument();
  for (let turn = 0; turn < 12 && !isThere(); turn++) {
    const before = location.href;
    for (let step = 0; step < 3; step++) {
      picture.element().dispatchEvent(new WheelEvent('wheel', { ...place, deltaY: notch }));
    }
    // The address follows once the wheel rests.
    await expect.poll(() => location.href).not.toBe(before);
  }
  expect(isThere(), location.href).toBe(true);
}

// Shows P14.7.
test('zooming in until a branch fills the view looks into it, and zooming out leads back', async () => {
  await openExplorer(garden, { search: '?d=all' });
  await zoomUntil(-100, () => inAddress('n') !== null);
  const path = page.getByRole('navigation', { name: 'Path' });
  await expect.element(path.getByText(biggest).first()).toBeVisible();
  await zoomUntil(100, () => inAddress('n') === null);
});

test('a branch that is entered by a zoom stays as it is seen, and the address says so without motion, too', async () => {
  await openExplorer(garden, { search: '?d=all' });
  const box = picture.element().getBoundingClientRect();
  const place = at(0.1, 0.2);
  await picture.hover({ position: place });
  await expect.element(page.getByRole('tooltip')).toBeInTheDocument();
  // A pinch that is much closer than the zoom at which the branch is entered.
  const pinch = { clientX: box.x + place.x, clientY: box.y + place.y, deltaY: -300, ctrlKey: true };
  picture.element().dispatchEvent(new WheelEvent('wheel', { ...pinch, bubbles: true, cancelable: true }));
  await expect.poll(() => inAddress('n')).not.toBeNull();
  await expect.poll(zoom).toBeGreaterThan(1);
  const percent = () => page.getByRole('toolbar', { name: 'Camera' }).element().textContent;
  await expect.poll(percent).toContain(`${Math.round(100 * zoom()).toLocaleString('en-US')} %`);
});

test('with opening by zoom switched off, zooming opens no branch', async () => {
  const { defaultDepth, dataRefreshInterval, userImports, clientLinks } = defaultSettings;
  const byHand = { defaultDepth, autoExpand: false, dataRefreshInterval, userImports, clientLinks };
  await openExplorer(garden, { search: '?d=all', api: { 'settings.screen': () => byHand } });
  // Closer than the zoom at which the test above enters the branch.
  await zoomUntil(-100, () => zoom() > 2.5);
  // By the time the address has this zoom, a branch would have been entered.
  await zoomUntil(100, () => zoom() < 2);
  expect(inAddress('n')).toBeNull();
});

// Shows P14.7.
test('a double click on the selected branch opens it, and selects nothing in it', async () => {
  await openExplorer(garden, { search: '?d=1' });
  await picture.click({ position: at(0.1, 0.2) });
  await expect.poll(() => inAddress('sel')).not.toBeNull();
  await picture.dblClick({ position: at(0.1, 0.2) });
  await expect.poll(() => inAddress('n')).not.toBeNull();
  expect(inAddress('sel')).toBe(inAddress('n'));
});

test('the panels are updated in a task after the one that drew the click', async () => {
  await openExplorer(garden, { search: '?d=1' });
  await picture.click({ position: at(0.1, 0.2) });
  await expect.element(page.getByRole('treeitem', { name: new RegExp(`^${biggest}`), selected: true })).toBeVisible();
  const atRoot = crumb().textContent;
  // Browsers dispatch the click event in the task of the mouse release.
  const inTheTask = new Promise((resolve) =>
    addEventListener('click', () => resolve([inAddress('n') !== null, crumb().textContent]), { once: true }),
  );
  await picture.click({ position: at(0.1, 0.2) });
  expect(await inTheTask).toEqual([true, atRoot]);
  await expect.poll(() => crumb().textContent).toContain(biggest);
});
