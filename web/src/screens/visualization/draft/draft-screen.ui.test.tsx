import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { runFor, startClock, stopClock } from '../../../../test/page/clock.ts';
import { failsFor, fakeApi, gate, refuses } from '../../../../test/page/fake-api.ts';
import { draftOf } from '../../../../test/page/fake-drafts.ts';
import { serverSays } from '../../../../test/page/fake-events.ts';
import {
  button,
  goTo,
  grouped,
  hasRow,
  isCurrent,
  lacksRow,
  press,
  rename,
  row,
} from '../../../../test/page/in-draft.ts';
import { mapsApi } from '../../../../test/page/maps-api.ts';
import { address, openApp } from '../../../../test/page/open-app.tsx';
import { openDraft } from '../../../../test/page/open-draft.tsx';
import { resize } from '../../../../test/page/window.ts';
import { addressOf } from './select-matches.ts';

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();

const subjects = [
  'garden hose',
  'lawn mower',
  'tomato seeds',
  'cat food',
  'dog leash',
  'bird feeder',
  'rose bush',
  'water pump',
  'tea pot',
  'desk lamp',
  'floor mat',
  'bread knife',
];
/** Twelve subjects with eight wordings each, without groups: enough for pillar topics at each stop that is shown. */
const ungrouped = [
  'Keyword,Volume',
  ...subjects.flatMap((subject, at) =>
    ['buy', 'cheap', 'best', 'review', 'for beginners', 'near me', 'discount', 'repair'].map(
      (wording, i) => `${wording} ${subject},${1000 - 100 * at - i}`,
    ),
  ),
].join('\n');

// Shows P22.2, P22.5.
test('a draft is edited by keyboard: select, merge, rename, undo, redo, strays', async () => {
  await openDraft(grouped);
  await expect.poll(() => document.title).toContain('Draft: tools');
  await shows('Only you and administrators see it.');
  await shows('Becomes the active map of ann@example.com; the one before stays in the list.');
  // The list came with its own groups.
  await expect.element(button(/^Granularity/)).not.toBeInTheDocument();

  await goTo('Hoses');
  await press(' ');
  await goTo('Rakes');
  await press(' ');
  await shows('2 selected');
  await press('em');
  await shows('Merged 2 clusters into Hoses. 6 keywords.');
  await hasRow(/^Hoses.*6 keywords/);
  await lacksRow(/^Rakes/);
  // What a person changed is locked, and the focus is on the result.
  await hasRow(/^Hoses.*, locked/);
  await isCurrent(/^Hoses/);

  await rename('Hoses and rakes');
  await shows('Renamed to Hoses and rakes.');
  await isCurrent(/^Hoses and rakes/);
  await press('{Control>}z{/Control}');
  await shows('Undone.');
  await hasRow(/^Hoses\b(?! and)/);
  await press('{Control>}{Shift>}z{/Shift}{/Control}');
  await shows('Redone.');
  await hasRow(/^Hoses and rakes\b/);

  await goTo('Food');
  await press('ex');
  await shows('Sent 3 keywords to the strays.');
  await hasRow(/^Stray keywords\b/);
  await button(/^Undo/).first().click();
  await hasRow(/^Pets/);
});

test('a topic whose keywords have little in common but the subject of the list is marked, in its details, too', async () => {
  const things = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `drupal ${letter}${letter}x,Drupal,Things,1`);
  await openDraft(['Keyword,Group,Cluster,Volume', ...things, 'drupal views,Drupal,Views,5'].join('\n'));
  await goTo('Things');
  await press('en');
  await page
    .getByRole('dialog', { name: 'Name Things by' })
    .getByRole('button', { name: /^Phrase What/ })
    .click();
  await hasRow(/^Other: drupal.*Mixed/);
  const mixed = page.getByText(/Mixed: its keywords have little in common but what most of the list has/);
  await expect.element(mixed).toBeVisible();
  await rename('Rest');
  await hasRow(/^Rest\b/);
  await lacksRow(/Mixed/);
  await expect.element(mixed).not.toBeInTheDocument();

  await goTo('Views');
  await press('en');
  await page
    .getByRole('dialog', { name: 'Name Views by' })
    .getByRole('button', { name: /^Phrase with the common words/ })
    .click();
  await shows('Named drupal views.');
});

