import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, uncovered, useStage } from './app.ts';
import { violations } from './axe.ts';
import { uploadFor } from './upload.ts';

const real = fileURLToPath(new URL('../../shared/data/seed-shape-real/add-to-website.json', import.meta.url));
const hasReal = existsSync(real);
if (!hasReal) console.log('The story of a score on a real file is skipped: there is no ../shared/data');

const formula = (page: Page) => page.getByRole('combobox', { name: 'Formula' });
const scoreButton = (page: Page, name: string) => page.locator('#edit-score').getByText(name, { exact: true });
const scores = (page: Page) => page.getByText(/have a score/);

/** The score of a row of the table, by its name. */
async function scoreIn(page: Page, name: string): Promise<string> {
  const heads = await page.getByRole('columnheader').allInnerTexts();
  const row = page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  const cell = row
    .first()
    .getByRole('gridcell')
    .nth(heads.findIndex((head) => head.startsWith('Score')));
  // A mark and a note follow a figure that is partly known.
  return (await cell.innerText()).split(/[\s*]/)[0]!;
}

/** Opens a branch of the table unless it is open. */
async function openBranch(page: Page, name: string): Promise<void> {
  const button = page.getByRole('treegrid').getByRole('button', { name: `Open ${name}`, exact: true });
  if (await button.isVisible()) await button.click();
}

