import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pressSequence, story, useStage } from './app.ts';
import { groupedList, makeDraft } from './drafts.ts';
import type { Visitor } from './visitor.ts';

story('a draft', () => {
  const stage = useStage();

  async function admin(): Promise<Visitor & { readonly userId: string }> {
    const visitor = await stage.signedIn('admin');
    const users = await visitor.call<{ id: string; isYou: boolean }[]>('GET', '/users');
    return { ...visitor, userId: users.find(({ isYou }) => isYou)!.id };
  }

  // Shows P22.6.
  test('in two tabs shows the same, and the tab that is behind says so', async () => {
    const { page, userId, context, ...visitor } = await admin();
    visitor.expectProblem(/409/);
    const draft = await makeDraft({ page, context, ...visitor }, groupedList, { userId, name: 'tools' });
    const other = await context.newPage();
    await open(page, draft.id);
    await open(other, draft.id);
    await goTo(page, 'Rakes');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('Brooms');
    await page.keyboard.press('Enter');
    await row(other, /^Brooms\b/).waitFor();

    // The other tab does not hear of the next change before it makes one itself.
    await other.route('**/api/drafts/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    visitor.expectProblem(/ERR_FAILED/);
    await goTo(page, 'Hoses');
    await pressSequence(page, 'e', 'l');
    await page.getByText('Locked 1 cluster.').waitFor();
    await goTo(other, 'Brooms');
    await pressSequence(other, 'e', 'l');
    await other
      .getByText('This draft has changed in the meantime. You now see its current state; try again.')
      .waitFor();
  });
});

async function open(page: Page, id: string): Promise<void> {
  await page.goto(`/visualization?draft=${id}`);
  await page.getByRole('treeitem').nth(1).waitFor();
  await page.getByRole('application').waitFor();
}

const row = (page: Page, name: RegExp) => page.getByRole('treeitem', { name });

/** Goes to a row of the outline by typing the beginning of its name, as type-ahead does. */
async function goTo(page: Page, name: string): Promise<void> {
  await page
    .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
    .first()
    .waitFor();
  await page
    .getByRole('treeitem', { name: new RegExp(`^${name}\\b`) })
    .first()
    .click();
  await expectCurrent(page, new RegExp(`^${name}`));
}

/** Waits until the outline has the focus and its current row has this name. */
async function expectCurrent(page: Page, name: RegExp): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate<string>(`document.getElementById(
        document.activeElement?.getAttribute('aria-activedescendant') ?? '')?.innerText ?? ''`),
    )
    .toMatch(name);
}
