import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { garden } from '../../../../test/page/garden.ts';
import { picture } from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { toPhone } from '../../../../test/page/window.ts';

afterEach(() => vi.restoreAllMocks());

const items = page.getByRole('menu', { name: 'Share' }).getByRole('menuitem');
const dialog = page.getByRole('dialog', { name: 'Export' });
const file = (name: string) => dialog.getByRole('button', { name, exact: true });

async function openExport(): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export…' }).click();
  await expect.element(dialog).toBeVisible();
}

/** Addresses that are downloaded from now on, instead of being downloaded. */
function downloads(): URL[] {
  const taken: URL[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    taken.push(new URL(this.href));
  });
  return taken;
}

test('the menu has at most seven items, and one of them is Export', async () => {
  await openExplorer(garden);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect.element(items.first()).toBeVisible();
  expect(items.elements().length).toBeLessThanOrEqual(7);
  const names = items.elements().map((item) => item.textContent);
  expect(names.at(-1)).toBe('Export…');
  await userEvent.keyboard('{Escape}');
});

test('in a window that becomes as narrow as a phone the menu stays open, and Escape leads back to its button', async () => {
  await openExplorer(garden);
  const button = page.getByRole('button', { name: 'Share', exact: true });
  await button.click();
  await expect.element(items.first()).toBeVisible();
  await toPhone();
  await expect.element(page.getByRole('button', { name: 'Open the sheet further' })).toBeInTheDocument();
  await expect.element(items.first()).toBeVisible();
  const menu = page.getByRole('menu', { name: 'Share' });
  await expect.poll(() => menu.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  // And back again, with the dialog.
  await openExport();
  await page.viewport(1440, 900);
  await expect.element(page.getByRole('tree', { name: 'Outline', includeHidden: true })).toBeVisible();
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => document.activeElement).not.toBe(document.body);
});

test('what is open of the other bar closes in a narrow window, and the chart has the focus', async () => {
  await openExplorer(garden);
  await page.getByRole('combobox', { name: 'Colour by' }).click();
  await expect.element(page.getByRole('option').first()).toBeVisible();
  await toPhone();
  await expect.element(picture).toHaveFocus();
});

// Shows P16.8.
test('a flat list is exported as a workbook with its level, columns, order and filter', async () => {
  await openExplorer(garden, {
    search: '?view=table&level=keywords&sort=-difficulty&cols=name*volume*cluster&f=has-rose',
  });
  await openExport();
  expect(await violations()).toEqual([]);
  const taken = downloads();
  await file('XLSX: the table as shown').click();
  await expect.poll(() => taken.length).toBe(1);
  const [{ pathname, searchParams }] = taken as [URL];
  expect(pathname).toMatch(/^\/api\/visualizations\/[^/]+\/export\.xlsx$/);
  expect(Object.fromEntries(searchParams)).toMatchObject({ level: 'keywords', node: '0', sort: '-difficulty' });
  expect(searchParams.get('filter')).toContain('rose');
  expect(searchParams.getAll('column')).toEqual(['name', 'volume', 'cluster']);
  // It stays open for the next file.
  await file('CSV: everything').or(file('CSV: all matches')).click();
  await expect.poll(() => taken[1]?.pathname).toMatch(/export\.csv$/);
});

test('the plan is not exported as the tree of the table: the dialog says where it is', async () => {
  await openExplorer(garden, { search: '?view=table&level=plan' });
  await openExport();
  await expect
    .element(page.getByText('“Hand over…” in the menu Share exports the plan, with its own columns.'))
    .toBeVisible();
  await expect.element(file('XLSX: the table as shown')).not.toBeInTheDocument();
  await expect.element(file('CSV: everything')).toBeVisible();
});

test('the tree of the table is exported as a workbook with the rows that are open and the columns of the screen', async () => {
  const sent: { readonly url: URL; readonly rows: number }[] = [];
  await openExplorer(garden, {
    search: '?view=table&d=1',
    api: {
      'POST /api/visualizations/{id}/export.xlsx': async ({ request }) => {
        sent.push({ url: new URL(request.url), rows: (await request.arrayBuffer()).byteLength / 4 });
        return new Response('');
      },
    },
  });
  await openExport();
  downloads();
  await file('XLSX: the table as shown').click();
  await expect.poll(() => sent.length).toBe(1);
  // The root and its three pillars.
  expect(sent[0]!.rows).toBe(4);
  const columns = sent[0]!.url.searchParams.getAll('column');
  expect(columns.slice(0, 6)).toEqual(['name', 'depth', 'type', 'keywords', 'volume', 'difficulty']);
});

test('a picture that was printed is let go of: if it fails, and if the browser does not say that it has printed', async () => {
  await openExplorer(garden);
  await openExport();
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  const made = vi.spyOn(URL, 'createObjectURL');
  const revoked = vi.spyOn(URL, 'revokeObjectURL');
  const freed = () => new Set(revoked.mock.calls.map(([url]) => url)).size;
  const posters = () => document.querySelectorAll('.printed-poster').length;
  await file('Print').click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  await file('Print').click();
  await expect.poll(() => print.mock.calls.length).toBe(2);
  expect([posters(), freed()]).toEqual([1, 1]);
  dispatchEvent(new Event('afterprint'));
  expect([posters(), freed()]).toEqual([0, 2]);
  vi.spyOn(Image.prototype, 'decode').mockRejectedValue(new DOMException('', 'EncodingError'));
  await file('Print').click();
  await expect.poll(() => made.mock.calls.length).toBe(3);
  await expect.poll(freed).toBe(3);
});
