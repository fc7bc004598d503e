import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a user without data explores the sample', () => {
  const stage = useStage();

  test('an approved user finds the sample, which says what it is', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
    await page.getByText('Explore a sample').click();
    await page.waitForURL(/[?&]v=sample/);
    await page.getByRole('application', { name: /Treemap of Garden shop \(sample data\)/ }).waitFor();
    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline.getByRole('treeitem', { level: 2 }).first().waitFor();
    expect(await outline.getByRole('treeitem', { name: /keywords/ }).count()).toBeGreaterThanOrEqual(8);
  });

  test('the sample is only for approved users: a pending user and a stranger get no byte of it', async () => {
    const pending = await stage.signedIn('pending');
    const stranger = await stage.visitor();
    pending.expectProblem(/status of 403/);
    stranger.expectProblem(/status of 401/);
    await expect(pending.call('GET', '/visualizations/sample')).rejects.toThrow(/: 403 /);
    await expect(stranger.call('GET', '/visualizations/sample')).rejects.toThrow(/: 401 /);
  });

  test('with SAMPLE on, the users list shows whose the sample is, and nobody can sign in as that user', async () => {
    const admin = await stage.signedIn('admin');
    const accounts = await admin.call<{ email: string; isSample: boolean }[]>('GET', '/users');
    expect(accounts.filter((account) => account.isSample).map((account) => account.email)).toEqual([
      'sample@example.com',
    ]);
    admin.expectProblem(/status of 4\d\d/);
    await expect(
      admin.call('POST', '/session', { email: 'sample@example.com', password: 'anything at all', remember: false }),
    ).rejects.toThrow(/: 4\d\d /);
  });
});
