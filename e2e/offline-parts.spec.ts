import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a part of the explorer fails to load', () => {
  const stage = useStage();

  test('the user is told, everything else works, and a reload loads it', async () => {
    const { page, context, expectProblem } = await stage.signedIn('approved');
    expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch|dynamically imported module/);
    await page.goto('/visualization?v=sample&view=icicle');
    const picture = page.getByRole('application', { name: /^Icicle of Garden shop/ });
    await picture.waitFor();
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('region', { name: 'Legend' }).getByRole('button').click();
    const told = page.getByText('This part could not be shown. Check your connection and load the page again.');
    await told.waitFor();
    expect(await picture.isVisible()).toBe(true);
    expect(await page.getByRole('treeitem').count()).toBeGreaterThan(1);

    await page.getByRole('radio', { name: 'Table' }).click();
    await page.getByRole('heading', { name: 'This part could not be shown.' }).waitFor();
    expect(await page.getByRole('treeitem').count()).toBeGreaterThan(1);

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('treegrid').waitFor();
  });
});
