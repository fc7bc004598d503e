import { createHash } from 'node:crypto';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

const MiB = 2 ** 20;
/** A file of several chunks; after the closing brace there is only white space. */
const big = Buffer.alloc(5 * MiB, ' ');
big.write('{"keywords":["rakes"],"hierarchy":{"name":"Shop","children":["rakes","spades"]}}');
const bigFile = { name: 'garden.json', mimeType: 'application/json', buffer: big };
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

story('the Upload tab', () => {
  const stage = useStage();

  // Shows P9.6.
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
