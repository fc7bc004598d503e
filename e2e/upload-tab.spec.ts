import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { smallSampleFile } from '../tools/make-sample.ts';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { bytesOf } from './download.ts';
import { adminPerson } from './visitor.ts';

const MiB = 2 ** 20;
/** A file of several chunks; after the closing brace there is only white space. */
const big = Buffer.alloc(5 * MiB, ' ');
big.write('{"keywords":["rakes"],"hierarchy":{"name":"Shop","children":["rakes","spades"]}}');
const bigFile = { name: 'garden.json', mimeType: 'application/json', buffer: big };
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

story('the Upload tab', () => {
  const stage = useStage();

  test('an upload is paused by key, interrupted by a reload, and resumed where it stopped', async () => {
    const { page, call } = await stage.signedIn('admin');
    const gate = await holdChunks(page, 2);
    // A file is recognised by its modification time, which a generated file lacks.
    await page.addInitScript(`Object.defineProperty(File.prototype, 'lastModified', { get: () => 1700000000000 })`);
    await openTab(page);
    await page.getByLabel('Description').fill('Spring research');
    await page.locator('input[type=file]').setInputFiles(bigFile);
    await page.getByText('Valid JSON', { exact: true }).waitFor();
    await gate.reached;
    await page.keyboard.press('p');
    await page.getByText('Paused. What was sent is kept.').first().waitFor();
    await page.getByRole('link', { name: /^Upload of garden\.json: \d+%, paused$/ }).waitFor();
    await page.getByText('garden.json is being uploaded.').waitFor();
    expect(await page.getByText('Nothing was uploaded for this user yet.').count()).toBe(0);

    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    // The unfinished upload is offered even before a receiver is selected.
    await page.getByRole('heading', { name: 'Unfinished upload' }).waitFor();
    await page.getByText('garden.json for admin@example.com').waitFor();
    expect(await violations(page)).toEqual([]);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /^Choose file again/ }).click(),
    ]);
    await page.getByText('Choose the same file again to go on where it stopped.').waitFor();
    await chooser.setFiles(bigFile);
    await page.getByRole('heading', { name: 'Resume upload of garden.json?' }).waitFor();
    gate.open();
    await page.keyboard.press('Enter');
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();

    expect(await page.getByRole('heading', { name: 'Unfinished upload' }).count()).toBe(0);
    expect(gate.firstOffset()).toBeGreaterThan(0);
    const [made] = await call<{ downloadUrl: string; description: string }[]>('GET', '/visualizations');
    expect(made).toMatchObject({ description: 'Spring research', isActive: true });
    const original = await page.request.get(made!.downloadUrl);
    expect(sha256(await original.body())).toBe(sha256(big));
  });

  test('files dropped anywhere are accepted or refused, and an upload can be replaced and deleted', async () => {
    const { page, call } = await stage.signedIn('admin');
    await page.goto('/admin?tab=upload');
    await page.getByText('File format').waitFor();
    await drop(page, [{ name: 'garden.json', text: '{}' }]);
    await page.getByText('Please select a user first').waitFor();
    await openTab(page);
    await drop(page, [{ name: 'notes.pdf', text: 'notes' }]);
    await page.getByText('Only JSON files are supported').waitFor();
    await page.getByText('Keyword lists can be imported as CSV, TSV or XLSX, too.').waitFor();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download a sample file' }).click(),
    ]);
    const sample = await bytesOf(download);
    expect(sample.equals(readFileSync(smallSampleFile))).toBe(true);
    await drop(page, [
      { name: 'sample.json', text: sample.toString() },
      { name: 'other.json', text: '{}' },
    ]);
    await page.getByText('Only the first file is used').waitFor();
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();
    // The notice disappears even while the result of the upload is shown.
    await page.getByText('Only the first file is used').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Make active garden.json' }).click();
    await page.getByText('garden.json is now the active visualization').waitFor();
    await page.getByRole('button', { name: 'More for garden.json' }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText(/^It is the active one\. No other becomes active/).waitFor();
    await question.getByRole('button', { name: 'Delete visualization' }).click();
    await page.getByText('garden.json was deleted').waitFor();
    const all = await call<{ fileName: string; isActive: boolean; isSample: boolean }[]>('GET', '/visualizations');
    const left = all.filter(({ isSample }) => !isSample);
    expect(left.map(({ fileName, isActive }) => [fileName, isActive])).toEqual([['sample.json', false]]);
  });

  test('an upload whose session ended waits until its sender signs in again, and resumes by itself', async () => {
    const visitor = await stage.signedIn('admin');
    const { page, context } = visitor;
    const gate = await holdChunks(page, 1);
    await openTab(page);
    await page.locator('input[type=file]').setInputFiles(bigFile);
    await gate.reached;
    visitor.expectProblem(/status of 401/);
    await context.clearCookies();
    gate.open();
    await page
      .getByText(/^You must be logged in to upload files\. Sign in again/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/login');
    await page.getByLabel('Email address').fill(adminPerson.email);
    await page.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/visualization');
    await page.getByText('Upload of garden.json resumed').waitFor();
    await page.getByText('File uploaded and processed successfully for admin@example.com').waitFor();
    expect(gate.firstOffset()).toBeGreaterThan(0);
  });

  test('an upload that another tab ended says so', async () => {
    const visitor = await stage.signedIn('admin');
    const { page, call } = visitor;
    const gate = await holdChunks(page, 1);
    await openTab(page);
    await page.locator('input[type=file]').setInputFiles(bigFile);
    await gate.reached;
    const accounts = await call<{ id: string; email: string }[]>('GET', '/users');
    const { id } = accounts.find(({ email }) => email === adminPerson.email)!;
    const [open] = await call<{ id: string }[]>('GET', `/users/${id}/uploads`);
    const ended = await page.request.delete(`/api/uploads/${open!.id}`, { headers: { 'tus-resumable': '1.0.0' } });
    expect(ended.status()).toBe(204);
    visitor.expectProblem(/status of 404/);
    gate.open();
    // upload/gone
    await page.getByText('Upload failed: it was ended elsewhere, or its user was deleted').waitFor();
  });
});

