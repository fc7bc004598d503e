import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { runFor, stopClock } from '../../../../test/page/clock.ts';
import { fakeApi, isOffline, refuses } from '../../../../test/page/fake-api.ts';
import { serverSays } from '../../../../test/page/fake-events.ts';
import { address, sessionOf } from '../../../../test/page/open-app.tsx';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';

const email = page.getByLabelText('Email', { exact: true });
const password = page.getByLabelText('Password', { exact: true });
const submit = page.getByRole('button', { name: 'Create User' });
const copy = page.getByRole('button', { name: 'Copy credentials' });
const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const alert = page.getByRole('alert');
const hasFocus = (field: typeof email) => expect.poll(() => document.activeElement === field.element()).toBe(true);

/** A form in which every email is free but Ann's, and every account can be created. */
async function openForm() {
  const users = accountsOf();
  const create = vi.fn(({ email: created }: { email: string }) => {
    const [name] = created.split('@');
    const one = person(name!, { status: 'approved' });
    users.add(one);
    return one;
  });
  await openDashboard('/admin?list=create', {
    ...users.api,
    'accounts.availability': ({ email: requested }) => ({
      email: requested,
      availability: requested === 'ann@example.com' ? 'in-use' : 'available',
    }),
    'accounts.create': create,
  });
  await expect.element(page.getByRole('heading', { name: 'Create User' })).toBeVisible();
  return { create, users };
}

/** What was copied; the page under test may not read the clipboard. */
function clipboard() {
  return vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
}

// Shows P8.2.
test('with an email that is free, a generated password, and credentials that are copied once', async () => {
  const { create } = await openForm();
  const copied = clipboard();
  await email.fill('  Nina@example.com');
  await shows('Email nina@example.com is available.');
  await page.getByRole('button', { name: 'Generate' }).click();
  const generated = (password.element() as HTMLInputElement).value;
  expect(generated).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  await expect.element(password).toHaveAttribute('type', 'text');
  await page.getByRole('radio', { name: /Administrator/ }).click();
  await submit.click();

  await shows(/^User nina@example\.com created successfully/);
  expect(create).toHaveBeenCalledExactlyOnceWith({ email: 'nina@example.com', password: generated, role: 'admin' });
  await hasFocus(copy);
  await expect.element(email).toHaveValue('');
  await expect.element(password).toHaveValue('');
  await userEvent.keyboard('{Enter}');
  await shows('Email and password copied');
  await expect.element(copy).not.toBeInTheDocument();
  expect(copied).toHaveBeenCalledExactlyOnceWith(`Email: nina@example.com\nPassword: ${generated}`);

  const none = () => [];
  fakeApi({ 'uploads.unfinished': none, 'uploads.list': none, 'visualizations.list': none, 'drafts.list': none });
  await page.getByRole('link', { name: 'Upload data for this user' }).click();
  await expect.poll(address).toBe('/admin/upload/nina');
  await expect.element(page.getByRole('combobox', { name: 'Select User' }).getByText(/nina@example/)).toBeVisible();
});

// Shows P8.2.
test('and keeps the password on screen until it is copied, then leaves', async () => {
  await openForm();
  clipboard();
  await email.fill('odile@example.com');
  await page.getByRole('button', { name: 'Generate' }).click();
  const created = page.getByText(/^User odile@example\.com created successfully/);
  stopClock(Date.now());
  await submit.click();
  await expect.element(created).toBeVisible();
  await email.click();
  await runFor(60_000);
  await expect.element(created).toBeVisible();
  await copy.click();
  await shows('Email and password copied');
  await email.click();
  await runFor(4_000);
  await expect.element(created).toBeVisible();
  await runFor(1_001);
  await expect.element(created).not.toBeInTheDocument();
});

test('a browser that refuses to copy shows the password instead', async () => {
  await openForm();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'));
  await email.fill('odile@example.com');
  await password.fill('rakes and ladders');
  await submit.click();
  await copy.click();
  await shows('rakes and ladders');
});

test('an error leads back to the list', async () => {
  const { users } = await openForm();
  await submit.click();
  const banner = alert.filter({ hasText: 'Email and password are required' });
  const requests = users.api['accounts.list'].mock.calls.length;
  await banner.getByRole('button', { name: 'Refresh Users' }).click();
  await expect.poll(() => users.api['accounts.list'].mock.calls.length).toBeGreaterThan(requests);
  await banner.getByRole('button', { name: 'Reset UI State' }).click();
  await expect.element(page.getByRole('tab', { name: 'All Users', selected: true })).toBeVisible();
});

test('on a phone an error comes into sight, above the button that was pressed', async () => {
  await page.viewport(390, 500);
  onTestFinished(() => page.viewport(1440, 900));
  await openForm();
  fakeApi({ 'accounts.create': isOffline });
  await email.fill('nina@example.com');
  await password.fill('rakes and ladders');
  await submit.click();
  await expect.element(alert.first()).toBeVisible();
  const box = () => alert.first().element().getBoundingClientRect();
  const header = page.getByRole('banner').element().getBoundingClientRect();
  await expect.poll(() => box().top).toBeGreaterThanOrEqual(header.bottom);
  expect(box().bottom).toBeLessThanOrEqual(500 - 56);
});

test('and is told what is wrong before and after asking', async () => {
  await openForm();
  await submit.click();
  await shows('Email and password are required');
  await hasFocus(email);

  await email.fill('nina at example');
  await password.click();
  await shows('Please enter a valid email address.');
  await email.fill('ann@example.com');
  await shows('Email ann@example.com is already in use. Please choose another email.');
  await email.fill('otto@example.com');
  await shows('Email otto@example.com is available.');

  await password.fill('short');
  await shows('Password is too weak (minimum 6 characters)');
  await userEvent.keyboard('{Enter}');
  await shows('Password must be at least 6 characters');
  await page.getByRole('radio', { name: /Administrator/ }).click();
  await shows('Password is too weak. Please use at least 6 characters.');
  await password.fill('keyword1');
  fakeApi({ 'accounts.create': refuses('sign-up/weak') });
  await submit.click();
  await shows('Password is too weak. Please use a stronger password');
  await hasFocus(password);
});

// Shows P8.3.
test('an email that was deleted just now and taken again is told apart', async () => {
  await openForm();
  const support = 'help@example.com';
  const admin = sessionOf('admin');
  fakeApi({ 'session.get': () => ({ ...admin, server: { ...admin.server, supportEmail: support } }) });
  serverSays('session');
  const text =
    'Email gone@example.com is already in use. Please choose another email. If it was deleted just now, wait a few minutes or contact support.';
  fakeApi({
    'accounts.availability': ({ email: requested }) => ({ email: requested, availability: 'recently-deleted' }),
    'accounts.create': refuses('create-user/recently-deleted', { email: 'gone@example.com', support }),
  });
  await email.fill('gone@example.com');
  await shows(text);
  await password.fill('rakes and ladders');
  await submit.click();
  await expect.element(alert.getByText(text).first()).toBeVisible();
});
