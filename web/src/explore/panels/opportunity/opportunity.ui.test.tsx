import { expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { atRest } from '../../../../test/page/at-rest.ts';
import { violations } from '../../../../test/page/axe.ts';
import { gardenWithGnomes } from '../../../../test/page/garden.ts';
import { addressSays, focus, inAddress, picture, reload, shows } from '../../../../test/page/in-explorer.ts';
import { middleOf, mouse } from '../../../../test/page/mouse.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { resize, toPhone } from '../../../../test/page/window.ts';

const at35And170 = '?view=opportunity&level=clusters&tx=35&ty=170';

const quadrant = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}`) });
const slider = (name: string): Locator => page.getByRole('slider', { name: `${name} threshold` });
const says = (name: string, text: string) =>
  expect.element(quadrant(name).getByText(new RegExp(`^${text}( · |$)`))).toBeVisible();

async function isDividedAt35And170(): Promise<void> {
  await says('Write first', '2 clusters · 960');
  await says('Worth the effort', '1 cluster · 320');
  await says('Easy extras', '1 cluster · 60');
  await says('Leave for later', '1 cluster · 150');
}

// Shows P14.18.
test('typed thresholds divide all clusters, and a filter keeps a quadrant until it is undone', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=opportunity' });
  await expect.element(slider('Difficulty').getByText(/^median /)).toBeVisible();
  await focus(page.getByRole('textbox', { name: /^Difficulty/ }));
  await userEvent.keyboard('35{Tab}170');
  await isDividedAt35And170();
  await expect.element(page.getByRole('region', { name: '1 not shown (difficulty missing)' })).toBeVisible();
  expect(slider('Difficulty').element().getAttribute('aria-valuetext')).toContain('threshold 35, ');
  await addressSays('tx', '35');
  await addressSays('ty', '170');
  expect(await violations()).toEqual([]);

  await quadrant('Write first').click();
  await page.getByRole('menuitem', { name: 'Filter to these' }).click();
  await addressSays('f', 'cluster-volume-170_*cluster-difficulty-_35');
  await shows('2 clusters: 2 with a place, 0 without');
  // Both have less.
  await shows('Difficulty threshold 35 is outside the chart');
  history.back();
  await shows('6 clusters: 5 with a place, 1 without');
  await isDividedAt35And170();
});

test('a threshold moves by key and by pointer', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=opportunity&level=clusters&tx=31&ty=170' });
  await says('Write first', '1 cluster · 180');
  await focus(slider('Difficulty'));
  await userEvent.keyboard('{ArrowRight}');
  await addressSays('tx', '32');
  await says('Write first', '2 clusters · 960');
  await userEvent.keyboard('{ArrowLeft}');
  await says('Write first', '1 cluster · 180');

  const from = middleOf(slider('Volume').element());
  await mouse.drag([from, { x: from.x, y: from.y - 60 }]);
  await expect.poll(() => Number(inAddress('ty'))).toBeGreaterThan(180);
  expect(Number(inAddress('ty'))).toBeLessThan(320);
  await says('Write first', '0 clusters · 0');
  await says('Worth the effort', '2 clusters · 1,100');
});

test('keys choose a point, and another level keeps selection and thresholds', async () => {
  await openExplorer(gardenWithGnomes, { search: at35And170 });
  await isDividedAt35And170();
  await focus(picture);
  await userEvent.keyboard('{ArrowRight}');
  await addressSays('sel', /^[0-9a-f]{16}$/);
  const selected = inAddress('sel');
  await userEvent.keyboard('g2');
  await addressSays('level', 'pillars');
  await shows(/^4 pillars: /);
  expect(inAddress('sel')).toBe(selected);
  await userEvent.keyboard('g4');
  await shows(/^12 rows: /);
  expect(inAddress('tx')).toBe('35');
  history.back();
  await shows(/^4 pillars: /);
  history.back();
  await isDividedAt35And170();
  await userEvent.keyboard('g1');
  await addressSays('level', 'tree');
  await expect.element(page.getByRole('application', { name: /^Opportunity of Garden: 3 children/ })).toBeVisible();
});

// Shows P14.9.
test('the children of a branch are points like those of a level, and are selected and filtered to by their place', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=opportunity&level=tree&ty=300' });
  await shows(/^4 children: 3 with a place, 1 without/);
  await expect.element(slider('Volume')).toBeVisible();
  await focus(picture);
  await userEvent.keyboard('{ArrowRight}');
  await addressSays('sel', /./);
  expect(await violations()).toEqual([]);

  await page.getByRole('button', { name: 'Select by values…' }).click();
  await page.getByLabelText('Volume from').fill('600');
  await userEvent.keyboard('{Enter}');
  const selection = page.getByLabelText('Selection', { exact: true });
  await expect.element(selection.getByText(/^1 selected · 4 keywords · 840 volume/)).toBeVisible();
  // Tools have 500 and 32.5, Plants 840 and 25, Watering has 150 and 40.
  await says('Write first', '2 children · 1,340');
  await quadrant('Write first').click();
  await page.getByRole('menuitem', { name: 'Filter to these' }).click();
  await addressSays('f', /^area-children\.[0-9a-f]{16}-difficulty-volume-/);
  await shows('2 children: 2 with a place, 0 without');
  await shows(/^Children of Garden with difficulty 25 – 32\.5 and volume 300 – 840/);
  await focus(picture);
  await userEvent.keyboard('{ArrowRight}{Enter}');
  await addressSays('n', /./);
  await shows(/^[12] child(ren)?: /);
});

// Shows P14.18.
test('scales are chosen, axes swapped, a part zoomed to and kept in the link, and marks have a menu', async () => {
  await openExplorer(gardenWithGnomes, { search: at35And170 });
  await isDividedAt35And170();
  const axes = page.getByRole('button', { name: 'Scales and swapping of axes' });
  await axes.click();
  await page.getByRole('menuitem', { name: 'Volume: even steps' }).click();
  await addressSays('ys', 'even');
  await axes.click();
  await page.getByRole('menuitem', { name: 'Swap axes' }).click();
  await addressSays('x', 'volume');
  expect(['y', 'xs', 'tx'].map(inAddress)).toEqual(['difficulty', 'even', '170']);
  // Little volume that is hard to get is now above on the left.
  await says('Leave for later', '1 cluster · 150');

  await page.getByRole('button', { name: 'Zoom in' }).click();
  await shows('140 %');
  await addressSays('cam', /,1\.4$/);
  await reload();
  await shows('140 %');
  await page.getByRole('button', { name: /^\d+ marks? further right\. Show them$/ }).click();
  await expect.poll(() => inAddress('cam')).not.toMatch(/,1\.4$/);
  await page.getByRole('button', { name: 'Fit everything' }).click();
  await addressSays('cam', null);

  await focus(picture);
  await userEvent.keyboard('{ArrowRight}');
  await addressSays('sel', /^[0-9a-f]{16}$/);
  await userEvent.keyboard('{ContextMenu}');
  await expect.element(page.getByRole('menuitem', { name: 'Focus here' })).toBeVisible();
  // Also where it is longer than what is above and below its mark.
  const menu = () => page.getByRole('menu').element().getBoundingClientRect();
  await expect.poll(() => menu().top >= 0 && menu().bottom <= innerHeight).toBe(true);
  await userEvent.keyboard('{Escape}');
  const made = vi.spyOn(URL, 'createObjectURL');
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('button', { name: 'Download SVG' }).click();
  await expect.poll(() => made.mock.calls.length).toBe(1);
  const svg = await (made.mock.calls[0]![0] as Blob).text();
  for (const text of ['Leave for later', 'Volume a month', 'Pillar topic']) expect(svg).toContain(text);
  expect(await violations()).toEqual([]);
});

// Shows P14.19.
test('a quadrant of any figures is filtered to as an area, also one of a score', async () => {
  const axes = 'score=branch.volume&x=field:competition&y=score&ty=300';
  await openExplorer(gardenWithGnomes, { search: `?view=opportunity&level=clusters&${axes}` });
  // Rakes: the competition of Roses is the median.
  const label = page.getByRole('button', { name: /^High competition, high score|^Worth the effort/ });
  await expect.element(label.getByText(/^1 cluster · /)).toBeVisible();
  await label.click();
  await page.getByRole('menuitem', { name: 'Filter to these' }).click();
  await addressSays('f', /^area-clusters-field:competition-/);
  await shows('1 cluster: 1 with a place, 0 without');
  await expect.element(page.getByText(/^Clusters with competition .* and score 300 – /).first()).toBeVisible();
  history.back();
  await shows(/^6 clusters: /);
});

test.each([
  ['at 200 %', 720, 450],
  // Lower than a phone, because the buttons are lower for a mouse than for a finger.
  ['on a phone in landscape', 844, 260],
])('%s nothing is drawn over what is around the plot, which scrolls', async (_, width, height) => {
  await resize(width, height);
  await openExplorer(gardenWithGnomes, { search: '?view=opportunity' });
  const easy = page.getByRole('button', { name: /^Easy extras/ });
  await expect.element(easy).toBeInTheDocument();
  const below = page
    .getByText(/ with a place, 1 without$/)
    .element()
    .getBoundingClientRect();
  expect(easy.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(below.top);
  expect(picture.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(below.top);
  const camera = page.getByRole('button', { name: 'Zoom in' });
  camera.element().scrollIntoView({ block: 'nearest' });
  await expect.element(camera).toBeInViewport();
});

test.each(['light', 'dark'])('on a phone in the %s theme nothing is cut or inaccessible', async (theme) => {
  await toPhone();
  await openExplorer(gardenWithGnomes, { search: `${at35And170}&t=${theme}` });
  await isDividedAt35And170();
  expect(document.documentElement.scrollWidth).toBe(390);
  expect(await violations()).toEqual([]);
});

test('a button that is released outside the plot does not go on panning when the pointer is back', async () => {
  await openExplorer(gardenWithGnomes, { search: at35And170 });
  await isDividedAt35And170();
  await focus(picture);
  await userEvent.keyboard('++');
  const place = () => {
    const { left, top } = slider('Volume').element().getBoundingClientRect();
    return [Math.round(left), Math.round(top)];
  };
  await atRest();
  const before = place();
  const { left, top } = picture.element().getBoundingClientRect();
  await mouse.drag(
    [
      { x: left + 2, y: top + 200 },
      { x: left - 60, y: top + 200 },
    ],
    { steps: 1 },
  );
  await mouse.move({ x: left + 200, y: top + 150 });
  await mouse.move({ x: left + 260, y: top + 230 });
  await atRest();
  expect(place()).toEqual(before);
});
