import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

type Branch = readonly [name: string, keywords: string];
/** A file of clusters below one pillar topic, each with keywords of falling volume. */
const fileOf = (branches: readonly Branch[]) => ({
  keywords: [],
  hierarchy: {
    name: 'chat',
    type: 'root',
    children: branches.map(([name, keywords], at) => ({
      name,
      type: 'cluster',
      children: keywords
        .split(' ')
        .map((keyword, place) => ({ name: keyword, type: 'keyword', volume: 1000 - 50 * at - place })),
    })),
  },
});
const clusters: readonly Branch[] = [
  ['Live chat', 'talk ring call'],
  ['Bots', 'bot robot'],
  ['Fax', 'fax'],
  ['Mail', 'mail letter'],
  ['Phone', 'phone dial'],
  ['Video', 'video film'],
  ['Forum', 'forum thread'],
  ['Blog', 'blog post'],
  ['News', 'news paper'],
  ['Help', 'help faq'],
];
/** Live chat is renamed, Bots is moved into Help, Fax is gone. */
const nextClusters = [['Live support', 'talk ring call'], ...clusters.slice(3, 9)] as const;
const nextFile = () => {
  const file = fileOf(nextClusters);
  const bots = fileOf([['Bots', 'bot robot']]).hierarchy.children[0]!;
  const help = {
    name: 'Help',
    type: 'pillar_topic',
    children: [bots, ...fileOf([['x', 'help faq']]).hierarchy.children[0]!.children],
  };
  return { ...file, hierarchy: { ...file.hierarchy, children: [...file.hierarchy.children, help] } };
};

const picture = (page: Page) => page.getByRole('application');
const planTab = (page: Page) => page.getByRole('tab', { name: /^Plan/ });
const entries = (page: Page) => page.getByRole('list', { name: 'Entries of the plan' }).getByRole('button');
const editor = (page: Page, name: string) => page.getByRole('region', { name });
const status = (page: Page, name: string, word: string) => editor(page, name).getByRole('radio', { name: word });

/** Clicks a status: the word, because the radio button itself is only for screen readers. */
const choose = (page: Page, name: string, word: string) =>
  editor(page, name).getByRole('group', { name: 'Status' }).getByText(word, { exact: true }).click();