// Shows P22.2.
test('what is selected is moved, also to a new pillar topic', async () => {
  await openDraft(grouped);
  await goTo('Rakes');
  await press('ev');
  await page.getByRole('dialog', { name: 'Move Rakes to' }).getByRole('button', { name: /^Pets/ }).click();
  await shows('Moved 3 keywords to Pets.');
  await goTo('Food');
  await press('ev');
  await page.getByRole('textbox', { name: 'New pillar topic' }).fill('Kitchen');
  await press('{Enter}');
  await shows('Moved 3 keywords to Kitchen.');
  await hasRow(/^Kitchen\b/);
});

test('only the last edit can be undone where it is told about', async () => {
  const { draft } = await openDraft(grouped);
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await goTo('Rakes');
  await press('el');
  await expect.element(undo).toBeVisible();
  await goTo('Food');
  await press('el');
  await expect.poll(() => draft().revision?.operation).toBe(2);
  await expect.poll(() => undo.elements().length).toBe(1);
  await undo.click();
  await expect.poll(() => draft().revision?.operation).toBe(1);
  await expect.element(undo).not.toBeInTheDocument();
});

test('a search for a place that fails does not say that there is none', async () => {
  await openDraft(grouped);
  await goTo('Rakes');
  await press('ev');
  const dialog = page.getByRole('dialog', { name: 'Move Rakes to' });
  const works = failsFor('visualizations.search');
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('pets');
  await expect.element(dialog.getByText(/^The server is not ready/)).toBeVisible();
  works();
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('pet');
  await expect.element(dialog.getByRole('button', { name: /^Pets/ })).toBeVisible();
  await press('{Escape}');
});

// Shows P22.2.
test('a drop in the outline moves, with Alt it merges, and a cluster does not go into a cluster', async () => {
  const { draft } = await openDraft(grouped);
  await row(/^Rakes\b/).dropTo(row(/^Food\b/));
  await row(/^Rakes\b/).dropTo(row(/^Pets\b/));
  await shows('Moved 3 keywords to Pets.');
  // A drag before the rows are those of the moved map would start at a row that is about to disappear.
  await hasRow(/^Pets\b.*6 keywords/);
  await hasRow(/^Garden\b.*3 keywords/);
  await press('{Alt>}');
  await row(/^Rakes\b/).dropTo(row(/^Food\b/));
  await press('{/Alt}');
  await shows('Merged 2 clusters into Rakes. 6 keywords.');
  await isCurrent(/^Rakes/);
  expect(draft().revision?.operation).toBe(2);
});

test('whoever goes on selecting and ticking while an edit is being saved stays there', async () => {
  const { api } = await openDraft(grouped);
  const request = gate();
  fakeApi({ 'drafts.operate': (input) => request.opened.then(() => api['drafts.operate'](input)) });
  await goTo('Rakes');
  await rename('Tools');
  await goTo('Food');
  await press(' ');
  request.open();
  await shows('Renamed to Tools.');
  await expect.poll(address).toContain(`sel=${addressOf(['tools', 'Pets', 'Food'])}`);
  await new Promise((done) => setTimeout(done, 300));
  expect(address()).toContain(`sel=${addressOf(['tools', 'Pets', 'Food'])}`);
  await shows('1 selected');
});

test('what is open of the bar stays open when the revision of an edit arrives, with what is typed in it', async () => {
  const { api } = await openDraft(grouped);
  const request = gate();
  fakeApi({
    'drafts.operate': async (input) => {
      await request.opened;
      return api['drafts.operate'](input);
    },
  });
  await goTo('Rakes');
  await rename('Tools');
  await button(/^Score/).click();
  const formula = page.getByRole('combobox', { name: 'Formula' }).or(page.getByRole('textbox', { name: 'Formula' }));
  await formula.fill('volume * 2');
  request.open();
  await shows('Renamed to Tools.');
  await expect.poll(address).toContain(`sel=${addressOf(['tools', 'Garden', 'Tools'])}`);
  await expect.element(formula).toHaveValue('volume * 2');
  await press('{Escape}');
  await button(/^Share/).click();
  await expect.element(page.getByRole('menu', { name: 'Share' })).toBeVisible();
  await press('{Escape}');
});

