import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a page misses nothing while it begins to listen', () => {
  const stage = useStage();

  test('an approval between the first answer and the opening of the event stream is seen at once', async () => {
    const { page } = await stage.signedIn('pending');
    const admin = await stage.signedIn('admin');
    const accounts = await admin.call<{ id: string; email: string }[]>('GET', '/users');
    const { id } = accounts.find(({ email }) => email === 'pending@example.com')!;
    let letOpen: () => void = () => undefined;
    const mayOpen = new Promise<void>((open) => {
      letOpen = open;
    });
    await page.route('**/api/events', (route) => mayOpen.then(() => route.continue()));
    await page.clock.install();
    await page.goto('/pending-approval');
    await page.getByRole('heading', { name: 'Account Pending Approval' }).waitFor();
    // The page polls after 30 seconds; its clock never gets there.
    await page.clock.pauseAt(Date.now() + 5_000);
    await admin.call('PUT', `/users/${id}/status`, { status: 'approved' });
    letOpen();
    await expect.poll(() => page.clock.runFor(50).then(() => page.url())).toContain('/visualization');
  });
});
