import { defaultSettings, type ScreenSettings } from '@kc/rules/settings';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { fakeApi, gate, neverAnswers } from '../../test/page/fake-api.ts';
import { serverSays } from '../../test/page/fake-events.ts';
import { openApp } from '../../test/page/open-app.tsx';

const theme = () => document.documentElement.dataset.theme;
const { defaultDepth, autoExpand, dataRefreshInterval, userImports, clientLinks } = defaultSettings;
const screen = (chosen?: ScreenSettings['theme']): ScreenSettings => ({
  ...{ defaultDepth, autoExpand, dataRefreshInterval, userImports, clientLinks },
  ...(chosen && { theme: chosen }),
});
const explorer = { as: 'approved', api: { 'visualizations.list': () => [], 'drafts.list': () => [] } } as const;
const sky = page.getByRole('heading', { name: 'Your sky is ready' });

// Shows P11.1.
test('dark mode reaches a page that is open', async () => {
  await openApp('/visualization', explorer);
  await expect.element(sky).toBeVisible();
  expect(theme()).toBe('light');
  fakeApi({ 'settings.screen': () => screen('dark') });
  serverSays('settings');
  await expect.poll(theme).toBe('dark');
  fakeApi({ 'settings.screen': () => screen('light') });
  serverSays('settings');
  await expect.poll(theme).toBe('light');
});

// Shows P11.8.
test('dark mode yields to its reader’s choice', async () => {
  const { queries } = await openApp('/visualization', explorer);
  for (const name of ['dark', 'light']) await page.getByRole('button', { name: `Switch to ${name} theme` }).click();
  fakeApi({ 'settings.screen': () => screen('dark') });
  serverSays('settings');
  await expect.poll(() => queries.getQueryData<ScreenSettings>(['settings', 'screen'])?.theme).toBe('dark');
  await expect.element(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible();
  expect(theme()).toBe('light');
});

test('a page is dark from its first picture on', async () => {
  const response = gate();
  const opening = openApp('/visualization', {
    ...explorer,
    api: {
      ...explorer.api,
      'settings.screen': async () => {
        await response.opened;
        return screen('dark');
      },
    },
  });
  let first: string | undefined;
  const watch = new MutationObserver(() => {
    if (document.querySelector('main')) first ??= theme();
  });
  watch.observe(document, { childList: true, subtree: true });
  await expect.poll(() => location.pathname).toBe('/visualization');
  expect(document.querySelector('main')).toBeNull();
  response.open();
  await opening;
  await expect.element(sky).toBeVisible();
  watch.disconnect();
  expect(first).toBe('dark');
});

test('a page does not wait long for the settings', async () => {
  stopClock();
  const opening = openApp('/visualization', {
    ...explorer,
    api: { ...explorer.api, 'settings.screen': neverAnswers },
  });
  await runFor(799);
  expect(document.querySelector('main')).toBeNull();
  await runFor(1);
  await opening;
  await expect.element(sky).toBeVisible();
});