test('a branch stays open when it is renamed and something else is edited before its revision has opened', async () => {
  const opened = await openDraft(grouped);
  const secondView = gate();
  const operate = opened.api['drafts.operate'];
  fakeApi({
    'drafts.operate': async (input) => {
      const response = await operate(input);
      const { 'visualizations.get': get } = await opened.apiNow();
      fakeApi({
        'visualizations.get': async (query) => {
          if (response.draft.revision?.operation === 1) await secondView.opened;
          return get!(query);
        },
      });
      return response;
    },
  });
  await goTo('Hoses');
  await press('{ArrowRight}');
  await hasRow(/^red hose/);
  await rename('Pipes');
  await shows('Renamed to Pipes.');
  await goTo('Food');
  await rename('Meals');
  await shows('Renamed to Meals.');
  // The second revision is open.
  await expect.poll(address).toContain(`&sel=${addressOf(['tools', 'Pets', 'Meals'])}`);
  await isCurrent(/^Meals/);
  await hasRow(/^Pipes/);
  await hasRow(/^red hose/);
  const there = address();
  secondView.open();
  await new Promise((done) => setTimeout(done, 300));
  expect(address()).toBe(there);
  await isCurrent(/^Meals/);
});

test('what cannot be done is said', async () => {
  await openDraft(grouped);
  await goTo('Rakes');
  await press('es');
  await shows('This cluster cannot be split further.');
  await press(' ');
  await goTo('Pets');
  await press(' er');
  await shows('This cannot be done with what is selected.');
  // The outline did not jump to a name with R.
  await isCurrent(/^Pets/);
});

test('a selection that no action fits says so', async () => {
  await openDraft(grouped);
  await goTo('Food');
  await press('ex');
  await goTo('Stray keywords');
  await press(' ');
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect.element(selection.getByText('No action fits what is selected.')).toBeVisible();
  await press('{ArrowUp} ');
  await selection.getByRole('button', { name: 'Exclude' }).click();
  await shows(/^Excluded \d keywords/);
});

// Shows P22.3.
test('a slider divides it more finely; two steps in a row are one change', async () => {
  const { draft, api } = await openDraft(ungrouped, { draft: { name: 'garden' } });
  expect(draft().revision?.stop).toBe(4);
  await button('Granularity 4').click();
  const slider = page.getByRole('slider', { name: 'Granularity' });
  const clusters = draft().revision!.counts.clusters;
  const valueIs = (text: string | RegExp) =>
    expect.poll(() => slider.element().getAttribute('aria-valuetext')).toMatch(text);
  await valueIs(`Balanced (4 of 9): ${clusters} clusters`);
  (slider.element() as HTMLElement).focus();
  stopClock(Date.now());
  await press('{ArrowRight}{ArrowRight}');
  await runFor(250);
  startClock();
  await shows(/^Granularity 6 of 9, finer than balanced: /);
  expect(api['drafts.operate'].mock.calls).toHaveLength(1);
  expect(draft().revision).toMatchObject({ stop: 6, operation: 1 });
  await expect.element(slider).toHaveFocus();
  await press('{Home}');
  await valueIs(/^Broadest \(1 of 9\): /);
  await press('{Escape}');
  await button(/^Undo/).first().click();
  await expect.element(button('Granularity 6')).toBeVisible();
});

// Shows P22.11.
test('one bar has its status, the controls of the explorer, and publishing; notes are in its menu', async () => {
  const params = { kept: 60, new: 4, gone: 2, clusters: 1 };
  const warnings = [{ code: 'list/updated', params }];
  await openDraft(ungrouped, { draft: { warnings } });
  const bar = page.getByRole('region', { name: 'Draft' });
  for (const control of [
    bar.getByText('Saved'),
    bar.getByRole('button', { name: /^Undo/ }),
    bar.getByRole('navigation', { name: 'Path' }),
    bar.getByRole('combobox', { name: 'View' }),
    bar.getByRole('button', { name: 'Filter' }),
    bar.getByRole('combobox', { name: 'Search keywords' }),
    bar.getByRole('button', { name: 'Granularity 4' }),
    bar.getByRole('button', { name: 'Share' }),
    bar.getByRole('button', { name: 'Publish' }),
  ]) {
    await expect.element(control).toBeVisible();
  }
  const box = () => bar.element().getBoundingClientRect();
  const picture = () => page.getByRole('application').element().getBoundingClientRect();
  await expect.poll(() => box().height, { message: 'one line' }).toBeLessThan(56);
  await expect
    .poll(() => picture().top - box().bottom, { message: 'nothing is between the bar and the chart' })
    .toBe(0);
  expect(await violations()).toEqual([]);
  await bar.getByRole('button', { name: 'More, 1 note' }).click();
  const menu = page.getByRole('dialog', { name: 'More' });
  await expect.element(menu.getByText('60 keywords kept, 4 new, 2 gone. 1 new cluster.')).toBeVisible();
  expect(await violations(menu.element())).toEqual([]);
  await press('{Escape}');
  await bar.getByRole('button', { name: 'Granularity 4' }).click();
  const granularity = page.getByRole('dialog', { name: 'Granularity' });
  await expect.element(granularity.getByRole('slider', { name: 'Granularity' })).toBeVisible();
  expect(await violations(granularity.element())).toEqual([]);
});

