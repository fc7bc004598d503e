import { existsSync, readFileSync } from 'node:fs';
import { tableWorkbook } from '@kc/cluster/test/support/workbooks';
import { limits } from '@kc/rules/limits';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { blankPage, type Visitor } from './visitor.ts';

type ListFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer };
const csv = (name: string, text: string): ListFile => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

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
const real = new URL('../../shared/data/semrush-keyword-magic/', import.meta.url);
const drupal = new URL('drupal_broad-match_us_2026-04-30.csv', real);
const hasReal = existsSync(drupal);
if (!hasReal) console.log('The story of a real export is skipped: there is no ../shared/data');

story('importing a keyword list', () => {
  const stage = useStage();

  test('by mouse: a grouped list is shown before it is sent, and its draft opens by itself', async () => {
    const { page } = await stage.signedIn('admin');
    await openTab(page);
    expect(await violations(page)).toEqual([]);
    const sent = requestsOf(page);
    await choose(page, grouped);
    await page.getByText('4 rows · 4 keywords · 0 repeated · 0 unreadable').waitFor();
    await page.getByText('UTF-8 · comma · header in line 1 · market us · exported Apr 30, 2026').waitFor();
    const fields = page.getByRole('table', { name: 'How we read your fields' });
    await expect
      .poll(() => fields.getByRole('rowheader').allInnerTexts())
      .toEqual(['Keyword', 'Group', 'Cluster', 'Volume']);
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByText('Group (2 values) > Cluster (3 values) are used as they are.').waitFor();
    await page.getByText('Garden · 3 keywords › Hoses, Tools').waitFor();
    expect(await violations(page)).toEqual([]);
    // A hash of the names of the columns, to find how a list with the same ones was corrected; nothing else.
    expect(sent()).toEqual([expect.stringMatching(/^POST .*\/list-readings\/find \{"header":"[0-9a-f]{64}"\}$/)]);
    await page.getByText('About 5 s on this server').waitFor();

    await page.getByRole('button', { name: 'Import 4 keywords in 3 groups' }).click();
    await page.waitForURL(/\/visualization\?draft=[0-9a-f]+/);
    const id = new URL(page.url()).searchParams.get('draft');
    await openTab(page);
    await page.getByRole('heading', { name: 'Drafts (1)' }).waitFor();
    await page.getByText('4 keywords · 3 clusters').waitFor();
    const open = page.getByRole('link', { name: 'Open draft garden' });
    expect(await open.getAttribute('href')).toBe(`/visualization?draft=${id}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Discard draft garden' }).click();
    await page.getByRole('heading', { name: 'Drafts (1)' }).waitFor({ state: 'detached' });
  });

  test('by the pages or folders of the keywords', async () => {
    const { page, call } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, positions);
    await page.getByRole('radio', { name: 'By page' }).check();
    await page.getByText('Page (3 values) becomes the clusters.', { exact: true }).waitFor();
    await page.getByText('/blog/hoses · 2 keywords').waitFor();
    await page.getByRole('button', { name: 'Import 5 keywords in 3 groups' }).waitFor();
    await page.getByRole('radio', { name: 'By folder' }).check();
    await page.getByText('Folder (2 values) becomes the pillar topics. Clusters are found inside each.').waitFor();
    await page.getByRole('radio', { name: '2', exact: true }).check();
    await page.getByText('Folder (2 values) > Folder 2 (2 values) are used as they are.').waitFor();
    await page.getByText('blog · 4 keywords › hoses, spades').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import 5 keywords in 3 groups' }).click();
    await page.waitForURL(/\/visualization\?draft=/);
    await page.getByRole('treeitem', { name: /^blog/ }).waitFor();
    await page.getByRole('treeitem', { name: /^\// }).waitFor();
    await discardAll(page, call);
  });

  test('by keyboard alone: Choose file, then Enter on the button', async () => {
    const { page, call } = await stage.signedIn('admin');
    await openTab(page);
    // Awaited early: the dialog is intercepted some time after the call, and a key, unlike a click, waits for nothing.
    const choosing = page.waitForEvent('filechooser');
    await tabTo(page, 'Choose file');
    await page.keyboard.press('Enter');
    await (await choosing).setFiles(grouped);
    await page.getByText('4 rows · 4 keywords').waitFor();
    // The heading has the focus, so Tab goes through the preview in its order.
    expect(await focused(page)).toBe('Your keyword list');
    await tabTo(page, 'Meaning of column Volume');
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Leave out' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Meaning of column Volume' }).getByText('Leave out').waitFor();
    await tabTo(page, 'Import 4 keywords in 3 groups');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/visualization\?draft=/);
    await discardAll(page, call);
  });

  test('corrections are followed by the reading, are asked about by Escape, and reach the server', async () => {
    const { page, call } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, plain);
    await page.getByRole('button', { name: 'Cluster 6 keywords' }).waitFor();
    await correct(page, 'Searches here', 'Search volume');
    // A meaning that exists once leaves its old column.
    await page.getByRole('combobox', { name: 'Meaning of column Volume' }).getByText('Keep as it is').waitFor();
    await correct(page, 'Keyword', 'Difficulty');
    await page.getByText('Only 0 % of the values are numbers.').waitFor();
    await page.getByText('No column with keywords was found. Choose the column that holds them.').waitFor();
    expect(await page.getByRole('button', { name: /^Cluster/ }).isDisabled()).toBe(true);
    await correct(page, 'Keyword', 'Keyword');
    await page.getByRole('button', { name: 'Cluster 6 keywords' }).waitFor();

    await page.getByRole('button', { name: 'Change reading' }).click();
    await page.getByRole('combobox', { name: 'Delimiter' }).click();
    await page.getByRole('option', { name: 'One keyword per line' }).click();
    await page.getByText('one keyword per line', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Read again without corrections' }).click();
    await correct(page, 'Searches here', 'Leave out');
    expect(await violations(page)).toEqual([]);

    await page.keyboard.press('Escape');
    const question = page.getByRole('alertdialog', { name: 'Cancel this import?' });
    await question.getByRole('button', { name: 'Keep going' }).click();
    await question.waitFor({ state: 'detached' });
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/api/drafts')),
      page.getByRole('button', { name: 'Cluster 6 keywords' }).click(),
    ]);
    expect(request.postDataJSON()).toMatchObject({
      name: 'tools',
      files: [{ name: 'tools.csv', corrections: { meanings: { 1: 'leaveOut' } } }],
      settings: { preset: 'balanced', grouping: 'columns' },
    });
    await page.waitForURL(/\/visualization\?draft=/, { timeout: 60_000 });
    await discardAll(page, call);
  });

  test('two files are joined, and XLSX is read', async () => {
    const { page } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, csv('a.csv', 'Keyword,Volume\nhose,1\nspade,2\n'));
    await page.getByText('2 rows · 2 keywords').waitFor();
    const more = page.getByLabel('More keyword lists');
    await more.setInputFiles([
      workbook('b.xlsx', [
        ['Keyword', 'Volume'],
        ['Hose', 3],
        ['rake', 4],
      ]),
      { name: 'c.json', mimeType: 'application/json', buffer: Buffer.from('{}') },
    ]);
    await page.getByText('4 rows · 3 keywords · 1 repeated · 0 unreadable').waitFor();
    await page.getByText('c.json is a JSON file and was left out. Upload it on its own.').waitFor();
    await page.getByText('1 row repeats a keyword. They are merged.').waitFor();
    await page.getByText('XLSX · sheet Keywords').waitFor();
    await more.setInputFiles(csv('again.csv', 'Keyword,Volume\nhose,1\nspade,2\n'));
    await page.getByText('again.csv was added twice and is used once.').waitFor();
    await page.getByRole('button', { name: 'Remove b.xlsx' }).click();
    await page.getByText('2 rows · 2 keywords · 0 repeated').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('a');
    await page.getByRole('button', { name: 'Remove a.csv' }).click();
    await page.getByRole('button', { name: 'Choose file' }).waitFor();
  });

  test('of two markets, one alone is used', async () => {
    const { page, call } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, csv('hoses_us_2026-03-01.csv', 'Keyword,Volume\nhose,100\nspade,5\n'));
    await page
      .getByLabel('More keyword lists')
      .setInputFiles(csv('hoses_de_2026-03-01.csv', 'Keyword,Volume\nhose,7\n'));
    await page.getByText('2 markets: de, us. Volumes are added up.').waitFor();
    await page.getByText('3 rows · 2 keywords').waitFor();
    await page.getByRole('combobox', { name: 'Market' }).click();
    await page.getByRole('option', { name: 'Only us' }).click();
    await page.getByText('2 markets: de, us. Only rows of us are used.').waitFor();
    await page.getByText('2 rows · 2 keywords').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cluster 2 keywords' }).click();
    await page.waitForURL(/\/visualization\?draft=/, { timeout: 60_000 });
    await page.getByRole('treeitem', { name: /root, 105 searches a month/ }).waitFor();
    await discardAll(page, call);
  });

  test('what cannot be read says why, with its lines', async () => {
    const { page } = await stage.signedIn('admin');
    await openTab(page);
    const rows = Array.from({ length: 10 }, (_, at) => `hose ${at},${at}`);
    await choose(
      page,
      csv('bad.csv', `Keyword,Volume\n${rows.join('\n')}\nthree,cells,here\n${rows.join('\n')}x\n,7\n`),
    );
    await page.getByText('2 of 22 rows could not be read. Check delimiter and encoding.').waitFor();
    await page.getByText('2 unreadable rows').click();
    await page.getByText('Line 12: the row has more cells than the header').waitFor();
    await page.getByText('Line 23: the row has no keyword').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose file' }).waitFor();
    await choose(page, csv('page.csv', '<html><body>Sign in</body></html>'));
    await page.getByText('This is not a text file or a spreadsheet.').waitFor();
    expect(await page.getByRole('button', { name: /^Cluster/ }).isDisabled()).toBe(true);
  });

  test('a user imports a pasted list where administrators allow it', async () => {
    const admin = await stage.signedIn('admin');
    await admin.page.goto('/admin?tab=settings');
    const { page } = await stage.signedIn('approved');
    await page.goto('/import');
    await page.getByText('Importing is switched off. Please ask an administrator.').waitFor();

    await admin.page.getByRole('switch', { name: 'Users may import their own lists' }).click();
    await admin.page.getByLabel('Visualizations per user').fill('3');
    expect(await violations(admin.page)).toEqual([]);
    await admin.page.getByRole('button', { name: 'Save' }).first().click();
    await admin.page.getByText('Settings saved').first().waitFor();

    await page.goto('/visualization');
    await page.getByRole('link', { name: 'Import a list' }).click();
    await page.getByRole('heading', { name: 'Import a list' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.locator('input[type=file]').setInputFiles({ ...grouped, name: 'notes.pdf' });
    await page.getByText('notes.pdf is not a keyword list. Lists are CSV, TSV, TXT or XLSX files.').waitFor();
    await page.getByRole('button', { name: 'Paste a list' }).click();
    await page.getByLabel('Keywords', { exact: true }).fill('x'.repeat(limits.maxPastedBytes + 1));
    await page.getByRole('button', { name: 'Read this list' }).click();
    await page.getByText('A pasted list may have up to 5 MB. Save it as a file instead.').waitFor();
    await page.getByLabel('Keywords', { exact: true }).fill('garden hose\nhose reel\ncat food\ndog food\n');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Read this list' }).click();
    await page.getByText('4 rows · 4 keywords').waitFor();
    await page.getByRole('button', { name: 'Cluster 4 keywords' }).click();
    await page.waitForURL(/\/visualization\?draft=/, { timeout: 60_000 });
    await page.goto('/import');
    await page.getByRole('heading', { name: 'Drafts (1)' }).waitFor();
  });

  test('an import goes on after a reload, is stopped, started again and discarded', async () => {
    const { page, expectProblem } = await stage.signedIn('admin');
    // The event of the deletion may arrive before its response: the page then requests the draft once more.
    expectProblem(/status of 404 .*\/api\/drafts\//);
    await page.setViewportSize({ width: 390, height: 844 });
    await openTab(page);
    // Enough keywords that the clustering is still going on when it is stopped.
    const words = Array.from(
      { length: 12_000 },
      (_, at) => `${['hose', 'spade', 'rake', 'mower'][at % 4]} number ${at}`,
    );
    await choose(page, csv('many.csv', `Keyword\n${words.join('\n')}\n`));
    await page.getByRole('button', { name: 'Cluster 12,000 keywords' }).click();
    await page.getByRole('heading', { name: 'Processing...' }).waitFor();
    await page.reload();
    await selectAdmin(page);
    await page.getByRole('heading', { name: 'Processing...' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText('Clustering was stopped. The files are kept until').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start again', exact: true }).click();
    await page.getByRole('heading', { name: 'Processing...' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();
    await page.getByRole('heading', { name: 'Clustering stopped' }).waitFor({ state: 'detached' });
  });

  test('on another page, the header says that the draft is ready', async () => {
    const { page, call } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, grouped);
    // The answer that the draft is ready waits until the page is another one.
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route('**/api/drafts/*', async (route) => {
      await gate;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Import 4 keywords in 3 groups' }).click();
    await page.getByRole('link', { name: /^Import \d+%: garden$/ }).waitFor();
    await page.getByRole('link', { name: 'Visualization', exact: true }).click();
    await page.waitForURL('**/visualization');
    open();
    await page.getByRole('link', { name: 'Draft ready – Open' }).click();
    await page.waitForURL(/\/visualization\?draft=/);
    await discardAll(page, call);
  });

  test('a draft whose lists did not arrive goes on with the same files', async () => {
    const { page, call } = await stage.signedIn('admin');
    const accounts = await call<{ id: string; isYou: boolean }[]>('GET', '/users');
    const me = accounts.find(({ isYou }) => isYou);
    await call('POST', '/drafts', {
      userId: me!.id,
      name: 'garden',
      description: '',
      files: [{ name: grouped.name, size: grouped.buffer.length, corrections: {} }],
      settings: { preset: 'balanced', grouping: 'columns' },
    });
    await openTab(page);
    await page.getByText('Choose the same files again to go on where it stopped.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume draft garden' }).waitFor();
    await page.getByLabel('The files of garden').setInputFiles(plain);
    await page.getByText('Choose the same files again: garden_us_2026-04-30.csv.').waitFor();
    await page.getByLabel('The files of garden').setInputFiles(grouped);
    await page.waitForURL(/\/visualization\?draft=/);
    await discardAll(page, call);
  });

  test.skipIf(!hasReal)('a real export of 30,000 keywords is recognised', async () => {
    const { page } = await stage.signedIn('admin');
    await openTab(page);
    await choose(page, csv('drupal_broad-match_us_2026-04-30.csv', readFileSync(drupal, 'utf8')));
    await page.getByText('30,000 rows · 30,000 keywords · 0 repeated · 0 unreadable').waitFor();
    await page.getByText('Semrush Keyword Magic').first().waitFor();
    await page.getByText(/^Lines 30,002–30,004 are not keywords\./).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('drupal');
    await page.getByRole('button', { name: 'Cluster 30,000 keywords' }).waitFor();
  });
});

async function openTab(page: Page): Promise<void> {
  await page.goto('/admin?tab=upload');
  await selectAdmin(page);
}

async function selectAdmin(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^admin@example\.com/ }).click();
  // The list gives the focus back when it has faded out.
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toBe('admin@example.com (Admin)');
}

const choose = (page: Page, ...files: readonly ListFile[]): Promise<void> =>
  page
    .getByLabel('JSON file or keyword lists')
    .and(page.locator('input'))
    .setInputFiles([...files]);

async function correct(page: Page, column: string, meaning: string): Promise<void> {
  await page.getByRole('combobox', { name: `Meaning of column ${column}`, exact: true }).click();
  await page.getByRole('option', { name: meaning, exact: true }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

/** The requests so far that sent something. */
function requestsOf(page: Page): () => string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`);
  });
  return () => sent;
}

const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
  );

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

/** Leaves the draft first: its page would ask for it again. */
async function discardAll(page: Page, call: Visitor['call']): Promise<void> {
  await page.goto(blankPage);
  for (const { id } of await call<{ id: string }[]>('GET', '/drafts')) await call('DELETE', `/drafts/${id}`);
}

const workbook = (name: string, rows: Parameters<typeof tableWorkbook>[0]): ListFile => ({
  name,
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(tableWorkbook(rows)),
});
