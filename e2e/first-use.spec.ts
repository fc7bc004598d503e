import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { uploadFor } from './upload.ts';

/** Runs before the page's own scripts: this browser has not seen the first steps yet. */
const isNew = `try { localStorage.removeItem('explorer-first-steps'); } catch {}`;

const garden = {
  keywords: [],
  hierarchy: {
    name: 'Own garden',
    children: [{ name: 'Rakes', children: [{ name: 'iron rakes' }] }, { name: 'Hoses' }],
  },
};

story('a new user’s first visit', () => {
  const stage = useStage();

  // Shows P13.6, P13.7.
  test('each of the first steps ends when it is done, and new data waits until the user opens it', async () => {
    const { page, context } = await stage.signedIn('approved');
    await context.addInitScript({ content: isNew });
    await page.goto('/visualization');
    await page.getByRole('button', { name: 'Explore a sample' }).click();
    await page.waitForURL(/[?&]v=sample/);
    await page.getByRole('application', { name: /Treemap of Garden shop \(sample data\)/ }).waitFor();
    const outline = page.getByRole('tree', { name: 'Outline' });
    await outline.getByRole('treeitem', { level: 2 }).first().waitFor();
    await outline
      .getByRole('treeitem', { name: /keywords/ })
      .nth(7)
      .waitFor();
    const step = (title: string) => page.getByRole('region', { name: 'First steps' }).getByText(title).waitFor();

    await step('Look inside');
    const map = page.getByRole('application');
    await map.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await step('Back up');
    await page.keyboard.press('Escape');
    await step('Find any keyword');
    await page.getByRole('combobox', { name: 'Search keywords' }).fill('rake');
    await step('The same as a list');
    await page.keyboard.press('Escape');
    await page.getByRole('treeitem', { level: 3 }).first().click();
    await step('That is all');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('region', { name: 'First steps' }).waitFor({ state: 'detached' });

    await uploadFor((await stage.signedIn('admin')).page, 'approved@example.com', garden);
    await page.getByRole('button', { name: 'Your data is here – Open' }).click();
    await page.getByRole('application', { name: /^Treemap of Own garden/ }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });
});
