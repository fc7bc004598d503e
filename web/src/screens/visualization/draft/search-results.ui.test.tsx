import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { details } from '../../../../test/page/in-explorer.ts';
import { openDraft } from '../../../../test/page/open-draft.tsx';

const pages = { hoses: ['a', 'b', 'c'], reels: ['x', 'y', 'z'], food: ['f', 'g', 'h'] };
const rows = (keyword: string, cluster: string, volume: number, sites: readonly string[]) =>
  sites.map(
    (site, at) =>
      `${keyword},${cluster === 'Food' ? 'Pets' : 'Garden'},${cluster},${volume},${at + 1},https://${site}.test/${keyword.length}`,
  );
/** Hoses are answered by two kinds of pages, of which one also answers Pipes. */
const list = [
  'Keyword,Group,Cluster,Volume,Position,URL',
  ...rows('tube 1', 'Hoses', 90, pages.hoses),
  ...rows('tube 2', 'Hoses', 80, pages.hoses),
  ...rows('reel 1', 'Hoses', 70, pages.reels),
  ...rows('pipe 1', 'Pipes', 60, pages.hoses),
  ...rows('cat food', 'Food', 30, pages.food),
].join('\n');

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const group = (name: string) => details.getByRole('region', { name, exact: true });
const hasRow = (name: RegExp) => expect.element(page.getByRole('treeitem', { name }).first()).toBeVisible();

// Shows P15.32, P23.15.
test('a draft says where search results disagree with its clusters, and each disagreement is settled at once', async () => {
  await openDraft(list);
  await details.getByRole('tab', { name: /^Warnings/ }).click();
  await group('Answered by different pages').getByRole('button', { name: 'Answered by different pages 1' }).click();
  await group('Answered by different pages')
    .getByRole('button', { name: /^Hoses/ })
    .click();
  await shows('2 groups of keywords without enough result pages in common, the largest of 2, of 3 with results');
  await expect
    .element(details.getByRole('list', { name: 'Keywords that are answered alike' }))
    .toHaveTextContent('tube 1, tube 2a.test/6 · b.test/6 · c.test/6reel 1x.test/6');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Split by search results' }).click();
  await shows('Split Hoses into 2 clusters.');
  await expect.element(group('Answered by different pages')).not.toBeInTheDocument();

  await group('Answered by the same pages').getByRole('button', { name: 'Answered by the same pages 1' }).click();
  await group('Answered by the same pages')
    .getByRole('button', { name: /volume 230/ })
    .click();
  await shows('2 keywords of one and 1 of the other are answered by the same pages');
  await group('Answered by the same pages').getByRole('button', { name: 'Merge' }).click();
  await shows(/^Merged 2 clusters into .*\. 3 keywords\.$/);
  await expect.element(group('Answered by the same pages')).not.toBeInTheDocument();
  await hasRow(/^Food/);
});

test('how many shared pages count is chosen in the draft', async () => {
  await openDraft(list);
  await details.getByRole('tab', { name: /^Warnings/ }).click();
  await expect.element(group('Answered by the same pages')).toBeVisible();
  await details.getByRole('button', { name: 'Thresholds' }).click();
  const minShared = details.getByLabelText('Shared result URLs of keywords that are answered alike, at least');
  await expect.element(minShared).toHaveValue('3');
  await minShared.fill('4');
  await details.getByRole('button', { name: 'Thresholds' }).click();
  await expect.element(group('Answered by the same pages')).not.toBeInTheDocument();
});