// Shows P22.7.
test('it is published under the name in the menu, and its map opens', async () => {
  const { api, become } = await openDraft(grouped);
  await button('Name and description').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Tools of spring');
  await page.getByRole('textbox', { name: 'Description' }).fill('By hand');
  await press('{Enter}');
  await expect
    .poll(() => api['drafts.publish'].mock.calls[0]?.[0])
    .toMatchObject({ after: 0, name: 'Tools of spring', description: 'By hand' });
  fakeApi(await mapsApi({ upload: { keywords: ['hose'], hierarchy: { name: 'Tools of spring' } } }));
  become({ state: 'published', visualizationId: 'map' });
  serverSays('drafts');
  await shows('File uploaded and processed successfully for ann@example.com');
  await expect.poll(address).toBe('/visualization?v=map');
  await hasRow(/^Tools of spring/);
  await expect.poll(() => document.title).not.toContain('Draft');
});

// Shows P22.1.
test('it has all views, marked in the names of downloads, without saved views and links', async () => {
  await openDraft(grouped);
  const show = async (view: string) => {
    await page.getByRole('combobox', { name: 'View' }).click();
    await page.getByRole('option', { name: view }).click();
  };
  for (const view of ['Bubbles', 'Sunburst', 'Icicle', 'Tree', 'Opportunity']) {
    await show(view);
    // The list has no figures, so no cluster has a place in the chart.
    const picture = page.getByRole('application', { name: new RegExp(`^${view} of`) });
    await expect.element(picture.or(page.getByText(/here has both difficulty and volume\./)).first()).toBeVisible();
  }
  await show('Table');
  await expect.element(page.getByRole('treegrid')).toBeVisible();
  await expect.element(button('Save view')).not.toBeInTheDocument();
  await expect.element(button('Copy link')).not.toBeInTheDocument();
  await button('Share').click();
  await expect.element(page.getByRole('menu', { name: 'Share' })).toBeVisible();
  await expect
    .element(page.getByRole('menuitem', { name: /^(Copy link|Save this view|Present)/ }))
    .not.toBeInTheDocument();
  fakeApi({ 'POST /api/visualizations/{id}/export.csv': () => new Response('Name\r\n') });
  const named = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    named(this.download);
  });
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('button', { name: 'CSV: the table as shown' }).click();
  await expect.poll(() => named.mock.calls[0]?.[0]).toMatch(/^tools-draft – /);
});

// Shows P22.7.
test.each([
  ['failed', { state: 'failed', refusal: { code: 'list/no-keyword-column' } }, /^No column with keywords was found/],
  [
    'failed by a fault',
    { state: 'failed', refusal: { code: 'draft/failed', params: { id: 'abc' } } },
    'Clustering failed. The files are kept. Try again, or tell an administrator this id: abc',
  ],
  ['stopped', { state: 'stopped' }, /^Clustering was stopped. The files are kept until /],
] as const)('a draft that %s says why, and can be started again or discarded', async (_what, state, text) => {
  const draft = draftOf({ name: 'empty', ...state });
  await openApp('/visualization?draft=draft', {
    as: 'admin',
    api: {
      'drafts.get': () => draft,
      'drafts.start': () => ({ ...draft, state: 'working', percent: 60, refusal: undefined }),
      'drafts.remove': ({ id }) => ({ id }),
      'visualizations.list': () => [],
      'drafts.list': () => [],
    },
  });
  await shows(text);
  await expect.element(button('Start again')).toBeVisible();
  await button('Discard').click();
  await shows('Draft empty was discarded.');
  await expect.poll(address).toBe('/visualization');
});

