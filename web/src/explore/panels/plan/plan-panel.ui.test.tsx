import { addressOf } from '@kc/pack/plan/node-paths';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import type { Handlers } from '../../../../test/page/fake-api.ts';
import { serverSays } from '../../../../test/page/fake-events.ts';
import { addressSays, focus, isGone, reload, shows } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const cluster = (name: string) => ({
  name,
  type: 'cluster',
  children: [{ name: `${name} one`, type: 'keyword', volume: 10 }],
});
const chat: Upload = {
  keywords: [],
  hierarchy: { name: 'chat in autumn', type: 'root', children: [cluster('Bots'), cluster('Mail')] },
};
const earlier = page.getByRole('region', { name: 'Earlier plan' });

/** The plan of earlier data with another root, which is offered until somebody chooses. */
function offered() {
  const state = { isChosen: false };
  const choose = vi.fn(({ plan }: { readonly plan: string | null }) => {
    state.isChosen = true;
    return { isContinued: plan !== null };
  });
  const api: Handlers = {
    'plans.offer': () =>
      state.isChosen ? {} : { offer: { plan: 'of-chat', root: 'chat', entries: 9, matched: 8, own: 0 } },
    'plans.choose': choose,
  };
  return { state, choose, api };
}

// Shows P24.12.
test('the plan of another root is offered, continued by key, and not offered again', async () => {
  const { choose, api } = offered();
  await openExplorer(chat, { search: '?panel=plan', api });
  // plan/continue
  await shows('Continue the plan of “chat”? 8 of 9 entries match.');
  await shows(/^Nothing planned yet\./);
  expect(await violations()).toEqual([]);
  await focus(earlier.getByRole('button', { name: 'Continue' }));
  await userEvent.keyboard('{Enter}');
  // plan/continued
  await shows('The plan continues here.');
  await isGone(earlier);
  expect(choose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ plan: 'of-chat' }));
  await reload();
  await shows(/^Nothing planned yet\./);
  await isGone(earlier);
});

test('a plan of its own is begun instead', async () => {
  const { choose, api } = offered();
  await openExplorer(chat, { search: '?panel=plan', api });
  await earlier.getByRole('button', { name: 'Start an empty plan' }).click();
  await isGone(earlier);
  expect(choose).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ plan: null }));
});

test('a page that shows the offer takes it back once another page has chosen', async () => {
  const { state, api } = offered();
  await openExplorer(chat, { search: '?panel=plan', api });
  await expect.element(earlier).toBeVisible();
  state.isChosen = true;
  serverSays('plans');
  await isGone(earlier);
});

// Shows P24.4.
test('a branch that holds other keywords than when it was planned is listed, shown, and kept as planned', async () => {
  const node = addressOf(chat.hierarchy.name, [['Bots', 0]]);
  const entry = `entry-${node}`;
  let changed = [{ entry, kept: 1 / 6 }];
  await openExplorer(chat, {
    search: '?view=table&level=clusters',
    api: { 'plans.suggestions': () => ({ revision: 1, suggestions: [], changed }) },
  });
  await focus(page.getByRole('grid', { name: /^Clusters of / }));
  await userEvent.keyboard('{Control>}a{/Control}x');
  await shows('Added 2 entries to the plan.');
  await page.getByRole('tab', { name: /^Plan/ }).click();
  await page.getByText('Content changed (1)').click();
  await shows('Holds 16.7 % of the keywords that it had when it was planned');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Show Bots' }).click();
  await addressSays('sel', node);
  // The page asks again once a move is written.
  changed = [];
  await page.getByRole('button', { name: 'Keep as planned: Bots' }).click();
  await shows('Bots stays planned with the keywords that it has now.');
  await isGone(page.getByText(/^Content changed/));
});

test('a note that was begun before somebody else’s does not replace it without a word', async () => {
  const node = addressOf(chat.hierarchy.name, [['Bots', 0]]);
  let plan = { revision: 4, note: '', url: '' };
  const asked: unknown[] = [];
  const shown = () => ({
    ...{ id: 'e', kind: 'branch' as const, rev: plan.revision, path: ['Bots'], node, keywords: 1, volume: 10 },
    ...{ isPlanned: true, status: 'idea' as const, assignee: '', contentType: '' as const, tags: [], due: '' },
    ...{
      primaryKeyword: '',
      marks: plan.note ? { note: { rev: 6, by: 'bob', at: 0 } } : {},
      addedBy: 'ann',
      addedAt: 0,
      note: plan.note,
      url: plan.url,
    },
  });
  await openExplorer(chat, {
    search: `?panel=plan&sel=${node}`,
    api: {
      'plans.read': () => ({
        ...{ revision: plan.revision, matching: 0, entries: [shown()], more: false },
        ...{ people: [{ id: 'bob', name: 'Bob' }], you: 'ann', lead: 2 },
      }),
      'plans.change': (change) => {
        asked.push(change);
        const conflicts = change.base < plan.revision ? [{ entry: 'e', field: 'note' }] : [];
        return { revision: plan.revision, entries: [shown()], conflicts, isFull: false, people: [] };
      },
    },
  });
  const note = page.getByRole('textbox', { name: 'Note' });
  await focus(note);
  await userEvent.keyboard('mine');
  plan = { revision: 6, note: 'theirs', url: '/bots' };
  serverSays('plans');
  await expect.element(page.getByRole('textbox', { name: 'Target URL' })).toHaveValue('/bots');
  await expect.element(note).toHaveValue('mine');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => asked).toMatchObject([{ base: 4, set: { note: 'mine' } }]);
  await expect.element(note).toHaveValue('theirs');
  await expect.element(page.getByRole('alert').getByRole('button', { name: 'Use yours' })).toBeVisible();
});
