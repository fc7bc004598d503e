import { googleCallback } from '@kc/rules/google';
import type { Page } from 'playwright-core';
import { startTestProvider, type TestPerson, type TestProvider } from '../server/test/support/provider.ts';
import { freePort, type StartOptions } from './server.ts';

/** A provider in Google's place, and the settings of a server that uses it. */
export type GoogleStand = {
  readonly provider: TestProvider;
  readonly options: StartOptions & { readonly port: number };
};

export async function startGoogle(people: readonly TestPerson[] = []): Promise<GoogleStand> {
  const port = await freePort();
  const redirectUris = [`http://localhost:${port}${googleCallback}`];
  const provider = await startTestProvider({ redirectUris, people });
  return { provider, options: { port, env: provider.environment } };
}

export const googleButton = (page: Page) =>
  page.getByRole('button', { name: /^(Sign (in|up) with|Waiting for) Google/ });

/** Clicks the button and waits for the account choice in Google's window. */
export async function openGoogle(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), googleButton(page).click()]);
  await popup.getByRole('button', { name: 'Cancel' }).waitFor();
  return popup;
}

/** On Google's page, in a window or in the tab itself. */
export const continueAs = (google: Page, email: string): Promise<void> =>
  google.getByRole('button', { name: `Continue as ${email}`, exact: true }).click();
