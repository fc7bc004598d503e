import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import { adminPerson, makeAccount } from './visitor.ts';

story('an admin deletes a user', () => {
  const stage = useStage();

  const openDialog = async (page: Page, email: string) => {
    await page.getByRole('button', { name: `Delete ${email}` }).click();
    return page.getByRole('alertdialog');
  };

  test('after typing the email and the password, and learns that the email is free', async () => {
    const admin = await stage.signedIn('admin');
    const [ann, ben] = [await makeAccount(admin, 'ann', 'approved'), await makeAccount(admin, 'ben', 'approved')];
    const { page } = admin;
    await page.goto('/admin');
    await page.getByRole('button', { name: `Delete ${ann.email}` }).waitFor();
    expect(await page.getByRole('button', { name: `Delete ${adminPerson.email}` }).count()).toBe(0);
    const onSample = page.getByRole('button', { name: 'Delete sample@example.com' });
    expect(await onSample.getAttribute('aria-disabled')).toBe('true');

    const dialog = await openDialog(page, ann.email);
    await dialog.getByText('0 visualizations · 0 keywords').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Cancel');
    const confirm = dialog.getByRole('button', { name: 'Delete user' });
    await dialog.getByLabel(`Type ${ann.email} to confirm`).fill('ann@example');
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${ann.email} to confirm`).fill(ann.email);
    await page.keyboard.press('Enter');
    // This browser signed in without the form, so there was no recent password.
    await dialog.getByLabel('Your password').fill('not the password');
    admin.expectProblem(/session\/step-up/);
    await confirm.click();
    await dialog.getByText('Incorrect password').waitFor();
    expect(await violations(page, { within: '[role=alertdialog]' })).toEqual([]);
    await dialog.getByLabel('Your password').fill(adminPerson.password);
    await confirm.click();
    const success = `User ${ann.email} has been completely deleted. The email is now immediately available for reuse.`;
    await page.getByText(success).waitFor();
    await page.getByText(`Email ${ann.email} is available.`).waitFor();
    expect(await page.getByText(ann.email, { exact: true }).count()).toBe(0);
    const kept = await page.evaluate(() => sessionStorage.getItem('admin_temp_pass'));
    expect(kept).toMatch(/^[\w-]{22}$/);

    // The step-up is valid for a while. This time the first and the last step fail.
    admin.expectProblem(/forceDeleteUser|deleteUserAuth/);
    for (const path of ['forceDeleteUser', 'deleteUserAuth']) {
      await page.route(`**/api/${path}`, (route) =>
        route.fulfill({ status: 500, json: { error: 'x', data: { code: 'fault/unavailable' } } }),
      );
    }
    const again = await openDialog(page, ben.email);
    await again.getByLabel(`Type ${ben.email} to confirm`).fill(ben.email);
    await page.keyboard.press('Enter');
    await page
      .getByText(
        `User ${ben.email} and their visualizations have been deleted, but the authentication record may persist. It is locked: nobody can sign in with it.`,
      )
      .waitFor();
    const left = await admin.call<{ email: string }[]>('GET', '/users');
    expect(left.map(({ email }) => email)).not.toContain(ben.email);
  });

  test('and sees why some accounts cannot be deleted; signing out discards the step-up', async () => {
    const cleo = await makeAccount(await stage.signedIn('admin'), 'cleo', 'approved');
    const admin = await stage.visitor();
    const { page } = admin;
    await page.getByLabel('Email address').fill(adminPerson.email);
    await page.getByLabel('Password', { exact: true }).fill(adminPerson.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
    await page.waitForURL('**/visualization');
    expect(await page.evaluate(() => sessionStorage.getItem('admin_temp_pass'))).toMatch(/^[\w-]{22}$/);
    await page.goto('/admin');
    admin.expectProblem(/forceDeleteUser|delete-records/);
    for (const path of ['forceDeleteUser', 'users/*/delete-records']) {
      await page.route(`**/api/${path}`, (route) =>
        route.fulfill({ status: 500, json: { error: 'x', data: { code: 'fault/unavailable' } } }),
      );
    }
    const dialog = await openDialog(page, cleo.email);
    await dialog.getByLabel(`Type ${cleo.email} to confirm`).fill(cleo.email);
    await page.keyboard.press('Enter');
    await page.getByText('Error deleting user: The server is not ready. Please try again in a moment.').waitFor();
    await page.getByRole('button', { name: `Delete ${cleo.email}` }).waitFor();

    await page.getByRole('button', { name: /admin/ }).first().click();
    await page.getByRole('menuitem', { name: 'Sign Out', exact: true }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate(() => sessionStorage.getItem('admin_temp_pass'))).toBeNull();
  });
});
