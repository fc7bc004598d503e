import { addressOf } from '@kc/pack/plan/node-paths';
import { expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { serverSays } from '../../../../test/page/fake-events.ts';
import { addressSays, focus, follow, isGone, line, picture, reload, shows } from '../../../../test/page/in-explorer.ts';
import type { Upload } from '../../../../test/page/maps-api.ts';
import { address } from '../../../../test/page/open-app.tsx';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const keyword = (name: string, volume: number) => ({ name, type: 'keyword', volume });
const cluster = (name: string, ...children: readonly ReturnType<typeof keyword>[]) => ({
  name,
  type: 'cluster',
  children,
});
const mapOf = (...children: readonly ReturnType<typeof cluster>[]): Upload => ({
  keywords: [],
  hierarchy: { name: 'chat', type: 'root', children },
});
const chat = mapOf(
  ...['Bots', 'Mail', 'Phone', 'Video'].map((name, at) =>
    cluster(name, keyword(`${name} one`, 100 - 10 * at), keyword(`${name} two`, 5)),
  ),
);

const clusters = page.getByRole('grid', { name: 'Clusters of chat' });
const plan = page.getByRole('grid', { name: 'Plan of chat' });
const rowOf = (grid: Locator, name: string) => grid.getByRole('row', { name: new RegExp(`\\b${name}\\b`) });
const rows = (grid: Locator) => expect.poll(() => grid.getByRole('row').elements().length);
const press = (keys: string) => userEvent.keyboard(keys);
const textsOf = (locator: Locator) => locator.elements().map((element) => (element as HTMLElement).innerText);
/** The first word of each row below the header. */
const names = (grid: Locator) =>
  textsOf(grid.getByRole('row'))
    .slice(1)
    .map((text) => text.split(/\s+/).find((word) => /\w/.test(word)));

/** Opens a list of the explorer. */
async function openList(upload: Upload, search: string): Promise<void> {
  await openExplorer(upload, { search });
}

async function pick(grid: Locator, ...picked: readonly string[]): Promise<void> {
  for (const name of picked) {
    await expect.element(rowOf(grid, name)).toBeVisible();
    rowOf(grid, name).element().querySelector<HTMLElement>('[data-pick]')!.click();
  }
}

/** Plans some clusters in one write. */
async function planned(upload: Upload, ...picked: readonly string[]): Promise<void> {
  await openList(upload, '?view=table&level=clusters');
  await pick(clusters, ...picked);
  await focus(clusters);
  await press('x');
  await shows(`Added ${picked.length} entries to the plan.`);
}

/** The list of a plan of three clusters, with the keyboard. */
async function openPlan(): Promise<void> {
  await planned(chat, 'Bots', 'Mail', 'Phone');
  await follow('?view=table&level=plan');
  await rows(plan).toBe(4);
  await focus(plan);
}

/** Types into the cell editor that a key has opened. */
async function type(editor: string, text: string): Promise<void> {
  await page.getByRole(editor.startsWith('Owner') ? 'combobox' : 'textbox', { name: editor }).fill(text);
  await press('{Enter}');
}

async function setStatus(name: string, status: string): Promise<void> {
  await page.getByRole('combobox', { name: `Status of ${name}` }).selectOptions(status);
}

test('the entry of what is selected is the current one, also when it is selected elsewhere', async () => {
  await openPlan();
  const current = () =>
    names(plan)[
      plan
        .getByRole('row')
        .elements()
        .findIndex((row) => row.ariaCurrent === 'true') - 1
    ];
  await press('{ArrowDown}');
  await addressSays('sel', addressOf('chat', [['Mail', 0]]));
  // As a link opens it, in which nobody has moved anything yet.
  await reload();
  await expect.poll(current).toBe('Mail');
  await page.getByRole('button', { name: 'Show the outline' }).click();
  await line('Phone').click();
  await expect.poll(current).toBe('Phone');
  await focus(plan);
  await press('{ArrowUp}');
  await addressSays('sel', addressOf('chat', [['Mail', 0]]));
  await expect.poll(current).toBe('Mail');
});

test('selected rows are planned in one write, and the list of the plan is a key away', async () => {
  await openList(chat, '?view=table&level=clusters');
  await pick(clusters, 'Bots', 'Mail', 'Phone');
  await expect
    .element(page.getByRole('toolbar', { name: 'Selection' }).getByText(/^3 selected · 6 keywords/))
    .toBeVisible();
  await focus(clusters);
  await press('x');
  await shows('Added 3 entries to the plan.');
  await press('g5');
  await addressSays('level', 'plan');
  await rows(plan).toBe(4);
  expect(await violations()).toEqual([]);
});

test('beside the list of the plan, its panel has the totals and the editor but not the entries again', async () => {
  await openPlan();
  const panel = page.getByRole('region', { name: 'The plan' });
  await page.getByRole('tab', { name: /^Plan/ }).click();
  await expect.element(panel.getByText(/^3 entries/)).toBeVisible();
  const entries = panel.getByRole('button', { name: /Bots/ });
  await isGone(entries);
  await isGone(panel.getByRole('group', { name: 'Show by status' }));
  await page.getByRole('radio', { name: 'Treemap' }).click();
  await expect.element(entries).toBeVisible();
  await expect.element(panel.getByRole('group', { name: 'Show by status' })).toBeVisible();
});

// Shows P24.11.
test('cells are edited in place by key', async () => {
  await openPlan();
  await press('{ArrowDown}{F2}');
  await setStatus('Mail', 'written');
  await expect.element(rowOf(plan, 'Mail').getByText('Written')).toBeVisible();
  await press('{ArrowRight}{Enter}');
  await type('Owner of Mail', 'Lena');
  await expect.element(rowOf(plan, 'Mail').getByText('Lena')).toBeVisible();
  await rowOf(plan, 'Bots').getByRole('gridcell').nth(6).dblClick();
  await type('Target URL of Bots', 'bots');
  await shows('Enter an address that begins with https:// or /');
  await type('Target URL of Bots', '/bots');
  await expect.element(rowOf(plan, 'Bots').getByText('/bots')).toBeVisible();
});

test('a text that is being typed is saved when its cell goes away under it', async () => {
  await openPlan();
  await rowOf(plan, 'Bots').getByRole('gridcell').nth(6).dblClick();
  await page.getByRole('textbox', { name: 'Target URL of Bots' }).fill('/bots');
  await page
    .getByRole('radio', { name: 'Treemap' })
    .element()
    .dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await page.getByRole('radio', { name: 'Table' }).click();
  await expect.element(rowOf(plan, 'Bots').getByText('/bots')).toBeVisible();
});

test('a cell that was opened before somebody else’s change does not replace that without a word', async () => {
  let there = { revision: 4, url: '/first', assignee: '' };
  const asked: unknown[] = [];
  const shown = () => ({
    ...{ id: 'e', kind: 'branch' as const, rev: there.revision, path: ['Bots'], keywords: 2, volume: 105 },
    ...{ node: addressOf('chat', [['Bots', 0]]), isPlanned: true, status: 'idea' as const, contentType: '' as const },
    ...{ tags: [], due: '', primaryKeyword: '', note: '', url: there.url, assignee: there.assignee },
    ...{ marks: { url: { rev: there.revision, by: 'bob', at: 0 } }, addedBy: 'ann', addedAt: 0 },
  });
  await openExplorer(chat, {
    search: '?view=table&level=plan',
    api: {
      'plans.read': () => ({
        ...{ revision: there.revision, matching: 0, entries: [shown()], more: false },
        ...{ people: [{ id: 'bob', name: 'Bob' }], you: 'ann', lead: 2 },
      }),
      'plans.change': (change) => {
        asked.push(change);
        return { revision: there.revision, entries: [shown()], conflicts: [], isFull: false, people: [] };
      },
    },
  });
  const row = rowOf(plan, 'Bots');
  const url = page.getByRole('textbox', { name: 'Target URL of Bots' });
  const owner = page.getByRole('combobox', { name: 'Owner of Bots' });
  const open = async (column: number, editor: Locator) => {
    await row.getByRole('gridcell').nth(column).dblClick();
    await expect.element(editor).toHaveFocus();
  };
  const changes = async (change: typeof there, said: string) => {
    there = change;
    serverSays('plans');
    await expect.element(row.getByText(said)).toBeVisible();
  };
  // Left as it was.
  await open(6, url);
  await changes({ revision: 6, url: '/second', assignee: 'Lena' }, 'Lena');
  await press('{Tab}');
  await expect.element(row.getByText('/second')).toBeVisible();
  expect(asked).toEqual([]);
  // Typed: the server compares with what was there when the person began.
  await open(6, url);
  await url.fill('/mine');
  await changes({ revision: 8, url: '/third', assignee: 'Max' }, 'Max');
  await press('{Enter}');
  await expect.poll(() => asked.splice(0)).toMatchObject([{ base: 6, set: { url: '/mine' } }]);
  await open(3, owner);
  await owner.fill('Eve');
  await changes({ revision: 10, url: '/fourth', assignee: 'Zoe' }, '/fourth');
  await press('{Enter}');
  await expect.poll(() => asked).toMatchObject([{ base: 8, set: { assignee: 'Eve' } }]);
});

test('why an entry cannot be shown in the map is said', async () => {
  await openPlan();
  fakeApi({ 'visualizations.locate': refuses('request/not-found') });
  await press('{ArrowDown}{Enter}');
  await shows('Nothing is here.');
});

// Shows P24.11.
test('fields are set for a selection in one write, and taken back and done again by key', async () => {
  await openPlan();
  await press('{ArrowDown}{F2}');
  await setStatus('Mail', 'written');
  await focus(plan);
  await press('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set fields of 3 entries' });
  await dialog.getByRole('combobox', { name: 'New status' }).selectOptions('live');
  await dialog.getByRole('textbox', { name: 'New tags to add' }).fill('q1, chat');
  await expect.element(dialog.getByRole('textbox', { name: 'New target URL' })).toBeVisible();
  expect(await violations(dialog.element())).toEqual([]);
  await dialog.getByRole('button', { name: 'Set 3 entries' }).click();
  await shows('Changed 3 entries.');
  const tagged = () => expect.poll(() => plan.getByText('chat, q1').elements().length);
  const live = () => expect.poll(() => plan.getByText('Live', { exact: true }).elements().length);
  await tagged().toBe(3);
  await focus(plan);
  await press('{Control>}z{/Control}');
  await shows('Undone.');
  await expect.element(rowOf(plan, 'Mail').getByText('Written')).toBeVisible();
  await tagged().toBe(0);
  await press('{Control>}{Shift>}z{/Shift}{/Control}');
  await shows('Redone.');
  await live().toBe(3);
  await reload();
  await live().toBe(3);
});

