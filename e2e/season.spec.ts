import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { readInput } from './inputs.ts';
import { uploadFor } from './upload.ts';

type Node = { readonly name: string; readonly type?: string; readonly children?: readonly Node[] };
type Entry = {
  readonly keyword: string;
  readonly search_volume?: number | null;
  readonly trend?: readonly number[] | null;
};
type File = { readonly hierarchy: Node; readonly keywords: readonly Entry[] };

const file = JSON.parse(readFileSync(readInput().path, 'utf8')) as File;
const entryOf = new Map(file.keywords.map((entry) => [entry.keyword, entry]));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const namesIn = ({ name, children = [] }: Node): readonly string[] =>
  children.length === 0 ? [name] : [...new Set(children.flatMap(namesIn))];
const nodesIn = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(nodesIn)];

/** Where the searches peak, computed without product code: "Month 3 of 12", "No clear season", or unknown. */
function peakOf(names: readonly string[]): string {
  const year = Array.from({ length: 12 }, () => 0);
  let [volume, known] = [0, 0];
  for (const name of names) {
    const { search_volume: own, trend } = entryOf.get(name) ?? {};
    volume += own ?? 0;
    if (typeof own !== 'number' || trend?.length !== 12 || sum(trend) === 0) continue;
    known += own;
    for (const [month, share] of trend.entries()) year[month]! += (12 * own * share) / sum(trend);
  }
  if (sum(year) === 0) return 'unknown';
  const isSeasonal = known >= 0.2 * volume && Math.max(...year) >= 1.3 * (sum(year) / 12);
  return isSeasonal ? `Month ${year.lastIndexOf(Math.max(...year)) + 1} of 12` : 'No clear season';
}

/** A keyword's shares of its best month say when it peaks, whatever its volume. */
const peaksFirst = (name: string): boolean => {
  const trend = entryOf.get(name)?.trend ?? [];
  const most = Math.max(...trend);
  return trend.length === 12 && trend.lastIndexOf(most) === 0 && most >= 1.3 * (sum(trend) / 12);
};

const clusters = nodesIn(file.hierarchy).filter(({ type }) => type === 'cluster');
const shown = (count: number) => count.toLocaleString('en');

async function choosePeakMonth(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Colour by' }).click();
  await page.getByRole('option', { name: 'Peak month' }).click();
  await page.waitForURL((url) => url.searchParams.get('color') === 'field:season=');
}

