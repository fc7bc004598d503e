import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a user signs out', () => {
  const stage = useStage();

  // Shows P2.4.
  test('T56 nothing remains in the browser, and Back leads to the sign-in page', async () => {
    const { page, call } = await stage.signedIn('approved');
    // The page that Back leads to: one for signed-in users.
    await page.goto('/visualization?v=sample');
    await page.goto('/visualization');
    await page.getByRole('button', { name: 'Switch to dark theme' }).click();
    await page.getByText('Your sky is ready').waitFor();
    await page.evaluate(() => sessionStorage.setItem('admin_temp_pass', 'a handle of the one before'));
    const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await page.getByRole('button', { name: /approved/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
    expect((await (await answered).allHeaders())['clear-site-data']).toBe('"cache", "storage"');
    await page.waitForURL('**/login');
    expect(await call('GET', '/session')).toMatchObject({ isAuthenticated: false });
    const keys = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
    expect(keys.filter((key) => /^kc-|admin_temp_pass/.test(key))).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('dark');

    await page.goBack();
    await page.waitForURL('**/login');
    await page.getByText('Welcome back, dude!').waitFor();
    expect(await page.getByText('Your sky is ready').count()).toBe(0);
  });
});
