import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';
import { stopClock } from './clock.ts';

story('the sign-in card', () => {
  const stage = useStage();

  test('switches between sign-in and sign-up with a fixed top edge and empty fields', async () => {
    const { page } = await stage.visitor();
    const top = async () => (await page.getByRole('main').boundingBox())!.y;
    const before = await top();
    await page.getByLabel('Email address').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Email address').fill('ann');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid email format').waitFor();
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await page.getByText('Join the SEO revolution').waitFor();
    expect(await page.getByText('Invalid email format').count()).toBe(0);
    expect(await page.getByLabel('Email address').inputValue()).toBe('');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await top()).toBe(before);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Welcome back, dude!').waitFor();
    expect(await top()).toBe(before);
  });

  test('warns of Caps Lock while a password is typed', async () => {
    const { page } = await stage.visitor();
    const password = page.getByLabel('Password', { exact: true });
    await password.focus();
    const type = (modifierCapsLock: boolean) =>
      password.dispatchEvent('keydown', { key: 'A', bubbles: true, modifierCapsLock });
    await type(true);
    await page.getByText('Caps Lock is on').waitFor();
    await type(false);
    await page.getByText('Caps Lock is on').waitFor({ state: 'detached' });
  });

  test('while the server works, fields are read-only and the button shows a friendly message', async () => {
    const { page } = await stage.signedIn('approved');
    await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
    await page.goto('/login');
    await page.route('**/api/session', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await page.getByLabel('Email address').fill('approved@example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', {
        name: /^(Your dude is getting ready|Let me cook|Firing up the engines|Preparing your SEO magic|Getting your data ready)$/,
      })
      .waitFor();
    expect(await page.getByLabel('Email address').getAttribute('readonly')).not.toBeNull();
    expect(await page.getByLabel('Email address').isEnabled()).toBe(true);
  });

  test('its messages disappear after five seconds', async () => {
    const { page } = await stage.visitor();
    await stopClock(page);
    await page.getByLabel('Email address').fill('ann');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('Please enter both email and password').waitFor();
    await page.clock.runFor(4_999);
    expect(await alert.count()).toBe(1);
    await page.clock.runFor(1);
    await alert.waitFor({ state: 'detached' });
  });

  test('a successful sign-in is confirmed, and continues one and a half seconds later', async () => {
    const { page } = await stage.signedIn('approved');
    await page.evaluate(() => fetch('/api/session', { method: 'DELETE' }));
    await page.goto('/login');
    await page.getByLabel('Email address').fill('approved@example.com');
    await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
    await stopClock(page);
    await page.keyboard.press('Enter');
    await page.getByText('Login successful! Redirecting...').waitFor();
    await page.clock.runFor(1_499);
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.clock.runFor(1);
    await page.clock.resume();
    await page.waitForURL('**/visualization');
  });
});
