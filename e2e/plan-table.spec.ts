import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const keyword = (name: string, volume: number) => ({ name, type: 'keyword', volume });
const file = {
  keywords: [],
  hierarchy: {
    name: 'chat',
    type: 'root',
    children: ['Bots', 'Mail', 'Phone', 'Video'].map((name, at) => ({
      name,
      type: 'cluster',
      children: [keyword(`${name} one`, 100 - 10 * at), keyword(`${name} two`, 5)],
    })),
  },
};

const grid = (page: Page) => page.getByRole('grid', { name: 'Plan of chat' });
const row = (page: Page, name: string) => grid(page).getByRole('row', { name: new RegExp(`Select ${name}`) });

story('the list of the plan', () => {
  const stage = useStage();

  test('cells are edited in place by key, fields are set for a selection, and changes are taken back', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    await uploadFor(admin.page, 'approved@example.com', file);
    await page.goto('/visualization?view=table&level=clusters');
    const list = page.getByRole('grid', { name: 'Clusters of chat' });
    await list.getByRole('row', { name: /Bots/ }).waitFor();

    // Boxes select rows, and X adds all of them in one write.
    await list.getByRole('row', { name: /Bots/ }).locator('[data-pick]').click();
    await list.getByRole('row', { name: /Mail/ }).locator('[data-pick]').click();
    await list.getByRole('row', { name: /Phone/ }).locator('[data-pick]').click();
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('3 selected · 6 keywords').waitFor();
    await list.focus();
    await page.keyboard.press('x');
    await page.getByText('Added 3 entries to the plan.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('5');
    await grid(page).waitFor();
    await page.waitForURL(/[?&]level=plan/);
    await expect.poll(() => grid(page).getByRole('row').count()).toBe(4);
    expect(await violations(page)).toEqual([]);

    // The status of the second row, then its owner, with keys only.
    await grid(page).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.getByRole('combobox', { name: 'Status of Mail' }).selectOption('written');
    await row(page, 'Mail').getByText('Written').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const owner = page.getByRole('textbox', { name: 'Owner of Mail' });
    await owner.fill('Lena');
    await owner.press('Enter');
    await row(page, 'Mail').getByText('Lena').waitFor();
    await row(page, 'Bots').getByRole('gridcell').nth(6).dblclick();
    const url = page.getByRole('textbox', { name: 'Target URL of Bots' });
    await url.fill('bots');
    await url.press('Enter');
    await page.getByText('Enter an address that begins with https:// or /').waitFor();
    await url.fill('/bots');
    await url.press('Enter');
    await row(page, 'Bots').getByText('/bots').waitFor();

    // A selection in one write, and back with keys.
    await grid(page).focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Set…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set fields of 3 entries' });
    await dialog.getByRole('combobox', { name: 'New status' }).selectOption('live');
    await dialog.getByRole('textbox', { name: 'New tags to add' }).fill('q1, chat');
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Set 3 entries' }).click();
    await page.getByText('Changed 3 entries.').waitFor();
    await expect.poll(() => grid(page).getByText('chat, q1').count()).toBe(3);
    await grid(page).focus();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    await row(page, 'Mail').getByText('Written').waitFor();
    await expect.poll(() => grid(page).getByText('chat, q1').count()).toBe(0);
    await page.keyboard.press('Control+Shift+z');
    await page.getByText('Redone.').waitFor();
    await expect.poll(() => grid(page).getByText('Live').count()).toBe(3);

    // Somebody else changes a status, and the list has it. A reload shows the same.
    await page.reload();
    await expect.poll(() => grid(page).getByText('Live').count()).toBe(3);

    // Conditions and order are part of the address.
    await page.getByRole('combobox', { name: 'Owner', exact: true }).click();
    await page.getByRole('option', { name: 'Lena (1)' }).click();
    await page.getByText('1 of 3 entries').waitFor();
    await grid(page).getByRole('button', { name: 'Name' }).click();
    await page.waitForURL(/[?&]plan=/);
    await page.reload();
    await page.getByText('1 of 3 entries').waitFor();
    await row(page, 'Mail').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('combobox', { name: 'Tag', exact: true }).click();
    await page.getByRole('option', { name: 'q1 (3)' }).waitFor();
    expect(await page.getByRole('option', { name: /^None/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Due', exact: true }).click();
    await page.getByRole('option', { name: 'No month (3)' }).click();
    await page.waitForURL(/due%3Dnone/);
    await page.goto(page.url().replace('due%3Dnone', 'due%3Dsoon'));
    await page.getByText('No entry here matches these conditions.').waitFor();
    await page.getByRole('button', { name: 'Show all', exact: true }).click();
    await expect.poll(() => grid(page).getByRole('row').count()).toBe(4);
    const names = () => grid(page).getByRole('row').allInnerTexts();
    expect((await names()).slice(1).map((text) => text.trim().split(/\s/)[0])).toEqual(['Bots', 'Mail', 'Phone']);
    await grid(page).getByRole('button', { name: 'Name' }).click();
    await expect
      .poll(async () => (await names()).slice(1).map((text) => text.trim().split(/\s/)[0]))
      .toEqual(['Phone', 'Mail', 'Bots']);

    // The map is coloured by it, and keeps only what is not planned.
    await page.goto('/visualization?color=plan');
    const legend = page.getByRole('region', { name: 'Legend' });
    await legend.getByRole('button', { name: 'Not planned' }).click();
    await page.getByText('2 of 8 keywords').first().waitFor();
    await page.getByRole('button', { name: 'Remove filter: Plan: Not planned' }).waitFor();
    await page.getByRole('treeitem', { name: /Video/ }).first().waitFor();
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    // What is planned now leaves, without any other step.
    await page.getByText('No keywords match these filters').first().waitFor();
  });

  test('opened from a link, a long list fills its place and can be scrolled to its end', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    const clusters = Array.from({ length: 60 }, (_, at) => ({
      name: `Topic ${at + 1}`,
      type: 'cluster',
      children: [keyword(`word ${at + 1}`, 1000 - at)],
    }));
    const long = { keywords: [], hierarchy: { name: 'chat', type: 'root', children: clusters } };
    await uploadFor(admin.page, 'approved@example.com', long);
    await page.goto('/visualization?view=table&level=clusters');
    const list = page.getByRole('grid', { name: 'Clusters of chat' });
    await list.getByRole('row', { name: /Topic 1\b/ }).waitFor();
    await list.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.getByText('Added 60 entries to the plan.').waitFor();

    await page.goto('/visualization?view=table&level=plan');
    await row(page, 'Topic 1\\b').waitFor();
    // Adding again what is there removes nothing.
    await page.goto('/visualization?view=table&level=clusters');
    await list.getByRole('row', { name: /Topic 1\b/ }).waitFor();
    await list.focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Add to plan' }).click();
    await page.getByText('All of it is in the plan already.').waitFor();
    await page.goto('/visualization?view=table&level=plan');
    await row(page, 'Topic 1\\b').waitFor();
    const height = await grid(page).evaluate(
      (element) => (element as unknown as { clientHeight: number }).clientHeight,
    );
    await expect.poll(() => grid(page).getByRole('row').count()).toBeGreaterThan(height / 36);
    await grid(page).focus();
    await page.keyboard.press('End');
    await row(page, 'Topic 60').waitFor();
  });

  test('it lists what the filter of the map keeps, and the map is filtered by whose it is and when it is due', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    const other = { ...file, hierarchy: { ...file.hierarchy, name: 'help' } };
    await uploadFor(admin.page, 'approved@example.com', other);
    const list = page.getByRole('grid', { name: 'Clusters of help' });
    const help = page.getByRole('grid', { name: 'Plan of help' });
    const cells = (name: string) =>
      help
        .getByRole('row', { name: new RegExp(`Select ${name}`) })
        .getByRole('gridcell')
        .allInnerTexts();
    await page.goto('/visualization?view=table&level=clusters');
    await list.getByRole('row', { name: /Bots/ }).waitFor();
    for (const name of ['Bots', 'Mail', 'Phone'])
      await list
        .getByRole('row', { name: new RegExp(name) })
        .locator('[data-pick]')
        .click();
    await list.focus();
    await page.keyboard.press('x');
    await page.getByText('Added 3 entries to the plan.').waitFor();
    await page.goto('/visualization?view=table&level=plan');
    // Keywords, volume and what is covered, of everything.
    await expect.poll(async () => (await cells('Bots')).slice(-3)).toEqual(['2', '105', '0 %']);

    await page.goto('/visualization?view=table&level=plan&f=volume-85_');
    await page.getByText('2 of 3 entries').waitFor();
    await page.getByText('With the figures of what the filter keeps').waitFor();
    await expect.poll(async () => (await cells('Bots')).slice(-3)).toEqual(['1', '100', '0 %']);
    await expect.poll(async () => (await cells('Mail')).slice(-3)).toEqual(['1', '90', '0 %']);
    expect(await violations(page)).toEqual([]);
    // A status that is set here changes what is covered, and an owner whom the map is asked for.
    await help.focus();
    await page.keyboard.press('F2');
    await page.getByRole('combobox', { name: 'Status of Bots' }).selectOption('live');
    await expect.poll(async () => (await cells('Bots')).slice(-1)).toEqual(['100 %']);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Owner of Bots' }).fill('Lena');
    await page.keyboard.press('Enter');
    await help.getByText('Lena').waitFor();
    await page.goto('/visualization?view=table&level=plan&f=has-video');
    await page.getByText('Nothing that is planned here passes the filter of the map.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => help.getByRole('row').count()).toBe(4);

    await page.getByRole('button', { name: /^Filters?\b/ }).click();
    await page.getByRole('button', { name: 'Plan owner' }).click();
    await page.getByRole('checkbox', { name: 'Nobody' }).check();
    await page.getByRole('button', { name: 'Remove filter: Plan owner: Nobody' }).waitFor();
    await page.getByText('2 of 3 entries').waitFor();
    expect(await page.getByRole('button', { name: 'Plan due' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    // Whose it is changes, and the list and the map follow.
    await help.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Owner of Mail' }).fill('Ana');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 3 entries').waitFor();
    await page.waitForURL(/[?&]f=owner-(&|$)/);
    await page.reload();
    await page.getByText('1 of 3 entries').waitFor();
    await page.getByText('2 of 8 keywords').first().waitFor();

    // Of the clusters, only Bots has a page. Once that is taken back, none has.
    await page.getByRole('button', { name: 'Remove filter: Plan owner: Nobody' }).click();
    await page.getByText('8 keywords').first().waitFor();
    await page.getByRole('button', { name: /^Filters?\b/ }).click();
    await page.getByRole('button', { name: 'Cluster covered', exact: true }).click();
    await page.getByRole('textbox', { name: 'Cluster covered, in %, at least' }).fill('50');
    await page.getByRole('button', { name: 'Remove filter: Cluster covered at least 50 %' }).waitFor();
    await page.getByText('1 of 3 entries').waitFor();
    await page.getByText('2 of 8 keywords').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await help.focus();
    await page.keyboard.press('F2');
    await page.getByRole('combobox', { name: 'Status of Bots' }).selectOption('planned');
    await page.getByText('Nothing that is planned here passes the filter of the map.').waitFor();
  });

  test('a list of clusters is sorted by what is planned, and follows the plan', async () => {
    const admin = await stage.signedIn('admin');
    const person = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    const { page } = person;
    await uploadFor(admin.page, 'approved@example.com', { ...file, hierarchy: { ...file.hierarchy, name: 'care' } });
    const list = page.getByRole('grid', { name: 'Clusters of care' });
    const names = async () =>
      (await list.getByRole('row').allInnerTexts())
        .slice(1)
        .map((text) => text.split('\n').find((line) => /\w/.test(line)));
    await page.goto('/visualization?view=table&level=clusters&cols=name*volume*plan*covered*warnings');
    await list.getByRole('row', { name: /Phone/ }).waitFor();
    const [most, ...others] = await names();
    await list.getByRole('row', { name: /Phone/ }).click();
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'Status' }).getByText('Live', { exact: true }).click();
    await list.getByRole('columnheader', { name: 'Covered' }).getByRole('button').first().click();
    await page.waitForURL(/[?&]sort=-covered(?:&|$)/);
    await expect.poll(names).toEqual(['Phone', ...[most, ...others].filter((name) => name !== 'Phone')]);
    // Another one is live, and the list is sorted again without being asked to.
    await list.getByRole('row', { name: new RegExp(most!) }).click();
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'Status' }).getByText('Written', { exact: true }).click();
    await expect.poll(async () => (await names()).slice(0, 2).sort()).toEqual([most, 'Phone'].sort());
    expect(await violations(page)).toEqual([]);
    await list.getByRole('columnheader', { name: 'Plan status' }).getByRole('button').first().click();
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['Phone', most]);
    await page.waitForURL(/[?&]sort=-plan(?:&|$)/);
    await page.reload();
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['Phone', most]);
  });

  test('a whole list of thousands is planned, set and taken back in one step', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    const clusters = Array.from({ length: 5 }, (_, at) => ({
      name: `Topic ${at + 1}`,
      type: 'cluster',
      children: Array.from({ length: 900 }, (__, nth) => keyword(`word ${at + 1} ${nth + 1}`, 1000 - nth)),
    }));
    const many = { keywords: [], hierarchy: { name: 'many', type: 'root', children: clusters } };
    await uploadFor(admin.page, 'approved@example.com', many);
    /** As the server has it: writes are sent one after the other. */
    const planned = () =>
      page.evaluate<number>(`(async () => {
        const [{ id }] = await (await fetch('/api/visualizations')).json();
        return (await (await fetch('/api/visualizations/' + id + '/plan/figures')).json()).entries.length;
      })()`);
    await page.goto('/visualization?view=table&level=keywords');
    const list = page.getByRole('grid', { name: 'Keywords of many' });
    await list.getByRole('row', { name: /word 1 1\b/ }).waitFor();
    await list
      .getByRole('row', { name: /word 1 1\b/ })
      .locator('[data-pick]')
      .click();
    await list.focus();
    await page.keyboard.press('x');
    await page.getByText('Added 1 entry to the plan.').waitFor();
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('toolbar', { name: 'Selection' });
    await bar.getByText(/^4,500 selected/).waitFor();
    await bar.getByRole('button', { name: 'Set…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set fields of 4,500 rows' });
    await dialog.getByText(/Sets status of 4,500 rows; 4,499 are not in the plan and will be added/).waitFor();
    await dialog.getByRole('combobox', { name: 'New status' }).selectOption('written');
    await dialog.getByRole('button', { name: 'Set status of 4,500 rows' }).click();
    await page.getByText('Changed 4,500 rows.').waitFor();
    await expect.poll(planned).toBe(4500);
    await page.goto('/visualization?view=table&level=plan');
    await page.getByText('4,500 entries').first().waitFor();
    await page.getByRole('tab', { name: /^Plan/ }).click();
    await page.getByText('100 % of all volume is covered').first().waitFor();
    await page.goto('/visualization?view=table&level=keywords');
    await list.getByRole('row', { name: /word 1 1\b/ }).waitFor();
    await list.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.getByText('Removed 4,500 entries from the plan.').waitFor();
    await expect.poll(planned).toBe(0);
    await list.focus();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
    await expect.poll(planned).toBe(4500);
    await page.goto('/visualization?view=table&level=plan');
    await page.getByText('4,500 entries').first().waitFor();
  });

  test('a branch that holds other keywords in the next upload is listed, shown, and kept as planned', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = await stage.signedIn('approved', { viewport: { width: 1440, height: 900 } });
    const shop = (words: readonly string[]) => ({
      keywords: [],
      hierarchy: {
        name: 'shop',
        type: 'root',
        children: [
          { name: 'Trail', type: 'cluster', children: words.map((word) => keyword(word, 10)) },
          { name: 'Road', type: 'cluster', children: [keyword('flats', 3), keyword('racers', 2)] },
        ],
      },
    });
    await uploadFor(admin.page, 'approved@example.com', shop(['boots', 'spikes', 'poles', 'maps', 'socks', 'caps']));
    await page.goto('/visualization?view=table&level=clusters');
    const list = page.getByRole('grid', { name: 'Clusters of shop' });
    await list.getByRole('row', { name: /Trail/ }).waitFor();
    await list.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.getByText('Added 2 entries to the plan.').waitFor();
    await page.getByRole('tab', { name: /^Plan/ }).click();
    await page.getByText('2 entries').first().waitFor();
    expect(await page.getByText(/^Content changed/).count()).toBe(0);

    await uploadFor(admin.page, 'approved@example.com', shop(['boots', 'tents', 'stoves', 'lamps']));
    await page.goto('/visualization?panel=plan');
    await page.getByText('Content changed (1)').click();
    const changed = page.getByRole('list', { name: 'Content changed' });
    await changed.getByText('Holds 16.7 % of the keywords that it had when it was planned').waitFor();
    expect(await violations(page)).toEqual([]);
    await changed.getByRole('button', { name: 'Show Trail' }).click();
    await page.waitForURL(/[?&]sel=/);
    await changed.getByRole('button', { name: 'Keep as planned: Trail' }).click();
    await page.getByText('Trail stays planned with the keywords that it has now.').waitFor();
    await page.getByText('Content changed (1)').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('2 entries').first().waitFor();
    expect(await page.getByText(/^Content changed/).count()).toBe(0);
  });
});
