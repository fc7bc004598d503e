import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { bytesOf } from './download.ts';

type Figures = {
  readonly node: number;
  readonly name: string;
  readonly keywords: number;
  readonly difficulty: { readonly value: number };
  readonly volume: { readonly value: number };
};

story('branches side by side', () => {
  const stage = useStage();

  test('with a pointer: two are chosen, a link opens the same, and their figures leave as a table', async () => {
    const { page, context, call } = await stage.signedIn('approved');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/visualization?v=sample');
    const lines = page.getByRole('treeitem', { level: 3 });
    await lines.nth(0).click();
    await lines.nth(2).click({ modifiers: ['ControlOrMeta'] });
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison.getByRole('table').waitFor();
    const names = await comparedNames(page);
    expect(names).toHaveLength(2);
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}(\.[0-9a-f]{16}){2}/);

    await page.reload();
    await comparison.getByRole('table').waitFor();
    expect(await comparedNames(page)).toEqual(names);
    const known = await Promise.all(names.map((name) => figuresOf(call, name)));
    const shown = comparison.getByRole('row', { name: /^Keywords / }).getByRole('cell');
    const texts = await shown.allInnerTexts();
    expect(texts.map((text) => Number.parseInt(text, 10))).toEqual(known.map(({ keywords }) => keywords));

    await comparison.getByRole('button', { name: 'Copy as a table' }).click();
    // explore/compare-copied
    await page.getByText('Table of 2 copied').waitFor();
    const sheet = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
    expect(sheet.map((line) => line.split('\t').slice(0, 2))).toEqual([
      ['Name', 'Keywords'],
      ...known.map(({ name, keywords }) => [name, String(keywords)]),
    ]);
    const coming = page.waitForEvent('download');
    await comparison.getByRole('button', { name: 'CSV' }).click();
    const rows = parse(await bytesOf(await coming), { bom: true, columns: true }) as { Name: string }[];
    expect(rows.map(({ Name }) => Name)).toEqual(names);
  });

  test('the better values are marked in words, with trends side by side and the keywords that differ', async () => {
    const { page, call } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    const lines = page.getByRole('treeitem', { level: 3 });
    await lines.nth(0).click();
    await lines.nth(2).click({ modifiers: ['ControlOrMeta'] });
    const comparison = page.getByRole('region', { name: 'Comparison' });
    const marked = comparison.getByRole('cell', { name: /, the better$/ });
    await marked.first().waitFor();
    const [one, other] = await Promise.all((await comparedNames(page)).map((name) => figuresOf(call, name)));
    for (const [row, isFirst] of [
      ['Difficulty', one!.difficulty.value < other!.difficulty.value],
      ['Volume a month', one!.volume.value > other!.volume.value],
    ] as const) {
      const cells = comparison.getByRole('row', { name: new RegExp(`^${row}`) }).getByRole('cell');
      const isMarked = (await cells.allTextContents()).map((text) => text.endsWith(', the better'));
      expect(isMarked, row).toEqual([isFirst, !isFirst]);
    }
    expect(
      await comparison
        .getByRole('row', { name: /^Keywords / })
        .getByText(', the better')
        .count(),
    ).toBe(0);

    const trends = comparison.getByRole('heading', { name: 'Trends' }).locator('..').getByRole('img');
    expect(await trends.count()).toBe(2);
    const [first, second] = await Promise.all([one!, other!].map(({ node }) => keywordsOf(call, node)));
    const alone = [...first!].filter((name) => !second!.has(name));
    const onlyFirst = comparison.getByRole('group').filter({ hasText: /^Only in 1/ });
    await onlyFirst.locator('summary').click();
    expect(await onlyFirst.locator('summary').innerText()).toMatch(new RegExp(`\\b${alone.length}$`));
    await onlyFirst.getByRole('button', { name: alone[0]!, exact: true }).click();
    await page.getByRole('heading', { level: 2, name: alone[0]! }).waitFor();
  });

  test('what a filter leaves out keeps its place, and is back when the filter goes', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    const lines = page.getByRole('treeitem', { level: 3 });
    await lines.nth(0).click();
    await lines.nth(2).click({ modifiers: ['ControlOrMeta'] });
    await page.waitForURL(/[?&]sel=[0-9a-f]{16}(\.[0-9a-f]{16}){2}/);
    // The address may change before the comparison is shown.
    await expect.poll(() => comparedNames(page)).toHaveLength(2);
    const names = await comparedNames(page);
    await page.goto(`${page.url()}&f=has-${encodeURIComponent(names[1]!)}`);
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison.getByText('not in the filter').first().waitFor();
    expect(await comparedNames(page)).toEqual(names);
    const active = page.getByRole('region', { name: 'Active filters' });
    await active.getByRole('button', { name: /^Remove filter: / }).click();
    await comparison.getByText('not in the filter').first().waitFor({ state: 'detached' });
    expect(await comparedNames(page)).toEqual(names);
    await comparison.getByRole('row', { name: /^Keywords \d/ }).waitFor();
  });

  test('with keys: four at most, each told, and taken out one by one without losing the keyboard', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('treeitem', { level: 3 }).first().click();
    const told = page.getByRole('status').filter({ hasText: /Compared: / });
    await page.keyboard.press('ControlOrMeta+Enter');
    await told.filter({ hasText: 'Compared: 1 of at most 4' }).waitFor();
    for (const count of [2, 3, 4]) {
      await page.keyboard.press('Shift+ArrowDown');
      await told.filter({ hasText: `Compared: ${count} of at most 4` }).waitFor();
      await expect.poll(() => comparedNames(page)).toHaveLength(count);
    }
    const picture = page.getByRole('application');
    await picture.focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ControlOrMeta+Enter');
    // explore/compare-full
    await page.getByText('At most 4 can be compared').waitFor();
    expect(await comparedNames(page)).toHaveLength(4);

    const takeOut = page.getByRole('region', { name: 'Comparison' }).getByRole('button', { name: /^Take out / });
    await takeOut.first().focus();
    for (const left of [3, 2, 1, 0]) {
      await page.keyboard.press('Enter');
      await expect.poll(() => comparedNames(page)).toHaveLength(left);
      await expect.poll(() => page.evaluate('document.activeElement !== document.body')).toBe(true);
    }
    await page.waitForURL((url) => !url.searchParams.get('sel')?.includes('.'));
  });
});

/** In the order of their comparison numbers. */
const comparedNames = (page: Page) =>
  page.getByRole('region', { name: 'Comparison' }).getByRole('listitem').locator('[dir=auto]').allInnerTexts();

/** The server's details of the branch of this name. */
async function figuresOf(call: <T>(method: string, path: string) => Promise<T>, name: string): Promise<Figures> {
  const found = await call<{ hits: { node: number; name: string }[] }>(
    'GET',
    `/visualizations/sample/search?q=${encodeURIComponent(name)}&limit=50`,
  );
  const { node } = found.hits.find((hit) => hit.name === name)!;
  return call<Figures>('GET', `/visualizations/sample/nodes/${node}`);
}

async function keywordsOf(call: <T>(method: string, path: string) => Promise<T>, node: number): Promise<Set<string>> {
  const { keywords } = await call<{ keywords: { name: string }[] }>(
    'GET',
    `/visualizations/sample/nodes/${node}/keywords?limit=5000`,
  );
  return new Set(keywords.map(({ name }) => name));
}
