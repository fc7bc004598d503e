import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

const picture = (page: Page, view: string) => page.getByRole('application', { name: new RegExp(`^${view} of`) });
const openers = (page: Page) => page.getByRole('dialog', { name: 'Saved views' }).locator('[data-open]');
const listed = async (page: Page) =>
  (await openers(page).allInnerTexts()).map((text) => text.replace(/^\d+\s*/, '').trim());
const announced = (page: Page) =>
  page
    .getByRole('region', { name: /^Presentation/ })
    .getByRole('status')
    .innerText();

/** Presses the shortcut with the focus in the chart, and saves the view. */
async function saveByKey(page: Page, view: string, name?: string): Promise<string> {
  await picture(page, view).focus();
  await page.keyboard.press('Shift+S');
  const field = page.getByRole('textbox', { name: 'Save this view as' });
  await page.getByRole('heading', { name: 'Saved views' }).waitFor();
  if (name !== undefined) await field.fill(name);
  const saved = await field.inputValue();
  await field.press('Enter');
  await page.getByText(`“${saved}” saved`).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor({ state: 'detached' });
  return saved;
}

story('views are saved and presented', () => {
  const stage = useStage();

  test('two are saved with keys, restored after a reload, stepped through, and one is deleted and undone', async () => {
    const person = await stage.signedIn('approved');
    const { page } = person;
    await page.goto('/visualization?v=sample&view=sunburst&color=difficulty');
    await picture(page, 'Sunburst').waitFor();
    const first = await saveByKey(page, 'Sunburst');
    expect(first).toBe('Garden shop (sample data) – Sunburst, colour by difficulty');
    await page.getByRole('radio', { name: 'Icicle' }).check();
    await picture(page, 'Icicle').waitFor();
    await saveByKey(page, 'Icicle', 'Everything in a row');

    await page.goto('/visualization?v=sample');
    await picture(page, 'Treemap').focus();
    await page.keyboard.press('p');
    await expect.poll(() => announced(page)).toBe(`1 of 2 · ${first}`);
    await picture(page, 'Sunburst').waitFor();
    // Nothing else is reachable: neither the header nor the bars.
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => announced(page)).toBe('2 of 2 · Everything in a row');
    await picture(page, 'Icicle').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => announced(page)).toBe(`1 of 2 · ${first}`);
    await page.keyboard.press(' ');
    await expect.poll(() => announced(page)).toBe('2 of 2 · Everything in a row');
    await page.keyboard.press('Escape');
    await page.getByRole('banner').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('application');
    expect(new URL(page.url()).searchParams.get('view')).toBe('icicle');
    // The whole presentation is one history entry.
    await page.goBack();
    await picture(page, 'Treemap').waitFor();

    await page.getByRole('button', { name: 'Save view' }).click();
    await expect.poll(() => listed(page)).toEqual([first, 'Everything in a row']);
    await page.getByRole('button', { name: `Delete: ${first}` }).click();
    await expect.poll(() => listed(page)).toEqual(['Everything in a row']);
    await expect.poll(() => page.evaluate('document.activeElement.hasAttribute("data-open")')).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`“${first}” is back`).waitFor();
    const kept = await person.call<{ name: string; state: string }[]>('GET', '/visualizations/sample/views');
    expect(kept.map(({ name }) => name)).toEqual([first, 'Everything in a row']);
    expect(kept[0]!.state).toBe('view=sunburst&color=difficulty');
  });

  test('they are reordered with keys and by dragging, renamed, and opened from everywhere', async () => {
    const person = await stage.signedIn('admin');
    const { page } = person;
    for (const [name, state] of [
      ['One', 'view=tree'],
      ['Two', 'view=bubbles&color=volume'],
      ['Three', 'view=icicle'],
    ]) {
      await person.call('POST', '/visualizations/sample/views', { name, state });
    }
    await page.goto('/visualization?v=sample');
    await picture(page, 'Treemap').waitFor();
    await page.getByRole('button', { name: 'Save view' }).click();
    await expect.poll(() => listed(page)).toEqual(['One', 'Two', 'Three']);
    await openers(page).nth(0).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => listed(page)).toEqual(['Two', 'One', 'Three']);
    const grip = page.getByTitle('Drag to another place').nth(2);
    const from = (await grip.boundingBox())!;
    const to = (await page.getByTitle('Drag to another place').nth(0).boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => listed(page)).toEqual(['Three', 'Two', 'One']);
    await openers(page).nth(1).focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'New name of Two' }).fill('By volume');
    await page.keyboard.press('Enter');
    await expect.poll(() => listed(page)).toEqual(['Three', 'By volume', 'One']);
    const kept = await person.call<{ name: string }[]>('GET', '/visualizations/sample/views');
    expect(kept.map(({ name }) => name)).toEqual(['Three', 'By volume', 'One']);
    await openers(page).nth(1).click();
    await picture(page, 'Bubbles').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      v: 'sample',
      view: 'bubbles',
      color: 'volume',
    });

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'My Visualizations' }).click();
    await page.getByRole('link', { name: 'One', exact: true }).click();
    await picture(page, 'Tree').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'What to do' }).fill('three');
    await page.getByRole('option', { name: 'Three', exact: true }).click();
    await picture(page, 'Icicle').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'What to do' }).fill('save this view');
    await page.getByRole('option', { name: 'Save this view', exact: true }).click();
    await page.getByText('Saved already as “Three”').waitFor();
  });

  test('without any, a presentation says what to do, and keys of hidden parts do nothing', async () => {
    const { page } = await stage.signedIn('approved');
    await page.route('**/api/visualizations/*/views', (route) => route.fulfill({ json: [] }));
    await page.goto('/visualization?v=sample');
    await picture(page, 'Treemap').focus();
    await page.keyboard.press('p');
    await expect.poll(() => announced(page)).toMatch(/^No view is saved yet/);
    for (const key of ['ArrowRight', ' ', 'v', '3', '[', 'f', 'Shift+S']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('complementary', { name: 'Outline' }).waitFor();
    await picture(page, 'Treemap').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
