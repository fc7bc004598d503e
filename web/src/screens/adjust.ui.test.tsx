import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { fakeApi, neverAnswers } from '../../test/page/fake-api.ts';
import { draftOf } from '../../test/page/fake-drafts.ts';
import { focus, picture } from '../../test/page/in-explorer.ts';
import { mapsApi, type Upload } from '../../test/page/maps-api.ts';
import { address, openApp } from '../../test/page/open-app.tsx';
import { accountsOf } from '../../test/page/open-users.tsx';

const tools: Upload = {
  keywords: ['red hose', 'blue hose', 'cat food'],
  hierarchy: {
    name: 'tools',
    children: [
      { name: 'Garden', type: 'pillar_topic', children: [{ name: 'red hose' }, { name: 'blue hose' }] },
      { name: 'Pets', type: 'pillar_topic', children: [{ name: 'cat food' }] },
    ],
  },
};

const button = (name: string) => page.getByRole('button', { name });
const garden = page.getByRole('treeitem', { name: /^Garden/ });

/** Opens a path for an administrator with one map, and returns what a draft is started from. */
async function open(path: string) {
  const adjust = vi.fn(() => draftOf({ id: 'adjusted', origin: 'visualization' }));
  await openApp(path, {
    as: 'admin',
    api: {
      ...accountsOf().api,
      ...(await mapsApi({ upload: tools, record: { fileName: 'tools.json' } })),
      'uploads.list': () => [],
      'uploads.unfinished': () => [],
      'drafts.list': () => [],
      'drafts.adjust': adjust,
    },
  });
  return adjust;
}

async function opensDraft(adjust: ReturnType<typeof vi.fn>, of: object): Promise<void> {
  await expect.poll(() => adjust.mock.calls).toEqual([[of]]);
  await expect.poll(address).toBe('/visualization?draft=adjusted');
}

// Shows P22.8.
test('a branch is split from its details', async () => {
  const adjust = await open('/visualization');
  await garden.click();
  fakeApi({ 'drafts.get': neverAnswers });
  await button('More actions').click();
  await page.getByRole('menuitem', { name: 'Split this branch' }).click();
  await opensDraft(adjust, { id: 'map', branch: expect.stringMatching(/^[0-9a-f]{16}$/) });
});

// Shows P22.8.
test('a branch is split from its context menu', async () => {
  const adjust = await open('/visualization');
  await garden.click();
  await focus(picture);
  await userEvent.keyboard('{Shift>}{F10}{/Shift}');
  fakeApi({ 'drafts.get': neverAnswers });
  await page.getByRole('menuitem', { name: 'Split this branch' }).click();
  await opensDraft(adjust, { id: 'map', branch: expect.stringMatching(/^[0-9a-f]{16}$/) });
});

// Shows P22.8.
test('a map is adjusted from the list of visualizations', async () => {
  const adjust = await open('/visualization');
  await button('My Visualizations').click();
  fakeApi({ 'drafts.get': neverAnswers });
  await button('Adjust clusters: tools').click();
  await opensDraft(adjust, { id: 'map' });
});

// Shows P22.8.
test('a map is adjusted from Recent uploads', async () => {
  const adjust = await open('/admin/upload/ann');
  await button('More for tools.json').click();
  fakeApi({ 'drafts.get': neverAnswers });
  await page.getByRole('menuitem', { name: 'Adjust clusters' }).click();
  await opensDraft(adjust, { id: 'map' });
});