/** The Upload tab with the admin's own account selected. */
async function openTab(page: Page): Promise<void> {
  await page.goto('/admin?tab=upload');
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^admin@example\.com/ }).click();
  await page.getByRole('heading', { name: 'Recent uploads' }).waitFor();
}

/** Lets `count` chunks through and holds the following ones until it is opened. */
async function holdChunks(page: Page, count: number) {
  let isOpen = false;
  let left = count;
  let firstAfter: number | undefined;
  const held: (() => void)[] = [];
  let reach = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  await page.route('**/api/uploads/*', async (route: Route) => {
    const request = route.request();
    if (request.method() === 'PATCH' && left-- <= 0) {
      reach();
      if (!isOpen) await new Promise<void>((resolve) => held.push(resolve));
      else firstAfter ??= Number(request.headers()['upload-offset']);
    }
    // A chunk that was aborted meanwhile cannot continue.
    await route.continue().catch(() => undefined);
  });
  return {
    reached,
    open() {
      isOpen = true;
      for (const go of held.splice(0)) go();
    },
    /** The offset of the first chunk requested after it was opened. */
    firstOffset: () => firstAfter,
  };
}

/** Drags files over the window and drops them. */
async function drop(page: Page, files: readonly { name: string; text: string }[]): Promise<void> {
  const data = await page.evaluateHandle<unknown>(
    `(() => {
      const data = new DataTransfer();
      for (const { name, text } of ${JSON.stringify(files)}) data.items.add(new File([text], name));
      return data;
    })()`,
  );
  const overlay = page.getByText(/^(Drop to upload for|Please select a user before)/).last();
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await overlay.waitFor();
  await overlay.dispatchEvent('drop', { dataTransfer: data });
}
