import { say, sayRefusal } from '@kc/rules/all-messages';
import { expect, test } from 'vitest';

test.each([
  ['link/ended', {}, 'This link is no longer valid.'],
  ['link/resting', {}, 'This link does not work at the moment. Ask the person who sent it to you.'],
  ['link/sign-in', {}, 'This link is for one account. Sign in with it, then open the link again.'],
  ['link/other-account', {}, 'This link is for another account. Sign in with the account that it was created for.'],
  [
    'link/reopen',
    {},
    'Open the link again from the message that you received. For security, this is required every 12 hours.',
  ],
  ['link/too-many', { seconds: 9 }, 'Too many requests. Please wait 9 seconds and try again.'],
  [
    'link/client-off',
    {},
    'Links for people without an account are switched off. An administrator can allow them in the settings.',
  ],
  ['link/full', { max: 20 }, 'A visualization can have 20 links at a time. Revoke one first.'],
  ['link/not-found', {}, 'This link has already ended.'],
  ['link/email', {}, 'Enter the email of an account.'],
  ['link/unnamed', {}, 'Enter who the link is for.'],
])('the refusal %s is told in words', (code, params, text) => {
  expect(sayRefusal({ code, params })).toBe(text);
});

test('what was done with a link, or why not, is told in words', () => {
  expect(say('link/not-made', { reason: 'No.' })).toBe('The link was not created: No.');
  expect(say('link/not-revoked', { reason: 'No.' })).toBe('The link was not revoked: No.');
  expect(say('link/revoked', { name: 'ACME' })).toBe('The link for ACME is revoked. Open pages stop working at once.');
  expect(say('link/copied')).toBe('Link copied');
});
