import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { insertAccounts } from './many-accounts.ts';

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`${name}@example`) });

story('an admin manages the users', () => {
  const stage = useStage();

  test('opens a list while the previous one fades, and keeps it open', async () => {
    const { page, context } = await stage.signedIn('admin', { reducedMotion: 'no-preference' });
    await insertAccounts(stage.server, ['hugo'], 'approved');
    await page.goto('/admin');
    const list = (what: string) => page.getByRole('combobox', { name: `${what} of hugo@example.com` });
    const animations = await context.newCDPSession(page);
    await animations.send('Animation.enable');
    await list('Status').click();
    await page.getByRole('option', { name: 'Disabled' }).waitFor();
    await animations.send('Animation.setPlaybackRate', { playbackRate: 0.001 });
    await page.getByRole('option', { name: 'Disabled' }).click();
    await page.getByText('User status updated successfully to Disabled').waitFor();
    await list('Role').click();
    await page.getByRole('option', { name: 'Administrator' }).waitFor();
    expect(await page.getByRole('listbox').count()).toBe(2);
    await animations.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await expect.poll(() => page.getByRole('listbox').count()).toBe(1);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByText('User role updated successfully to Administrator').waitFor();
  });
});

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

story('axe finds nothing in the users tab', () => {
  const stage = useStage();

  test.each(['light', 'dark'] as const)('desktop, %s: bar, notice, lists, menu, drawer, keys', async (colorScheme) => {
    const admin = await stage.signedIn('admin', { viewport: sizes.desktop, colorScheme });
    const { page } = admin;
    // The theme changes colours only.
    const coloursOnly = colorScheme === 'dark';
    await insertAccounts(stage.server, [`wait-${colorScheme}`], 'pending');
    await page.goto('/admin');
    const waiting = row(page, `wait-${colorScheme}`);
    await waiting.getByRole('checkbox').check();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.getByRole('button', { name: 'Set status' }).click();
    await page.getByRole('menuitem', { name: 'Disabled' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.keyboard.press('Escape');
    await waiting.focus();
    for (const [key, role] of [
      ['s', 'listbox'],
      ['Enter', 'dialog'],
      ['?', 'dialog'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole(role).waitFor();
      expect(await violations(page, { coloursOnly })).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole(role).waitFor({ state: 'detached' });
    }
    await waiting.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Copy id' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.keyboard.press('Escape');
    await page.goto('/admin?list=pending');
    await waiting.focus();
    await page.keyboard.press('a');
    await page.getByText('User status updated successfully to Active').waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('phone, %s: cards, sheet, drawer', async (colorScheme) => {
    const how = { viewport: sizes.phone, colorScheme, hasTouch: true } as const;
    const { page } = await stage.signedIn('admin', how);
    const coloursOnly = colorScheme === 'dark';
    await page.goto('/admin');
    await page.getByRole('button', { name: 'More actions for sample@example.com' }).click();
    await page.getByRole('dialog', { name: 'sample@example.com' }).waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
    await page.getByRole('button', { name: 'Details' }).click();
    await page
      .getByRole('dialog', { name: 'User details' })
      .getByText('which every approved person can open', { exact: false })
      .waitFor();
    expect(await violations(page, { coloursOnly })).toEqual([]);
  });
});
