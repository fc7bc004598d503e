import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { withDatabase } from '../server/src/database/start.ts';
import { prepareJobs } from '../server/src/jobs/jobs.ts';
import { createLog } from '../server/src/log.ts';
import { story, useStage } from './app.ts';
import { violations } from './axe.ts';
import type { RunningServer } from './server.ts';
import { adminPerson, makeAccount, signIn } from './visitor.ts';

/** An image of one violet pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mPwd3v2HwAEbwKr8ZwVygAAAABJRU5ErkJggg==',
  'base64',
);

/** Stores an avatar where a lookup would have stored it. */
function givePicture({ dataDir, databaseUrl }: RunningServer, id: string): Promise<unknown> {
  const place = { dataDir, dbOsUser: 'nobody', databaseUrl };
  const at = new Date();
  const row = { account_id: id, looked_up_at: at, look_again_at: at, asked_photo_url: null };
  const found = { picture, content_type: 'image/png', etag: '"a"' } as const;
  return withDatabase(place, createLog('ERROR'), prepareJobs, (db) =>
    db
      .insertInto('avatars')
      .values({ ...row, ...found })
      .execute(),
  );
}

story('an admin creates a user', () => {
  const stage = useStage();

  const openForm = async (page: Page) => {
    await page.goto('/admin');
    await page.getByRole('tab', { name: 'Create User' }).click();
    await page.getByRole('heading', { name: 'Create User' }).waitFor();
    return {
      email: page.getByLabel('Email', { exact: true }),
      password: page.getByLabel('Password', { exact: true }),
      submit: page.getByRole('button', { name: 'Create User' }),
    };
  };

  test('and keeps the password on screen until it is copied, then leaves', async () => {
    const { page, context } = await stage.signedIn('admin');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { email, submit } = await openForm(page);
    await email.fill('odile@example.com');
    await page.getByText('Email odile@example.com is available.').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await submit.click();
    const created = page.getByText('User odile@example.com created successfully');
    await created.waitFor();
    await page.clock.install();
    await email.focus();
    await page.clock.runFor(60_000);
    expect(await created.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Copy credentials' }).click();
    await page.getByText('Email and password copied').waitFor();
    await email.focus();
    await page.mouse.move(0, 0);
    await page.clock.runFor(4_000);
    expect(await created.isVisible()).toBe(true);
    await page.clock.runFor(2_000);
    await created.waitFor({ state: 'detached' });
  });

  test('and an error leads back to the list', async () => {
    const { page } = await stage.signedIn('admin');
    const { submit } = await openForm(page);
    await submit.click();
    const banner = page.getByRole('alert').filter({ hasText: 'Email and password are required' });
    const asked = page.waitForResponse('**/api/users');
    await banner.getByRole('button', { name: 'Refresh Users' }).click();
    expect((await asked).status()).toBe(200);
    await banner.getByRole('button', { name: 'Reset UI State' }).click();
    await page.getByRole('tab', { name: 'All Users', selected: true }).waitFor();
  });

  test('on a phone an error comes into sight, above the button that was pressed', async () => {
    const { page, expectProblem } = await stage.signedIn('admin', {
      viewport: { width: 390, height: 500 },
      hasTouch: true,
    });
    expectProblem(/ERR_FAILED/);
    const { email, password, submit } = await openForm(page);
    await email.fill('nina@example.com');
    await password.fill('rakes and ladders');
    await page.route('**/api/users', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await submit.scrollIntoViewIfNeeded();
    await submit.click();
    const banner = page.getByRole('alert').first();
    await banner.waitFor();
    const header = (await page.getByRole('banner').boundingBox())!;
    const at = async () => (await banner.boundingBox())!;
    await expect.poll(async () => (await at()).y).toBeGreaterThanOrEqual(header.y + header.height);
    expect((await at()).y + (await at()).height).toBeLessThanOrEqual(500 - 56);
  });

  test('with an email that is free, a generated password, and credentials that are copied once', async () => {
    const admin = await stage.signedIn('admin');
    await admin.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { page } = admin;
    const { email, password, submit } = await openForm(page);
    await email.fill('  Nina@example.com');
    await page.getByText('Email nina@example.com is available.').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    const generated = await password.inputValue();
    expect(generated).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(await password.getAttribute('type')).toBe('text');
    await page.getByRole('radio', { name: /Administrator/ }).check();
    expect(await violations(page)).toEqual([]);
    await submit.click();

    await page.getByText('User nina@example.com created successfully').waitFor();
    await page.getByRole('button', { name: 'Copy credentials' }).and(page.locator(':focus')).waitFor();
    expect([await email.inputValue(), await password.inputValue()]).toEqual(['', '']);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Email and password copied').waitFor();
    expect(await page.getByRole('button', { name: 'Copy credentials' }).count()).toBe(0);
    const copied = `Email: nina@example.com\nPassword: ${generated}`;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied);

    // The admin is still signed in, and the new user can sign in at once.
    const me = await admin.call<{ account: { email: string } }>('GET', '/session');
    expect(me.account.email).toBe(adminPerson.email);
    const nina = await stage.visitor();
    await signIn(nina, { email: 'nina@example.com', password: generated });
    expect(await nina.call('GET', '/session')).toMatchObject({ isAdmin: true, status: 'approved' });

    await page.getByRole('link', { name: 'Upload data for this user' }).click();
    await page.waitForURL(/\/admin\/upload\/[\w-]+/);
    await page.getByText('nina@example.com').first().waitFor();
  });

  test('and is told what is wrong before and after asking', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = admin;
    const { email, password, submit } = await openForm(page);
    await submit.click();
    await page.getByText('Email and password are required').waitFor();
    await email.and(page.locator(':focus')).waitFor();

    await email.fill('nina at example');
    await password.focus();
    await page.getByText('Please enter a valid email address.').waitFor();
    await email.fill(adminPerson.email);
    const inUse = `Email ${adminPerson.email} is already in use. Please choose another email.`;
    await page.getByText(inUse, { exact: true }).waitFor();
    await email.fill('otto@example.com');
    await page.getByText('Email otto@example.com is available.').waitFor();

    await password.pressSequentially('short');
    await page.getByText('Password is too weak (minimum 6 characters)').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Password must be at least 6 characters').waitFor();
    await page.getByRole('radio', { name: /Administrator/ }).focus();
    await page.getByText('Password is too weak. Please use at least 6 characters.').waitFor();
    expect(await violations(page)).toEqual([]);
    await password.fill('keyword1');
    admin.expectProblem(/status of 422/);
    await submit.click();
    await page.getByText('Password is too weak. Please use a stronger password').waitFor();
    await password.and(page.locator(':focus')).waitFor();
  });

  test('an email that was deleted just now and taken again is told apart', async () => {
    const admin = await stage.signedIn('admin');
    const { page } = admin;
    const gone = await makeAccount(admin, 'gone', 'approved');
    const { stepUp } = await admin.call<{ stepUp: string }>('POST', '/session/step-up', {
      password: adminPerson.password,
    });
    const { idToken } = await admin.call<{ idToken: string }>('POST', '/session/id-token', { stepUp });
    await admin.call('POST', '/forceDeleteUser', { userId: gone.id, idToken });
    await makeAccount(admin, 'gone', 'pending');
    const { email, password, submit } = await openForm(page);
    await email.fill(gone.email);
    const text = `Email ${gone.email} is already in use. Please choose another email. If it was deleted just now, wait a few minutes or contact support.`;
    await page.getByText(text).waitFor();
    await password.fill(gone.password);
    admin.expectProblem(/status of 409/);
    await submit.click();
    await page.getByRole('alert').getByText(text).waitFor();
  });
});

