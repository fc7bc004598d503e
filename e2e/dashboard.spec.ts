import { test } from 'vitest';
import { story, useStage } from './app.ts';

story('the dashboard', () => {
  const stage = useStage();

  test('a tab whose script fails to load says so, and the other tabs still work', async () => {
    const visitor = await stage.signedIn('admin');
    visitor.expectProblem(/ERR_FAILED|dynamically imported module/);
    const { page } = visitor;
    await page.route('**/assets/settings-tab-*.js', (route) => route.abort());
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Dashboard' });
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.getByText('Error loading tab content').waitFor();
    await sidebar.getByRole('link', { name: /Users/ }).click();
    await page.getByRole('button', { name: 'Refresh Users' }).waitFor();
    await sidebar.getByRole('link', { name: /Settings/ }).click();
    await page.unroute('**/assets/settings-tab-*.js');
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('heading', { name: 'User Registration' }).waitFor();
  });
});
