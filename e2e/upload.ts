import type { Page } from 'playwright-core';

/** An admin uploads a file of this content for a user, and waits until it is active. */
export async function uploadFor(page: Page, email: string, content: object): Promise<void> {
  await page.goto('/admin?tab=upload');
  await page.getByRole('combobox', { name: 'Select User' }).click();
  await page.getByRole('option', { name: email }).click();
  const buffer = Buffer.from(JSON.stringify(content));
  await page.locator('input[type=file]').setInputFiles({ name: 'garden.json', mimeType: 'application/json', buffer });
  await page.getByText(`File uploaded and processed successfully for ${email}`).waitFor({ timeout: 60_000 });
}
