import type { Visualization } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { isOffline } from '../../../test/page/fake-api.ts';
import { garden } from '../../../test/page/garden.ts';
import { details, isOpen, line } from '../../../test/page/in-explorer.ts';
import { mapsApi, visualization } from '../../../test/page/maps-api.ts';
import { openApp } from '../../../test/page/open-app.tsx';
import { accountsOf, person } from '../../../test/page/open-users.tsx';

const picker = page.getByRole('dialog', { name: 'Visualizations' });
const bobs = { userId: 'bob', userEmail: 'bob@example.com' };

/** Opens Bob's map for an administrator, whose own one is “Hats”. @param list what the server says that Bob has */
async function openBobs(list: () => Visualization[] | Promise<never> = () => []): Promise<void> {
  const maps = await mapsApi({ upload: garden, record: bobs });
  const own = [visualization({ id: 'own', rootName: 'Hats' })];
  const lists = { 'visualizations.list': ({ userId }: { userId?: string | undefined }) => (userId ? list() : own) };
  await openApp('/visualization?v=map', { as: 'admin', api: { ...maps, ...accountsOf(person('bob')).api, ...lists } });
  await isOpen();
}

const openPicker = () => page.getByRole('button', { name: 'My Visualizations' }).click();

test('a search of one person’s list hides nothing in the list of another', async () => {
  const many = Array.from({ length: 9 }, (_, at) =>
    visualization({ ...bobs, id: `bob-${at}`, rootName: `Shoes ${at}` }),
  );
  await openBobs(() => many);
  await openPicker();
  await picker.getByRole('searchbox', { name: 'Search visualizations' }).fill('Shoes 3');
  await expect.poll(() => picker.getByRole('listitem').elements().length).toBe(1);
  await picker.getByRole('searchbox', { name: 'Search visualizations' }).fill('Boots');
  await expect.element(picker.getByText('Nothing matches “Boots”')).toBeVisible();
  await picker.getByRole('combobox', { name: 'Visualizations of' }).click();
  await page.getByRole('option', { name: /^You/ }).click();
  await expect.element(picker.getByRole('link', { name: /^Hats/ })).toBeVisible();
});

test('a list that cannot be loaded says so, and can be asked for again', async () => {
  let isCutOff = true;
  await openBobs(() => (isCutOff ? isOffline() : []));
  await openPicker();
  await expect.element(picker.getByRole('alert')).toBeVisible();
  isCutOff = false;
  await picker.getByRole('button', { name: 'Try again' }).click();
  await expect.element(picker.getByText('No visualizations yet')).toBeVisible();
});

test('an administrator who names the months of somebody else’s map sees them at once', async () => {
  await openBobs();
  await line('Roses').click();
  await expect.element(details.getByText(/^Peak: month 6 of 12/)).toBeVisible();
  await details.getByRole('button', { name: 'Name the months…' }).click();
  await details.getByRole('combobox', { name: 'Which month is the newest?' }).click();
  await page.getByRole('option').nth(1).click();
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.element(details.getByText(/^Peak: [A-Z][a-z]{2} \d{4}/)).toBeVisible();
});