story('a plan', () => {
  const stage = useStage();

  // Shows P24.1, P24.4.
  test('ten clusters by keyboard, two people at once, and a new upload that renames, moves and drops a branch', async () => {
    const admin = await stage.signedIn('admin');
    const person = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    await uploadFor(admin.page, 'approved@example.com', fileOf(clusters));
    const { page } = person;
    await page.goto('/visualization');
    await picture(page).waitFor();
    await page.getByRole('treeitem', { name: /Live chat/ }).waitFor();
    await picture(page).focus();
    await page.keyboard.press('Shift+X');
    await page.getByText('Nothing planned yet. Press X on a cluster').waitFor();
    await page.waitForURL(/[?&]panel=plan/);

    // Ten clusters, with keys only: to the first child, then along its siblings.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    // plan/added
    await page.getByText('Added Live chat to the plan.').waitFor();
    for (let at = 1; at < clusters.length; at++) {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('x');
      await expect.poll(() => entries(page).count()).toBe(at + 1);
    }
    await planTab(page).filter({ hasText: '10' }).waitFor();

    // E puts the focus on the status.
    await page.keyboard.press('Home');
    await page.keyboard.press('e');
    await status(page, 'Live chat', 'Idea').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => status(page, 'Live chat', 'Planned').isChecked()).toBe(true);
    await editor(page, 'Live chat').getByRole('textbox', { name: 'Target URL' }).fill('example.com');
    await page.keyboard.press('Tab');
    // plan/url
    await page.getByText('Enter an address that begins with https:// or /').waitFor();
    await editor(page, 'Live chat').getByRole('textbox', { name: 'Target URL' }).fill('/live-chat');
    await page.keyboard.press('Enter');

    // The administrator sees the same plan.
    const visualization = (await person.call<{ id: string }[]>('GET', '/visualizations'))[0]!.id;
    const sel = (await planOf(person.call, visualization)).find(({ path }) => path[0] === 'Live chat')!.node!;
    // The address follows the selection a moment later.
    await page.waitForURL((url) => url.searchParams.get('sel') === sel);
    await admin.page.goto(`/visualization?v=${visualization}&panel=plan&sel=${sel}`);
    await expect.poll(() => status(admin.page, 'Live chat', 'Planned').isChecked()).toBe(true);

    // Both choose another status. The person is offline and has not seen the administrator's.
    person.expectProblem(/ERR_INTERNET_DISCONNECTED/);
    await person.context.setOffline(true);
    await choose(admin.page, 'Live chat', 'Live');
    await expect.poll(() => status(admin.page, 'Live chat', 'Live').isChecked()).toBe(true);
    await expect
      .poll(async () => (await planOf(admin.call, visualization)).find(({ path }) => path[0] === 'Live chat')?.status)
      .toBe('live');
    await choose(page, 'Live chat', 'Written');
    await editor(page, 'Live chat').getByText('Not saved yet').waitFor();
    await page.getByText('Your changes are sent when the server can be reached.').waitFor();
    await person.context.setOffline(false);
    // plan/conflict
    const conflict = editor(page, 'Live chat').getByRole('alert');
    await conflict.getByText(/set Live .*\. You chose Written\./).waitFor();
    expect(await violations(page)).toEqual([]);
    await Promise.all([
      // plan/changed-by, for a few seconds
      admin.page.getByText('Changed by approved').first().waitFor(),
      conflict.getByRole('button', { name: 'Use Written' }).click(),
    ]);
    await conflict.waitFor({ state: 'detached' });
    await expect.poll(() => status(admin.page, 'Live chat', 'Written').isChecked()).toBe(true);

    // Every value is in the history and can be restored.
    await editor(page, 'Live chat').getByRole('button', { name: 'History' }).click();
    const history = editor(page, 'Live chat').getByRole('list', { name: 'History' });
    await history.getByText('Status: Live → Written').waitFor();
    await history.getByText('Status: Planned → Live').waitFor();
    await history.getByRole('button', { name: 'Restore this value: Status Live' }).click();
    await expect.poll(() => status(page, 'Live chat', 'Live').isChecked()).toBe(true);
    await page.getByText(/of all volume is covered/).waitFor();

    // A removed entry comes back with its fields.
    await editor(page, 'Live chat').getByRole('button', { name: 'Remove' }).click();
    // plan/removed
    await page.getByText('Removed Live chat from the plan.').waitFor();
    await expect.poll(() => entries(page).count()).toBe(9);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => entries(page).count()).toBe(10);
    await expect.poll(() => status(page, 'Live chat', 'Live').isChecked()).toBe(true);

    await uploadFor(admin.page, 'approved@example.com', nextFile());
    await page.goto('/visualization?panel=plan');
    await page.getByText('Not in this upload (3)').click();
    await expect.poll(() => entries(page).count()).toBe(7);
    const missing = page.getByRole('list', { name: 'Not in this upload' });
    await missing.getByText('→ Live support (100 % the same keywords, likely)').waitFor();
    await missing.getByText('→ Help › Bots (100 % the same keywords, likely)').waitFor();
    expect(await violations(page)).toEqual([]);
    await missing.getByRole('button', { name: 'Move here: Live chat to Live support' }).click();
    // plan/moved
    await page.getByText('Live chat is now at Live support.').waitFor();
    await page.getByText('Not in this upload (2)').waitFor();
    await page.getByRole('button', { name: 'Choose a place for Bots' }).click();
    const dialog = page.getByRole('dialog', { name: 'Where does Bots belong?' });
    await dialog.getByRole('button', { name: /^Bots Help/ }).click();
    await page.getByText('Not in this upload (1)').waitFor();
    await missing.getByRole('button', { name: 'Remove Fax from the plan' }).click();
    await page.getByText('Removed (1)').waitFor();
    await expect.poll(() => entries(page).count()).toBe(9);
    await page.getByRole('group', { name: 'Show by status' }).getByRole('button', { name: 'Live 1' }).click();
    await expect
      .poll(() =>
        entries(page)
          .allInnerTexts()
          .then((all) => all.map((text) => text.split('\n')[0])),
      )
      .toEqual(['Live support']);
  });
});

async function planOf(call: <T>(method: 'GET', path: string) => Promise<T>, id: string) {
  return (
    await call<{ entries: { path: string[]; status: string; node?: string }[] }>('GET', `/visualizations/${id}/plan`)
  ).entries;
}
