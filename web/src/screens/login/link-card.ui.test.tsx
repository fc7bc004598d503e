import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeApi, refuses } from '../../../test/page/fake-api.ts';
import { address, openApp, sessionOf, signsIn } from '../../../test/page/open-app.tsx';

test('a used link of a new server says how to get another', async () => {
  await openApp('/claim#none', { api: { 'people.readClaim': refuses('claim/invalid') } });
  const text = 'This link is no longer valid. Start the server again, or run its claim-link command, to get a new one.';
  await expect.element(page.getByText(text)).toBeVisible();
});

test('a used link of a reset says how to get another', async () => {
  await openApp('/reset-password#none', { api: { 'people.readReset': refuses('reset/invalid') } });
  const text = 'This link is no longer valid. Ask for a new one with “Forgot password” on the sign-in page.';
  await expect.element(page.getByText(text)).toBeVisible();
});

test('a used link of a confirmation says so once it is to be used', async () => {
  await openApp('/verify-email#none', { as: 'approved', api: { 'people.verifyEmail': refuses('verify/invalid') } });
  await page.getByRole('button', { name: /confirm/i }).click();
  await expect.element(page.getByText('This link is no longer valid, or it belongs to another account.')).toBeVisible();
});

test('the password of a new server has at least twelve characters', async () => {
  await openApp('/claim#secret', {
    api: {
      'people.readClaim': ({ token }) => {
        expect(token).toBe('secret');
        return { email: 'admin@example.com' };
      },
    },
  });
  await page.getByLabelText('Password', { exact: true }).fill('too short');
  await page.getByLabelText('Confirm Password').fill('too short');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Password must be at least 12 characters')).toBeVisible();
});

test('a reset link sets a password, and leads to the sign-in', async () => {
  const reset = vi.fn(() => ({ email: 'ann@example.com' }));
  await openApp('/reset-password#secret', {
    api: {
      'people.readReset': () => ({ email: 'ann@example.com', minPasswordLength: 6 }),
      'people.resetPassword': reset,
    },
  });
  await expect.element(page.getByLabelText('Email address')).toHaveValue('ann@example.com');
  await page.getByLabelText('New password', { exact: true }).fill('violet quarry lamp 7');
  await page.getByLabelText('Confirm Password', { exact: true }).fill('violet quarry lamp 7');
  await expect.element(page.getByText('Passwords match')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  const done = 'Your password has been changed. You are signed out everywhere; please sign in with the new password.';
  await expect.element(page.getByText(done)).toBeVisible();
  expect(reset).toHaveBeenCalledExactlyOnceWith({ token: 'secret', password: 'violet quarry lamp 7' });
  await page.getByRole('link', { name: 'Go to sign in' }).click();
  await expect.poll(address).toBe('/login');
});

// Shows P27.7.
test('who has set a new password hears of the access tokens that still work', async () => {
  await openApp('/reset-password#secret', {
    api: {
      'people.readReset': () => ({ email: 'ann@example.com', minPasswordLength: 6 }),
      'people.resetPassword': () => ({ email: 'ann@example.com', accessTokens: 2 }),
    },
  });
  await page.getByLabelText('New password', { exact: true }).fill('violet quarry lamp 7');
  await page.getByLabelText('Confirm Password', { exact: true }).fill('violet quarry lamp 7');
  await userEvent.keyboard('{Enter}');
  const text =
    '2 access tokens of your account still work. If somebody else may have known your password, revoke them under “Access tokens” in the user menu.';
  await expect.element(page.getByText(text, { exact: false })).toBeVisible();
});

// Shows P3.13.
test('who is signed out signs in to confirm an email, and the pending page stops asking', async () => {
  const unproven = sessionOf('pending', { emailProven: false });
  const verify = vi.fn(() => {
    fakeApi({ 'session.get': () => sessionOf('pending') });
    return sessionOf('pending');
  });
  await openApp('/verify-email#secret', {
    api: { 'session.signIn': signsIn(unproven), 'people.verifyEmail': verify },
  });
  await page.getByLabelText('Email address').fill('ann@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('rakes and ladders');
  await page.getByRole('button', { name: 'Sign in and confirm' }).click();
  await expect.element(page.getByText('Your email address is confirmed.')).toBeVisible();
  expect(verify).toHaveBeenCalledExactlyOnceWith({ token: 'secret' });
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect.element(page.getByRole('heading', { name: 'Account Pending Approval' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Send verification email again' })).not.toBeInTheDocument();
});

test('a pending user has the confirmation mailed again', async () => {
  const mail = vi.fn(() => ({ email: 'ann@example.com' }));
  await openApp('/pending-approval', {
    as: sessionOf('pending', { emailProven: false }),
    api: { 'people.requestVerification': mail },
  });
  await page.getByRole('button', { name: 'Send verification email again' }).click();
  await expect.element(page.getByText(/^A confirmation link was sent to ann@example\.com\./)).toBeVisible();
  expect(mail).toHaveBeenCalledOnce();
});
