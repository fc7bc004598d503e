import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

const leave = async (page: Page) => {
  await page.getByRole('button', { name: /approved/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
};

story('a user signs out', () => {
  const stage = useStage();

  test('T56 nothing remains in the browser, and Back leads to the sign-in page', async () => {
    const { page } = await stage.signedIn('approved');
    // The page that Back leads to: one for signed-in users.
    await page.goto('/visualization?v=sample');
    await page.goto('/visualization');
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await page.getByText('Your sky is ready').waitFor();
    await page.evaluate(() => sessionStorage.setItem('admin_temp_pass', 'a handle of the one before'));
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await leave(page);
    expect((await (await answered).allHeaders())['clear-site-data']).toBe('"cache", "storage"');
    await page.waitForURL('**/login');
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    expect(keys.filter((key) => /^kc-|admin_temp_pass/.test(key))).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');

    await page.goBack();
    await page.waitForURL('**/login');
    await page.getByText('Welcome back, dude!').waitFor();
    expect(await page.getByText('Your sky is ready').count()).toBe(0);
  });

  test('if it fails they are told why and stay signed in', async () => {
    const visitor = await stage.signedIn('approved');
    visitor.expectProblem(/status of 503/);
    const { page } = visitor;
    await page.goto('/visualization');
    await page.route('**/api/session', (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, json: { defined: false, code: 'FAULT', data: { code: 'fault/unavailable' } } })
        : route.continue(),
    );
    await leave(page);
    await page.getByText('The server is not ready. Please try again in a moment.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/visualization');
  });
});
