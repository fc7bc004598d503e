import { expect, test } from 'vitest';
import { story, useOwnServer } from './app.ts';
import { claimLink } from './server.ts';
import { adminPerson } from './visitor.ts';

story('the built-in admin claims a fresh server', () => {
  const stage = useOwnServer();

  // Shows P18.3.
  test('the start prints the address and a claim link, which sets a password and signs in as admin, once', async () => {
    expect(stage.server.said()).toContain(stage.server.url);
    const { page } = await stage.visitor();
    await page.goto(claimLink(stage.server));
    expect(await page.getByLabel('Email address').inputValue()).toBe(adminPerson.email);
    await page.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    await page.getByLabel('Confirm Password', { exact: true }).fill(adminPerson.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/visualization');
    await page.getByRole('link', { name: 'Admin Panel' }).first().click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();

    const { page: other, expectProblem } = await stage.visitor();
    expectProblem(/status of 4\d\d/);
    await other.goto(claimLink(stage.server));
    await other.getByText('This link is no longer valid', { exact: false }).waitFor();
    await other.getByRole('link', { name: 'Go to sign in' }).click();
    await other.getByLabel('Email address').fill(adminPerson.email.toUpperCase());
    await other.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    // The message is gone with the page a moment later.
    await Promise.all([
      other.getByText('Login successful! Redirecting...').waitFor(),
      other.getByRole('button', { name: 'Sign in', exact: true }).click(),
    ]);
    await other.waitForURL('**/visualization');
  });
});
