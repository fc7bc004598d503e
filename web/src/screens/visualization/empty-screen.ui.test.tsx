import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { address, openApp } from '../../../test/page/open-app.tsx';
import { mapApi, visualization } from '../../../test/page/open-explorer.tsx';

test('a user without data opens the sample', async () => {
  const api = await mapApi({ keywords: [], hierarchy: { name: 'garden', children: [{ name: 'rakes' }] } });
  const sample = visualization({ id: 'sample', isSample: true, isActive: false, nodes: 2 });
  await openApp('/visualization', { as: 'approved', api: { ...api, 'visualizations.list': () => [sample] } });
  await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
  await page.getByRole('button', { name: 'Explore a sample' }).click();
  await expect.poll(address).toMatch(/^\/visualization\?v=sample/);
  await expect.element(page.getByRole('application', { name: /^Treemap of garden/ })).toBeVisible();
});
