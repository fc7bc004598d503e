import type { Draft } from '@kc/rules/draft-shapes';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { groupedList, makeDraft } from './drafts.ts';
import type { Visitor } from './visitor.ts';

story('drafts of maps', () => {
  const stage = useStage();

  async function admin(): Promise<Visitor & { readonly userId: string }> {
    const visitor = await stage.signedIn('admin');
    const users = await visitor.call<{ id: string; isYou: boolean }[]>('GET', '/users');
    return { ...visitor, userId: users.find(({ isYou }) => isYou)!.id };
  }

  test('a map can be adjusted from everywhere it is listed, and split at any branch', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await visitor.call('POST', `/drafts/${draft.id}/publish`, {
      id: draft.id,
      after: 0,
      name: 'tools',
      description: '',
    });
    await expect.poll(async () => (await visitor.call<Draft>('GET', `/drafts/${draft.id}`)).state).toBe('published');
    const opened: string[] = [];
    /** Another draft opens each time, with the names of the map. */
    const opens = async () => {
      await page.waitForURL(
        (url) => !opened.includes(url.searchParams.get('draft') ?? opened[0] ?? '') && url.search.includes('draft='),
      );
      await page.getByText('Only you and administrators see it.').waitFor();
      await page.getByRole('treeitem', { name: /^tools/ }).waitFor();
      opened.push(new URL(page.url()).searchParams.get('draft')!);
    };

    await page.goto('/visualization');
    await page.getByRole('treeitem', { name: /^Garden/ }).click();
    await page.getByRole('button', { name: 'Split this branch' }).click();
    await opens();

    await page.goto('/visualization');
    await page.getByRole('treeitem', { name: /^Garden/ }).click();
    await page.getByRole('application').focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Split this branch' }).click();
    await opens();

    await page.goto('/visualization');
    await page.getByRole('button', { name: 'My Visualizations' }).click();
    await page.getByRole('button', { name: 'Adjust clusters: tools' }).click();
    await opens();

    await page.goto(`/admin/upload/${userId}`);
    await page.getByRole('button', { name: 'More for tools.json' }).click();
    await page.getByRole('menuitem', { name: 'Adjust clusters' }).click();
    await opens();
    expect(new Set(opened).size).toBe(4);
  });
});
