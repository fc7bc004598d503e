import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a broken file is refused and leaves nothing behind', () => {
  const stage = useStage();
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kc-broken-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // Line 2 is `"hierarchy":{"name":"Shoes",}}`: the error is the closing brace after the comma, in column 29.
  const text = '{"keywords":["a"],\n"hierarchy":{"name":"Shoes",}}\n';
  const byte = text.indexOf(',}') + 1;
  const where = `at byte ${byte} (line 2, column ${byte - text.indexOf('\n')})`;

  test('the message says what is wrong, and its byte, line and column', async () => {
    const { page, call, expectProblem } = await stage.signedIn('admin');
    // A file this small may have been received completely before it can be deleted.
    expectProblem(/status of 400/);
    const file = join(folder, 'broken.json');
    writeFileSync(file, text);
    await page.goto('/admin?tab=upload');
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: /^admin@example\.com/ }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    const banner = page.getByRole('alert').getByText(/^Invalid JSON file: /);
    await banner.waitFor();
    expect(await banner.innerText()).toContain(where);
    const uploaded = await call<{ isSample: boolean }[]>('GET', '/visualizations');
    expect(uploaded.filter(({ isSample }) => !isSample)).toEqual([]);
  });

  test('an upload that the server creates only after the refusal is deleted', async () => {
    const { page } = await stage.signedIn('admin');
    const file = join(folder, 'late.json');
    writeFileSync(file, '[1, 2]');
    await page.goto('/admin?tab=upload');
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: /^admin@example\.com/ }).click();
    let answer: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/uploads', async (route) => {
      const response = await route.fetch();
      await refused;
      await route.fulfill({ response });
    });
    await page.locator('input[type=file]').setInputFiles(file);
    await page
      .getByRole('alert')
      .getByText(/^Invalid JSON file: /)
      .waitFor();
    const takenBack = page.waitForResponse((response) => response.request().method() === 'DELETE');
    answer();
    expect((await takenBack).status()).toBe(204);
    await page.reload();
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: /^admin@example\.com/ }).click();
    await page.getByRole('heading', { name: 'Recent uploads' }).waitFor();
    await page.getByText('broken.json', { exact: true }).or(page.getByText('Nothing was uploaded')).first().waitFor();
    expect(await page.getByText('late.json').count()).toBe(0);
  });

  test('a file that is not JSON by name and type is refused before it is read', async () => {
    const { page } = await stage.signedIn('admin');
    const file = join(folder, 'notes.pdf');
    writeFileSync(file, 'notes');
    await page.goto('/admin?tab=upload');
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: /^admin@example\.com/ }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Only JSON files are supported').waitFor();
  });
});
