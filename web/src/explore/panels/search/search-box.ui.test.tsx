import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { garden } from '../../../../test/page/garden.ts';
import { addressSays, focus, inAddress, isGone, picture } from '../../../../test/page/in-explorer.ts';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const box = page.getByRole('combobox', { name: 'Search keywords' });

// Shows P15.7.
test('hits are previewed without moving, opened, stepped through and turned into a filter', async () => {
  // One level: hits below it have no mark of their own.
  await openExplorer(garden, { search: '?d=1' });
  await box.fill('spade');
  const hits = page.getByRole('listbox', { name: 'Matches' }).getByRole('option');
  await expect.element(hits.first()).toBeVisible();
  await addressSays('q', 'spade');
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  // The list and the path say which mark is highlighted instead.
  await expect.element(hits.nth(2).getByText('Inside Tools')).toBeVisible();
  await expect.element(page.getByRole('navigation', { name: 'Path' }).getByText('Spades')).toBeVisible();
  expect(['n', 'sel', 'cam'].map(inAddress)).toEqual([null, null, null]);
  await userEvent.keyboard('{Enter}');
  await addressSays('sel', /^[0-9a-f]{16}$/);
  await focus(picture);
  const steps = page.getByRole('region', { name: 'Matches' });
  const at = () => Number.parseInt(steps.element().textContent!, 10);
  await expect.element(steps.getByText(/^\d+ of \d+$/)).toBeVisible();
  const first = at();
  await userEvent.keyboard('n');
  await expect.poll(at).toBe(first + 1);
  await userEvent.keyboard('{Shift>}N{/Shift}');
  await expect.poll(at).toBe(first);

  await focus(box);
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await addressSays('f', 'has-spade');
  await expect.element(page.getByRole('button', { name: 'Remove filter: Contains “spade”' })).toBeVisible();
});

// Shows P15.8.
test('a command and a keyword are found in the same place', async () => {
  await openExplorer(garden);
  await userEvent.keyboard('{Control>}k{/Control}');
  const field = page.getByRole('combobox', { name: 'What to do' });
  await field.fill('sunburst');
  await expect.element(page.getByRole('option', { name: /Sunburst/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await addressSays('view', 'sunburst');
  await isGone(field);
  await userEvent.keyboard('{Control>}k{/Control}');
  await field.fill('climbing');
  await page
    .getByRole('option', { name: /^climbing rose/ })
    .first()
    .click();
  await expect.poll(() => `${inAddress('n') ?? ''}${inAddress('sel') ?? ''}`).toMatch(/[0-9a-f]{16}/);
});
