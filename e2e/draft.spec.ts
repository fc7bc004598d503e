import type { Draft } from '@kc/rules/draft-shapes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { gardenList, groupedList, makeDraft, send } from './drafts.ts';
import type { Visitor } from './visitor.ts';

story('a draft', () => {
  const stage = useStage();

  async function admin(): Promise<Visitor & { readonly userId: string }> {
    const visitor = await stage.signedIn('admin');
    const users = await visitor.call<{ id: string; isYou: boolean }[]>('GET', '/users');
    return { ...visitor, userId: users.find(({ isYou }) => isYou)!.id };
  }

  test('is edited by keyboard: select, merge, rename, undo, redo, strays', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    expect(await page.title()).toContain('Draft: tools');
    await page.getByText('Only you and administrators see it.').waitFor();
    await page.getByText('Becomes the active map of admin@example.com; the one before stays in the list.').waitFor();
    // The list came with its own groups.
    expect(await page.getByRole('slider', { name: 'Granularity' }).count()).toBe(0);

    await goTo(page, 'Hoses');
    await page.keyboard.press('Space');
    await goTo(page, 'Rakes');
    await page.keyboard.press('Space');
    await page.getByText('2 selected').waitFor();
    await sequence(page, 'm');
    await page.getByText('Merged 2 clusters into Hoses. 6 keywords.').waitFor();
    await row(page, /^Hoses.*6 keywords/).waitFor();
    expect(await row(page, /^Rakes/).count()).toBe(0);
    // What a person changed is locked, and the focus is on the result.
    await row(page, /^Hoses.*, locked/).waitFor();
    await expectCurrent(page, /^Hoses/);

    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Hoses and rakes');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed to Hoses and rakes.').waitFor();
    await expectCurrent(page, /^Hoses and rakes/);

    await page.keyboard.press('ControlOrMeta+z');
    await page.getByText('Undone.').waitFor();
    await row(page, /^Hoses\b(?! and)/).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await page.getByText('Redone.').waitFor();
    await row(page, /^Hoses and rakes\b/).waitFor();

    await goTo(page, 'Food');
    await sequence(page, 'x');
    await page.getByText('Sent 3 keywords to the strays.').waitFor();
    await row(page, /^Stray keywords\b/).waitFor();

    // Everything is stored: a reload shows the same, and can still undo it. That removes the selected node, about which
    // the page asks once.
    visitor.expectProblem(/404 .*\/locate/);
    await page.reload();
    await row(page, /^Stray keywords\b/).waitFor();
    await row(page, /^Hoses and rakes\b/).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await row(page, /^Pets/).waitFor();
  });

  test('moves what is selected, and makes pillar topics', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    await goTo(page, 'Rakes');
    await sequence(page, 'v');
    const dialog = page.getByRole('dialog', { name: 'Move Rakes to' });
    await dialog.getByRole('button', { name: /^Pets/ }).click();
    await page.getByText('Moved 3 keywords to Pets.').waitFor();

    await goTo(page, 'Food');
    await sequence(page, 'v');
    await page.getByRole('textbox', { name: 'New pillar topic' }).fill('Kitchen');
    await page.keyboard.press('Enter');
    await page.getByText('Moved 3 keywords to Kitchen.').waitFor();
    await row(page, /^Kitchen\b/).waitFor();
  });

  test('is edited by dragging in the outline: a drop moves, with Alt it merges', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    // A cluster does not go into a cluster.
    await row(page, /^Rakes\b/).dragTo(row(page, /^Food\b/));
    await row(page, /^Rakes\b/).dragTo(row(page, /^Pets\b/));
    await page.getByText('Moved 3 keywords to Pets.').waitFor();
    // A drag before the rows are those of the moved map would begin at a row that is about to go.
    await row(page, /^Pets\b.*6 keywords/).waitFor();
    await row(page, /^Garden\b.*3 keywords/).waitFor();
    await page.keyboard.down('Alt');
    await row(page, /^Rakes\b/).dragTo(row(page, /^Food\b/));
    await page.keyboard.up('Alt');
    await page.getByText('Merged 2 clusters into Rakes. 6 keywords.').waitFor();
    await expectCurrent(page, /^Rakes/);
    const { revision } = await visitor.call<Draft>('GET', `/drafts/${draft.id}`);
    expect(revision?.operation).toBe(2);
  });

  test('takes what the search finds, excludes it, and brings it back', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    await page.getByRole('combobox', { name: 'Search' }).fill('rake');
    await page.getByRole('button', { name: /^Select all \d+ matches$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search' }).fill('leaf rake');
    await page.getByRole('button', { name: 'Select all 1 match' }).click();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Exclude' }).click();
    await page.getByText('Excluded 1 keyword.').waitFor();
    await page.getByRole('button', { name: 'Excluded (1)' }).click();
    await page.getByRole('button', { name: /^Restore.*leaf rake$/ }).click();
    await page.getByText('Restored 1 keyword.').waitFor();
  });

  test('says what cannot be done', async () => {
    const { page, userId, ...visitor } = await admin();
    visitor.expectProblem(/40[09]|422/);
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    await goTo(page, 'Rakes');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('Hoses');
    await page.keyboard.press('Enter');
    await page.getByText('Another cluster here has this name. Choose another one.').waitFor();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill(' ');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a name.').waitFor();
    await page.keyboard.press('Escape');
    await sequence(page, 's');
    await page.getByText('This cluster cannot be split further.').waitFor();
  });

  test('is divided more finely with a slider', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, gardenList, { userId, name: 'garden' });
    expect(draft.revision?.stop).toBe(4);
    await open(page, draft.id);
    const slider = page.getByRole('slider', { name: 'Granularity' });
    const clusters = draft.revision!.counts.clusters;
    await slider.and(page.locator(`[aria-valuetext="Balanced, stop 4: ${clusters} clusters"]`)).waitFor();
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Stop 6: /).waitFor();
    // Both steps were one change.
    const changed = await visitor.call<Draft>('GET', `/drafts/${draft.id}`);
    expect(changed.revision).toMatchObject({ stop: 6, operation: 1 });
    expect(await slider.evaluate((input) => input.matches(':focus'))).toBe(true);
    await page.keyboard.press('Home');
    await slider.and(page.locator('[aria-valuetext^="Stop 1: "]')).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await slider.and(page.locator('[aria-valuetext^="Stop 6: "]')).waitFor();
  });

  test('is published under the name in the menu, and its map opens', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    await goTo(page, 'Rakes');
    await sequence(page, 'l');
    await page.getByText('Locked 1 cluster.').waitFor();
    await page.getByRole('button', { name: 'Name and description' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Tools of spring');
    await page.getByRole('textbox', { name: 'Description' }).fill('By hand');
    await page.keyboard.press('Enter');
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();
    await page.waitForURL(/\?v=/);
    await page.getByRole('treeitem', { name: /^Tools of spring/ }).waitFor();
    expect(await page.title()).not.toContain('Draft');
    const all = await visitor.call<{ fileName: string; description: string; isActive: boolean }[]>(
      'GET',
      '/visualizations',
    );
    expect(all.find(({ isActive }) => isActive)).toMatchObject({
      fileName: 'Tools of spring.json',
      description: 'By hand',
    });
    // The draft has become the map: its address leads there.
    await page.goto(`/visualization?draft=${draft.id}`);
    await page.waitForURL(/\?v=/);
  });

  test('has all views, marked in pictures and names of downloads, without saved views and links', async () => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await open(page, draft.id);
    for (const view of ['Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity']) {
      await page.getByRole('radio', { name: view, exact: true }).check({ force: true });
      const picture = page.getByRole('application', { name: new RegExp(`^${view} of`) });
      // The list has no figures, so no cluster has a place in the chart.
      await picture.or(page.getByText('here has both difficulty and volume.')).waitFor();
    }
    await page.getByRole('radio', { name: 'Table' }).check({ force: true });
    await page.getByRole('treegrid').waitFor();
    expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Copy link' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menu', { name: 'Share' }).waitFor();
    expect(await page.getByRole('menuitem', { name: /^(Copy link|Save this view|Present)/ }).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV of what is shown' }).click();
    expect((await download).suggestedFilename()).toMatch(/^tools-draft – /);
  });

  test('that cannot be edited says why, and can be started again or discarded', async () => {
    const { page, userId, ...visitor } = await admin();
    // The event stream may tell the page that the draft is gone before it is left.
    visitor.expectProblem(/404/);
    const draft = await visitor.call<Draft>('POST', '/drafts', {
      userId,
      name: 'empty',
      description: '',
      files: [{ name: 'empty.csv', size: 8, corrections: {} }],
      settings: { preset: 'balanced', grouping: 'columns', model: 'none' },
    });
    await send(page, draft.files[0]!.id, 'Keyword\n');
    await expect.poll(async () => (await visitor.call<Draft>('GET', `/drafts/${draft.id}`)).state).toBe('failed');
    await page.goto(`/visualization?draft=${draft.id}`);
    await page.getByRole('alert').waitFor();
    // The same draft as if a fault had ended it, and as if it had been stopped.
    const shown = await showAs(page, draft.id, { refusal: { code: 'draft/failed', params: { id: 'abc' } } });
    await page
      .getByText('Clustering failed. The files are kept. Try again, or tell an administrator this id: abc')
      .waitFor();
    await shown.end();
    const stopped = await showAs(page, draft.id, { state: 'stopped', refusal: undefined });
    await page.getByText('Clustering was stopped. The files are kept until ').waitFor();
    await page.getByRole('button', { name: 'Start again' }).waitFor();
    await stopped.end();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('Draft empty was discarded.').waitFor();
    await page.waitForURL((url) => !url.search.includes('draft='));
  });

  test('says when it is deleted, and that publishing has to wait', async () => {
    const { page, userId, ...visitor } = await admin();
    visitor.expectProblem(/409/);
    const draft = await makeDraft({ page, ...visitor }, groupedList, { userId, name: 'tools' });
    await showAs(page, draft.id, { expiresAt: Date.UTC(2026, 0, 31, 12) });
    await page.goto(`/visualization?draft=${draft.id}`);
    await page.getByText('This draft is deleted on Jan 31, 2026').waitFor();
    await page.route('**/api/drafts/*/publish', (route) =>
      route.fulfill({ status: 409, json: { data: { code: 'draft/busy' } } }),
    );
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('This draft is being changed. Please try again.').waitFor();
  });

  test('in two tabs shows the same, and the tab that is behind says so', async () => {
    const { page, userId, context, ...visitor } = await admin();
    visitor.expectProblem(/409/);
    const draft = await makeDraft({ page, context, ...visitor }, groupedList, { userId, name: 'tools' });
    const other = await context.newPage();
    await open(page, draft.id);
    await open(other, draft.id);
    await goTo(page, 'Rakes');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('Brooms');
    await page.keyboard.press('Enter');
    await row(other, /^Brooms\b/).waitFor();

    // The other tab does not hear of the next change before it makes one itself.
    await other.route('**/api/drafts/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    visitor.expectProblem(/ERR_FAILED/);
    await goTo(page, 'Hoses');
    await sequence(page, 'l');
    await page.getByText('Locked 1 cluster.').waitFor();
    await goTo(other, 'Brooms');
    await sequence(other, 'l');
    await other
      .getByText('This draft has changed since you looked at it. It is shown as it is now; try again.')
      .waitFor();
  });

  test('is edited by one person at a time', async () => {
    const first = await admin();
    const draft = await makeDraft(first, groupedList, { userId: first.userId, name: 'tools' });
    await open(first.page, draft.id);
    await first.page.getByText('Saved', { exact: true }).waitFor();
    await leased(first, draft.id);
    await first.call('POST', '/users', { email: 'second@example.com', password: 'rakes and ladders', role: 'admin' });
    const second = await stage.visitor();
    second.expectProblem(/409|423/);
    await second.call('POST', '/session', {
      email: 'second@example.com',
      password: 'rakes and ladders',
      remember: false,
    });
    await second.page.goto(`/visualization?draft=${draft.id}`);
    await second.page.getByText(/ is editing this draft\.$/).waitFor();
    expect(await second.page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
    await second.page.getByRole('button', { name: 'Take over' }).click();
    await first.page.getByText(/ took over\.$/).waitFor();
    expect(await first.page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
  });

  test.each(['light', 'dark'] as const)('has no accessibility findings in the %s theme', async (theme) => {
    const { page, userId, ...visitor } = await admin();
    const draft = await makeDraft({ page, ...visitor }, gardenList, { userId, name: 'garden' });
    await open(page, draft.id, `&t=${theme}`);
    await page.getByRole('tree').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('F2');
    await page.getByRole('dialog', { name: 'Rename' }).waitFor();
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    // On a phone.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByRole('application').waitFor();
    await page.getByRole('button', { name: 'Open the sheet further' }).click();
    await page.getByRole('tab', { name: 'Outline' }).click();
    await row(page, /^garden/).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

/** The page sees a draft with other members than the server says; loads it again. */
async function showAs(page: Page, id: string, other: Partial<Draft>): Promise<{ readonly end: () => Promise<void> }> {
  const path = `**/api/drafts/${id}`;
  await page.route(path, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as Draft), ...other } });
    } catch {
      // The page was left meanwhile: nobody waits for the answer.
    }
  });
  await page.reload();
  return { end: () => page.unroute(path) };
}

async function open(page: Page, id: string, more = ''): Promise<void> {
  await page.goto(`/visualization?draft=${id}${more}`);
  await page.getByRole('treeitem').nth(1).waitFor();
  await page.getByRole('application').waitFor();
}

const row = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });

/** Goes to a row of the outline by typing the beginning of its name, as type-ahead does. */
async function goTo(page: Page, name: string): Promise<void> {
  await page
    .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
    .first()
    .waitFor();
  await page
    .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
    .first()
    .click();
  await expectCurrent(page, new RegExp(`^${name}`));
}

/** Presses E and a letter. */
async function sequence(page: Page, letter: string): Promise<void> {
  await page.keyboard.press('e');
  await page.keyboard.press(letter);
}

/** Waits until the outline has the focus and its current row has this name. */
async function expectCurrent(page: Page, name: RegExp): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate<string>(`document.getElementById(
        document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.innerText ?? ''`),
    )
    .toMatch(name);
}

/** Waits until the page of a visitor has the right to edit. */
async function leased({ call }: Visitor, id: string): Promise<void> {
  await expect.poll(async () => (await call<Draft>('GET', `/drafts/${id}`)).editor?.isYou).toBe(true);
}
