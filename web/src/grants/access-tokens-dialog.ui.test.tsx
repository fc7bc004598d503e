import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../test/page/axe.ts';
import { fakeApi, type Handlers, refuses } from '../../test/page/fake-api.ts';
import { openApp } from '../../test/page/open-app.tsx';

const secret = `kc_${'a'.repeat(43)}`;
const cron = {
  id: 't1',
  name: 'Nightly cron',
  scopes: ['read', 'import'] as ('read' | 'import')[],
  createdAt: Date.UTC(2027, 0, 5, 12),
  expiresAt: Date.UTC(2027, 3, 5, 12),
};
const makeToken = vi.fn<NonNullable<Handlers['accessTokens.make']>>((input) => ({
  ...cron,
  id: 't2',
  name: input.name,
  scopes: input.scopes,
  expiresAt: input.expiresAt,
  token: secret,
}));

async function openDialog(api: Handlers = {}, as: 'approved' | 'admin' = 'approved') {
  makeToken.mockClear();
  await openApp('/visualization', {
    as,
    api: {
      'visualizations.list': () => [],
      'drafts.list': () => [],
      'accessTokens.list': () => [cron],
      'accessTokens.make': makeToken,
      ...api,
    },
  });
  await page.getByRole('banner').getByRole('button', { name: /ann/i }).click();
  await page.getByRole('menuitem', { name: 'Access tokens', exact: true }).click();
  await expect.element(page.getByRole('dialog', { name: 'Access tokens' })).toBeVisible();
}
const list = () => page.getByRole('region', { name: 'Your access tokens' });
const create = () => page.getByRole('button', { name: 'Create token' });

// Shows P27.1.
test('a new token is shown once, and its copy button has the focus', async () => {
  await openDialog();
  await page.getByLabelText('What it is for').fill('Monthly import');
  await page.getByRole('switch', { name: 'Import' }).click();
  const before = Date.now();
  await create().click();
  await expect.element(page.getByLabelText('Token for Monthly import')).toHaveValue(secret);
  await expect.element(page.getByRole('button', { name: 'Copy token' })).toHaveFocus();
  const [input] = makeToken.mock.calls[0]!;
  expect(input).toMatchObject({ name: 'Monthly import', scopes: ['read', 'import'] });
  expect(Math.abs(input.expiresAt - before - 90 * 86_400_000)).toBeLessThan(60_000);
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => copied.mockRestore());
  await page.getByRole('button', { name: 'Copy token' }).click();
  expect(copied).toHaveBeenCalledWith(secret);
  await expect.element(page.getByText('Token copied')).toBeVisible();
  await page.getByRole('button', { name: 'Create another' }).click();
  await expect.element(page.getByText(secret)).not.toBeInTheDocument();
  await expect.element(create()).toBeVisible();
});

test('a page that is not served securely has no clipboard, and says that the token cannot be copied', async () => {
  await openDialog();
  await page.getByLabelText('What it is for').fill('Monthly import');
  await create().click();
  const clipboard = vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  onTestFinished(() => clipboard.mockRestore());
  await page.getByRole('button', { name: 'Copy token' }).click();
  await expect.element(page.getByText('The browser does not allow copying here')).toBeVisible();
});

test('a day of its own ends with that day, and who may not use it is told why', async () => {
  await openDialog({ 'accessTokens.make': refuses('token/too-long', { days: 366 }) });
  await page.getByLabelText('What it is for').fill('x');
  await page.getByLabelText('It ends').click();
  await page.getByRole('option', { name: 'on a date' }).click();
  await expect.element(create()).toBeDisabled();
  await page.getByLabelText('Its last day').fill('2031-05-04');
  await create().click();
  await expect.element(page.getByText('A token is valid for at most 366 days.')).toBeVisible();
  fakeApi({ 'accessTokens.make': makeToken });
  await create().click();
  await expect.poll(() => makeToken.mock.calls[0]?.[0].expiresAt).toBe(new Date('2031-05-04T23:59:59').getTime());
});

test.each([
  ['token/unnamed', {}, 'Enter what the token is for.'],
  ['token/ended-before', {}, 'Choose a day in the future.'],
  [
    'token/full',
    { max: 50 },
    'The access token was not created: An account can have 50 access tokens at a time. Revoke one first.',
  ],
] as const)('who may not make one is told why: %s', async (code, params, text) => {
  await openDialog({ 'accessTokens.make': refuses(code, params) });
  if (code === 'token/ended-before') {
    await page.getByLabelText('It ends').click();
    await page.getByRole('option', { name: 'on a date' }).click();
    await page.getByLabelText('Its last day').fill('2020-01-01');
  }
  await create().click();
  await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});

test('a token that has ended already is said to, and stays listed until the list is read again', async () => {
  await openDialog({ 'accessTokens.revoke': refuses('token/not-found') });
  await list()
    .getByRole('button', { name: /Revoke/ })
    .click();
  const text = 'The access token was not revoked: This access token has already ended.';
  await expect.element(page.getByText(text)).toBeVisible();
});

// Shows P27.4.
test('only administrators are offered the scope to administer, and without any scope there is no token', async () => {
  await openDialog();
  await expect.element(page.getByRole('switch', { name: 'Administer' })).not.toBeInTheDocument();
  await page.getByRole('switch', { name: 'Read' }).click();
  await expect.element(page.getByText('Choose at least one.')).toBeVisible();
  await expect.element(create()).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await openDialog({}, 'admin');
  await expect.element(page.getByRole('switch', { name: 'Administer' })).toBeVisible();
});

// Shows P27.3.
test('a token is revoked from the list, which says what it may do and when it was used', async () => {
  let isThere = true;
  await openDialog({
    'accessTokens.list': () => (isThere ? [{ ...cron, lastUsedAt: Date.UTC(2027, 1, 3, 12) }] : []),
    'accessTokens.revoke': ({ id }) => {
      isThere = false;
      return { id };
    },
  });
  await expect.element(list().getByText('Made on Jan 5, 2027 · until Apr 5, 2027')).toBeVisible();
  await expect.element(list().getByText(/Last used on Feb 3, 2027/)).toBeVisible();
  await expect.element(list().getByText('import')).toBeVisible();
  await list().getByRole('button', { name: 'Revoke the access token “Nightly cron”' }).click();
  await expect.element(page.getByText('“Nightly cron” is revoked and no longer works.')).toBeVisible();
  await expect.element(list().getByText('None yet.')).toBeVisible();
});

test('the dialog has no violation that axe finds', async () => {
  await openDialog({}, 'admin');
  await expect.element(list().getByText('Nightly cron')).toBeVisible();
  expect(await violations()).toEqual([]);
});
