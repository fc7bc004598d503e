import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { mailedLink } from './mail.ts';

const newPassword = 'violet quarry lamp 7';

story('a forgotten password is reset by mail', () => {
  const stage = useStage();

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

  test('an email without an account gets the same message', async () => {
    const { page } = await stage.visitor();
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Send a link' }).waitFor();
    await page.getByLabel('Email address').fill('nobody');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid email format').waitFor();
    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('If there is an account with this email', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByText('Welcome back, dude!').waitFor();
  });
});

story('an email is confirmed by mail', () => {
  const stage = useStage();

  test('a new user opens the link and signs in with it, and the pending page stops asking', async () => {
    const signedIn = await stage.signedIn('pending');
    const first = await mailedLink(stage.server, 'pending@example.com', '/verify-email');
    await signedIn.page.goto('/pending-approval');
    await signedIn.page.getByRole('button', { name: 'Send verification email again' }).click();
    await signedIn.page.getByText('A confirmation link was sent to pending@example.com.', { exact: false }).waitFor();

    const link = await mailedLink(stage.server, 'pending@example.com', '/verify-email', first);
    const { page } = await stage.visitor();
    await page.goto(link);
    await page.getByLabel('Email address').fill('pending@example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.getByRole('button', { name: 'Sign in and confirm' }).click();
    await page.getByText('Your email address is confirmed.').waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL('**/pending-approval');
    await page.getByRole('heading', { name: 'Account Pending Approval' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send verification email again' }).count()).toBe(0);
  });
});

story('a user changes their name and signs out everywhere', () => {
  const stage = useStage();

  test('the new name appears at once, in the menu and in the list of users', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('button', { name: /approved/ }).click();
    await page.getByRole('menuitem', { name: 'Edit name' }).click();
    await page.getByLabel('Full name').fill(' ');
    await page.keyboard.press('Enter');
    await page.getByText('Please enter your full name').waitFor();
    await page.getByLabel('Full name').fill('Ann Gardener');
    await page.keyboard.press('Enter');
    await page.getByText('Your name has been changed').waitFor();
    await page.getByRole('button', { name: /Ann Gardener/ }).waitFor();
    const admin = await stage.signedIn('admin');
    await admin.page.goto('/admin');
    await admin.page.getByText('Ann Gardener').first().waitFor();
  });

  test('signing out everywhere ends the session of another browser', async () => {
    const elsewhere = await stage.signedIn('approved');
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('button', { name: /Ann Gardener/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await page.waitForURL('**/login');
    expect(await elsewhere.call('GET', '/session')).toMatchObject({ isAuthenticated: false });
  });
});
