import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const paper = page.getByRole('article', { name: 'Report' });
const totals = () => Array.from(paper.element().querySelectorAll('dt'), (name) => name.textContent);

async function openReport(): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Print report…' }).click();
  await expect.element(paper).toBeVisible();
}

test('the totals of a report are about figures that the file has', async () => {
  await openExplorer(garden);
  await openReport();
  await expect.poll(totals).toEqual(['Keywords', 'Clusters', 'Volume a month', 'Difficulty, mean', 'Leading intent']);
});

test('a position that is known anywhere in the file is a total, also of a branch where it is not', async () => {
  const ranked = { keyword: 'hose', position: 4 };
  const children = ['Ranked', 'Other'].map((name) => ({
    name,
    children: [{ name: name === 'Ranked' ? 'hose' : 'rake' }],
  }));
  await openExplorer({ keywords: [ranked, { keyword: 'rake' }], hierarchy: { name: 'Garden', children } });
  await page.getByRole('treeitem', { name: /^Other/ }).dblClick();
  await openReport();
  await expect.poll(totals).toContain('Position, mean');
  expect(totals()).not.toContain('CPC, mean');
});
