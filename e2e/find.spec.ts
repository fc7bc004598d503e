import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('finding a keyword, and a command', () => {
  const stage = useStage();

  test('hits are previewed without moving, opened, stepped through and turned into a filter', async () => {
    const { page } = await stage.signedIn('approved');
    // One level: hits below it have no mark of their own.
    await page.goto('/visualization?v=sample&d=1');
    const picture = page.getByRole('application', { name: /^Treemap of Garden shop/ });
    await picture.waitFor();
    const box = page.getByRole('combobox', { name: 'Search keywords' });
    await box.fill('spade');
    const hits = page.getByRole('listbox', { name: 'Matches' }).getByRole('option');
    await hits.first().waitFor();
    await page.waitForURL(/[?&]q=spade/);
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    // The list and the path say which mark is highlighted instead.
    await hits.nth(2).getByText('Inside Garden tools', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByText('Digging', { exact: true }).waitFor();
    const before = new URL(page.url()).searchParams;
    expect([before.has('n'), before.has('sel'), before.has('cam')]).toEqual([false, false, false]);
    await box.press('Enter');
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}/);
    await picture.focus();
    const steps = page.getByRole('region', { name: 'Matches' });
    await steps.getByText(/^\d+ of \d+$/).waitFor();
    const at = async () => Number.parseInt(await steps.innerText(), 10);
    const first = await at();
    await page.keyboard.press('n');
    await expect.poll(at).toBe(first + 1);
    await page.keyboard.press('Shift+N');
    await expect.poll(at).toBe(first);

    await box.focus();
    await box.press('Shift+Enter');
    await page.waitForURL(/[?&]f=has-spade/);
    await page.getByRole('button', { name: 'Remove filter: Contains “spade”' }).waitFor();
  });

  test('a command and a keyword are found in the same place', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('application', { name: /^Treemap of Garden shop/ }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'What to do' });
    await field.fill('sunburst');
    await page.getByRole('option', { name: /Sunburst/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]view=sunburst/);
    await field.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await field.fill('garden tools');
    await page
      .getByRole('option', { name: /^Garden tools/ })
      .first()
      .click();
    await page.waitForURL(/[?&](n|sel)=[0-9a-f]{16}/);
  });
});
