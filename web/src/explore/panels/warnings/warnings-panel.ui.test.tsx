import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { failsFor } from '../../../../test/page/fake-api.ts';
import { details, inAddress, pressInPicture, reload, shows } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const intents = ['informational', 'commercial', 'informational', 'commercial', 'informational', 'commercial'];
const words = Array.from({ length: 12 }, (_, nth) => ({ keyword: `word ${nth + 1}`, volume: 100, difficulty: 20 }));

/** One cluster of mixed intent, two of one keyword each, and with a threshold of eleven one that is too large. */
const upload: Upload = {
  keywords: [
    ...words,
    ...intents.map((intent, nth) => ({ keyword: `mixed ${nth}`, volume: 40, difficulty: 20, intent: [intent] })),
    { keyword: 'alone', volume: 30, difficulty: 20 },
    { keyword: 'single', volume: 10, difficulty: 20 },
  ],
  hierarchy: {
    name: 'Words',
    children: [
      { name: 'Large', type: 'cluster', children: words.map(({ keyword }) => ({ name: keyword })) },
      { name: 'Mixed', type: 'cluster', children: intents.map((_, nth) => ({ name: `mixed ${nth}` })) },
      { name: 'Alone', type: 'cluster', children: [{ name: 'alone' }] },
      { name: 'Single', type: 'cluster', children: [{ name: 'single' }] },
    ],
  },
};

const group = (name: string) => details.getByRole('region', { name, exact: true });
const head = (name: string, count: number) => group(name).getByRole('button', { name: `${name} ${count}` });
const has = (name: string, count: number) => expect.element(head(name, count)).toBeVisible();
const notAProblem = (name: string) => group(name).getByRole('button', { name: 'Not a problem' });
const mixed = group('Mixed intent').getByRole('listitem').getByRole('button').first();
const thresholds = details.getByRole('button', { name: 'Thresholds' });
const most = details.getByLabelText('More keywords than');
const current = () => details.element().querySelector<HTMLElement>('[aria-current=true]')?.innerText;

const open = () => openExplorer(upload, { search: '?panel=warnings' });

async function dismissAlone(): Promise<void> {
  await head('Single keyword', 2).click();
  await group('Single keyword')
    .getByRole('button', { name: /^Alone/ })
    .click();
  await notAProblem('Single keyword').click();
  await has('Single keyword', 1);
}

// Shows P15.26.
test('warnings name their numbers and what the file lacks, and are walked by key', async () => {
  await openExplorer(upload);
  await details.getByRole('tab', { name: /^Warnings/ }).click();
  await has('Single keyword', 2);
  await has('Mixed intent', 1);
  await shows('3 warnings');
  await shows('One URL, several clusters: this file has no URLs.');
  await expect.poll(() => inAddress('panel')).toBe('warnings');
  expect(await violations()).toEqual([]);

  // The order of the tab.
  await pressInPicture('i');
  await expect.poll(current).toMatch(/^Mixed/);
  await shows('Informational 50 %, commercial 50 %, of 6 known');
  await userEvent.keyboard('i');
  await expect.poll(current).toMatch(/^Alone/);
  await userEvent.keyboard('i');
  await expect.poll(current).toMatch(/^Single/);
  await userEvent.keyboard('{Shift>}I{/Shift}');
  await expect.poll(current).toMatch(/^Alone/);
});

// Shows P15.27.
test('a warning is dismissed, with an undo, and restored', async () => {
  await open();
  await dismissAlone();
  await shows('Dismissed. It stays dismissed after a new upload.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await has('Single keyword', 2);
  await shows('Restored');
  await notAProblem('Single keyword').click();
  await has('Single keyword', 1);
  await reload();
  await has('Single keyword', 1);
  await details.getByRole('button', { name: 'Dismissed (1)' }).click();
  await details.getByRole('button', { name: 'Restore Alone' }).click();
  await has('Single keyword', 2);
});

// Shows P15.27.
test('warnings follow their thresholds, which are kept', async () => {
  await open();
  await has('Single keyword', 2);
  await thresholds.click();
  await most.fill('11');
  await userEvent.keyboard('{Enter}');
  await has('Oversized cluster', 1);
  expect((document.activeElement as HTMLInputElement).value).toBe('11');
  await reload();
  await has('Oversized cluster', 1);
  await thresholds.click();
  await details.getByRole('button', { name: 'Reset' }).click();
  await expect.element(group('Oversized cluster')).not.toBeInTheDocument();
});

test('without the server, each change says that it was not made, and is not shown', async () => {
  await open();
  await dismissAlone();
  const repair = failsFor('warnings.dismiss', 'warnings.restore', 'warnings.setThresholds');
  await details.getByRole('button', { name: 'Dismissed (1)' }).click();
  const restore = details.getByRole('button', { name: 'Restore Alone' });
  await restore.click();
  await shows(/^The warning was not restored: /);
  await thresholds.click();
  await most.fill('11');
  await userEvent.keyboard('{Enter}');
  await shows(/^The thresholds were not saved: /);
  expect(group('Oversized cluster').elements()).toEqual([]);
  await head('Mixed intent', 1).click();
  await mixed.click();
  await notAProblem('Mixed intent').click();
  await shows(/^The warning was not dismissed: /);
  await has('Mixed intent', 1);
  repair();
  await restore.click();
  await has('Single keyword', 2);
});

test('the keywords of a warning are shown by a filter, under which the warnings are counted again', async () => {
  await open();
  await head('Mixed intent', 1).click();
  await mixed.click();
  await group('Mixed intent').getByRole('button', { name: 'Show keywords' }).click();
  await shows('1 warning');
  history.back();
  await shows('3 warnings');
});
