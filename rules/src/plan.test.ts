import { expect, test } from 'vitest';
import { checkChange, isDueMonth, isTargetUrl, ownerAccount, ownerOf, ownerText, type PlanChange } from './plan.ts';

test.each([
  'https://example.com/home-screen',
  'http://example.com',
  '/home-screen',
  '/',
  'HTTPS://EXAMPLE.COM/ä?q=1#top',
])('%s can be a target', (text) => expect(isTargetUrl(text)).toBe(true));

test.each([
  'example.com',
  'javascript:alert(1)',
  'ftp://example.com',
  '//example.com/elsewhere',
  'https:///nothing',
  '/with blank',
  '/line\nend',
  `/${'x'.repeat(2000)}`,
  '',
])('%j cannot be a target', (text) => expect(isTargetUrl(text)).toBe(false));

test('a due month has four digits of a year and two of a month', () => {
  expect(['2027-02', '1999-12'].every(isDueMonth)).toBe(true);
  expect(['2027-13', '2027-00', '2027-2', '27-02', '2027-02-01', ''].some(isDueMonth)).toBe(false);
});

const change = (set: PlanChange['set'], addTags: string[] = [], removeTags: string[] = []): PlanChange => ({
  set,
  addTags,
  removeTags,
});

test('texts are cleaned: one line for names, several for a note, no invisible characters', () => {
  const given = change(
    { assignee: ' Lena\n M.\u202e ', note: 'One\r\ntwo\u0000\n\n ', url: ' /a ' },
    [' q2 ', '', '\u200f'],
    ['q2', 'q1'],
  );
  expect(checkChange(given)).toEqual({
    change: change({ assignee: 'Lena M.', note: 'One\ntwo', url: '/a' }, ['q2'], ['q1']),
  });
});

test('a field can be emptied, and an invalid one is named', () => {
  expect(checkChange(change({ url: '', due: '' }))).toEqual({ change: change({ url: '', due: '' }) });
  expect(checkChange(change({ url: 'example.com' }))).toEqual({ code: 'plan/url' });
  expect(checkChange(change({ due: 'soon' }))).toEqual({ code: 'plan/due' });
});

test('an owner with an account is stored so that no text of a person can mean one', () => {
  expect(ownerOf(ownerText({ account: 'a-1' }))).toEqual({ account: 'a-1' });
  expect(ownerAccount(ownerText('Lena'))).toBeUndefined();
  const typed = checkChange({ set: { assignee: ` ${ownerText({ account: 'a-1' })} ` }, addTags: [], removeTags: [] });
  expect(typed).toMatchObject({ change: { set: { assignee: 'a-1' } } });
  const chosen = checkChange({ set: { assignee: { account: 'a-1' } }, addTags: [], removeTags: [] });
  expect(chosen).toMatchObject({ change: { set: { assignee: ownerText({ account: 'a-1' }) } } });
});