story('seasons', () => {
  const stage = useStage();

  beforeAll(async () => {
    const admin = await stage.signedIn('admin');
    await stage.signedIn('approved');
    await uploadFor(admin.page, 'approved@example.com', file);
  }, 120_000);

  test('a list says when each cluster is searched most, and sorts by it', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?view=table&level=clusters&cols=name*volume*field:season=&sort=-volume');
    const grid = page.getByRole('grid', { name: /^Clusters of / });
    await grid.getByRole('columnheader', { name: /^Peak month/ }).waitFor();
    const rows = grid.locator('[role=row][aria-rowindex]');
    await expect.poll(() => rows.count()).toBeGreaterThan(3);
    const cells = async (): Promise<string[][]> => {
      const texts: string[][] = [];
      for (const row of (await rows.all()).slice(1, 12)) {
        const [name, , peak] = await row.getByRole('gridcell').all();
        texts.push([(await name!.locator('[dir=auto]').first().innerText()).trim(), (await peak!.innerText()).trim()]);
      }
      return texts;
    };
    const found = await cells();
    expect(found.length).toBeGreaterThan(3);
    for (const [name, peak] of found) {
      const named = clusters.filter((cluster) => cluster.name === name).map((cluster) => peakOf(namesIn(cluster)));
      expect(named, name).toContain(peak);
    }
    await page
      .getByRole('columnheader', { name: /^Peak month/ })
      .getByRole('button')
      .first()
      .click();
    await page.waitForURL((url) => url.searchParams.get('sort')?.includes('season') === true);
    expect(await violations(page)).toEqual([]);
  });

  test('the map is coloured by the peak month, and the legend keeps one of them', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('application').waitFor();
    await choosePeakMonth(page);
    const legend = page.getByRole('list', { name: 'Peak month' });
    await legend.getByText('No clear season').waitFor();
    expect(await violations(page)).toEqual([]);
    const all = namesIn(file.hierarchy);
    const first = all.filter(peaksFirst);
    expect(first.length).toBeGreaterThan(0);
    await legend.getByRole('button', { name: /^Month 1 of 12/ }).click();
    await page
      .getByRole('region', { name: 'Active filters' })
      .getByText(`${shown(first.length)} of ${shown(all.length)} keywords`)
      .waitFor();
    await page.getByText('Peak month: Month 1 of 12').first().waitFor();
    // Another colour and back, with the filter still there.
    await page.goBack();
    await page.getByRole('region', { name: 'Active filters' }).waitFor({ state: 'detached' });
    await legend.getByText('No clear season').waitFor();
  });

  test('the details name the best month and how far it stands out', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization');
    await page.getByRole('application').focus();
    await page.keyboard.press('ArrowDown');
    await page
      .getByRole('complementary')
      .getByText(/the searches of an average month$/)
      .first()
      .waitFor();
  });

  test('whoever says which month is the newest sees months of the calendar and when to publish', async () => {
    const { page } = await stage.signedIn('approved');
    const seasonal = clusters.find((cluster) => peakOf(namesIn(cluster)).startsWith('Month'))!;
    await page.goto('/visualization?color=field:season=&view=table&level=clusters&sort=-volume');
    const grid = page.getByRole('grid', { name: /^Clusters of / });
    await grid.locator('[role=row][aria-rowindex="2"]').waitFor();
    await page.goto('/visualization?color=field:season=');
    await page.getByRole('application').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(seasonal.name);
    await page
      .getByRole('option', { name: new RegExp(seasonal.name.slice(0, 12)) })
      .first()
      .click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByText('The file names no months').waitFor();
    await details.getByRole('button', { name: 'Name the months…' }).click();
    const newest = details.getByRole('combobox', { name: 'Which month is the newest?' });
    await newest.click();
    await page.getByRole('option', { name: /^October 2026/ }).click();
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    // Of the twelve months to October 2026, the first is November.
    const nth = Number(/\d+/.exec(peakOf(namesIn(seasonal)))![0]);
    const peak = new Date(Date.UTC(2025, 9 + nth, 1));
    const month = peak.toLocaleString('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });
    await details.getByText(new RegExp(`^Peak: ${month}`)).waitFor();
    const publishBy = details.getByText(/^Publish by \w+ 20\d\d\.$/);
    const before = new Date(`1 ${(await publishBy.innerText()).slice('Publish by '.length, -1)} UTC`);
    const lead = details.getByRole('combobox', { name: 'Publish', exact: true });
    expect(await lead.inputValue()).toBe('2');
    await lead.selectOption('3 months before the peak');
    const earlier = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() - 1, 1));
    const now = new Date();
    // A month that is over comes again a year later.
    if (earlier < new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)))
      earlier.setUTCFullYear(earlier.getUTCFullYear() + 1);
    const shown = earlier.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await details.getByText(`Publish by ${shown}.`).waitFor();
    await page.waitForURL((url) => url.searchParams.get('color') === 'field:season=2026-10');
    await page.getByRole('list', { name: 'Peak month' }).getByText('January', { exact: true }).waitFor();
    await details.getByRole('button', { name: 'Use as due month' }).click();
    await details.getByText(/is the due month in the plan\.$/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await details.getByText(/is the due month in the plan\.$/).waitFor();
    // Kept for the data, and where fields of many entries are set.
    await expect.poll(() => lead.inputValue()).toBe('3');
    await lead.selectOption('2 months before the peak');
    await expect.poll(() => lead.inputValue()).toBe('2');
    await page.getByRole('list', { name: 'Peak month' }).getByText('January', { exact: true }).waitFor();
  });

  test('planned clusters are due so many months before their own peaks, in one step', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?view=table&level=clusters&sort=-volume');
    const clustersGrid = page.getByRole('grid', { name: /^Clusters of / });
    await clustersGrid.locator('[role=row][aria-rowindex="2"]').waitFor();
    await clustersGrid.focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Add to plan' }).click();
    await page.getByText(/^Added [\d,]+ entr(y|ies) to the plan\.$/).waitFor();
    await page.goto('/visualization?view=table&level=plan');
    const grid = page.getByRole('grid', { name: /^Plan of / });
    await grid.locator('[role=row][aria-rowindex="3"]').waitFor();
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: 'Set…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Set fields of/ });
    await dialog.getByRole('checkbox', { name: 'Status' }).click();
    await dialog.getByRole('combobox', { name: 'Due month of' }).selectOption('publish');
    await dialog.getByText(/of them peak in a month\. The others keep their due month\.$/).waitFor();
    await dialog.getByRole('combobox', { name: 'Months before the peak' }).selectOption('3');
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await dialog.getByRole('button', { name: /^Set due of/ }).click();
    await page.getByText(/^Changed [\d,]+ entries\.$/).waitFor();

    // Names that are there once, so that it is clear which peak is theirs.
    const id = await ownId(page);
    const dueOf = async () => {
      const answer = await page.request.get(`/api/visualizations/${id}/plan`);
      const { entries } = (await answer.json()) as { entries: { path: string[]; due: string }[] };
      const byName = Map.groupBy(entries, ({ path }) => path.at(-1)!);
      return new Map([...byName].flatMap(([name, some]) => (some.length === 1 ? [[name, some[0]!.due] as const] : [])));
    };
    const unique = clusters.filter(({ name }) => clusters.filter((other) => other.name === name).length === 1);
    const planned = await dueOf();
    const seasonal = unique.flatMap((cluster) => {
      const nth = /\d+/.exec(peakOf(namesIn(cluster)))?.[0];
      return nth === undefined || !planned.has(cluster.name) ? [] : [{ name: cluster.name, nth: Number(nth) }];
    });
    expect(seasonal.length).toBeGreaterThan(0);
    expect(seasonal.length).toBeLessThan(unique.length);
    // Of the twelve months to October 2026, the first is November. Each group of a month is a write of its own.
    const thisMonth = new Date().toISOString().slice(0, 7);
    await expect
      .poll(async () => {
        const due = await dueOf();
        return seasonal.filter(({ name, nth }) => {
          const month = due.get(name)!;
          return month < thisMonth || (Number(month.slice(5)) - 1 + 3) % 12 !== (9 + nth) % 12;
        });
      })
      .toEqual([]);
    await grid.focus();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone.').waitFor();
  });
});

/** The ID of the map that is shown. */
async function ownId(page: Page): Promise<string> {
  const list = (await (await page.request.get('/api/visualizations')).json()) as { id: string; isActive?: boolean }[];
  return list[0]!.id;
}
