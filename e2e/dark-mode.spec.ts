import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

const themeOf = (page: Page) => page.locator('html').getAttribute('data-theme');

story('an admin decides for everybody', () => {
  const stage = useStage();

  // Shows P11.8.
  test('the system decides until dark mode reaches the open pages, which yield to their readers’ choices', async () => {
    const [{ page: admin }, { page: reader }, { page: chooser }] = [
      await stage.signedIn('admin'),
      await stage.signedIn('approved'),
      await stage.signedIn('approved'),
    ];
    for (const page of [reader, chooser]) {
      await page.goto('/visualization');
      await page.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
    }
    await reader.emulateMedia({ colorScheme: 'dark' });
    await reader.getByRole('button', { name: 'Switch to light theme' }).waitFor();
    await reader.emulateMedia({ colorScheme: 'light' });
    await reader.getByRole('button', { name: 'Switch to dark theme' }).waitFor();
    for (const theme of ['dark', 'light'])
      await chooser.getByRole('button', { name: `Switch to ${theme} theme` }).click();
    // Listeners run in the order in which they were added, so the page's own has run by then.
    await chooser.evaluate(`void (globalThis.told = new Promise((heard) =>
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', heard, { once: true })))`);
    await chooser.emulateMedia({ colorScheme: 'dark' });
    await chooser.evaluate('told.then(() => undefined)');
    expect(await themeOf(chooser)).toBe('light');

    await admin.goto('/admin?tab=settings');
    await admin.getByRole('switch', { name: 'Dark mode' }).click();
    await admin.getByRole('button', { name: 'Save Settings' }).click();
    await admin.getByText('Settings saved successfully').waitFor();
    await reader.locator('html[data-theme=dark]').waitFor();
    // The next page has the theme from the start, before the server has responded, and loads even without a response.
    await reader.route('**/api/settings/screen', () => undefined);
    await reader.reload();
    expect(await themeOf(reader)).toBe('dark');
    await reader.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    expect(await themeOf(chooser)).toBe('light');
  });
});
