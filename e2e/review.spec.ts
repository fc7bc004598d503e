import type { Draft } from '@kc/rules/draft-shapes';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { groupedList, makeDraft, ready, send } from './drafts.ts';
import type { Visitor } from './visitor.ts';

/** Of the keywords of `groupedList`, two of three; and new ones. */
const nextMonth = [
  'Keyword,Volume',
  'red hose,95',
  'blue hose,85',
  'lawn rake,65',
  'leaf rake,55',
  'cat food,35',
  'dog food,25',
  'hoses red,15',
  'chess board,300',
  'chess clock,200',
].join('\n');

story('the review of an update', () => {
  const stage = useStage();

  /** The draft of an update of a published map. */
  async function update(): Promise<Visitor & { readonly draft: Draft }> {
    const visitor = await stage.signedIn('admin');
    const users = await visitor.call<{ id: string; isYou: boolean }[]>('GET', '/users');
    const userId = users.find(({ isYou }) => isYou)!.id;
    const first = await makeDraft(visitor, groupedList, { userId, name: 'tools' });
    await visitor.call('POST', `/drafts/${first.id}/publish`, { after: 0, name: 'tools', description: '' });
    const published = () => visitor.call<Draft>('GET', `/drafts/${first.id}`);
    await expect.poll(async () => (await published()).state).toBe('published');
    const { visualizationId } = await published();
    const begun = await visitor.call<Draft>('POST', '/drafts', {
      userId,
      name: 'tools',
      description: '',
      files: [{ name: 'may.csv', size: Buffer.byteLength(nextMonth), corrections: {} }],
      settings: { preset: 'balanced', grouping: 'none', model: 'none' },
      updateOf: visualizationId,
    });
    await send(visitor.page, begun.files[0]!.id, nextMonth);
    return { ...visitor, draft: await ready(visitor, begun.id) };
  }

  test('is done by keyboard: accept, send to the strays, keep what is gone, undo', async () => {
    const { page, draft } = await update();
    await page.goto(`/visualization?draft=${draft.id}`);
    await page.getByText('3 new · 3 gone').waitFor();
    const added = page.getByRole('tab', { name: /^New \d/ });
    await expect.poll(() => added.getAttribute('aria-selected')).toBe('true');
    expect(await names(page, 'New')).toEqual(['chess board', 'chess clock', 'hoses red']);

    await page.getByRole('button', { name: 'Accept chess board' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Accepted 1.').waitFor();
    await page.getByText('2 new · 3 gone').waitFor();
    expect(await names(page, 'New')).toEqual(['chess clock', 'hoses red']);
    // The next row is at hand.
    await expect.poll(() => focused(page)).toBe('Accept chess clock');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('Send chess clock to the strays');

    await page.getByRole('button', { name: 'Send hoses red to the strays' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Sent 1 keyword to the strays.').waitFor();
    await page.getByText('1 new · 3 gone').waitFor();

    await added.focus();
    await page.keyboard.press('End');
    expect(await names(page, 'Gone')).toEqual(['long hose', 'steel rake', 'bird food']);
    await page.getByRole('button', { name: 'Keep steel rake with last month’s figures' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText("Kept 1 keyword with last month's figures.").waitFor();
    await page.getByText('1 new · 2 gone').waitFor();
    await page.keyboard.press('ControlOrMeta+z');
    await page.getByText('Undone.').waitFor();
    await page.getByText('1 new · 3 gone').waitFor();
    await page.getByRole('button', { name: 'Let all go' }).click();
    await page.getByText('Accepted 3.').waitFor();
    await page.getByText('None are left.').waitFor();

    await added.click();
    await page.getByRole('button', { name: 'Accept all' }).click();
    await page.getByText('Everything is reviewed.').waitFor();
    await page.reload();
    await page.getByText('Everything is reviewed.').waitFor();
  });

  test('shows a keyword on the map, and moves what is selected', async () => {
    const { page, draft } = await update();
    await page.goto(`/visualization?draft=${draft.id}`);
    await page.getByRole('button', { name: 'hoses red', exact: true }).click();
    await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'hoses red' }).waitFor();
    await page.getByRole('checkbox', { name: 'Select chess board' }).check();
    await page.getByRole('checkbox', { name: 'Select chess clock' }).check();
    await page.getByText('2 selected').waitFor();
    const selection = page.getByRole('region', { name: 'Selection', exact: true });
    await selection.getByRole('button', { name: 'Move', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 selected to' });
    await dialog.getByRole('button', { name: /^Pets/ }).click();
    await page.getByText('Moved 2 keywords to Pets.').waitFor();
    await page.getByText('1 new · 3 gone').waitFor();
  });

  test.each(['light', 'dark'] as const)('has no accessibility findings in the %s theme', async (theme) => {
    const { page, draft } = await update();
    await page.goto(`/visualization?draft=${draft.id}&t=${theme}`);
    await page.getByRole('complementary', { name: 'Review' }).getByText('chess board').waitFor();
    await page.getByRole('application').waitFor();
    expect(await violations(page)).toEqual([]);
    // On a phone it opens as a sheet.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByRole('button', { name: 'Review' }).click();
    const sheet = page.getByRole('dialog', { name: 'Review' });
    await sheet.getByText('chess board').waitFor();
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
  });
});

/** The rows of a review list. */
async function names(page: Page, list: string): Promise<string[]> {
  const rows = page.getByRole('list', { name: list, exact: true }).getByRole('listitem');
  await rows.first().waitFor();
  return rows.locator('bdi').allTextContents();
}

const focused = (page: Page) => page.locator(':focus').getAttribute('aria-label');
