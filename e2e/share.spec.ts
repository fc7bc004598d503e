import { parse } from 'csv-parse/sync';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { bytesOf } from './download.ts';

const opened = (page: Page) => page.getByRole('treeitem', { level: 2 }).first().waitFor();

async function downloaded(page: Page, item: string): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: item, exact: true }).click();
  const download: Download = await coming;
  return { name: download.suggestedFilename(), bytes: await bytesOf(download) };
}

async function openExport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await page.getByRole('dialog', { name: 'Export' }).waitFor();
}

story('a view is shared', () => {
  const stage = useStage();

  test('as a link that works after signing in, and only once', async () => {
    await (await stage.signedIn('approved')).context.close();
    const { page } = await stage.visitor();
    const link = '/visualization?v=sample&view=table&f=has-spade';
    const signIn = async () => {
      await page.getByLabel('Email address').fill('approved@example.com');
      await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
      await page.keyboard.press('Enter');
    };
    await page.goto(link);
    await page.waitForURL('**/login');
    await signIn();
    await page.getByRole('treegrid').waitFor();
    await page.getByRole('button', { name: 'Remove filter: Contains “spade”' }).waitFor();
    expect(page.url()).toBe(stage.server.url + link);
    // An export contains what the filter keeps, and its name says so.
    await openExport(page);
    await page.getByRole('button', { name: 'CSV: all matches', exact: true }).waitFor();
    const kept = page.getByRole('heading', { name: /^All matches/ });
    const keywords = /^[\d,]+ of/.exec(
      await page
        .getByText(/ of 2,026 keywords$/)
        .first()
        .innerText(),
    )![0];
    await expect.poll(() => kept.innerText()).toContain(keywords.replace(' of', ' keywords'));
    await page.keyboard.press('Escape');

    await page.getByRole('banner').getByRole('button', { expanded: false }).last().click();
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
    await page.waitForURL('**/login');
    await signIn();
    await page.waitForURL('**/visualization');
  });

  // Shows P16.7, P16.14.
  test('as images of the stated size, and as tables with the figures on screen', async () => {
    const person = await stage.signedIn('approved');
    const { page } = person;
    await page.goto('/visualization?v=sample');
    await opened(page);
    const sizes: number[] = [];
    await openExport(page);
    for (const scale of [1, 2]) {
      const { name, bytes } = await downloaded(page, `Download PNG ${scale}×`);
      expect(name).toMatch(
        scale === 1
          ? /^garden-shop – treemap – \d{4}-\d\d-\d\d\.png$/
          : /^garden-shop – treemap @2x – \d{4}-\d\d-\d\d\.png$/,
      );
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      sizes.push(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
    }
    expect(sizes[2]! / sizes[0]!).toBeCloseTo(2, 1);
    expect(sizes[3]! / sizes[1]!).toBeCloseTo(2, 1);

    const { name: svgName, bytes: svg } = await downloaded(page, 'Download SVG');
    expect(svgName).toMatch(/^garden-shop – treemap – \d{4}-\d\d-\d\d\.svg$/);
    const words = await textsOf(page, svg.toString());
    expect(words).toEqual(expect.arrayContaining(['Garden shop (sample data)', 'Garden tools', 'Pillar topic']));

    const everything = await downloaded(page, 'CSV: everything');
    expect(everything.name).toMatch(/^garden-shop – everything – \d{4}-\d\d-\d\d\.csv$/);
    const lines = parse(everything.bytes, { bom: true, columns: true }) as Record<string, string>[];
    const root = await person.call<{ branchNodes: number; keywords: number }>('GET', '/visualizations/sample/nodes/0');
    expect(lines).toHaveLength(root.branchNodes);
    expect(lines[0]).toMatchObject({ Name: 'Garden shop (sample data)', Keywords: String(root.keywords) });

    for (const [kind, kinds] of [
      ['Keywords', ['Keyword']],
      ['Clusters', ['Pillar topic', 'Cluster', 'Subtopic']],
    ] as const) {
      const { name, bytes } = await downloaded(page, `${kind} as CSV: everything`);
      expect(name).toMatch(new RegExp(`^garden-shop – ${kind.toLowerCase()} – `));
      const some = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
      expect(some).toEqual(lines.filter((line) => (kinds as readonly string[]).includes(line.Kind!)));
    }

    await page.getByText('Averages are rounded to six digits').waitFor();
    await page.getByText('an apostrophe stands before what a spreadsheet would run as a formula').waitFor();
    const { name: shownName, bytes: shownBytes } = await downloaded(page, 'CSV: what is shown');
    expect(shownName).toMatch(/^garden-shop – shown – \d{4}-\d\d-\d\d\.csv$/);
    const shown = parse(shownBytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(shown.length).toBeGreaterThan(8);
    const all = new Set(lines.map((line) => JSON.stringify(line)));
    expect(shown.filter((line) => !all.has(JSON.stringify(line)))).toEqual([]);
  });

  // Shows P16.8.
  test('the CSV of a sorted table has the order on the screen', async () => {
    const { page } = await stage.signedIn('approved');
    // With one level open, the rows are the root and its sorted children.
    await page.goto('/visualization?v=sample&view=table&d=1');
    const grid = page.getByRole('treegrid');
    await grid.locator('[aria-level="2"]').first().waitFor();
    await grid.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await grid
      .getByRole('columnheader', { name: 'Name', exact: true })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    const names = (rows: string) => grid.locator(`${rows} [role=gridcell]:first-child [dir=auto]`).allTextContents();
    // Siblings are sorted, for example those of the second level.
    const siblings = await names('[role=row][aria-level="2"]');
    expect(siblings.length).toBeGreaterThan(2);
    expect(siblings).toEqual(siblings.toSorted((one, other) => one.localeCompare(other)));
    const onScreen = await names('[role=row]');
    await openExport(page);
    const { bytes } = await downloaded(page, 'CSV: the table as shown');
    const lines = parse(bytes, { bom: true, columns: true }) as Record<string, string>[];
    expect(lines.slice(0, onScreen.length).map((line) => line.Name)).toEqual(onScreen);
    await page.context().close();
  });

  // Shows P16.11.
  test('with the keyboard alone: a link to exactly this view, and the branch as a list', async () => {
    const { page, context } = await stage.signedIn('approved');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/visualization?v=sample&view=sunburst&color=volume');
    await opened(page);
    const picture = page.getByRole('application', { name: /^Sunburst of/ });
    await picture.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Shift+L');
    await page.getByText('Link copied').waitFor();
    const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ v: 'sample', view: 'sunburst', color: 'volume' });
    await picture.focus();
    await page.keyboard.press('Control+C');
    await page.getByText(/^List of [\d,]+ copied/).waitFor();
    const list = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(list.split('\n')[1]).toMatch(/^\t\S/);
    await picture.focus();
    await page.keyboard.press('Control+Shift+E');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('Copy link');
    await page.keyboard.press('Escape');
    await page.getByRole('menu', { name: 'Share' }).waitFor({ state: 'detached' });
  });
});

/** The texts of an SVG, parsed as XML, in a page without this product's policy. */
async function textsOf(page: Page, svg: string): Promise<string[]> {
  const blank = await page.context().newPage();
  const texts = await blank.evaluate<string[]>(`
    const read = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml');
    if (read.querySelector('parsererror')) throw new Error('No XML');
    [...read.querySelectorAll('text')].map((text) => text.textContent);`);
  await blank.close();
  return texts;
}