// Shows P15.31.
test('conditions and order are part of the address', async () => {
  await openPlan();
  await press('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
  await type('Owner of Mail', 'Lena');
  await page.getByRole('combobox', { name: 'Owner', exact: true }).click();
  await page.getByRole('option', { name: 'Lena (1)' }).click();
  await shows('1 of 3 entries');
  await plan.getByRole('button', { name: 'Name' }).click();
  await addressSays('plan', /by=/);
  await reload();
  await shows('1 of 3 entries');
  await expect.element(rowOf(plan, 'Mail')).toBeVisible();
  expect(await violations()).toEqual([]);
  await page.getByRole('combobox', { name: 'Due', exact: true }).click();
  await page.getByRole('option', { name: 'No month (3)' }).click();
  await addressSays('plan', /due=none/);
  await follow(new URL(address().replace('due%3Dnone', 'due%3Dsoon'), location.origin).search);
  await shows('No entry here matches these conditions.');
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  await rows(plan).toBe(4);
  await expect.poll(() => names(plan)).toEqual(['Bots', 'Mail', 'Phone']);
  await plan.getByRole('button', { name: 'Name' }).click();
  await expect.poll(() => names(plan)).toEqual(['Phone', 'Mail', 'Bots']);
});

test('a tag that every entry has is offered alone, without “None”', async () => {
  await openPlan();
  await press('{Control>}a{/Control}');
  await page.getByRole('button', { name: 'Set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set fields of 3 entries' });
  await dialog.getByRole('textbox', { name: 'New tags to add' }).fill('q1');
  await dialog.getByRole('button', { name: /^Set / }).click();
  await shows('Changed 3 entries.');
  await page.getByRole('combobox', { name: 'Tag', exact: true }).click();
  await expect.element(page.getByRole('option', { name: 'q1 (3)' })).toBeVisible();
  await isGone(page.getByRole('option', { name: /^None/ }));
});

test('the map is coloured by the plan, and keeps only what is not planned', async () => {
  await planned(chat, 'Bots', 'Mail', 'Phone');
  await follow('?color=plan');
  await page.getByRole('region', { name: 'Legend' }).getByRole('button', { name: 'Not planned' }).click();
  await expect.element(page.getByText('2 of 8 keywords').first()).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Remove filter: Plan: Not planned' })).toBeVisible();
  await expect.element(page.getByRole('treeitem', { name: /Video/ }).first()).toBeVisible();
  await focus(picture);
  await press('{ArrowDown}');
  await addressSays('sel', /./);
  await press('x');
  // What is planned now leaves, without any other step.
  await expect.element(page.getByText('No keywords match these filters').first()).toBeVisible();
});

test('opened from a link, a long list fills its place and can be scrolled to its end', async () => {
  const topics = Array.from({ length: 60 }, (_, at) =>
    cluster(`Topic ${at + 1}`, keyword(`word ${at + 1}`, 1000 - at)),
  );
  await openList(mapOf(...topics), '?view=table&level=clusters');
  await expect.element(rowOf(clusters, 'Topic 1')).toBeVisible();
  await focus(clusters);
  await press('{Control>}a{/Control}x');
  await shows('Added 60 entries to the plan.');
  // Adding again what is there removes nothing.
  await reload();
  await expect.element(rowOf(clusters, 'Topic 1')).toBeVisible();
  await focus(clusters);
  await press('{Control>}a{/Control}');
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Add to plan' }).click();
  await shows('All of it is already in the plan.');
  await follow('?view=table&level=plan');
  await expect.element(rowOf(plan, 'Topic 1')).toBeVisible();
  await rows(plan).toBeGreaterThan(plan.element().clientHeight / 36);
  await focus(plan);
  await press('{End}');
  await expect.element(rowOf(plan, 'Topic 60')).toBeVisible();
});

/** Keywords, volume and the covered share of a planned cluster. */
const figures = (name: string) => expect.poll(() => textsOf(rowOf(plan, name).getByRole('gridcell')).slice(-3));

// Shows P24.11.
test('the list has what the filter of the map keeps, with its figures', async () => {
  await planned(chat, 'Bots', 'Mail', 'Phone');
  await follow('?view=table&level=plan');
  await figures('Bots').toEqual(['2', '105', '0 %']);
  await follow('?view=table&level=plan&f=volume-85_');
  await shows('2 of 3 entries');
  await shows('With the figures of what the filter keeps');
  await figures('Bots').toEqual(['1', '100', '0 %']);
  await figures('Mail').toEqual(['1', '90', '0 %']);
  expect(await violations()).toEqual([]);
  // A status that is set here changes what is covered.
  await focus(plan);
  await press('{F2}');
  await setStatus('Bots', 'live');
  await figures('Bots').toEqual(['1', '100', '100 %']);
  await follow('?view=table&level=plan&f=has-video');
  await shows('Nothing that is planned here passes the filter of the map.');
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await rows(plan).toBe(4);
});

// Shows P24.11.
test('the map is filtered by whose an entry is, and follows when that changes', async () => {
  await openPlan();
  await press('{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
  await type('Owner of Bots', 'Lena');
  await expect.element(plan.getByText('Lena')).toBeVisible();
  await page.getByRole('button', { name: /^Filters?\b/ }).click();
  await page.getByRole('button', { name: 'Plan owner' }).click();
  await page.getByRole('checkbox', { name: 'Nobody' }).click();
  await expect.element(page.getByRole('button', { name: 'Remove filter: Plan owner: Nobody' })).toBeVisible();
  await shows('2 of 3 entries');
  await isGone(page.getByRole('button', { name: 'Plan due' }));
  expect(await violations()).toEqual([]);
  await focus(plan);
  await press('{Enter}');
  await type('Owner of Mail', 'Ana');
  await shows('1 of 3 entries');
  await addressSays('f', 'owner-');
  await reload();
  await shows('1 of 3 entries');
  await expect.element(page.getByText('2 of 8 keywords').first()).toBeVisible();
});

test('a month that is being typed goes when all filters are cleared', async () => {
  await openPlan();
  await rowOf(plan, 'Bots').getByRole('gridcell').nth(4).dblClick();
  await page.getByLabelText('Due of Bots').fill('2026-12');
  await press('{Enter}');
  await expect.element(rowOf(plan, 'Bots').getByText('December 2026')).toBeVisible();
  await page.getByRole('button', { name: /^Filters?\b/ }).click();
  const filter = page.getByRole('complementary', { name: 'Filter' });
  await filter.getByLabelText('Contains', { exact: true }).fill('one');
  await addressSays('f', 'has-one');
  await filter.getByRole('button', { name: 'Plan due' }).click();
  const from = filter.getByLabelText('From', { exact: true });
  await expect.element(from).toBeVisible();
  // As in a browser that has no input for months.
  (from.element() as HTMLInputElement).type = 'text';
  await from.fill('2026-1');
  await shows('Enter a month, such as 2027-02.');
  await filter.getByRole('button', { name: 'Clear all' }).click();
  await expect.element(from).toHaveValue('');
});

test('a condition on the covered share of clusters follows the plan', async () => {
  await openPlan();
  await press('{F2}');
  await setStatus('Bots', 'live');
  await page.getByRole('button', { name: /^Filters?\b/ }).click();
  await page.getByRole('button', { name: 'Cluster covered', exact: true }).click();
  await page.getByRole('textbox', { name: 'Cluster covered, in %, at least' }).fill('50');
  await expect
    .element(page.getByRole('button', { name: 'Remove filter: Cluster covered at least 50 %' }))
    .toBeVisible();
  await shows('1 of 3 entries');
  await expect.element(page.getByText('2 of 8 keywords').first()).toBeVisible();
  expect(await violations()).toEqual([]);
  // Of the clusters, only Bots had a page. Once that is taken back, none has.
  await focus(plan);
  await press('{F2}');
  await setStatus('Bots', 'planned');
  await shows('Nothing that is planned here passes the filter of the map.');
});

// Shows P24.10.
test('a list of clusters is sorted by what is planned, and follows the plan', async () => {
  await openList(chat, '?view=table&level=clusters&cols=name*volume*plan*covered*warnings');
  await expect.element(rowOf(clusters, 'Phone')).toBeVisible();
  await expect.poll(() => names(clusters)).toEqual(['Bots', 'Mail', 'Phone', 'Video']);
  const set = async (name: string, status: string) => {
    await rowOf(clusters, name).click();
    await press('e');
    await page.getByRole('group', { name: 'Status' }).getByText(status, { exact: true }).click();
  };
  const sortBy = (column: string) =>
    clusters
      .getByRole('columnheader', { name: new RegExp(`^${column}`) })
      .getByRole('button')
      .first()
      .click();
  await set('Phone', 'Live');
  await sortBy('Covered');
  await addressSays('sort', '-covered');
  await expect.poll(() => names(clusters)).toEqual(['Phone', 'Bots', 'Mail', 'Video']);
  // Another one is written, and the list is sorted again without being asked to.
  await set('Video', 'Written');
  await expect.poll(() => names(clusters).slice(0, 2).sort()).toEqual(['Phone', 'Video']);
  expect(await violations()).toEqual([]);
  await sortBy('Plan status');
  await expect.poll(() => names(clusters).slice(0, 2)).toEqual(['Phone', 'Video']);
  await addressSays('sort', '-plan');
  await reload();
  await expect.poll(() => names(clusters).slice(0, 2)).toEqual(['Phone', 'Video']);
});

// Shows P24.11.
test('a whole list of thousands is planned, set and taken back in one step', async () => {
  const topics = Array.from({ length: 5 }, (_, at) =>
    cluster(
      `Topic ${at + 1}`,
      ...Array.from({ length: 900 }, (__, nth) => keyword(`word ${at + 1} ${nth + 1}`, 1000 - nth)),
    ),
  );
  const list = page.getByRole('grid', { name: 'Keywords of chat' });
  await openList(mapOf(...topics), '?view=table&level=keywords');
  await pick(list, 'word 1 1');
  await focus(list);
  await press('x');
  await shows('Added 1 entry to the plan.');
  await press('{Control>}a{/Control}');
  const bar = page.getByRole('toolbar', { name: 'Selection' });
  await expect.element(bar.getByText(/^4,500 selected/)).toBeVisible();
  await bar.getByRole('button', { name: 'Set…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set fields of 4,500 rows' });
  await expect
    .element(dialog.getByText(/Sets status of 4,500 rows; 4,499 are not in the plan and will be added/))
    .toBeVisible();
  await dialog.getByRole('combobox', { name: 'New status' }).selectOptions('written');
  await dialog.getByRole('button', { name: 'Set status of 4,500 rows' }).click();
  await shows('Changed 4,500 rows.');
  await follow('?view=table&level=plan');
  await shows('4,500 entries');
  await page.getByRole('tab', { name: /^Plan/ }).click();
  await expect.element(page.getByText(/^100 % of all volume is covered/).first()).toBeVisible();
  await follow('?view=table&level=keywords');
  await expect.element(rowOf(list, 'word 1 1')).toBeVisible();
  await focus(list);
  await press('{Control>}a{/Control}x');
  await shows('Removed 4,500 entries from the plan.');
  await focus(list);
  await press('{Control>}z{/Control}');
  await shows('Undone.');
  await follow('?view=table&level=plan');
  await shows('4,500 entries');
});

test('a filter by a person keeps the account in the address, not the name', async () => {
  await openPlan();
  await press('{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{Enter}');
  await type('Owner of Mail', 'Bob Miller');
  await page.getByRole('combobox', { name: 'Owner', exact: true }).click();
  await page.getByRole('option', { name: 'Bob Miller (1)' }).click();
  await shows('1 of 3 entries');
  await addressSays('plan', /^account=/);
  await reload();
  await shows('1 of 3 entries');
  await expect.element(page.getByRole('combobox', { name: 'Owner', exact: true })).toHaveTextContent('Bob Miller (1)');
});
