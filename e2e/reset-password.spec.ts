import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { mailedLink } from './mail.ts';

const newPassword = 'violet quarry lamp 7';

story('a forgotten password is reset by mail', () => {
  const stage = useStage();

  // Shows P3.10.
  test('the link sets a password, ends the other sessions and works once', async () => {
    const elsewhere = await stage.signedIn('approved');
    const { page, expectProblem } = await stage.visitor();
    await page.getByLabel('Email address').fill('approved@example.com');
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Send a link' }).waitFor();
    expect(await page.getByLabel('Email address').inputValue()).toBe('approved@example.com');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByText('If there is an account with this email', { exact: false }).waitFor();

    const link = await mailedLink(stage.server, 'approved@example.com', '/reset-password');
    await page.goto(link);
    expect(await page.getByLabel('Email address').inputValue()).toBe('approved@example.com');
    await page.getByLabel('New password', { exact: true }).fill(newPassword);
    await page.getByLabel('Confirm Password', { exact: true }).fill(newPassword);
    await page.getByText('Passwords match').waitFor();
    await page.keyboard.press('Enter');
    await page
      .getByText('Your password has been changed. You are signed out everywhere; please sign in with the new password.')
      .waitFor();
    expect(await elsewhere.call('GET', '/session')).toMatchObject({ isAuthenticated: false });

    await page.getByRole('link', { name: 'Go to sign in' }).click();
    await page.getByLabel('Email address').fill('approved@example.com');
    await page.getByLabel('Password', { exact: true }).fill(newPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/visualization');

    expectProblem(/status of 422/);
    await page.goto('/login');
    await page.goto(link);
    await page.getByText('This link is no longer valid.', { exact: false }).waitFor();
  });
});
