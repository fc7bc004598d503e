import type { Visualization } from '@kc/rules/shapes';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { runFor, stopClock } from '../../../../test/page/clock.ts';
import { fakeApi, gate, refuses } from '../../../../test/page/fake-api.ts';
import { drop, type MayPass, uploadsTo } from '../../../../test/page/fake-uploads.ts';
import { visualization } from '../../../../test/page/maps-api.ts';
import { address, sessionOf, signsIn } from '../../../../test/page/open-app.tsx';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';

const shows = (text: string | RegExp) => expect.element(page.getByText(text).first()).toBeVisible();
const success = 'File uploaded and processed successfully for bea@example.com';
const kib = 1024;
const garden = '{"keywords":["rakes"],"hierarchy":{"name":"Shop","children":["rakes","spades"]}}';
const json = (name: string, text: string) => new File([text], name, { type: 'application/json' });
/** Several parts; after the closing brace there is only white space. */
const big = json('garden.json', garden.padEnd(2560 * kib));

/** The Upload tab with Bea selected. */
async function openTab(mayPass?: MayPass) {
  const server = uploadsTo(mayPass);
  await openDashboard('/admin/upload/bea', { ...accountsOf(person('bea')).api, ...server.api });
  await expect.element(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible();
  return server;
}

const dropOn = (text: RegExp, ...files: readonly File[]) =>
  drop(
    async () => {
      const overlay = page.getByText(text).last();
      await expect.element(overlay).toBeVisible();
      return overlay.element();
    },
    ...files,
  );
const take = (...files: readonly File[]) => dropOn(/^Drop to upload for bea@example\.com$/, ...files);

test('files dropped anywhere are refused until somebody is selected', async () => {
  const server = uploadsTo();
  await openDashboard('/admin?tab=upload', { ...accountsOf(person('bea')).api, ...server.api });
  await expect.element(page.getByRole('heading', { name: 'File format' })).toBeVisible();
  await dropOn(/^Please select a user/, json('garden.json', '{}'));
  await expect.element(page.getByRole('alert').getByText('Please select a user first')).toBeVisible();
});

// Shows P9.1.
test('files dropped anywhere are accepted or refused, and of several the first is used', async () => {
  const { parts } = await openTab();
  const sample = page.getByRole('link', { name: 'Download a sample file' });
  await expect.element(sample).toHaveAttribute('href', '/sample-keywords.json');
  await expect.element(sample).toHaveAttribute('download');
  await take(new File(['notes'], 'notes.pdf', { type: 'application/pdf' }));
  await shows(/^Only JSON files are supported/);
  await shows('Keyword lists can be imported as CSV, TSV or XLSX, too.');
  expect(parts).toEqual([]);
  stopClock();
  await take(json('sample.json', garden), json('other.json', '{}'));
  await shows('Only the first file is used');
  await expect.poll(() => runFor(500).then(() => page.getByText(success).elements())).toHaveLength(1);
  expect(parts).toEqual([{ offset: 0, size: garden.length }]);
  // The notice disappears even while the result of the upload is shown.
  await runFor(5_000);
  await expect.element(page.getByText('Only the first file is used')).not.toBeInTheDocument();
});

// Shows P9.9.
test('an upload can be made active and be deleted', async () => {
  const one = (id: string, isActive: boolean) =>
    visualization({ id, userId: 'bea', fileName: `${id}.json`, isActive, uploadDate: isActive ? 1 : 0 });
  let all: readonly Visualization[] = [one('sample', true), one('garden', false)];
  await openTab();
  fakeApi({
    'visualizations.list': () => [...all],
    'visualizations.activate': ({ id }) => {
      all = all.map((each) => ({ ...each, isActive: each.id === id }));
      return all.find((each) => each.id === id)!;
    },
    'visualizations.remove': ({ id }) => {
      all = all.filter((each) => each.id !== id);
      return { id };
    },
  });
  await openDashboard('/admin/upload/bea', {});
  await page.getByRole('button', { name: 'Make active garden.json' }).click();
  await shows('garden.json is now the active visualization');
  await page.getByRole('button', { name: 'More for garden.json' }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await expect.element(question.getByText(/^It is the active one\. No other becomes active/)).toBeVisible();
  // Its file names keywords in the hierarchy alone.
  await expect.element(question.getByText(/^1 node · /)).toBeVisible();
  await question.getByRole('button', { name: 'Delete visualization' }).click();
  await shows('garden.json was deleted');
  expect(all.map(({ id, isActive }) => [id, isActive])).toEqual([['sample', false]]);
});

// Shows P9.3.
test('the last two steps are shown however small the file is, every time', async () => {
  await openTab();
  const steps: string[] = [];
  const watch = new MutationObserver(() => {
    const bar = document.querySelector('[role=progressbar]');
    const step =
      bar && `${bar.getAttribute('aria-valuenow')}% ${bar.closest('section')?.querySelector('p')?.textContent}`;
    if (step && step !== steps.at(-1)) steps.push(step);
  });
  watch.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  onTestFinished(() => watch.disconnect());
  stopClock();
  for (const _ of ['first', 'second']) {
    await take(json('garden.json', garden));
    await expect.element(page.getByRole('progressbar')).toBeInTheDocument();
    await expect.poll(() => runFor(250).then(() => page.getByText(success).elements())).toHaveLength(1);
    expect(steps.splice(0).slice(-2)).toEqual(['85% Finalizing upload', '100% Finalizing upload']);
    await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  }
});

test('an upload is paused by key, and goes on where it stopped', async () => {
  const receiving = gate();
  const { parts } = await openTab(async () => {
    if (parts.length === 1) await receiving.opened;
    return undefined;
  });
  await take(big);
  await shows('Valid JSON');
  await expect.poll(() => parts.length).toBe(1);
  await userEvent.keyboard('p');
  await shows('Paused. What was sent is kept.');
  await expect.element(page.getByRole('link', { name: /^Upload of garden\.json: \d+%, paused$/ })).toBeVisible();
  await shows('garden.json is being uploaded.');
  await expect.element(page.getByText('Nothing was uploaded for this user yet.')).not.toBeInTheDocument();
  receiving.open();
  await userEvent.keyboard('p');
  await shows(success);
  expect(parts.reduce((sum, { size }) => sum + size, 0)).toBeGreaterThanOrEqual(big.size);
});

// Shows P9.8.
test('an upload whose session ended waits until its sender signs in again, and resumes by itself', async () => {
  let isOver = false;
  const { parts } = await openTab(async () => {
    isOver ||= parts.length === 1;
    return isOver ? Response.json({ data: { code: 'session/required' } }, { status: 401 }) : undefined;
  });
  await take(big);
  await shows(/^You must be logged in to upload files\. Sign in again/);
  fakeApi({ 'session.get': () => sessionOf('nobody'), 'session.signIn': signsIn(sessionOf('admin')) });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(address).toBe('/login');
  await page.getByLabelText('Email address').fill('ann@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('rakes and ladders');
  parts.push({ offset: 0, size: 0 });
  isOver = false;
  await userEvent.keyboard('{Enter}');
  await expect.poll(address).toBe('/visualization');
  await shows('Upload of garden.json resumed');
  await shows(success);
  expect(parts.at(2)!.offset).toBe(1024 * kib);
});

test('what was sent for one user is not resumed after another one is chosen', async () => {
  const { parts, api } = uploadsTo();
  const file = json('garden.json', garden);
  const started = {
    ...{ id: 'started', state: 'receiving' as const, share: 0.5, begunAt: 0, description: '', uploadedBy: 'ann' },
    ...{ isYours: true, isSending: false, fileName: file.name, fileSize: file.size, fileModified: file.lastModified },
  };
  const bothAccounts = accountsOf(person('bea'), person('carl')).api;
  await openDashboard('/admin/upload/bea', { ...bothAccounts, ...api, 'uploads.list': () => [started] });
  await take(file);
  const question = page.getByRole('region', { name: 'Resume upload of garden.json?' });
  await expect.element(question).toBeVisible();
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^carl/ }).click();
  await expect.element(question).not.toBeInTheDocument();
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^bea/ }).click();
  await question.getByRole('button', { name: 'Start over' }).click();
  await shows(success);
  expect(parts).toHaveLength(1);
});

