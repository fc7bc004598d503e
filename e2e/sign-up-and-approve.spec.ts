import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('somebody signs up and an admin lets them in', () => {
  const stage = useStage();

  test('the pending page moves on by itself once the admin approves', async () => {
    const { page: admin } = await stage.signedIn('admin');
    const { page } = await stage.visitor();

    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText('Join the SEO revolution').waitFor();
    await page.getByLabel('Full name').fill('Ann Gardener');
    await page.getByLabel('Email address').fill('Ann@Example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByLabel('Confirm Password', { exact: true }).fill('rakes and ladders');
    await page.getByText('Passwords match').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Account created successfully!', { exact: false }).waitFor();

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

  test('a denied person who signs in is told so and sees nothing else', async () => {
    const { page } = await stage.signedIn('denied');
    await page.goto('/visualization');
    await page.waitForURL('**/access-denied');
    await page.getByRole('heading', { name: 'Access Denied' }).waitFor();
    expect(await page.getByRole('link', { name: 'Admin Panel' }).count()).toBe(0);
  });

  test('signing out ends the session in the browser and on the server', async () => {
    const { page, call } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('button', { name: /approved/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
    await page.waitForURL('**/login');
    expect(await call('GET', '/session')).toMatchObject({ isAuthenticated: false });
  });
});