story('people are shown with their picture', () => {
  const stage = useStage();

  test('in the header, the list and the admin check, and with their initial where it cannot be loaded', async () => {
    const admin = await stage.signedIn('admin');
    const ann = await makeAccount(admin, 'ann', 'approved');
    const { account } = await admin.call<{ account: { id: string } }>('GET', '/session');
    for (const id of [ann.id, account.id]) await givePicture(stage.server, id);
    const { page } = admin;
    const loaded = async (within: string) => {
      const picture = page.locator(`${within} img[src="/api/avatars/${account.id}"]`);
      const width = () => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
      await expect.poll(width).toBe(1);
    };
    await page.goto('/admin');
    await loaded('header');
    await loaded('table');
    const other = page.locator(`table img[src="/api/avatars/${ann.id}"]`);
    await other.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto('/admin-check');
    await loaded('main');

    admin.expectProblem(/status of 404|ERR_FAILED/);
    await page.route(`**/api/avatars/${ann.id}`, (route) => route.fulfill({ status: 404 }));
    await page.goto('/admin');
    await page.getByRole('row', { name: new RegExp(ann.email) }).waitFor();
    await expect.poll(() => other.count()).toBe(0);
    expect(
      await page
        .getByRole('row', { name: new RegExp(ann.email) })
        .getByText('a', { exact: true })
        .count(),
    ).toBe(1);
  });

  test('nobody but an admin gets the picture of somebody else', async () => {
    const admin = await stage.signedIn('admin');
    const [ben, cleo] = [await makeAccount(admin, 'ben', 'approved'), await makeAccount(admin, 'cleo', 'approved')];
    await givePicture(stage.server, ben.id);
    const statusOf = async (person: typeof ben) => {
      const visitor = await stage.visitor();
      visitor.expectProblem(/status of 404/);
      await signIn(visitor, person);
      return visitor.page.evaluate(async (id) => (await fetch(`/api/avatars/${id}`)).status, ben.id);
    };
    expect([await statusOf(ben), await statusOf(cleo)]).toEqual([200, 404]);
  });
});
