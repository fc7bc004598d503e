import { addressOf } from '@kc/pack/plan/node-paths';
import { emptyFields } from '@kc/rules/plan';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { atRest } from '../../../test/page/at-rest.ts';
import { violations } from '../../../test/page/axe.ts';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import { gate, type Handlers, isOffline, refuses } from '../../../test/page/fake-api.ts';
import { holdStreams, serverSays, streamsBreak } from '../../../test/page/fake-events.ts';
import { chat } from '../../../test/page/garden.ts';
import { isGone, shows } from '../../../test/page/in-explorer.ts';
import { openApp, sessionOf } from '../../../test/page/open-app.tsx';
import { openLink } from '../../../test/page/open-link.tsx';
import { expectProblem } from '../../../test/page/problems.ts';

const nodeAt = (name: string) => addressOf('chat', [[name, 0]]);
const planned = [
  { node: nodeAt('Bots'), set: { status: 'planned', note: 'First', url: '/bots' } },
  { node: nodeAt('Mail'), set: {} },
];
const field = (name: string) => page.getByRole('region', { name: 'Bots' }).getByLabelText(name, { exact: true });
const editor = page.getByRole('region', { name: 'Bots' });

// Shows P25.7.
test('a colleague who may edit the plan sets status, owner and note of the chosen entry, and nothing else', async () => {
  await openLink(chat, { planned, search: '&panel=plan' });
  await shows(/you may edit the plan/);
  await shows('Choose an entry to change its status, owner or note.');
  await page.getByRole('button', { name: /^Bots/ }).click();
  await expect.element(editor).toBeVisible();
  expect(await violations()).toEqual([]);
  await editor.getByText('Written').click();
  await expect.element(page.getByRole('radio', { name: 'Written' })).toBeChecked();
  await field('Note').fill('Done');
  await field('Owner').click();
  await page.getByRole('option', { name: 'Bob Miller' }).click();
  // Leaving the note saved it; the owner is notified.
  await shows('Has an account here, and is told by mail.');
  await expect.element(page.getByText('/bots')).toBeVisible();
  expect(page.getByText('Done').elements().length).toBeGreaterThan(0);
  for (const name of ['Target URL', 'Due', 'Content type', 'Primary keyword']) {
    expect(page.getByLabelText(name).elements(), name).toEqual([]);
  }
  expect(page.getByRole('button', { name: /Remove|Add to plan|History/ }).elements()).toEqual([]);
});

test('the link of a mail opens the plan at its entry', async () => {
  await openLink(chat, { planned, search: `&panel=plan&sel=${nodeAt('Bots')}` });
  await expect.element(editor).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'Planned' })).toBeChecked();
});

/** The plan of a link, to which the owner adds a note while the page receives no events. */
function quietly() {
  const entry = `entry-${nodeAt('Bots')}`;
  let note = '';
  const read = vi.fn<NonNullable<Handlers['shared.plan']>>(({ since = 0 }) => {
    const revision = note === '' ? 1 : 2;
    return {
      ...{ revision, matching: 0, more: false, people: [], you: 'ann', lead: 2 },
      entries: since < revision ? [{ ...entryOfBots(entry), rev: revision, note }] : [],
    };
  });
  return { read, write: (text: string) => (note = text) };
}
const entryOfBots = (id: string) => ({
  ...emptyFields,
  ...{ id, kind: 'branch' as const, path: ['Bots'], node: nodeAt('Bots'), keywords: 2, tags: [] },
  ...{ marks: {}, addedBy: '', addedAt: 0 },
});

test('what changed before the page could hear of it is read when its stream opens', async () => {
  const { read, write } = quietly();
  const letOpen = holdStreams();
  await openLink(chat, { search: '&panel=plan', api: { 'shared.plan': read } });
  await expect.element(page.getByRole('button', { name: /^Bots/ })).toBeVisible();
  write('Ask Lena');
  await atRest();
  expect(page.getByText('Ask Lena').elements()).toEqual([]);
  letOpen();
  await shows('Ask Lena');
});

test('what changed while the stream was broken is read when it opens again', async () => {
  stopClock();
  const { read, write } = quietly();
  await openLink(chat, { search: '&panel=plan', api: { 'shared.plan': read } });
  await expect.element(page.getByRole('button', { name: /^Bots/ })).toBeVisible();
  await atRest();
  streamsBreak();
  write('Ask Lena');
  await atRest();
  await runFor(2_900);
  expect(page.getByText('Ask Lena').elements()).toEqual([]);
  await runFor(100);
  await shows('Ask Lena');
});

