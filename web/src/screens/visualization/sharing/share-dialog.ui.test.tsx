import type { ShareLink } from '@kc/rules/link-shapes';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import type { Handlers } from '../../../../test/page/fake-api.ts';
import { garden } from '../../../../test/page/garden.ts';
import { isGone, shows } from '../../../../test/page/in-explorer.ts';
import { screenSettings } from '../../../../test/page/open-app.tsx';
import { openExplorer } from '../../../../test/page/open-explorer.tsx';

const link: ShareLink = {
  id: 'link-1',
  kind: 'colleague',
  sharedWith: 'bob@example.com',
  maker: 'Ann',
  withPlan: true,
  mayEditPlan: true,
  withDownloads: false,
  createdAt: 0,
  expiresAt: Date.UTC(2027, 2, 12, 12),
  opened: 0,
  isResting: false,
};
const makeLink = vi.fn<NonNullable<Handlers['links.make']>>((input) => ({
  ...link,
  mayEditPlan: input.kind === 'colleague' && input.mayEditPlan === true,
  token: 'a'.repeat(43),
}));
const dialog = page.getByRole('dialog', { name: 'Share with a person' });
const mayEdit = dialog.getByRole('switch', { name: 'Allow editing the plan' });

async function openDialog(api: Handlers = {}): Promise<void> {
  makeLink.mockClear();
  const settings = { ...screenSettings, clientLinks: true };
  await openExplorer(garden, {
    api: { 'links.list': () => [], 'links.make': makeLink, 'settings.screen': () => settings, ...api },
  });
  await chooseShare();
}

async function chooseShare(): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Share with a person…' }).click();
  await expect.element(dialog).toBeVisible();
}

// Shows P25.7.
test('a colleague may edit the plan only if that is switched on', async () => {
  await openDialog();
  await expect.element(mayEdit).not.toBeChecked();
  expect(await violations(dialog.element())).toEqual([]);
  await dialog.getByLabelText('Email').fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Create another' }).click();
  expect(makeLink.mock.lastCall?.[0]).toMatchObject({ kind: 'colleague', withPlan: true, mayEditPlan: false });
  await dialog.getByLabelText('Email').fill('bob@example.com');
  await mayEdit.click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Create another' }).click();
  expect(makeLink.mock.lastCall?.[0]).toMatchObject({ mayEditPlan: true });
});

test('a link without the plan, or for people without an account, cannot edit it', async () => {
  await openDialog();
  await mayEdit.click();
  await dialog.getByRole('switch', { name: 'Show the plan' }).click();
  await isGone(mayEdit);
  await dialog.getByRole('switch', { name: 'Show the plan' }).click();
  await dialog.getByText('Anybody with the link').click();
  await dialog.getByRole('switch', { name: 'Show the plan' }).click();
  await isGone(mayEdit);
  await dialog.getByLabelText('Whom it is for').fill('ACME');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByRole('button', { name: 'Create another' }).click();
  expect(makeLink.mock.lastCall?.[0]).not.toHaveProperty('mayEditPlan');
});

test('the list says which links may edit the plan', async () => {
  const reading = { ...link, id: 'link-2', sharedWith: 'cara@example.com', mayEditPlan: false };
  await openDialog({ 'links.list': () => [link, reading] });
  const lines = dialog.getByRole('region', { name: 'Links of this visualization' }).getByRole('listitem');
  await expect.element(lines.nth(0).getByText('Edits the plan')).toBeVisible();
  await expect.element(lines.nth(0).getByText(/with the plan to edit/)).toBeVisible();
  expect(lines.nth(1).element().textContent).not.toContain('Edits the plan');
  await shows('cara@example.com');
});

test('a link is shown once: the dialog opens again with the form', async () => {
  await openDialog();
  await dialog.getByLabelText('Email').fill('bob@example.com');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect.element(dialog.getByLabelText('Link for bob@example.com')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await isGone(dialog);
  await chooseShare();
  await expect.element(dialog.getByLabelText('Email')).toHaveValue('');
});