// Shows P22.7.
test('when it is deleted is said, and that publishing has to wait', async () => {
  await openDraft(grouped, { draft: { expiresAt: Date.UTC(2026, 0, 31, 12) } });
  await shows(/^This draft is deleted on Jan 31, 2026/);
  fakeApi({ 'drafts.publish': refuses('draft/busy') });
  await button('Publish').click();
  await shows('This draft is being changed. Please try again.');
});

test('a change that does not know another one is refused, and can be made again', async () => {
  const { api, draft } = await openDraft(grouped);
  await goTo('Hoses');
  fakeApi({ 'drafts.operate': refuses('draft/behind') });
  await press('el');
  await shows('This draft has changed in the meantime. You now see its current state; try again.');
  fakeApi({ 'drafts.operate': api['drafts.operate'] });
  await press('el');
  await shows('Locked 1 cluster.');
  expect(draft().revision?.operation).toBe(1);
});

const zoe = { id: 'zoe', name: 'Zoe', isYou: false };

// Shows P22.6.
test('while somebody else edits it, it can be read and taken over', async () => {
  const { draft, become } = await openDraft(grouped, {
    draft: { editor: zoe },
    api: { 'drafts.lease': refuses('draft/editing', { name: 'Zoe' }) },
  });
  await shows('Zoe is editing this draft.');
  await expect.element(button('Publish')).toBeDisabled();
  become({ editor: { id: 'ann', name: 'Ann', isYou: true } });
  fakeApi({ 'drafts.lease': draft });
  await button('Take over').click();
  await expect.element(button('Publish')).toBeEnabled();
});

// Shows P22.6.
test('when somebody takes over, that is said, and nothing can be published', async () => {
  const { become } = await openDraft(grouped);
  await expect.element(button('Publish')).toBeEnabled();
  become({ editor: zoe });
  serverSays('drafts');
  await shows('Zoe took over.');
  await expect.element(button('Publish')).toBeDisabled();
});

test.each(['light', 'dark'] as const)('it has no accessibility findings in the %s theme', async (theme) => {
  await openDraft(ungrouped, { search: `&t=${theme}` });
  (page.getByRole('tree').element() as HTMLElement).focus();
  await press('{ArrowDown} ');
  await shows('1 selected');
  expect(await violations()).toEqual([]);
  await press('{F2}');
  const dialog = page.getByRole('dialog', { name: 'Rename' });
  await expect.element(dialog).toBeVisible();
  expect(await violations(dialog.element())).toEqual([]);
});

test('it has none on a phone', async () => {
  await page.viewport(390, 844);
  await openDraft(ungrouped);
  await button('Open the sheet further').click();
  await page.getByRole('tab', { name: 'Outline' }).click();
  await hasRow(/^tools/);
  expect(await violations()).toEqual([]);
  await page.viewport(1440, 900);
});

test.each([768, 900, 1023, 1024, 1200, 1359, 1360, 1440])(
  'the bar of a draft has one line in a window of %i pixels',
  async (width) => {
    await resize(width, 800);
    await openDraft(ungrouped);
    await expect.element(button('Publish')).toBeVisible();
    await expect.element(button(/^Filter/)).toBeVisible();
    const bar = page.getByRole('region', { name: 'Draft' }).element().firstElementChild as HTMLElement;
    const ends = (one: Element) => one.getBoundingClientRect();
    await expect.poll(() => bar.scrollWidth).toBeLessThanOrEqual(bar.clientWidth);
    expect(bar.offsetHeight).toBeLessThan(60);
    const parts = [...bar.children].map(ends).filter((part) => part.width > 1);
    parts.forEach((part, i) => {
      const next = parts[i + 1];
      if (next) expect(part.right, `part ${i} does not reach into the next`).toBeLessThanOrEqual(next.left + 0.5);
    });
    // What is not in the bar is in its menu.
    if (width >= 1360) await expect.element(button(/^Granularity/)).toBeVisible();
    else {
      await page.getByRole('region', { name: 'Draft' }).getByRole('button', { name: /^More/ }).click();
      await expect.element(page.getByRole('slider', { name: 'Granularity' })).toBeVisible();
      await expect.element(button('Redo')).toBeVisible();
    }
  },
);
