import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, gate, type Handlers, isOffline } from '../../../../test/page/fake-api.ts';
import { uploadsTo } from '../../../../test/page/fake-uploads.ts';
import { openApp } from '../../../../test/page/open-app.tsx';
import { accountsOf } from '../../../../test/page/open-users.tsx';
import { leaveUpload, useTransfers } from '../../../api/transfers.ts';

const json = (name: string, text: string, type = 'application/json'): File => new File([text], name, { type });
const entry = (reach: number | string, volume: number) => ({ search_volume: volume, reach, 'Owner ID': 'Zoe' });
const content = JSON.stringify({
  keywords: [
    { keyword: 'garden hose', ...entry('1,200', 5) },
    { keyword: 'spade', ...entry(300, 7) },
    { keyword: 'rake', search_volume: 8 },
  ],
  hierarchy: { name: 'Shop', children: [{ name: 'garden hose' }, { name: 'spade' }, { name: 'rake' }] },
});

/** A server that has not read a file when its last byte arrives. */
const uploads = () => uploadsTo(undefined, 'received');

// An upload continues when its page is left.
afterEach(() => {
  leaveUpload();
  useTransfers.setState({ receiverId: '' });
});

const shows = (text: string | RegExp) => expect.element(page.getByText(text)).toBeVisible();
const hides = (text: string | RegExp) => expect.element(page.getByText(text)).not.toBeInTheDocument();
const meaning = (member: string) => page.getByRole('combobox', { name: `Meaning of member ${member}` });

async function correct(member: string, to: string): Promise<void> {
  await meaning(member).click();
  await page.getByRole('option', { name: to }).click();
}

/** Opens the Upload tab with Ann as the receiver, and chooses a file. */
async function upload(file: File, api: Handlers): Promise<void> {
  await openApp('/admin/upload/ann', { as: 'admin', api: { ...accountsOf().api, ...api } });
  await expect
    .element(page.getByRole('combobox', { name: 'Select User' }))
    .toHaveTextContent('ann@example.com (Admin)');
  await userEvent.upload(page.getByLabelText('JSON file or keyword lists').last(), file);
}

// Shows P21.9.
test('members of a JSON file are corrected while it is sent, and after it is published', async () => {
  const sending = gate();
  const { api, become } = uploads();
  const send = api['PATCH /api/uploads/{id}'];
  await upload(json('shop.json', content), {
    ...api,
    'PATCH /api/uploads/{id}': (call) => sending.opened.then(() => send(call)),
  });
  const table = page.getByRole('table', { name: 'How we read your fields' });
  await expect.element(table).toBeVisible();
  await shows('By all 3 entries');
  const rows = table.getByRole('row').elements() as HTMLElement[];
  expect(rows.map((row) => row.innerText)).toEqual([
    'Member\tMeaning\tSample\tKnown',
    expect.stringMatching(/^search_volume\s+Search volume\s+5\s+100 %$/),
    expect.stringMatching(/^reach\s+Keep as it is\s+1,200\s+66.7 %$/),
    expect.stringMatching(/^Owner ID\s+Keep as it is\s+Zoe\s+66.7 %$/),
  ]);
  await shows('Not recognised as metrics, kept as custom fields: reach, Owner ID');
  await correct('Owner ID', 'Clicks');
  await shows('Only 0 % of the values are numbers.');
  await shows('Not recognised as metrics, kept as custom fields: reach');
  await page.getByRole('button', { name: 'Read again without corrections' }).click();
  await hides('Only 0 % of the values are numbers.');

  await correct('reach', 'Search volume');
  // A meaning that exists once leaves the member that had it.
  await expect.element(meaning('search_volume')).toHaveTextContent('Keep as it is');
  await shows('Not recognised as metrics, kept as custom fields: Owner ID');
  expect(api['uploads.mapFields'].mock.lastCall![0].fieldMap).toMatchObject({ reach: 'volume' });
  sending.open();
  become({ visualizationId: 'map' });
  await expect.poll(() => useTransfers.getState().upload?.state).toBe('received');
  become({ state: 'active' });
  await shows('File uploaded and processed successfully for ann@example.com');
  const view = page.getByRole('link', { name: 'View', exact: true });
  await expect.element(view).toHaveAttribute('href', '/visualization?v=map');

  // The file can be read in another way as long as its panel is open.
  await correct('reach', 'Leave out');
  await expect.element(meaning('search_volume')).toHaveTextContent('Search volume');
  await shows('Saved. The file is read again with your corrections; the map follows by itself.');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Close In this file' }).click();
  await expect.element(page.getByRole('heading', { name: 'In this file' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Choose file' })).toHaveFocus();
});

test('of a large file, the members of its beginning are shown', async () => {
  // After the closing brace there is only white space.
  await upload(json('shop.json', content.padEnd(5 * 2 ** 20)), uploads().api);
  await shows('By the first 3 entries');
});

test('a correction that cannot be saved says so, and the table shows what the server has', async () => {
  await page.viewport(390, 844);
  const { api } = uploads();
  await upload(json('shop.json', content), { ...api, 'uploads.mapFields': isOffline });
  await correct('reach', 'Clicks');
  await shows(/^The correction was not saved: /);
  await expect.element(meaning('reach')).toHaveTextContent('Keep as it is');
  fakeApi(api);
  await correct('reach', 'Clicks');
  await hides(/^The correction was not saved: /);
  await expect.element(meaning('reach')).toHaveTextContent('Clicks');
  expect(await violations()).toEqual([]);
  await page.viewport(1440, 900);
});

test('a broken file is refused with its byte, line and column, and what was sent of it is deleted', async () => {
  // Line 2 is `"hierarchy":{"name":"Shoes",}}`: the error is the closing brace after the comma, in column 29.
  const text = '{"keywords":["a"],\n"hierarchy":{"name":"Shoes",}}\n';
  const byte = text.indexOf(',}') + 1;
  const { api, ended } = uploads();
  const created = gate();
  const create = api['POST /api/uploads'];
  // The server creates the upload only after the refusal.
  await upload(json('broken.json', text), {
    ...api,
    'POST /api/uploads': (call) => created.opened.then(() => create(call)),
  });
  const where = `at byte ${byte} (line 2, column ${byte - text.indexOf('\n')})`;
  const banner = page.getByRole('alert').getByText(/^Invalid JSON file: /);
  await expect.poll(() => banner.element().textContent).toContain(where);
  expect(ended).toEqual([]);
  created.open();
  await expect.poll(() => ended).toHaveLength(1);
});

test('a file that is not JSON by name and type is refused before it is read', async () => {
  await upload(json('notes.pdf', 'notes', 'application/pdf'), uploads().api);
  await shows(/^Only JSON files are supported/);
});

test('before a user is selected, nothing is taken, and the zone says why', async () => {
  await openApp('/admin?tab=upload', { as: 'admin', api: { ...accountsOf().api, ...uploads().api } });
  const zone = page.getByRole('group', { name: 'JSON file or keyword lists' });
  await expect.element(zone.getByText('Please select a user before uploading a file.')).toBeVisible();
  await expect.element(zone.getByRole('button', { name: 'Choose file' })).toBeDisabled();
});

test('an upload that the server is reading is asked about until it is active', async () => {
  const { api, become } = uploads();
  await upload(json('shop.json', content), api);
  await expect.poll(() => useTransfers.getState().upload?.state).toBe('received');
  become({ state: 'reading', share: 0.5 });
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '65');
  become({ state: 'active', visualizationId: 'map', merged: 29 });
  await shows(/29 entries repeat a keyword/);
});
