import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { cardAt, focus, follow, outline, picture, pressInPicture, shows } from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';
import { resize, toPhone } from '../../../../test/page/window.ts';

/** Plants have the most volume, Tools the most keywords. */
test.each([
  { size: 'volume', caption: 'Sorted by volume. Bars: share of parent', pillars: ['Plants', 'Tools', 'Watering'] },
  { size: 'keywords', caption: 'Sorted by keywords. Bars: share of parent', pillars: ['Tools', 'Plants', 'Watering'] },
])('sized by $size the outline and the arrow keys go by it, and the caption says so', async (given) => {
  const { size, caption, pillars } = given;
  await openExplorer(garden, { search: `?size=${size}` });
  await shows(caption);
  const lines = outline.getByRole('treeitem', { level: 2 });
  await expect.poll(() => lines.elements().map((one) => one.querySelector('[title]')!.textContent)).toEqual(pillars);
  await focus(picture);
  await userEvent.keyboard('{ArrowDown}');
  for (const [nth, name] of pillars.entries()) {
    const said = new RegExp(`^${name}, .*, ${nth + 1} of 3, `);
    await expect.element(page.getByRole('status').filter({ hasText: said })).toBeInTheDocument();
    await userEvent.keyboard('{ArrowRight}');
  }
});

test('the picture points at the line of what is selected, and at nothing where there is no outline', async () => {
  await openExplorer(garden);
  await pressInPicture('{ArrowDown}');
  const pointedAt = () => {
    const id = picture.element().getAttribute('aria-activedescendant');
    return id === null ? 'nothing' : document.getElementById(id)?.getAttribute('role');
  };
  await expect.poll(pointedAt).toBe('treeitem');
  await toPhone();
  await expect.poll(pointedAt).toBe('nothing');
  await resize(1440, 900);
  await expect.poll(pointedAt).toBe('treeitem');
});

test('a line says whether its branch is open', async () => {
  await openExplorer(garden);
  await pressInPicture('{ArrowDown}');
  const plants = outline.getByRole('treeitem', { level: 2 }).first();
  await focus(outline);
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(plants).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(plants).toHaveAttribute('aria-expanded', 'true');
});

test('a card gives the share that sizes show', async () => {
  await openExplorer(garden, { search: '?size=volume' });
  expect(await cardAt(0.2, 0.2)).toMatch(/ % of the volume of /);
  await page.getByRole('combobox', { name: 'Size by' }).click();
  await page.getByRole('option', { name: 'Keywords' }).click();
  await expect.poll(() => cardAt(0.21, 0.2)).toMatch(/ % of the keywords of /);
});

test('names that show nothing have a text wherever they are listed', async () => {
  const children = [
    {
      name: '\u200b\u200d',
      children: [
        { name: '  ', type: 'keyword' },
        { name: 'rake', type: 'keyword' },
      ],
    },
  ];
  await openExplorer({ keywords: [], hierarchy: { name: ' ', children } });
  const named = outline.getByRole('treeitem', { name: /^\(blank\)/ });
  await expect.element(named.nth(2)).toBeVisible();
  await named.nth(1).click();
  await expect
    .element(page.getByRole('region', { name: 'All about the selection' }).getByText('(blank)').first())
    .toBeVisible();
  await follow('?view=table&level=keywords');
  await expect.element(page.getByRole('row', { name: /^\(blank\) \(blank\)/ })).toBeVisible();
});
