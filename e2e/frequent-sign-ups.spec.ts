import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { story, useStage } from './app.ts';

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign up', exact: true }).click();
  await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email address').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill('rakes and ladders');
  await page.getByLabel('Confirm Password', { exact: true }).fill('rakes and ladders');
}

story('many people sign up from one address', () => {
  const stage = useStage();

  test('each gets an account, and nobody notices the proof of work that the later ones pass', async () => {
    const visitor = await stage.visitor();
    const { page } = visitor;
    // The browser's console shows every refused call with its status.
    visitor.expectProblem(/status of 429/);
    const checks: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/api/sign-up/check')) checks.push(request.method());
    });
    for (const name of ['ann', 'ben', 'cleo', 'dan']) {
      await fillIn(page, name);
      await page.keyboard.press('Enter');
      await page.getByText('Account created successfully!', { exact: false }).waitFor();
      expect(await page.getByText('automated sign-ups').count()).toBe(0);
      await page.reload();
    }
    expect(checks).toEqual(['POST', 'POST']);
    const admin = await stage.signedIn('admin');
    const accounts = await admin.call<{ email: string; status: string }[]>('GET', '/users');
    const pending = accounts.filter(({ status }) => status === 'pending').map(({ email }) => email);
    expect(pending).toEqual(expect.arrayContaining(['ann', 'ben', 'cleo', 'dan'].map((name) => `${name}@example.com`)));
  });

  test('a browser that cannot compute the proof is told what to do', async () => {
    const visitor = await stage.visitor();
    const { page } = visitor;
    visitor.expectProblem(/status of 429/);
    visitor.expectProblem(/check\.worker|net::ERR_FAILED/);
    await page.route('**/assets/check.worker*.js', (route) => route.abort());
    await fillIn(page, 'eva');
    await page.keyboard.press('Enter');
    await page.getByText('Your browser could not finish a check', { exact: false }).waitFor();
    expect(await page.getByLabel('Full name').inputValue()).toBe('eva');
  });
});
