import type { Page } from 'playwright-core';
import { tusClient } from '../server/test/support/tus.ts';

/**
 * An admin's upload of a file of this content for a user, until it is active. Without the screen: that is shown by
 * stories of their own, and takes longer than most others.
 */
export async function uploadFor(page: Page, email: string, content: object): Promise<void> {
  const { origin } = new URL(page.url());
  const cookies = await page.context().cookies(origin);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const accounts = (await (await fetch(`${origin}/api/users`, { headers: { cookie } })).json()) as Account[];
  const userId = accounts.find((account) => account.email === email)!.id;
  const admin = tusClient(origin, cookie);
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const { state } = await admin.settled(await admin.send(bytes, { filename: 'garden.json', userId }));
  if (state !== 'active') throw new Error(`The upload is ${state}`);
}

type Account = { readonly id: string; readonly email: string };

/** As {@link uploadFor}, by hand. */
export async function uploadOnScreen(page: Page, email: string, content: object): Promise<void> {
  await page.goto('/admin?tab=upload');
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: email }).click();
  const buffer = Buffer.from(JSON.stringify(content));
  await page.locator('input[type=file]').setInputFiles({ name: 'garden.json', mimeType: 'application/json', buffer });
  await page.getByText(`File uploaded and processed successfully for ${email}`).waitFor();
}
