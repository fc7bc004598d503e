import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { adminPerson, signIn } from './visitor.ts';

story('an admin creates a user and deletes them again', () => {
  const stage = useStage();

  // Shows P8.6.
  test('the user signs in with the generated password, and the email is free once they are deleted', async () => {
    const admin = await stage.signedIn('admin');
    await admin.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = admin;
    await page.goto('/admin');
    await page.getByRole('tab', { name: 'Create User' }).click();
    await page.getByLabel('Email', { exact: true }).fill('  Nina@example.com');
    await page.getByText('Email nina@example.com is available.').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    const password = await page.getByLabel('Password', { exact: true }).inputValue();
    await page.getByRole('radio', { name: /Administrator/ }).check();
    await page.getByRole('button', { name: 'Create User' }).click();
    await page.getByText('User nina@example.com created successfully').waitFor();
    await page.getByRole('button', { name: 'Copy credentials' }).click();
    await page.getByText('Email and password copied').waitFor();
    const copied = `Email: nina@example.com\nPassword: ${password}`;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied);

    // The admin is still signed in, and the new user can sign in at once.
    const me = await admin.call<{ account: { email: string } }>('GET', '/session');
    expect(me.account.email).toBe(adminPerson.email);
    const nina = await stage.visitor();
    await signIn(nina, { email: 'nina@example.com', password });
    expect(await nina.call('GET', '/session')).toMatchObject({ isAdmin: true, status: 'approved' });

    await page.getByRole('tab', { name: 'All Users' }).click();
    await page.getByRole('button', { name: 'Delete nina@example.com' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('0 visualizations · 0 keywords').waitFor();
    await dialog.getByLabel('Type nina@example.com to confirm').fill('nina@example.com');
    await page.keyboard.press('Enter');
    // This browser signed in without the form, so there was no recent password.
    await dialog.getByLabel('Your password').fill(adminPerson.password);
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('User nina@example.com has been completely deleted.').waitFor();
    await page.getByText('Email nina@example.com is available.').waitFor();
    expect(await nina.call('GET', '/session')).toMatchObject({ isAuthenticated: false });
  });
});
