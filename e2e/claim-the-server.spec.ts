import { expect, test } from 'vitest';
import { story, useOwnServer } from './app.ts';
import { claimLink } from './server.ts';
import { adminPerson } from './visitor.ts';

story('the built-in admin claims a fresh server', () => {
  const stage = useOwnServer();

  test('the start prints the address and a claim link, which sets a password and signs in as admin', async () => {
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
  });

  test('the link works once', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/status of 4\d\d/);
    await page.goto(claimLink(stage.server));
    await page.getByText('This link is no longer valid', { exact: false }).waitFor();
  });

  test('the password signs in from the sign-in page', async () => {
    const { page } = await stage.visitor();
    await page.getByLabel('Email address').fill(adminPerson.email.toUpperCase());
    await page.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Login successful! Redirecting...').waitFor();
    await page.waitForURL('**/visualization');
  });

  test('a sign-up with the built-in email is refused', async () => {
    const { page, expectProblem } = await stage.visitor();
    expectProblem(/status of 4\d\d/);
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByLabel('Full name').fill('Somebody else');
    await page.getByLabel('Email address').fill(adminPerson.email);
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByLabel('Confirm Password', { exact: true }).fill('rakes and ladders');
    await page.getByText('Passwords match').waitFor();
    await page.getByRole('button', { name: 'Sign up', exact: true }).first().click();
    await page.getByText('An account with this email already exists').waitFor();
  });
});
