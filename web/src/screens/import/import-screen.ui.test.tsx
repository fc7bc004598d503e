import type { Draft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import type { Visualization } from '@kc/rules/shapes';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { tableWorkbook } from '../../../../cluster/test/support/workbooks.ts';
import { violations } from '../../../test/page/axe.ts';
import { runFor, stopClock } from '../../../test/page/clock.ts';
import type { Handlers } from '../../../test/page/fake-api.ts';
import { draftOf, draftsOf } from '../../../test/page/fake-drafts.ts';
import { address, openApp, screenSettings } from '../../../test/page/open-app.tsx';
import { leaveImport } from '../../api/transfers.ts';

const csv = (name: string, text: string): File => new File([text], name, { type: 'text/csv' });

const grouped = csv(
  'garden_us_2026-04-30.csv',
  'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,10\nblue hose,Garden,Hoses,20\nspade,Garden,Tools,7\ncat food,Pets,Food,5\n',
);
const plain = csv(
  'tools.csv',
  `Keyword,Searches here,Volume\n${['hose', 'spade', 'rake', 'lawn mower', 'hedge trimmer', 'pruning saw']
    .map((word, at) => `${word},${at + 1},${at * 10}`)
    .join('\n')}\n`,
);
const positions = csv(
  'positions.csv',
  `Keyword,Position,Volume,URL\n${[
    'garden hose,1,50,https://shop.example/blog/hoses',
    'long hose,2,40,https://shop.example/blog/hoses/?utm_source=mail',
    'spade,3,30,https://shop.example/blog/spades',
    'steel spade,9,20,https://www.shop.example/blog/spades#top',
    'garden shop,1,10,https://shop.example/',
  ].join('\n')}\n`,
);

// An import continues when its page is left.
afterEach(leaveImport);

/** Opens the import screen for an administrator. */
async function openImport({
  drafts = draftsOf(),
  api = {},
}: {
  drafts?: ReturnType<typeof draftsOf>;
  api?: Handlers;
} = {}) {
  await openApp('/import', { as: 'admin', api: { ...drafts.api, ...api } });
  return drafts;
}

const choose = (...files: readonly File[]) => userEvent.upload(page.getByLabelText('Keyword lists').last(), [...files]);
const addMore = (...files: readonly File[]) => userEvent.upload(page.getByLabelText('More keyword lists'), [...files]);
const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const hides = (text: string | RegExp) => expect.element(page.getByText(text)).not.toBeInTheDocument();
const button = (name: string | RegExp) => page.getByRole('button', { name });
const meaning = (column: string) => page.getByRole('combobox', { name: `Meaning of column ${column}` });

async function correct(column: string, to: string): Promise<void> {
  await meaning(column).click();
  await page.getByRole('option', { name: to }).click();
}

async function tabTo(name: string): Promise<void> {
  const isThere = () => document.activeElement === page.getByLabelText(name).or(button(name)).query();
  for (let presses = 0; presses < 40 && !isThere(); presses++) await userEvent.keyboard('{Tab}');
  expect(isThere()).toBe(true);
}

// Shows P21.1.
test('a list is read in the browser, and only a hash of its header leaves it before it is sent', async () => {
  const find = vi.fn(() => ({}));
  const drafts = await openImport({ api: { 'listReadings.find': find } });
  await choose(grouped);
  await shows('4 rows · 4 keywords · 0 repeated · 0 unreadable');
  await shows(/UTF-8 · comma · header in line 1 · market us · exported Apr 30, 2026$/);
  await shows('Totals: volume 42');
  const fields = page.getByRole('table', { name: 'How we read your fields' });
  const names = fields.getByRole('rowheader').elements();
  expect(names.map((name) => name.textContent)).toEqual(['Keyword', 'Group', 'Cluster', 'Volume']);
  await button('Choose columns').click();
  await shows('Group (2 values) > Cluster (3 values) are used as they are.');
  await shows('Garden · 3 keywords › Hoses, Tools');
  await shows('About 5 s on this server');
  await expect.element(button('Import 4 keywords in 3 groups')).toBeEnabled();
  expect(find.mock.calls).toEqual([[{ header: expect.stringMatching(/^[0-9a-f]{64}$/) }]]);
  expect(drafts.api['drafts.create']).not.toHaveBeenCalled();
});

// Shows P20.9.
test('keywords are grouped by their pages or folders', async () => {
  const { api } = await openImport();
  await choose(positions);
  await page.getByRole('radio', { name: 'By page' }).click();
  await shows('Page (3 values) becomes the clusters.');
  await shows('/blog/hoses · 2 keywords');
  await expect.element(button('Import 5 keywords in 3 groups')).toBeEnabled();
  await page.getByRole('radio', { name: 'By folder' }).click();
  await shows('Folder (2 values) becomes the pillar topics. Clusters are found inside each.');
  await page.getByRole('radio', { name: '2', exact: true }).click();
  await shows('Folder (2 values) > Folder 2 (2 values) are used as they are.');
  await shows('blog · 4 keywords › hoses, spades');
  expect(await violations()).toEqual([]);
  await button('Import 5 keywords in 3 groups').click();
  await expect.poll(() => api['drafts.create'].mock.calls[0]?.[0].settings.grouping).toEqual({ url: 2 });
});

// Shows P21.4.
test('by keyboard alone a list is chosen, corrected and sent', async () => {
  const { api } = await openImport();
  const opened = vi.spyOn(HTMLInputElement.prototype, 'click').mockReturnValue();
  await tabTo('Choose a file');
  await userEvent.keyboard('{Enter}');
  expect(opened).toHaveBeenCalledOnce();
  await choose(grouped);
  await shows(/^4 rows · 4 keywords/);
  // The heading has the focus, so Tab goes through the preview in its order.
  await expect.element(page.getByRole('heading', { name: 'Your keyword list' })).toHaveFocus();
  await tabTo('Meaning of column Volume');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('option', { name: 'Leave out' })).toBeVisible();
  await userEvent.keyboard('{End}{Enter}');
  await expect.element(meaning('Volume')).toHaveTextContent('Leave out');
  await tabTo('Import 4 keywords in 3 groups');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => api['drafts.create'].mock.calls).toHaveLength(1);
});

