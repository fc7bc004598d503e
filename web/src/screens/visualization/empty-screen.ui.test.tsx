import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { mapsApi } from '../../../test/page/maps-api.ts';
import { address, openApp } from '../../../test/page/open-app.tsx';

test('a user without data opens the sample', async () => {
  const upload = { keywords: [], hierarchy: { name: 'garden', children: [{ name: 'rakes' }] } };
  const api = await mapsApi({ upload, record: { id: 'sample', isSample: true, isActive: false } });
  await openApp('/visualization', { as: 'approved', api });
  await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
  await page.getByRole('button', { name: 'Explore a sample' }).click();
  await expect.poll(address).toMatch(/^\/visualization\?v=sample/);
  await expect.element(page.getByRole('application', { name: /^Treemap of garden/ })).toBeVisible();
});
