import { sayRefusal } from '@kc/rules/all-messages';
import { expect, test } from 'vitest';

test.each([
  ['plan/url', {}, 'Enter an address that begins with https:// or /'],
  ['plan/due', {}, 'Enter a month, such as 2027-02.'],
  ['plan/full', { max: '20,000' }, 'A plan can have 20,000 entries. Remove some to add others.'],
  ['plan/entry-not-found', {}, 'This entry is no longer in the plan.'],
  ['plan/person-not-found', {}, 'This person cannot be an owner here any more.'],
  ['plan/place-taken', {}, 'Another entry of the plan is already at this place.'],
  ['plan/no-undo', {}, 'This change is too old to be undone.'],
  ['plan/not-continued', {}, 'This plan cannot be continued any more. Load the page again.'],
  ['plan/too-many-writes', { seconds: 5 }, 'Too many changes in a short time. They are sent again in a moment.'],
])('the refusal %s is told in words', (code, params, text) => {
  expect(sayRefusal({ code, params })).toBe(text);
});
