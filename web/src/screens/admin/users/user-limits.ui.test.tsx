import type { OwnLimits, UserQuota } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../../../test/page/axe.ts';
import { fakeApi, refuses } from '../../../../test/page/fake-api.ts';
import { accountsOf, openDashboard, person } from '../../../../test/page/open-users.tsx';
import { toPhone } from '../../../../test/page/window.ts';

const row = page.getByRole('row', { name: /jan@example\.com/ });
const drawer = page.getByRole('dialog', { name: 'User details' });
const visualizations = drawer.getByRole('textbox', { name: 'Visualizations' });
const storage = drawer.getByRole('textbox', { name: 'MB of storage' });
const save = drawer.getByRole('button', { name: 'Save limits' });

/** The details of Jan, who has some of what the settings allow. */
async function openLimits(role: 'user' | 'admin' = 'user') {
  let quota: UserQuota = {
    visualizations: { used: 3, byDefault: 5 },
    storageMb: { used: 1_240, byDefault: 3_200 },
    own: { visualizations: null, storageMb: null },
  };
  const set = vi.fn(({ own }: { id: string; own: OwnLimits }) => {
    quota = { ...quota, own };
    return quota;
  });
  await openDashboard('/admin', {
    ...accountsOf(person('jan', { status: 'approved', role })).api,
    'visualizations.list': () => [],
    'quotas.get': () => quota,
    'quotas.set': set,
  });
  if (innerWidth < limits.mobileBelowPx) {
    await page.getByRole('button', { name: 'More actions for jan@example.com' }).click();
    await page.getByRole('button', { name: 'Details' }).click();
  } else {
    await expect.element(row).toBeVisible();
    (row.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  }
  await expect.element(visualizations).toBeVisible();
  return set;
}

// Shows P26.8.
test('REL-66 a user gets limits of their own, and those of the settings again, by the keyboard alone', async () => {
  const set = await openLimits();
  await expect.element(drawer.getByText('3 used of 5, as in the settings')).toBeVisible();
  await expect.element(drawer.getByText('1,240 used of 3,200, as in the settings')).toBeVisible();
  await expect.element(save).toBeDisabled();
  expect(await violations()).toEqual([]);
  visualizations.element().focus();
  await userEvent.keyboard('20{Enter}');
  await expect.element(drawer.getByText('The limits were saved.')).toBeVisible();
  await expect.element(drawer.getByText('3 used of 20')).toBeVisible();
  expect(set).toHaveBeenLastCalledWith({ id: 'jan', own: { visualizations: 20, storageMb: null } });
  await visualizations.fill('');
  await storage.fill('0');
  await save.click();
  await expect.element(drawer.getByText('1,240 used of 0')).toBeVisible();
  expect(set).toHaveBeenLastCalledWith({ id: 'jan', own: { visualizations: null, storageMb: 0 } });
});

test('what is no whole number within the bounds is not saved, and a refusal is shown', async () => {
  const set = await openLimits();
  for (const wrong of ['-1', '2.5', 'many', '10001']) {
    await visualizations.fill(wrong);
    await expect.element(drawer.getByText('A whole number up to 10,000, or nothing.')).toBeVisible();
    await expect.element(save).toBeDisabled();
  }
  expect(set).not.toHaveBeenCalled();
  await visualizations.fill('7');
  // With the ID by which the request is found in the log.
  fakeApi({ 'quotas.set': refuses('fault/unavailable', { id: '5f0c1d2e3a4b' }) });
  await save.click();
  await expect
    .element(drawer.getByText('The server is not ready. Please try again in a moment. (id 5f0c1d2e3a4b)'))
    .toBeVisible();
});

test('it is said that administrators have no limits', async () => {
  await openLimits('admin');
  await expect.element(drawer.getByText('Administrators have no limits.')).toBeVisible();
});

test('on a phone the fields, their hints and the button are whole, and at least as large as a finger needs', async () => {
  await toPhone();
  await openLimits();
  const dialog = drawer.element() as HTMLElement;
  expect(dialog.scrollWidth, 'nothing to scroll sideways').toBeLessThanOrEqual(dialog.clientWidth);
  for (const one of [visualizations, storage, save]) {
    const { left, right, height } = one.element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(innerWidth);
    expect(height).toBeGreaterThanOrEqual(24);
  }
  const hint = drawer.getByText('1,240 used of 3,200, as in the settings').element() as HTMLElement;
  expect(hint.scrollWidth, 'not cut').toBeLessThanOrEqual(hint.clientWidth);
  expect(await violations()).toEqual([]);
});
