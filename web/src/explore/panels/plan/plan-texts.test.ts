import { expect, test } from 'vitest';
import { explainPlan, loadFailureText, newsText, sayPlan } from './plan-texts.tsx';

const explorer = { explain: () => 'You seem to be offline.' };
const refused = (code: string, params?: object) => Object.assign(new Error(code), { data: { code, params } });

test.each([
  ['plan/due', undefined, 'Enter a month, such as 2027-02.'],
  ['plan/full', { max: '20,000' }, 'A plan can have 20,000 entries. Remove some to add others.'],
  ['plan/entry-not-found', undefined, 'This entry is no longer in the plan.'],
  ['plan/place-taken', undefined, 'Another entry of the plan is already at this place.'],
  ['plan/no-undo', undefined, 'This change is too old to be undone.'],
  ['plan/too-many-writes', { seconds: 5 }, 'Too many changes in a short time. They are sent again in a moment.'],
])('the refusal %s is told in words', (code, params, text) => {
  expect(explainPlan(explorer, refused(code, params))).toBe(text);
  expect(newsText(explorer, { refused: refused(code, params) })).toBe(`The plan was not changed: ${text}`);
});

test('a failure that is not about the plan is explained like any other', () => {
  expect(loadFailureText(explorer, new TypeError('fetch'))).toBe(
    'The plan could not be loaded. You seem to be offline.',
  );
  expect(explainPlan(explorer, refused('fault/internal'))).toBe('You seem to be offline.');
});

test('what keys and the list of the plan say', () => {
  expect(sayPlan('plan/redone')).toBe('Redone.');
  expect(sayPlan('plan/nothing-to-undo')).toBe('You have no change to undo.');
  expect(sayPlan('plan/nothing-to-redo')).toBe('There is nothing to redo.');
  expect(sayPlan('plan/set-many', { what: '12 entries' })).toBe('Changed 12 entries.');
  expect(sayPlan('plan/none-here', { place: 'Chat' })).toBe(
    'Nothing is planned in Chat yet. Press X on a cluster or keyword.',
  );
  expect(sayPlan('plan/confirmed', { name: 'Chat' })).toBe('Chat stays planned with the keywords that it has now.');
  expect(sayPlan('plan/none-kept')).toBe('Nothing that is planned here passes the filter of the map.');
  expect(sayPlan('plan/no-figures')).toBe('The figures could not be loaded.');
  expect(sayPlan('plan/too-many-targets', { most: '2,000' })).toBe(
    'At most 2,000 rows can be changed at once. Select fewer of them.',
  );
});

test('what the offer of an earlier plan says', () => {
  expect(sayPlan('plan/continue-unnamed', { matched: '3', entries: '4' })).toBe(
    'Continue an earlier plan? 3 of 4 entries match.',
  );
  expect(sayPlan('plan/continue-joins', { what: '2 entries' })).toBe('2 entries of the plan here will join it.');
  expect(sayPlan('plan/kept-apart')).toBe('These data have their own plan.');
});

test('tags that were left out are told', () => {
  expect(newsText(explorer, { tagsFull: true })).toBe('An entry can have 20 tags. The others were left out.');
});
