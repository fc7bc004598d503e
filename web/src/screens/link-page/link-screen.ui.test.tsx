import { addressOf } from '@kc/pack/plan/node-paths';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../test/page/axe.ts';
import { type Handlers, refuses } from '../../../test/page/fake-api.ts';
import { chat } from '../../../test/page/garden.ts';
import { isGone, shows } from '../../../test/page/in-explorer.ts';
import { openApp } from '../../../test/page/open-app.tsx';
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
  // Leaving the note saved it; the owner is told.
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
