import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { refuses } from '../../../test/page/fake-api.ts';
import { openApp } from '../../../test/page/open-app.tsx';

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