test('an upload that another tab ended says so', async () => {
  const gone = () => Response.json({ data: { code: 'request/not-found' } }, { status: 404 });
  await openTab(async () => gone());
  fakeApi({ 'uploads.status': refuses('request/not-found') });
  await take(big);
  await shows('Upload failed: it was cancelled elsewhere, or its user was deleted');
});

// Shows P9.5.
test('a broken file is refused with what is wrong, its byte, line and column, and what was sent is deleted', async () => {
  // Line 2 is `"hierarchy":{"name":"Shoes",}}`: the error is the closing brace after the comma, in column 29.
  const text = '{"keywords":["a"],\n"hierarchy":{"name":"Shoes",}}\n';
  const byte = text.indexOf(',}') + 1;
  const receiving = gate();
  onTestFinished(receiving.open);
  const { ended, parts } = await openTab(async () => {
    await receiving.opened;
    return undefined;
  });
  await take(json('broken.json', text));
  const banner = page.getByRole('alert').getByText(/^Invalid JSON file: /);
  const where = `at byte ${byte} (line 2, column ${byte - text.indexOf('\n')})`;
  await expect.poll(() => banner.element().textContent).toContain(where);
  await expect.poll(() => ended).toHaveLength(1);
  expect(parts).toEqual([]);
});

/** A proxy in front of the server that accepts parts of at most `max` bytes. */
const upTo =
  (max: number): MayPass =>
  async (_part, size) =>
    size > max ? new Response('<h1>413</h1>', { status: 413, headers: { 'content-type': 'text/html' } }) : undefined;

// Shows P10.19.
test('behind a proxy that limits requests a file is sent in smaller parts, and the page says why', async () => {
  const receiving = gate();
  const { parts } = await openTab(async (part, size) => {
    const refused = await upTo(300 * kib)(part, size);
    if (!refused) await receiving.opened;
    return refused;
  });
  await take(big);
  // upload/parts-limited
  const why = 'A proxy in front of the server refuses larger requests, so the file is sent in parts of 262 KB.';
  await shows(why);
  receiving.open();
  await shows(success);
  expect(Math.max(...parts.map(({ size }) => size))).toBe(256 * kib);
  expect(parts.reduce((sum, { size }) => sum + size, 0)).toBe(big.size);
});

test('behind a proxy that refuses even the smallest part, an upload fails with what to change', async () => {
  const { parts } = await openTab(upTo(kib));
  stopClock();
  await take(big);
  // upload/parts-refused
  const why =
    'A proxy in front of the server refuses every part of the file as too large. Ask its administrator to allow request bodies of at least 1 MB; in nginx that is client_max_body_size.';
  await expect.poll(() => runFor(1_000).then(() => page.getByText(why).elements().length)).toBeGreaterThan(0);
  expect(parts).toEqual([]);
});
