import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { story, useStage } from './app.ts';

story('a broken file is refused and leaves nothing behind', () => {
  const stage = useStage({ env: { SAMPLE: 'off' } });
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kc-broken-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  // Line 2 is `"hierarchy":{"name":"Shoes",}}`: its closing brace after the comma is the mistake, in column 29.
  const text = '{"keywords":["a"],\n"hierarchy":{"name":"Shoes",}}\n';
  const byte = text.indexOf(',}') + 1;
  const where = `at byte ${byte} (line 2, column ${byte - text.indexOf('\n')})`;

  test('the message says what is wrong, at which byte, line and column', async () => {
    const { page, call, expectProblem } = await stage.signedIn('admin');
    // So small a file may have arrived before it can be taken back.
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
    expect(await call('GET', '/visualizations')).toEqual([]);
  });

  test('a file that is no JSON by name and type is refused before anything is read', async () => {
    const { page } = await stage.signedIn('admin');
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'notes');
    await page.goto('/admin?tab=upload');
    await page.getByRole('combobox', { name: 'Select User' }).click();
    await page.getByRole('option', { name: /^admin@example\.com/ }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('Only JSON files are supported').waitFor();
  });
});
