import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { runFor, startClock, stopClock } from '../../../../test/page/clock.ts';
import { fakeApi, type Handlers, refuses } from '../../../../test/page/fake-api.ts';
import { visualization } from '../../../../test/page/maps-api.ts';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';
import { standInGoogle } from '../../../../test/page/stand-in-google.ts';
import { stepUpHandle } from '../../../session/change-session.ts';

const shows = (text: string) => expect.element(page.getByText(text)).toBeVisible();
const button = (name: string) => page.getByRole('button', { name: `Delete ${name}@example.com` });
const dialog = page.getByRole('alertdialog');
const typed = dialog.getByLabelText(/^Type .* to confirm$/);
const password = dialog.getByLabelText('Your password');
const confirm = dialog.getByRole('button', { name: 'Delete user' });
const focused = () => document.activeElement?.textContent;
const deleted = 'User bea@example.com has been completely deleted. The email is now immediately available for reuse.';

/** What a fault of the server looks like, outside the contract. */
const fault = () => Response.json({ error: 'x', data: { code: 'fault/unavailable' } }, { status: 500 });

/** A server on which a handle of `step-up` gives a token, and a token deletes. */
function deletions() {
  const forced = vi.fn();
  const api = {
    'visualizations.list': ({ userId }) =>
      userId === 'bea' ? [visualization({ userId: 'bea', keywords: 18_618 })] : [],
    'session.stepUpWays': () => ({ password: true, google: false }),
    'session.stepUp': ({ password: given }) =>
      given === 'a long quiet evening' ? { stepUp: 'a-new-handle' } : refuses('sign-in/wrong-password')(),
    'session.idToken': ({ stepUp }) =>
      stepUp === 'a-new-handle' ? { idToken: 'a-token' } : refuses('step-up/required')(),
    'POST /api/forceDeleteUser': async ({ request }) => {
      forced(await request.json());
      return Response.json({ ok: true });
    },
    'accounts.availability': ({ email }) => ({ email, availability: 'available' }),
  } satisfies Handlers;
  return { api, forced };
}

async function ask(name: string): Promise<void> {
  await button(name).click();
  await typed.fill(`${name}@example.com`);
  await userEvent.keyboard('{Enter}');
}

// Shows P8.6.
test('after typing the email and the password, and learns that the email is free', async () => {
  const { api, forced } = deletions();
  await openDashboard('/admin', { ...accountsOf(person('bea'), person('cleo')).api, ...api });
  await expect.element(button('bea')).toBeVisible();
  await expect.element(button('ann')).not.toBeInTheDocument();
  await button('bea').click();
  await shows('1 visualization · 18,618 keywords');
  await expect.poll(focused).toBe('Cancel');
  await typed.fill('bea@example');
  await expect.element(confirm).toBeDisabled();
  await typed.fill('bea@example.com');
  await userEvent.keyboard('{Enter}');
  // This browser signed in without the form, so there was no recent password.
  await password.fill('not the password');
  await confirm.click();
  await expect.element(dialog.getByText('Incorrect password')).toBeVisible();
  expect(forced).not.toHaveBeenCalled();
  await password.fill('a long quiet evening');
  stopClock(Date.now());
  await confirm.click();
  await shows(deleted);
  expect(forced).toHaveBeenCalledExactlyOnceWith({ userId: 'bea', idToken: 'a-token' });
  await expect.element(button('bea')).not.toBeInTheDocument();
  await runFor(2_000);
  await shows('Email bea@example.com is available.');
  startClock();
  expect(stepUpHandle()).toBe('a-new-handle');

  // The step-up is valid for a while. This time the first and the last step fail.
  fakeApi({
    'POST /api/forceDeleteUser': fault,
    'accounts.deleteRecords': () => ({ authRemains: true }),
    'accounts.deleteUserAuth': refuses('fault/unavailable'),
  });
  await ask('cleo');
  await shows(
    'User cleo@example.com and their visualizations have been deleted, but the authentication record may persist. It is locked: nobody can sign in with it.',
  );
  await expect.element(button('cleo')).not.toBeInTheDocument();
});

test('if every step fails, the reason is shown and the account stays', async () => {
  const { api } = deletions();
  await openDashboard('/admin', { ...accountsOf(person('bea')).api, ...api });
  sessionStorage.setItem('admin_temp_pass', 'a-new-handle');
  fakeApi({ 'POST /api/forceDeleteUser': fault, 'accounts.deleteRecords': refuses('fault/unavailable') });
  await ask('bea');
  await shows('Error deleting user: The server is not ready. Please try again in a moment.');
  await expect.element(button('bea')).toBeVisible();
});

test('the sample cannot be deleted', async () => {
  const { api } = deletions();
  await openDashboard('/admin', { ...accountsOf(person('sample', { isSample: true })).api, ...api });
  await expect.element(button('sample')).toHaveAttribute('aria-disabled', 'true');
});

// Shows P4.9.
test('S6 an admin without a password signs in with Google again before deleting an account', async () => {
  const { report, asked } = standInGoogle();
  const { api, forced } = deletions();
  await openDashboard('/admin', { ...accountsOf(person('bea')).api, ...api });
  fakeApi({ 'session.stepUpWays': () => ({ password: false, google: true }) });
  await ask('bea');
  const google = dialog.getByRole('button', { name: /^(Confirm with|Waiting for) Google/ });
  await expect.element(google).toBeVisible();
  await expect.element(password).not.toBeInTheDocument();

  await google.click();
  await expect.element(google).toHaveTextContent('Waiting for Google...');
  expect(Object.fromEntries(asked())).toMatchObject({ flow: 'popup', purpose: 'step-up' });
  report('google/failed');
  await expect.element(dialog.getByText(/^Authentication error\. Please try again\./)).toBeVisible();

  const taken = vi.fn(() => ({ stepUp: 'a-new-handle' }));
  fakeApi({ 'session.takeStepUp': taken });
  await google.click();
  report();
  await expect.element(dialog.getByText('Thank you. You can delete the user now.')).toBeVisible();
  expect(taken).toHaveBeenCalledExactlyOnceWith({ nonce: asked().get('nonce') });
  await expect.poll(focused).toBe('Delete user');
  stopClock(Date.now());
  await userEvent.keyboard('{Enter}');
  await shows(deleted);
  expect(forced).toHaveBeenCalledOnce();
});
