import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { bytesOf } from './download.ts';
import { readInput } from './inputs.ts';

const input = readInput();
const shown = (count: number) => count.toLocaleString('en-US');

story('an admin uploads a keyword hierarchy and its user explores it', () => {
  const stage = useStage();

  beforeAll(() => {
    expect(input.pillars.length).toBeGreaterThan(1);
  });

  test('the Upload tab accepts the file for a chosen user and says when it is done', async () => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = await stage.signedIn('admin');
    await page.goto('/admin?tab=upload');
    const zone = page.getByRole('group', { name: 'JSON file' });
    await zone.getByText('Please select a user before uploading a file.').waitFor();
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: 'approved@example.com' }).click();
    await page.locator('input[type=file]').setInputFiles(input.path);
    await page
      .getByText('File uploaded and processed successfully for approved@example.com')
      .waitFor({ timeout: 90_000 });
  });

  test('the user sees a Treemap with the real counts', async () => {
    const { page, call } = await stage.signedIn('approved');
    await openMap(page);
    await page
      .getByRole('application', { name: new RegExp(`^Treemap of .*${shown(input.keywords)} keywords`) })
      .waitFor();
    const [record] = await call<{ id: string; keywords: number; isActive: boolean }[]>('GET', '/visualizations');
    expect(record).toMatchObject({ keywords: input.keywords, isActive: true });
    // With one level open, all rows fit into the outline.
    await page.goto('/visualization?d=1');
    expect(await pillarsInOutline(page)).toEqual([...input.pillars].sort());
  });

  test('a double click and the keyboard open a branch, Escape goes up, and the address follows', async () => {
    const { page } = await stage.signedIn('approved');
    const map = await openMap(page);
    const box = (await map.boundingBox())!;
    await map.dblclick({ position: { x: box.width * 0.3, y: box.height * 0.4 } });
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    const path = await pathBelowRoot(page);
    expect(input.pillars).toContain(path[1]);

    await map.focus();
    for (const _level of path.slice(1)) await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('n'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    expect(input.pillars).toContain((await pathBelowRoot(page))[1]);
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('n'));
  });

  test('search finds a keyword, and the details show every field that the file has', async () => {
    const { page } = await stage.signedIn('approved');
    await openMap(page);
    const search = page.getByRole('combobox', { name: 'Search keywords' });
    await search.fill(input.keyword);
    await page
      .getByRole('option', { name: new RegExp(escaped(input.keyword)) })
      .first()
      .waitFor();
    // The whole name is the first match.
    await search.press('Enter');
    const detail = page.getByRole('region', { name: 'All about the selection' });
    await detail.getByRole('heading', { name: input.keyword }).waitFor();
    for (const field of [/^search.volume$/i, /^keyword.difficulty$/i, /^cpc$/i, /^intent$/i, /^trend$/i]) {
      await detail.getByRole('term').filter({ hasText: field }).first().waitFor();
    }
  });

  test('the details of a branch show its level and content, open it in the Tree and export it', async () => {
    const { page } = await stage.signedIn('approved');
    const map = await openMap(page);
    await map.focus();
    await page.keyboard.press('ArrowDown');
    const detail = page.getByRole('region', { name: 'All about the selection' });
    const figure = (name: string) => detail.getByRole('term').filter({ hasText: name }).locator('+ dd').innerText();
    await detail.getByText('Nodes below').waitFor();
    expect(await figure('Level')).toBe('1');
    const below = Number((await figure('Nodes below')).replaceAll(',', ''));
    const coming = page.waitForEvent('download');
    await detail.getByRole('link', { name: 'Export branch' }).click();
    const lines = (await bytesOf(await coming)).toString().trimEnd().split('\r\n');
    // The header rows, the branch itself and its descendants.
    expect(lines).toHaveLength(below + 2);
    await detail.getByRole('button', { name: 'Open in Tree' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'tree' && url.searchParams.has('n'));
    expect(await detail.getByRole('button', { name: 'Open in Tree' }).count()).toBe(0);
  });

  test('Tree and Table show the same branch, and a reload restores it', async () => {
    const { page } = await stage.signedIn('approved');
    const map = await openMap(page);
    await map.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]n=[0-9a-f]{16}/);
    const here = await pathBelowRoot(page);

    await page.getByRole('radio', { name: 'Tree', exact: true }).click();
    await page.getByRole('application', { name: /^Tree of / }).waitFor();
    expect(await crumbs(page)).toEqual(here);
    await page.getByRole('radio', { name: 'Table', exact: true }).click();
    await page.getByRole('treegrid').waitFor();
    await page.waitForURL(/[?&]view=table/);

    const before = new URL(page.url()).searchParams;
    await page.reload();
    await page.getByRole('treegrid').waitFor();
    await page.getByRole('navigation', { name: 'Path' }).getByText(here[1]!, { exact: true }).waitFor();
    expect(await crumbs(page)).toEqual(here);
    const after = new URL(page.url()).searchParams;
    expect([after.get('n'), after.get('view')]).toEqual([before.get('n'), before.get('view')]);
  });

  test('another user’s visualization does not exist', async () => {
    const owner = await stage.signedIn('approved');
    const [record] = await owner.call<{ id: string }[]>('GET', '/visualizations');
    const admin = await stage.signedIn('admin');
    await admin.call('POST', '/users', { email: 'other@example.com', password: 'rakes and ladders', role: 'user' });
    const other = await stage.visitor();
    await other.call('POST', '/session', {
      email: 'other@example.com',
      password: 'rakes and ladders',
      remember: false,
    });
    other.expectProblem(/status of 404/);
    await expect(other.call('GET', `/visualizations/${record!.id}`)).rejects.toThrow(/: 404 /);
  });
});

async function openMap(page: Page) {
  await page.goto('/visualization');
  const map = page.getByRole('application', { name: /^Treemap of .*\d keywords/ });
  await map.waitFor();
  await page.getByRole('treeitem').nth(1).waitFor();
  return map;
}

/** The path once it leads below the root: panels follow the address a frame later. */
async function pathBelowRoot(page: Page): Promise<string[]> {
  await expect.poll(async () => (await crumbs(page)).length).toBeGreaterThan(1);
  return crumbs(page);
}

const crumbs = (page: Page): Promise<string[]> =>
  page
    .getByRole('navigation', { name: 'Path' })
    .locator('li:not([aria-hidden]) button:not([aria-label]) > span:first-child')
    .allInnerTexts();

/** The names of the outline's rows right below the root, sorted. */
async function pillarsInOutline(page: Page): Promise<string[]> {
  const rows = page.getByRole('tree', { name: 'Outline' }).locator('[role=treeitem][aria-level="2"] [title]');
  await expect.poll(() => rows.count()).toBe(input.pillars.length);
  return (await rows.allInnerTexts()).sort();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
