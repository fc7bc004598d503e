import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { makeAccount } from './visitor.ts';

story('somebody signs up and an admin lets them in', () => {
  const stage = useStage();

  // Shows P3.12, P5.3.
  test('the pending page moves on by itself once the admin approves', async () => {
    const { page: admin, call } = await stage.signedIn('admin');
    // The third sign-up from an address needs a proof of work, which nobody notices.
    for (const name of ['ben', 'cleo']) await makeAccount({ call }, name, 'pending');
    const { page, expectProblem } = await stage.visitor();
    // The browser's console shows every refused call with its status.
    expectProblem(/status of 429/);
    const checks: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/sign-up/check')) checks.push(request.method());
    });

    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText('Join the SEO revolution').waitFor();
    await page.getByLabel('Full name').fill('Ann Gardener');
    await page.getByLabel('Email address').fill('Ann@Example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByLabel('Confirm Password', { exact: true }).fill('rakes and ladders');
    await page.getByText('Passwords match').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Account created successfully!', { exact: false }).waitFor();
    expect(checks).toEqual(['POST']);
    expect(await page.getByText('automated sign-ups').count()).toBe(0);

    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.waitForURL('**/pending-approval');
    await page.getByRole('heading', { name: 'Account Pending Approval' }).waitFor();
    await page.getByText('ann@example.com').waitFor();

    await admin.goto('/admin');
    const row = admin.getByRole('row', { name: /ann@example\.com/ });
    await row.waitFor();
    await row.getByRole('combobox', { name: /status/i }).click();
    await admin.getByRole('option', { name: 'Active' }).click();
    await admin.getByText('User status updated successfully to Active').waitFor();

    await page.waitForURL('**/visualization');
    await page.getByRole('heading', { name: 'Your sky is ready' }).waitFor();
  });
});
