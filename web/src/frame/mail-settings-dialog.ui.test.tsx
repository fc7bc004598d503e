import type { MailSettings } from '@kc/rules/mail-api';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { violations } from '../../test/page/axe.ts';
import { fakeApi, refuses } from '../../test/page/fake-api.ts';
import { openApp } from '../../test/page/open-app.tsx';

let kept: MailSettings;
let saved: MailSettings[];
const change = (next: MailSettings) => {
  saved.push(next);
  kept = next;
  return next;
};

async function openEmails(): Promise<void> {
  kept = { imports: true, assignments: true };
  saved = [];
  await openApp('/visualization', {
    as: 'approved',
    api: {
      'visualizations.list': () => [],
      'drafts.list': () => [],
      'mails.settings': () => kept,
      'mails.changeSettings': change,
    },
  });
  await page.getByRole('banner').getByRole('button', { name: /ann/ }).click();
  await page.getByRole('menuitem', { name: 'Emails', exact: true }).click();
  await expect.element(page.getByRole('dialog', { name: 'Emails' })).toBeVisible();
}
const imports = () => page.getByRole('switch', { name: 'Imports' });
const planEntries = () => page.getByRole('switch', { name: 'Plan entries' });

// Shows P31.4.
test('emails are switched off by the keyboard, one after another, and stay off', async () => {
  await openEmails();
  await expect.element(imports()).toBeChecked();
  expect(await violations()).toEqual([]);
  imports().element().focus();
  await userEvent.keyboard(' {Tab} ');
  await expect
    .poll(() => saved)
    .toEqual([
      { imports: false, assignments: true },
      { imports: false, assignments: false },
    ]);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('banner').getByRole('button', { name: /ann/ }).click();
  await page.getByRole('menuitem', { name: 'Emails', exact: true }).click();
  await expect.element(imports()).not.toBeChecked();
  await expect.element(planEntries()).not.toBeChecked();
});

test('a change that is refused says why, and the switch shows what holds', async () => {
  await openEmails();
  fakeApi({ 'mails.changeSettings': refuses('fault/unavailable') });
  await planEntries().click();
  await expect.element(page.getByText('The server is not ready. Please try again in a moment.')).toBeVisible();
  await expect.element(planEntries()).toBeChecked();
  fakeApi({ 'mails.changeSettings': change });
  await planEntries().click();
  await expect.element(planEntries()).not.toBeChecked();
  expect(kept).toEqual({ imports: true, assignments: false });
});
