import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { garden, gardenWithGnomes } from '../../../../test/page/garden.ts';
import {
  addressSays,
  focus,
  follow,
  inAddress,
  isGone,
  pressInPicture,
  shows,
} from '../../../../test/page/in-explorer.ts';
import { address, openApp } from '../../../../test/page/open-app.tsx';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { savedScores } from '../../../../test/page/saved-texts.ts';
import { resize } from '../../../../test/page/window.ts';

const formula = page.getByRole('combobox', { name: 'Formula' });
const summary = page.getByText(/have a score/);
const table = page.getByRole('treegrid');
const scoreButton = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} ?(, set)?$`) }).first();
const text = () => (formula.element() as HTMLInputElement).value;
const isWritten = (what: string) => expect.poll(text).toBe(what);

/** The score of a row of the table, by its name. A mark and a note follow a figure that is partly known. */
function scoreIn(name: string): string | undefined {
  const heads = page.getByRole('columnheader').elements();
  const at = heads.findIndex((head) => head.textContent?.startsWith('Score'));
  const row = table.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
  return row.elements()[0]?.querySelectorAll('[role=gridcell]')[at]?.textContent?.split(/[\s*]/)[0];
}

async function openEditor(): Promise<void> {
  await focus(table);
  await userEvent.keyboard('o');
  await expect.element(formula).toBeVisible();
}

// Shows P15.20, P15.22.
test('a score is corrected where it is wrong, applied, the same in its link, and assumes what is unknown', async () => {
  await openExplorer(gardenWithGnomes, { search: '?view=table&d=1' });
  const before = location.search;
  await openEditor();
  await formula.fill('volume * (1 - dificulty / 100)');
  const error = page.getByRole('alert').filter({ hasText: 'Character 15' });
  await expect.element(error).toHaveTextContent('Character 15: unknown field “dificulty”. Did you mean “difficulty”?');
  await expect.element(formula).toHaveAttribute('aria-invalid', 'true');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Go to error' }).click();
  expect(getSelection()!.toString()).toBe('dificulty');
  // A wrong formula changes nothing.
  await userEvent.keyboard('{Enter}');
  await expect.element(formula).toBeVisible();
  expect(location.search).toBe(before);

  await page.getByRole('button', { name: 'Replace' }).click();
  await isWritten('volume * (1 - difficulty / 100)');
  await expect.element(summary).toHaveTextContent('Clusters: 5 of 6 have a score, 1 unknown (difficulty)');
  await shows('Highest: Roses 533 · Spades 138 · Rakes 128 · Hoses 90 · Herbs 57');
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Size' }).click();
  await focus(formula);
  await userEvent.keyboard('{Enter}');
  await shows('Volume × ease is set. Used for sort and size.');

  // Pillars by their own figures, and their clusters below them.
  await page.getByRole('button', { name: 'Open Plants' }).click();
  await expect.poll(() => ['Plants', 'Roses', 'Herbs'].map(scoreIn)).toEqual(['630', '533', '57']);
  await addressSays('score', 'branch.volume*(1-difficulty/100)');
  expect(inAddress('size')).toBe('score');

  await openEditor();
  await page.getByRole('button', { name: 'Assume difficulty 50 where unknown' }).click();
  await shows('Clusters: all 6 have a score');
  await isWritten('volume * (1 - ifUnknown(difficulty, 50) / 100)');
  await page.getByRole('button', { name: 'Apply' }).click();
  await isGone(formula);
  await addressSays('score', 'branch.volume*(1-ifUnknown(difficulty,50)/100)');

  // An administrator opens the same link and sees the same score.
  await openApp(`${address()}&v=map`, { as: 'admin' });
  await page.getByRole('button', { name: 'Open Decoration' }).click();
  await expect.poll(() => ['Plants', 'Gnomes'].map(scoreIn)).toEqual(['630', '20']);
  await openEditor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await shows('The score is removed.');
  await isGone(page.getByRole('columnheader', { name: 'Score' }));
  await addressSays('score', null);
});

test('a score is written with suggested names by keyboard alone, and the first Escape closes only the list', async () => {
  await openExplorer(garden);
  await pressInPicture('o');
  await expect.element(formula).toHaveFocus();
  await userEvent.keyboard('vol');
  await expect.element(page.getByRole('option', { name: /^volume/ })).toBeVisible();
  await expect.element(formula).toHaveAttribute('aria-expanded', 'true');
  expect(await violations()).toEqual([]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await userEvent.keyboard(' * kd');
  await expect.element(page.getByRole('option', { name: /^difficulty/ })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(formula).toHaveAttribute('aria-expanded', 'false');
  expect(text()).toBe('volume * kd');
  await userEvent.keyboard('{Escape}');
  await isGone(formula);
  expect(inAddress('score')).toBeNull();
});

// Shows P15.30.
test('a score is saved under a name, and a link to an equal one shows the name', async () => {
  await openExplorer(garden, { api: savedScores() });
  await pressInPicture('o');
  await formula.fill('volume * 2 + keywords');
  const mine = page.getByRole('region', { name: 'My scores' });
  await mine.getByRole('textbox', { name: 'Save this score as' }).fill('Twice');
  await userEvent.keyboard('{Enter}');
  await shows('“Twice” saved');
  await expect.element(mine.getByText('Saved as “Twice”')).toBeVisible();
  expect(await violations()).toEqual([]);
  await focus(formula);
  await userEvent.keyboard('{Enter}');
  await shows('Twice is set. Used for size.');
  await expect.element(scoreButton('Twice')).toBeVisible();

  // Elsewhere: the link carries the formula alone.
  await follow('?score=branch.2*volume%2Bkeywords');
  await expect.element(scoreButton('Score')).toBeVisible();
  await follow('?score=branch.volume*2%2Bkeywords');
  await expect.element(scoreButton('Twice')).toBeVisible();

  await pressInPicture('o');
  await mine.getByRole('button', { name: 'Rename: Twice' }).click();
  await mine.getByRole('textbox', { name: 'New name of Twice' }).fill('Double');
  await userEvent.keyboard('{Enter}');
  await expect.element(scoreButton('Double')).toBeVisible();
  await formula.fill('volume');
  await mine.getByRole('button', { name: 'Double' }).click();
  await isWritten('volume * 2 + keywords');
  await mine.getByRole('button', { name: 'Delete: Double' }).click();
  await shows('“Double” deleted');
  await expect.element(scoreButton('Score')).toBeVisible();
  expect(text()).toBe('volume * 2 + keywords');
});

test('one click on a preset changes the score, and its formula can be changed afterwards', async () => {
  await openExplorer(garden, { search: '?view=table&d=1' });
  await openEditor();
  const preset = page.getByRole('button', { name: 'Volume × ease' }).and(page.getByRole('button', { pressed: false }));
  await preset.click();
  await shows('Volume × ease is set. Used for sort.');
  await addressSays('score', 'branch.volume*(1-difficulty/100)');
  await expect.element(page.getByRole('button', { name: 'Volume × ease', pressed: true }).first()).toBeVisible();
  await isWritten('volume * (1 - difficulty / 100)');
  await formula.fill('volume * (1 - difficulty / 200)');
  await page.getByRole('button', { name: 'Apply' }).click();
  await addressSays('score', 'branch.volume*(1-difficulty/200)');
});

test('a formula that is not applied stays when the window becomes that of a phone and back, until it is closed', async () => {
  await openExplorer(garden, { search: '?view=table&d=1' });
  await openEditor();
  await formula.fill('volume * 3');
  await page.getByRole('radio', { name: 'Highest' }).click();
  await page.getByRole('button', { name: 'Size', exact: true }).click();
  for (const [width, height] of [[390, 844] as const, [1440, 900] as const]) {
    await resize(width, height);
    await isWritten('volume * 3');
    await expect.element(page.getByRole('radio', { name: 'Highest' })).toBeChecked();
    await expect
      .element(page.getByRole('button', { name: 'Size', exact: true }))
      .toHaveAttribute('aria-pressed', 'true');
  }
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await openEditor();
  await isWritten('');
});