test('what changes while the plan is read for the first time is read, too', async () => {
  const { read, write } = quietly();
  const late = gate();
  const slow = vi.fn<NonNullable<Handlers['shared.plan']>>(async (input) => {
    const response = await read(input);
    if (slow.mock.calls.length === 1) await late.opened;
    return response;
  });
  await openLink(chat, { search: '&panel=plan', api: { 'shared.plan': slow } });
  await expect.poll(() => slow.mock.calls.length).toBe(1);
  await atRest();
  write('Ask Lena');
  serverSays('plans');
  await atRest();
  late.open();
  await shows('Ask Lena');
});

test('a text that is being typed is saved when its entry goes away under it', async () => {
  await openLink(chat, { planned, search: `&panel=plan&sel=${nodeAt('Bots')}` });
  await field('Note').fill('Half a sentence');
  // The address leads to another entry, as going back does: no field is left by the person.
  history.pushState({}, '', location.href.replace(nodeAt('Bots'), nodeAt('Mail')));
  dispatchEvent(new PopStateEvent('popstate'));
  await expect.element(page.getByRole('region', { name: 'Mail' })).toBeVisible();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Half a sentence' })).toBeVisible();
});

// Shows P24.3.
test('a change that did not reach the server is sent again by itself', async () => {
  stopClock();
  const written: unknown[] = [];
  await openLink(chat, {
    planned,
    search: `&panel=plan&sel=${nodeAt('Bots')}`,
    api: {
      'shared.changePlan': (input) => {
        written.push(input.set);
        return isOffline();
      },
    },
  });
  await editor.getByText('Written').click();
  await shows(/^Not saved yet\. Your changes are sent when the server can be reached\./);
  expect(written).toHaveLength(1);
  await runFor(10_000);
  expect(written).toEqual([{ status: 'written' }, { status: 'written' }, { status: 'written' }]);
});

test('a colleague who only reads the plan has no fields', async () => {
  await openLink(chat, { planned, search: '&panel=plan', page: { mayEditPlan: false } });
  await shows(/read-only/);
  await page.getByRole('button', { name: /^Bots/ }).click();
  await shows('First');
  await isGone(page.getByRole('radio', { name: 'Planned' }));
});

test('what the server refuses is said, and the entry keeps its value', async () => {
  await openLink(chat, {
    planned,
    search: `&panel=plan&sel=${nodeAt('Bots')}`,
    api: { 'shared.changePlan': refuses('plan/entry-not-found') },
  });
  expectProblem(/422/);
  await editor.getByText('Live', { exact: true }).click();
  await shows('The plan was not changed: This entry is no longer in the plan.');
  await expect.element(page.getByRole('radio', { name: 'Planned' })).toBeChecked();
});

// Shows P25.8.
test('a colleague who is signed in opens a link without its token; for a client it has to be opened again', async () => {
  let isOpened = false;
  const open = vi.fn<NonNullable<Handlers['sharing.open']>>(() => {
    isOpened = true;
    return { id: 'link-1' };
  });
  expectProblem(/422/);
  await openLink(chat, {
    planned,
    api: {
      'sharing.open': open,
      'sharing.page': async () => (isOpened ? pageOfLink : await refuses('session/required')()),
    },
  });
  expect(open).toHaveBeenCalledWith({ link: 'link-1' });
  expectProblem(/422/);
  await openApp('/shared?v=link-2', {
    api: { 'sharing.page': refuses('link/reopen'), 'sharing.open': refuses('link/ended') },
  });
  await shows(/^Open the link again from the message/);
  await userEvent.keyboard('{Escape}');
});

test('who has another account than a link is for can sign out, and gets to the sign-in page', async () => {
  expectProblem(/422/);
  await openApp(`/shared#${'t'.repeat(43)}`, {
    as: 'approved',
    api: { 'sharing.open': refuses('link/other-account'), 'session.signOut': () => sessionOf('nobody') },
  });
  await shows('Another account');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect.element(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
});

const pageOfLink = {
  id: 'link-1',
  kind: 'colleague',
  sharedWith: 'ann@example.com',
  maker: 'Olga',
  until: Date.UTC(2027, 2, 12, 12),
  withPlan: true,
  mayEditPlan: false,
  withDownloads: false,
  rootName: 'chat',
  keywords: 4,
  nodes: 7,
  uploadDate: 0,
} as const;