// Shows P21.2.
test('the reading follows corrections, which Escape asks about and the server gets', async () => {
  const { api } = await openImport();
  await choose(plain);
  await expect.element(button('Cluster 6 keywords')).toBeEnabled();
  await correct('Searches here', 'Search volume');
  // A meaning that exists once leaves its old column.
  await expect.element(meaning('Volume')).toHaveTextContent('Keep as it is');
  await correct('Keyword', 'Difficulty');
  await shows('Only 0 % of the values are numbers.');
  await shows('No column with keywords was found. Choose the column that holds them.');
  await expect.element(button(/^Cluster/)).toBeDisabled();
  await correct('Keyword', 'Keyword');
  await expect.element(button('Cluster 6 keywords')).toBeEnabled();

  await button('Change reading').click();
  await page.getByRole('combobox', { name: 'Delimiter' }).click();
  await page.getByRole('option', { name: 'One keyword per line' }).click();
  await shows(/one keyword per line · no header line$/);
  await button('Read again without corrections').click();
  await hides(/one keyword per line · no header line$/);
  await correct('Searches here', 'Leave out');

  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('alertdialog', { name: 'Cancel this import?' });
  await question.getByRole('button', { name: 'Keep going' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await button('Cluster 6 keywords').click();
  await expect
    .poll(() => api['drafts.create'].mock.calls[0]?.[0])
    .toMatchObject({
      name: 'tools',
      files: [{ name: 'tools.csv', corrections: { meanings: { 1: 'leaveOut' } } }],
      settings: { preset: 'balanced', grouping: 'columns' },
    });
});

// Shows P21.3.
test('several files are joined, XLSX among them, and each can be removed', async () => {
  await openImport();
  await choose(csv('a.csv', 'Keyword,Volume\nhose,1\nspade,2\n'));
  await shows(/^2 rows · 2 keywords/);
  const rows = [
    ['Keyword', 'Volume'],
    ['Hose', 3],
    ['rake', 4],
  ];
  await addMore(new File([new Uint8Array(tableWorkbook(rows))], 'b.xlsx'), new File(['{}'], 'c.json'));
  await shows('4 rows · 3 keywords · 1 repeated · 0 unreadable');
  await shows('c.json is a JSON file and was left out. Upload it on its own.');
  await shows('1 row repeats a keyword. They are merged.');
  await shows(/XLSX · sheet Keywords/);
  await addMore(csv('again.csv', 'Keyword,Volume\nhose,1\nspade,2\n'));
  await shows('again.csv was added twice and is used once.');
  await button('Remove b.xlsx').click();
  await shows(/^2 rows · 2 keywords · 0 repeated/);
  await expect.element(page.getByLabelText('Name')).toHaveValue('a');
  await button('Remove a.csv').click();
  await expect.element(button('Choose a file')).toBeVisible();
});

test('numbers before keywords and the currency of costs are shown', async () => {
  await openImport();
  await choose(
    csv('desks.csv', 'Keyword,Volume,CPC (EUR)\n1. oak desk,10,0.50\n2. pine desk,20,1.50\n3. round desk,5,2\n'),
  );
  await shows(/ · without the numbers before keywords$/);
  await expect.element(page.getByRole('row', { name: /^CPC \(EUR\)/ }).getByText('0.50 EUR')).toBeVisible();
});

// Shows P20.13.
test('keywords are left out by volume and words, which is counted, and brands are marked', async () => {
  const { api } = await openImport();
  await choose(plain);
  await shows('6 rows · 6 keywords · 0 repeated · 0 unreadable');
  await page.getByText('Leave keywords out').click();
  await page.getByLabelText('Minimum volume').fill('20');
  await shows('4 keywords are kept. Left out: 2 by volume, 0 by words.');
  await page.getByLabelText('Words to leave out').fill('saw, mow');
  await shows('3 keywords are kept. Left out: 2 by volume, 1 by words.');
  await page.getByLabelText('Brand words').fill('Rake');
  await shows('1 of them names a brand.');
  await shows('Totals: volume 90');
  await expect.element(button('Cluster 3 keywords')).toBeEnabled();
  await page.getByLabelText('Minimum volume').fill('x');
  await shows('Enter a whole number.');
  await page.getByLabelText('Minimum volume').fill('9000');
  await expect.element(button(/^Cluster/)).toBeDisabled();
  await page.getByLabelText('Minimum volume').fill('20');
  await button('Cluster 3 keywords').click();
  await expect
    .poll(() => api['drafts.create'].mock.calls[0]?.[0])
    .toMatchObject({ settings: { filter: { minVolume: 20, leaveOut: ['saw', 'mow'], brands: ['Rake'] } } });
});

test('how often a column is known follows the file to its end', async () => {
  await openImport();
  const rows = Array.from({ length: 130_000 }, (_, row) => `word ${row},${row < 1_300 ? row : ''}`);
  await choose(csv('long.csv', `Keyword,KD\n${rows.join('\n')}\n`));
  await shows('130,000 rows · 130,000 keywords · 0 repeated · 0 unreadable');
  await expect.element(page.getByRole('row', { name: /^KD / }).getByText('1.0 %')).toBeVisible();
});

// Shows P21.10.
test('of two markets, one alone is used', async () => {
  const { api } = await openImport();
  await choose(csv('hoses_us_2026-03-01.csv', 'Keyword,Volume\nhose,100\nspade,5\n'));
  await addMore(csv('hoses_de_2026-03-01.csv', 'Keyword,Volume\nhose,7\n'));
  await shows('2 markets: de, us. Volumes are added up.');
  await shows(/^3 rows · 2 keywords/);
  await shows('Totals: volume 112');
  await page.getByRole('combobox', { name: 'Market' }).click();
  await page.getByRole('option', { name: 'Only us' }).click();
  await shows('2 markets: de, us. Only rows of us are used.');
  await shows(/^2 rows · 2 keywords/);
  await shows('Totals: volume 105');
  expect(await violations()).toEqual([]);
  await button('Cluster 2 keywords').click();
  await expect.poll(() => api['drafts.create'].mock.calls[0]?.[0].settings.market).toBe('us');
});

// Shows P21.1.
test('what cannot be read says why, with its lines', async () => {
  await openImport();
  const rows = Array.from({ length: 10 }, (_, at) => `hose ${at},${at}`).join('\n');
  await choose(csv('bad.csv', `Keyword,Volume\n${rows}\nthree,cells,here\n${rows}x\n,7\n`));
  await shows(/2 of 22 rows could not be read. Check delimiter and encoding./);
  await page.getByText('2 unreadable rows').click();
  await shows(/Line 12: the row has more cells than the header/);
  await shows(/Line 23: the row has no keyword/);
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Choose a file')).toBeVisible();
  await choose(csv('page.csv', '<html><body>Sign in</body></html>'));
  await shows(/^This is a web page, even if its name ends in .xls/);
  await expect.element(button(/^Cluster/)).toBeDisabled();
});

// Shows P21.5.
test('while administrators do not allow it, users cannot import', async () => {
  await openApp('/import', { as: 'approved', api: draftsOf().api });
  await shows('Importing is switched off. Please ask an administrator.');
  await expect.element(button('Choose a file')).not.toBeInTheDocument();
});

// Shows P21.4.
test('where it is allowed, users get to the import and can paste a list', async () => {
  const drafts = draftsOf();
  const settings = () => ({ ...screenSettings, userImports: true });
  await openApp('/visualization', { as: 'approved', api: { ...drafts.api, 'settings.screen': settings } });
  await page.getByRole('link', { name: 'Import a list' }).click();
  await expect.element(page.getByRole('heading', { name: 'Import a list' })).toBeVisible();
  await choose(new File([''], 'notes.pdf'));
  await shows(/^notes\.pdf is not a keyword list\. Lists are CSV, TSV, TXT or XLSX files/);
  await button('Paste a list').click();
  await expect.element(page.getByLabelText('Keywords')).toBeVisible();
  await button('Cancel').click();
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', 'x'.repeat(limits.maxPastedBytes + 1));
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  await button('Read this list').click();
  await shows('A pasted list may have up to 5 MB. Save it as a file instead.');
  await page.getByLabelText('Keywords').fill('garden hose\nhose reel\ncat food\ndog food\n');
  await button('Read this list').click();
  await shows(/^4 rows · 4 keywords/);
  await button('Cluster 4 keywords').click();
  await expect.element(page.getByRole('heading', { name: 'Drafts (1)' })).toBeVisible();
  expect(drafts.api['drafts.create'].mock.calls[0]![0].userId).toBe('ann');
});

// Shows P21.6.
test('an import is followed after a reload, stopped, started again and discarded', async () => {
  await page.viewport(390, 844);
  stopClock();
  const drafts = await openImport();
  await choose(plain);
  await button('Cluster 6 keywords').click();
  const processing = page.getByRole('heading', { name: 'Processing...' });
  await expect.element(processing).toBeVisible();
  leaveImport();
  await openImport({ drafts });
  await expect.element(processing).toBeVisible();
  await page.viewport(1440, 900);
  expect(await violations()).toEqual([]);
  await button('Cancel').click();
  await expect.element(page.getByRole('heading', { name: 'Clustering stopped' })).toBeVisible();
  await shows(/^Clustering was stopped. The files are kept until/);
  expect(await violations()).toEqual([]);
  await button('Start again').click();
  await expect.element(processing).toBeVisible();
  await button('Cancel').click();
  await button('Discard').click();
  await hides('Clustering stopped');
  expect(drafts.api['drafts.remove']).toHaveBeenCalledOnce();
});

// Shows P21.7.
test('the draft opens by itself once it is ready', async () => {
  stopClock();
  const drafts = await openImport();
  await choose(grouped);
  await button('Import 4 keywords in 3 groups').click();
  await expect.poll(() => drafts.newest().state).toBe('working');
  drafts.become(drafts.newest().id, { state: 'ready' });
  await runFor(limits.draftPollMs);
  await expect.element(page.getByRole('heading', { name: 'Draft: garden' })).toBeVisible();
  expect(address()).toBe(`/visualization?draft=${drafts.newest().id}`);
});

// Shows P21.7.
test('on another page, the header says how far the import is, and that the draft is ready', async () => {
  stopClock();
  const drafts = await openImport();
  await choose(grouped);
  await button('Import 4 keywords in 3 groups').click();
  await expect.poll(() => drafts.newest().state).toBe('working');
  await expect.element(page.getByRole('link', { name: 'Import 60%: garden' })).toBeVisible();
  await page.getByRole('link', { name: 'Visualization', exact: true }).click();
  await expect.element(page.getByRole('heading', { name: 'Your sky is ready' })).toBeVisible();
  drafts.become(drafts.newest().id, { state: 'ready' });
  await runFor(limits.draftPollMs);
  const ready = page.getByRole('link', { name: /^Draft ready – Open/ });
  await expect.element(ready).toHaveAttribute('href', `/visualization?draft=${drafts.newest().id}`);
});

// Shows P21.6.
test('a draft whose lists did not arrive goes on with the same files alone', async () => {
  const waiting: Partial<Draft> = {
    state: 'receiving',
    files: [{ id: 'list', name: grouped.name, size: grouped.size, received: 10 }],
  };
  const drafts = await openImport({ drafts: draftsOf(draftOf(waiting)) });
  await shows('Choose the same files again to go on where it stopped.');
  expect(await violations()).toEqual([]);
  await expect.element(button('Resume draft garden')).toBeVisible();
  await userEvent.upload(page.getByLabelText('The files of garden'), plain);
  await shows('Choose the same files again: garden_us_2026-04-30.csv.');
  expect(drafts.newest().files[0]!.received).toBe(10);
  await userEvent.upload(page.getByLabelText('The files of garden'), grouped);
  await expect.element(page.getByRole('heading', { name: 'Processing...' })).toBeVisible();
  await expect.poll(() => drafts.newest().files[0]!.received).toBe(grouped.size);
});

const map: Visualization = {
  id: 'map',
  userId: 'ann',
  userEmail: 'ann@example.com',
  fileName: 'spring.json',
  storagePath: '',
  downloadUrl: '',
  uploadDate: 0,
  uploadedBy: 'ann',
  isActive: true,
  isSample: false,
  fileSize: 1,
  description: '',
  keywords: 2,
  nodes: 3,
  rootName: 'spring',
};
const serps = ['red hose', 'blue hose'].map((q) => ({
  search_parameters: { q },
  organic_results: [{ position: 1, link: 'https://a.test' }],
}));

// Shows P20.15, P23.14.
test('search results as JSON are a list, and are added to a map', async () => {
  const { api } = await openImport({ api: { 'visualizations.list': () => [map] } });
  await choose(new File([JSON.stringify(serps)], 'serp.json', { type: 'application/json' }));
  await shows('2 rows · 2 keywords · 0 repeated · 0 unreadable');
  await shows('SerpApi');
  await page.getByRole('combobox', { name: 'What becomes of the list' }).click();
  await page.getByRole('option', { name: 'Search results for spring' }).click();
  await shows(
    'Keywords of the map get the results of the list. Keywords that the map does not have are counted and left out.',
  );
  await button('Add results of 2 keywords').click();
  const sent = () => api['drafts.create'].mock.calls.at(-1)?.[0];
  await expect.poll(sent).toMatchObject({ updateOf: 'map', settings: { adds: 'results' } });
});

test('a list that is called like a map is offered as its update', async () => {
  const { api } = await openImport({ api: { 'visualizations.list': () => [map] } });
  await choose(csv('spring_broad-match_us_2026-05-01.csv', 'Keyword,Volume\nhose,3\nspade,4\n'));
  await shows(/^There is already a map of such a list. Is this a newer export of spring\?/);
  await button('Update spring').click();
  await hides(/^There is already a map of such a list/);
  await button('Update with 2 keywords').click();
  await expect.poll(() => api['drafts.create'].mock.calls.at(-1)?.[0]).toMatchObject({ updateOf: 'map' });
});

// Shows P20.2.
test('JSON with a list of objects is a list', async () => {
  await openImport();
  const rows = [
    { keyword: 'hose', searchVolume: 3 },
    { keyword: 'spade', searchVolume: 4 },
  ];
  await choose(new File([JSON.stringify(rows)], 'rows.json', { type: 'application/json' }));
  await shows('2 rows · 2 keywords · 0 repeated · 0 unreadable');
  await expect.element(button('Cluster 2 keywords')).toBeEnabled();
});

test('other JSON is no list, and a list without results is added to nothing', async () => {
  await openImport({ api: { 'visualizations.list': () => [map] } });
  await choose(new File(['{"keywords":[],"hierarchy":{"name":"a"}}'], 'map.json', { type: 'application/json' }));
  await shows('map.json is not a keyword list. Lists are CSV, TSV, TXT or XLSX files, or JSON with a list of objects.');
  await choose(plain);
  await page.getByRole('combobox', { name: 'What becomes of the list' }).click();
  await expect.element(page.getByRole('option', { name: 'An update of spring' })).toBeVisible();
  expect(page.getByRole('option', { name: 'Search results for spring' }).elements()).toEqual([]);
});

// Shows P29.3.
test('a person says by keyboard whether lists that programs send are published, and sees what keeps one from it', async () => {
  const changeSettings = vi.fn((input: { publishes: boolean }) => input);
  const open = [{ code: 'list/date-order', params: { column: 'Date', first: 'day' } }];
  const drafts = draftsOf(draftOf({ state: 'ready', handsOff: { publishes: true, waits: true, open } }));
  await openImport({ drafts, api: { 'imports.changeSettings': changeSettings } });
  await shows('Date: day and month cannot be told apart. The day is read first.');
  const box = page.getByRole('checkbox', { name: 'Publish it if nothing in its reading is a guess' });
  await expect.element(box).not.toBeChecked();
  (box.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(box).toBeChecked();
  expect(changeSettings.mock.calls[0]?.[0]).toEqual({ publishes: true });
  expect(await violations()).toEqual([]);
});

test('a correction by Enter leaves the focus in its field', async () => {
  await openImport();
  await choose(plain);
  await button('Change reading').click();
  const header = page.getByRole('textbox', { name: 'Header line' });
  await header.fill('0');
  await userEvent.keyboard('{Enter}');
  // Without a header, the columns have other names.
  await expect.element(meaning('Keyword')).not.toBeInTheDocument();
  await expect.element(header).toHaveFocus();
  await expect.element(header).toHaveValue('0');
});

test('the fields that leave keywords out stay while one of them is emptied', async () => {
  await openImport();
  await choose(plain);
  await page.getByText('Leave keywords out').click();
  const volume = page.getByRole('textbox', { name: 'Minimum volume' });
  await volume.fill('20');
  await expect.element(button('Cluster 4 keywords')).toBeVisible();
  await volume.fill('');
  await expect.element(button('Cluster 6 keywords')).toBeVisible();
  await expect.element(volume).toBeVisible();
  await expect.element(volume).toHaveFocus();
});
