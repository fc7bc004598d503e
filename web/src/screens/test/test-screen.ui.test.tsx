import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refuses } from '../../../test/page/fake-api.ts';
import { openApp } from '../../../test/page/open-app.tsx';

const main = page.getByRole('main');

// Shows P1.10.
test('/test says whether the server responds, who is signed in, and what the browser supports', async () => {
  await openApp('/test', { as: 'approved' });
  await expect.element(main.getByText('Reachable')).toBeVisible();
  await expect.element(main.getByText('ann@example.com')).toBeVisible();
  expect(main.getByText('Missing').elements()).toEqual([]);
});

test('/test says that the server does not respond, and why', async () => {
  await openApp('/test', { api: { 'session.get': refuses('fault/unavailable') } });
  await expect.element(main.getByText('Not reachable')).toBeVisible();
  await expect.element(main.getByText('The server is not ready. Please try again in a moment.')).toBeVisible();
});
