import { defaultSettings } from '@kc/rules/settings';
import type { ListedDelivery, ListedWebhook } from '@kc/rules/webhook-api';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { runFor, stopClock } from '../../../../test/page/clock.ts';
import { fakeApi, type Handlers, refuses } from '../../../../test/page/fake-api.ts';
import { accountsOf, openDashboard } from '../../../../test/page/open-users.tsx';

const secret = `whsec_${'a'.repeat(43)}=`;
const chat: ListedWebhook = {
  id: 'w1',
  url: 'https://chat.example.com/hooks/abc',
  events: ['import.published', 'user.pending'],
  madeAt: Date.UTC(2027, 0, 5, 12),
};
const makeWebhook = vi.fn<NonNullable<Handlers['webhooks.make']>>((input) => ({ ...chat, id: 'w2', ...input, secret }));
const delivery = (id: string, more: Partial<ListedDelivery> = {}): ListedDelivery => ({
  id,
  event: 'import.published',
  at: Date.UTC(2027, 0, 6, 9, 30),
  state: 'delivered',
  attempts: 1,
  status: 200,
  ...more,
});

async function openCard(webhooks: () => ListedWebhook[], api: Handlers = {}) {
  makeWebhook.mockClear();
  await openDashboard('/admin?tab=settings', {
    ...accountsOf().api,
    'settings.get': () => ({ version: 1, settings: defaultSettings, themeChosen: false, policyEnforced: true }),
    'links.all': () => [],
    'accessTokens.all': () => [],
    'storage.use': () => ({ kept: { files: 0, bytes: 0 } }),
    'webhooks.list': webhooks,
    'webhooks.make': makeWebhook,
    ...api,
  });
  await expect.element(card()).toBeVisible();
}
const card = () => page.getByRole('region', { name: 'Webhooks', exact: true });
const dialog = (name: string) => page.getByRole('dialog', { name });

