import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { story, useStage } from './app.ts';

type Fields = { readonly name?: string; readonly email?: string; readonly password?: string; readonly again?: string };

async function send(page: Page, { name, email = '', password = '', again }: Fields): Promise<void> {
  if (name !== undefined) await page.getByLabel('Full name').fill(name);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  if (again !== undefined) await page.getByLabel('Confirm Password', { exact: true }).fill(again);
  await page.getByLabel('Email address').press('Enter');
}

/** Each message replaces the previous one in the card. */
async function says(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').getByText(text, { exact: true }).waitFor();
}

const good = 'rakes and ladders';

story('the messages of the sign-in page', () => {
  const stage = useStage();

  test('for used links from mails and from the start', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/status of 422/);
    const { page } = visitor;
    await page.goto('/claim#none');
    await page
      .getByText(
        'This link is no longer valid. Start the server again, or run its claim-link command, to get a new one.',
      )
      .waitFor();
    await page.goto('/reset-password#none');
    await page
      .getByText('This link is no longer valid. Ask for a new one with “Forgot password” on the sign-in page.')
      .waitFor();
    const person = await stage.signedIn('approved');
    person.expectProblem(/status of 422/);
    await person.page.goto('/verify-email#none');
    await person.page.getByRole('button', { name: /confirm/i }).click();
    await person.page.getByText('This link is no longer valid, or it belongs to another account.').waitFor();
  });

  test('for a sign-in', async () => {
    await (await stage.signedIn('approved')).context.close();
    const visitor = await stage.visitor();
    visitor.expectProblem(/status of (401|429)/);
    const { page } = visitor;
    await send(page, { email: 'ann@example.com' });
    await says(page, 'Please enter both email and password');
    await send(page, { email: 'ann', password: good });
    await says(page, 'Invalid email format');
    await send(page, { email: 'nobody@example.com', password: good });
    await says(page, 'No account found with this email address');
    const approved = { email: 'approved@example.com', password: 'something else' };
    await send(page, approved);
    await says(page, 'Incorrect password');
    const tooMany = page.getByRole('alert').getByText('Too many attempts. Please wait ');
    for (let tries = 0; tries < 30 && !(await tooMany.isVisible()); tries++) {
      const answered = page.waitForResponse('**/api/session');
      await page.getByLabel('Password', { exact: true }).press('Enter');
      await answered;
      await page.getByRole('alert').waitFor();
    }
    await tooMany.waitFor();
  });

  test('for a disabled credential', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/status of 403/);
    await visitor.page.route('**/api/session', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 403,
            json: {
              defined: true,
              code: 'REFUSED',
              status: 403,
              message: 'REFUSED',
              data: { code: 'sign-in/disabled' },
            },
          })
        : route.continue(),
    );
    await send(visitor.page, { email: 'old@example.com', password: good });
    await says(visitor.page, 'This account has been disabled');
  });

  test('for a sign-up', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/status of (409|422)/);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    const ann = { name: 'Ann', email: 'ann@example.com', password: good, again: good };
    await send(page, { ...ann, password: '', again: '' });
    await says(page, 'Please enter both email and password');
    await send(page, { ...ann, name: ' ' });
    await says(page, 'Please enter your full name');
    await send(page, { ...ann, password: 'rakes', again: 'rakes' });
    await says(page, 'Password must be at least 6 characters');
    await send(page, { ...ann, password: 'r'.repeat(1025) });
    await says(page, 'Password is too long. Please use at most 1024 characters.');
    await send(page, { ...ann, again: 'rakes' });
    await says(page, 'Passwords do not match');
    await send(page, { ...ann, password: 'password', again: 'password' });
    await says(page, 'Password is too weak. Please use a stronger password');
    await send(page, { ...ann, email: 'admin@example.com' });
    await says(page, 'An account with this email already exists');
    await send(page, ann);
    await page
      .getByText(
        'Account created successfully! You will be able to use the application once an administrator approves your account.',
        { exact: true },
      )
      .waitFor();
    await page
      .getByText(`A confirmation link was sent to ${ann.email}. It works for 24 hours.`, { exact: true })
      .waitFor();
  });

  test('for a sign-up while too many wait, and for Google without a configuration', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/status of 422/);
    const { page } = visitor;
    await page.getByText('Google sign-in is not set up on this server').waitFor();
    await page.route('**/api/sign-up', (route) =>
      route.fulfill({
        status: 422,
        json: { defined: true, code: 'INVALID', status: 422, message: 'INVALID', data: { code: 'sign-up/full' } },
      }),
    );
    await page.getByRole('button', { name: 'Sign up', exact: true }).click();
    await send(page, { name: 'Ann', email: 'ann@example.com', password: good, again: good });
    await says(
      page,
      'Too many new accounts are waiting for approval right now. Please try again later, or ask an administrator for an account.',
    );
  });

  test('without a server', async () => {
    const visitor = await stage.visitor();
    visitor.expectProblem(/ERR_FAILED/);
    await visitor.page.route('**/api/**', (route) => route.abort());
    await send(visitor.page, { email: 'ann@example.com', password: good });
    await says(visitor.page, 'The server cannot be reached. Check the connection and try again.');
  });

  test('for passwords of a new server and of a reset', async () => {
    const visitor = await stage.visitor();
    const { page } = visitor;
    await page.route('**/api/claim/read', (route) => route.fulfill({ json: { email: 'admin@example.com' } }));
    await page.goto('/claim#token');
    await page.getByLabel('Password', { exact: true }).fill('too short');
    await page.getByLabel('Confirm Password', { exact: true }).fill('too short');
    await page.keyboard.press('Enter');
    await says(page, 'Password must be at least 12 characters');
    await page.goto('/login');
    await page.getByRole('button', { name: 'Forgot password' }).click();
    await page.getByRole('button', { name: 'Send a link' }).waitFor();
    await page.getByLabel('Email address').fill('nobody@example.com');
    await page.keyboard.press('Enter');
    await page
      .getByText(
        'If there is an account with this email, a link to set a new password is on its way. It works for 30 minutes.',
      )
      .waitFor();
  });
});