story('a score', () => {
  const stage = useStage();

  test.skipIf(!hasReal)(
    'is corrected where it is wrong, applied, shown to a colleague by its link, and assumes what is unknown',
    { timeout: 240_000 },
    async () => {
      const { page: admin } = await stage.signedIn('admin');
      const { page } = await stage.signedIn('approved');
      await uploadFor(admin, 'approved@example.com', JSON.parse(readFileSync(real, 'utf8')));
      await page.goto('/visualization?view=table');
      await page.getByRole('treegrid').waitFor();
      await uncovered(page);
      const before = page.url();

      await page.keyboard.press('o');
      await formula(page).fill('volume * (1 - dificulty / 100)');
      const error = page.getByRole('alert').filter({ hasText: 'Character 15' });
      await error.waitFor();
      expect(await error.innerText()).toBe('Character 15: unknown field “dificulty”. Did you mean “difficulty”?');
      expect(await formula(page).getAttribute('aria-invalid')).toBe('true');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Go to error' }).click();
      expect(await page.evaluate<string>('getSelection()?.toString()')).toBe('dificulty');
      // A wrong formula changes nothing.
      await page.keyboard.press('Enter');
      await formula(page).waitFor();
      expect(page.url()).toBe(before);

      await page.getByRole('button', { name: 'Replace' }).click();
      await scores(page).waitFor();
      expect(await formula(page).inputValue()).toBe('volume * (1 - difficulty / 100)');
      expect(await scores(page).innerText()).toBe('Clusters: 56 of 116 have a score, 60 unknown (difficulty)');
      expect(await page.getByText(/^Highest:/).innerText()).toBe(
        'Highest: Other 26.6K · Bookmarks/Favorites 8,285 · Desktop/Dock 7,884 · Home screen 7,337 · Keywords 6,597',
      );
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Size' }).click();
      await formula(page).press('Enter');
      await page.getByText('Volume × ease is set. Used for sort and size.').waitFor();
      await page.getByRole('columnheader', { name: 'Score' }).waitFor();

      // Pillars by their own figures; their clusters below them, the unknown ones last.
      await openBranch(page, 'UserAction');
      await expect.poll(() => scoreIn(page, 'Home screen')).toBe('7,337');
      expect(await scoreIn(page, 'Bookmarks/Favorites')).toBe('8,285');
      expect(await scoreIn(page, 'Desktop/Dock')).toBe('7,884');
      await expect.poll(() => new URL(page.url()).searchParams.get('score')).toBe('branch.volume*(1-difficulty/100)');
      expect(new URL(page.url()).searchParams.get('size')).toBe('score');

      await page.keyboard.press('o');
      await page.getByRole('button', { name: 'Assume difficulty 50 where unknown' }).click();
      await page.getByText('Clusters: all 116 have a score').waitFor();
      expect(await formula(page).inputValue()).toBe('volume * (1 - ifUnknown(difficulty, 50) / 100)');
      await page.getByRole('button', { name: 'Apply' }).click();
      await formula(page).waitFor({ state: 'detached' });
      await expect
        .poll(() => new URL(page.url()).searchParams.get('score'))
        .toBe('branch.volume*(1-ifUnknown(difficulty,50)/100)');

      // The administrator opens the same link and sees the same score.
      const id = await page.evaluate<string>(
        `fetch('/api/visualizations').then((answer) => answer.json()).then(([one]) => one.id)`,
      );
      await admin.goto(`${page.url()}&v=${id}`);
      await admin.getByRole('columnheader', { name: 'Score' }).waitFor();
      await openBranch(admin, 'UserAction');
      await expect.poll(() => scoreIn(admin, 'Home screen')).toBe('7,337');

      await admin.keyboard.press('o');
      await admin.getByRole('button', { name: 'Remove' }).click();
      await admin.getByText('The score is removed.').waitFor();
      await admin.getByRole('columnheader', { name: 'Score' }).waitFor({ state: 'detached' });
      await expect.poll(() => new URL(admin.url()).searchParams.has('score')).toBe(false);
    },
  );

  test('is written with suggested names by keyboard alone, and its first Escape closes only the list', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await uncovered(page);
    await page.getByRole('application').focus();
    await page.keyboard.press('o');
    await formula(page).waitFor();
    await page.keyboard.type('vol');
    await page.getByRole('option', { name: /^volume/ }).waitFor();
    expect(await formula(page).getAttribute('aria-expanded')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' * kd');
    await page.getByRole('option', { name: /^difficulty/ }).waitFor();
    await page.keyboard.press('Escape');
    expect(await formula(page).getAttribute('aria-expanded')).toBe('false');
    expect(await formula(page).inputValue()).toBe('volume * kd');
    await page.keyboard.press('Escape');
    await formula(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('score')).toBe(false);
  });

  test('is saved under a name, and a link to an equal one shows the name', async () => {
    const { page } = await stage.signedIn('approved');
    await page.goto('/visualization?v=sample');
    await page.getByRole('application').waitFor();
    await uncovered(page);
    await page.getByRole('application').focus();
    await page.keyboard.press('o');
    await formula(page).fill('volume * 2 + keywords');
    const mine = page.getByRole('region', { name: 'My scores' });
    await mine.getByRole('textbox', { name: 'Save this score as' }).fill('Twice');
    await page.keyboard.press('Enter');
    await page.getByText('“Twice” saved').waitFor();
    await mine.getByText('Saved as “Twice”').waitFor();
    expect(await violations(page)).toEqual([]);
    await formula(page).press('Enter');
    await page.getByText('Twice is set. Used for size.').waitFor();
    await scoreButton(page, 'Twice').waitFor();

    // Elsewhere: the link carries the formula alone.
    await page.goto('/visualization?v=sample&score=branch.2*volume%2Bkeywords');
    await scoreButton(page, 'Score').waitFor();
    await page.goto('/visualization?v=sample&score=branch.volume*2%2Bkeywords');
    await scoreButton(page, 'Twice').waitFor();

    await page.keyboard.press('o');
    await mine.getByRole('button', { name: 'Rename: Twice' }).click();
    await mine.getByRole('textbox', { name: 'New name of Twice' }).fill('Double');
    await page.keyboard.press('Enter');
    await scoreButton(page, 'Double').waitFor();
    await formula(page).fill('volume');
    await mine.getByRole('button', { name: 'Double', exact: true }).click();
    expect(await formula(page).inputValue()).toBe('volume * 2 + keywords');
    await mine.getByRole('button', { name: 'Delete: Double' }).click();
    await page.getByText('“Double” deleted').waitFor();
    await scoreButton(page, 'Score').waitFor();
    expect(await formula(page).inputValue()).toBe('volume * 2 + keywords');
  });
});