// Shows P30.1.
test('a webhook is added by the keyboard, and its secret is shown once', async () => {
  await openCard(() => []);
  await expect.element(card().getByText('None.')).toBeVisible();
  const adds = card().getByRole('button', { name: 'Add a webhook' });
  (adds.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await page.getByLabelText('Address').fill('https://chat.example.com/kc');
  await page.getByRole('switch', { name: 'New users' }).click();
  await page.getByRole('switch', { name: 'Failed imports' }).click();
  (page.getByLabelText('Address').element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Secret of the webhook at chat.example.com')).toHaveValue(secret);
  await expect.element(page.getByRole('button', { name: 'Copy secret' })).toHaveFocus();
  expect(makeWebhook.mock.calls[0]![0]).toEqual({
    url: 'https://chat.example.com/kc',
    events: ['import.published', 'user.pending'],
  });
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => copied.mockRestore());
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Secret copied')).toBeVisible();
  expect(copied).toHaveBeenCalledWith(secret);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Add a webhook')).not.toBeInTheDocument();
  await adds.click();
  await expect.element(page.getByText(secret)).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Add webhook' })).toBeVisible();
});

test.each([
  [
    'webhook/private',
    {},
    'This address is not on the public internet. An operator can allow its host with WEBHOOK_ALLOW.',
  ],
  ['webhook/url', {}, 'Enter an address that begins with https://'],
  ['webhook/https', {}, 'Only https:// is possible, unless WEBHOOK_ALLOW names the host.'],
  ['webhook/user-info', {}, 'An address must have no user name and no password.'],
  ['webhook/port', {}, 'The port must be 443, or 1024 or above.'],
  ['webhook/unknown-host', {}, 'No server has this name.'],
  ['webhook/full', { max: 20 }, 'The webhook was not added: There can be 20 webhooks. Remove one first.'],
] as const)('why one cannot be added is said: %s', async (code, params, text) => {
  await openCard(() => [], { 'webhooks.make': refuses(code, params) });
  await card().getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect.element(dialog('Add a webhook').getByText(text, { exact: true })).toBeVisible();
});

test('without any event there is no webhook', async () => {
  await openCard(() => []);
  await card().getByRole('button', { name: 'Add a webhook' }).click();
  await page.getByRole('switch', { name: 'Imports', exact: true }).click();
  await page.getByRole('switch', { name: 'Failed imports' }).click();
  await expect.element(page.getByText('Choose at least one.')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Add webhook' })).toBeDisabled();
});

// Shows P30.4.
test('one that was switched off for its failures says so, and is switched on again', async () => {
  let off: ListedWebhook['off'] = { at: Date.UTC(2027, 1, 3, 12), because: 'failures' };
  await openCard(() => [{ ...chat, ...(off && { off }) }], {
    'webhooks.set': ({ id, isOn }) => {
      off = isOn ? undefined : { at: Date.UTC(2027, 1, 4, 12), because: 'person' };
      return { ...chat, id };
    },
  });
  await expect
    .element(card().getByText(/Switched off on Feb 3, 2027.*because nothing had got through for a day/))
    .toBeVisible();
  await card().getByRole('button', { name: 'Switch on the webhook at chat.example.com' }).click();
  await expect.element(card().getByText(/Switched off/)).not.toBeInTheDocument();
  await card().getByRole('button', { name: 'Switch off the webhook at chat.example.com' }).click();
  await expect.element(card().getByText(/Off since Feb 4, 2027/)).toBeVisible();
});

test('one that fails says since when, and is removed', async () => {
  let all = [{ ...chat, failingSince: Date.UTC(2027, 1, 3, 12) }];
  await openCard(() => all, {
    'webhooks.remove': ({ id }) => {
      all = [];
      return { id };
    },
  });
  await expect.element(card().getByText(/Nothing has got through since Feb 3, 2027/)).toBeVisible();
  await card().getByRole('button', { name: 'Remove the webhook at chat.example.com' }).click();
  await expect.element(page.getByText('Nothing is sent to chat.example.com any more.')).toBeVisible();
  await expect.element(card().getByText('None.')).toBeVisible();
});

// Shows P30.5.
test('the log says what became of each delivery; a test is sent, and one again', async () => {
  const log = [
    delivery('d3', { state: 'waiting', attempts: 2, status: 503, nextAt: Date.UTC(2037, 0, 6, 10) }),
    delivery('d2', {
      event: 'user.pending',
      state: 'failed',
      attempts: 31,
      status: undefined,
      fault: 'webhook/too-slow',
    }),
    delivery('d1'),
    delivery('d0', { state: 'failed', attempts: 0, status: undefined, fault: 'webhook/off' }),
    delivery('c9', { state: 'failed', status: undefined, fault: 'webhook/certificate' }),
    delivery('c8', { state: 'failed', status: undefined, fault: 'webhook/unreachable' }),
  ].map(({ status, ...rest }) => ({ ...rest, ...(status !== undefined && { status }) }));
  const again = vi.fn<NonNullable<Handlers['webhooks.sendAgain']>>(() => delivery('d2'));
  await openCard(() => [chat], {
    'webhooks.deliveries': () => [...log],
    'webhooks.test': () => {
      log.unshift(delivery('d4', { event: 'test' }) as (typeof log)[number]);
      return log[0]!;
    },
    'webhooks.sendAgain': again,
  });
  await card().getByRole('button', { name: 'Deliveries to the webhook at chat.example.com' }).click();
  const shown = dialog('Deliveries');
  await expect.element(shown.getByText(/Status 503 · 2 attempts · next at Jan 6, 2037/)).toBeVisible();
  await expect.element(shown.getByText('No answer in time · 31 attempts')).toBeVisible();
  await expect.element(shown.getByText('Status 200 · 1 attempt')).toBeVisible();
  await expect.element(shown.getByText('The webhook was switched off', { exact: true })).toBeVisible();
  await expect.element(shown.getByText('No valid certificate · 1 attempt')).toBeVisible();
  await expect.element(shown.getByText('No connection · 1 attempt')).toBeVisible();
  expect(shown.getByRole('button', { name: /^Send again/ }).elements()).toHaveLength(5);
  await shown.getByRole('button', { name: /^Send again: user.pending of / }).click();
  await expect.poll(() => again.mock.calls[0]?.[0]).toEqual({ id: 'w1', delivery: 'd2' });
  await shown.getByRole('button', { name: 'Send a test' }).click();
  await expect.element(shown.getByText('test', { exact: true })).toBeVisible();
  fakeApi({ 'webhooks.test': refuses('webhook/not-found') });
  await shown.getByRole('button', { name: 'Send a test' }).click();
  await expect.element(page.getByText('Nothing was sent: This webhook has already been removed.')).toBeVisible();
  fakeApi({ 'webhooks.sendAgain': refuses('webhook/delivery-not-found') });
  await shown.getByRole('button', { name: /^Send again: user.pending of / }).click();
  await expect.element(page.getByText('Nothing was sent: This delivery is no longer in the log.')).toBeVisible();
});

test('the log of a delivery that is tried again in an hour is read again then, and no more once it is over', async () => {
  const start = Date.UTC(2027, 0, 6, 9, 0);
  let log = [delivery('d1', { state: 'waiting', status: 503, nextAt: start + 3_600_000 })];
  const read = vi.fn(() => log);
  await openCard(() => [chat], { 'webhooks.deliveries': read });
  stopClock(start);
  await card().getByRole('button', { name: 'Deliveries to the webhook at chat.example.com' }).click();
  await expect.element(dialog('Deliveries').getByText('Waiting')).toBeVisible();
  await runFor(58 * 60_000);
  expect(read).toHaveBeenCalledTimes(1);
  log = [delivery('d1', { attempts: 2 })];
  await runFor(2 * 60_000);
  await expect.element(dialog('Deliveries').getByText('Status 200 · 2 attempts')).toBeVisible();
  expect(read).toHaveBeenCalledTimes(2);
  await runFor(10 * 60_000);
  expect(read).toHaveBeenCalledTimes(2);
});

test('one that was removed meanwhile is neither switched nor removed', async () => {
  const gone = refuses('webhook/not-found');
  await openCard(() => [chat], { 'webhooks.set': gone, 'webhooks.remove': gone });
  await card().getByRole('button', { name: 'Switch off the webhook at chat.example.com' }).click();
  const text = 'The webhook was not switched: This webhook has already been removed.';
  await expect.element(page.getByText(text)).toBeVisible();
  await card().getByRole('button', { name: 'Remove the webhook at chat.example.com' }).click();
  await expect
    .element(page.getByText('The webhook was not removed: This webhook has already been removed.'))
    .toBeVisible();
});

test('card and dialogs have no violation that axe finds', async () => {
  await openCard(() => [chat, { ...chat, id: 'w0', off: { at: chat.madeAt, because: 'failures' } }], {
    'webhooks.deliveries': () => [
      delivery('d1'),
      delivery('d2', { state: 'failed' }),
      delivery('d3', { state: 'waiting', nextAt: Date.UTC(2037, 0, 6, 10) }),
    ],
  });
  expect(await violations()).toEqual([]);
  await card().getByRole('button', { name: 'Deliveries to the webhook at chat.example.com' }).first().click();
  await expect.element(dialog('Deliveries').getByText('Waiting')).toBeVisible();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await card().getByRole('button', { name: 'Add a webhook' }).click();
  await expect.element(page.getByLabelText('Address')).toBeVisible();
  expect(await violations()).toEqual([]);
});
