import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';

const list = (name: string, words: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`Keyword,Reach\n${words.map((word, at) => `${word},${at}`).join('\n')}\n`),
});

story('remembered corrections of a list', () => {
  const stage = useStage();

  test('the next list with the same header is read as the last one was corrected, until that is forgotten', async () => {
    const visitor = await stage.signedIn('admin');
    const { page } = visitor;
    await openTab(page);
    await choose(page, list('april.csv', ['red hose', 'blue hose']));
    await meaning(page).getByText('Keep as it is').waitFor();
    await correct(page, 'Search volume');
    await page.getByRole('button', { name: /^Cluster 2 keywords/ }).click();
    await page.waitForURL(/\/visualization\?draft=/, { timeout: 60_000 });

    await openTab(page);
    await choose(page, list('may.csv', ['green hose', 'long hose', 'short hose']));
    await page.getByText(/^Read as you corrected it on [A-Z][a-z]{2} \d+\.$/).waitFor();
    await meaning(page).getByText('Search volume').waitFor();
    await page.getByText('3 rows · 3 keywords').waitFor();
    await correct(page, 'Difficulty');
    await page.getByText(/^Read as you corrected it/).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove may.csv' }).click();
    await choose(page, list('may.csv', ['green hose', 'long hose', 'short hose']));
    await page.getByText(/^Read as you corrected it/).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.route('**/list-readings/forget', (route) => route.abort());
    visitor.expectProblem(/net::ERR_FAILED/);
    await page.getByRole('button', { name: 'Forget the corrections of may.csv' }).click();
    await page.getByText(/^The corrections were not forgotten: /).waitFor();
    await meaning(page).getByText('Search volume').waitFor();
    await page.unroute('**/list-readings/forget');
    await page.getByRole('button', { name: 'Forget the corrections of may.csv' }).click();
    await page.getByText('Forgotten. The list is read without corrections.').waitFor();
    await meaning(page).getByText('Keep as it is').waitFor();
    expect(await page.evaluate<string>('document.activeElement?.textContent')).toContain('Forgotten.');
    expect(await violations(page)).toEqual([]);
    // Neither sentence stays when it is not true any more.
    await correct(page, 'Search volume');
    await page.getByText('Forgotten. The list is read without corrections.').waitFor({ state: 'detached' });
    expect(await page.getByText(/^Read as you corrected it/).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove may.csv' }).click();
    await page.getByText('Drop a keyword list or a JSON file here, or choose a file').waitFor();

    const answer = page.waitForResponse('**/api/list-readings/find');
    await choose(page, list('june.csv', ['thin hose']));
    expect(await (await answer).json()).toEqual({});
    await meaning(page).getByText('Keep as it is').waitFor();
  });
});

async function openTab(page: Page): Promise<void> {
  await page.goto('/admin?tab=upload');
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: /^admin@example\.com/ }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

async function correct(page: Page, to: string): Promise<void> {
  await meaning(page).click();
  await page.getByRole('option', { name: to, exact: true }).click();
  await page.getByRole('listbox').waitFor({ state: 'detached' });
}

const meaning = (page: Page) => page.getByRole('combobox', { name: 'Meaning of column Reach', exact: true });

const choose = (page: Page, file: ReturnType<typeof list>): Promise<void> =>
  page.getByLabel('JSON file or keyword lists').and(page.locator('input')).setInputFiles(file);
