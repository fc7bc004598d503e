import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { runFor, startClock, stopClock } from '../../test/page/clock.ts';
import { fakeApi, isOffline, neverAnswers } from '../../test/page/fake-api.ts';
import { mapsApi } from '../../test/page/maps-api.ts';
import { openApp } from '../../test/page/open-app.tsx';

const shoes = {
  keywords: [{ keyword: 'trail shoes', volume: 30 }],
  hierarchy: { name: 'shoes', children: [{ name: 'trail shoes' }] },
};
const treemap = page.getByRole('application', { name: /^Treemap of shoes/ });

test('REL-33 a map that does not come is given up after 30 s, says so, and comes when asked again', async () => {
  const api = await mapsApi({ upload: shoes });
  const slice = vi.fn(neverAnswers);
  stopClock(Date.now());
  await openApp('/visualization', { as: 'approved', api: { ...api, 'GET /api/visualizations/{id}/slice': slice } });
  await expect.poll(() => slice.mock.calls.length).toBe(1);
  const failure = page.getByRole('heading', { name: 'This visualization could not be loaded' });
  await runFor(29_999);
  await expect.element(failure).not.toBeInTheDocument();
  await runFor(1);
  await expect.element(failure).toBeVisible();
  await expect.element(page.getByText('The server is not ready. Please try again in a moment.')).toBeVisible();
  expect(slice).toHaveBeenCalledOnce();
  fakeApi(api);
  startClock();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(treemap).toBeVisible();
});

test('a map that could not be loaded without a connection comes by itself when there is one again', async () => {
  const api = await mapsApi({ upload: shoes });
  await openApp('/visualization', { as: 'approved', api: { ...api, 'GET /api/visualizations/{id}/slice': isOffline } });
  await expect.element(page.getByRole('heading', { name: 'This visualization could not be loaded' })).toBeVisible();
  fakeApi(api);
  dispatchEvent(new Event('online'));
  await expect.element(treemap).toBeVisible();
});
