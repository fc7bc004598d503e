import type { Visualization } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { canActivate, chosenFrom, isOwn, linkId, newerOf } from './choice.ts';

function one(id: string, given: Partial<Visualization> = {}): Visualization {
  return {
    id,
    userId: 'u',
    userEmail: 'a@b.c',
    fileName: `${id}.json`,
    storagePath: '',
    downloadUrl: '',
    uploadDate: 0,
    uploadedBy: 'admin@example.com',
    isActive: false,
    isSample: false,
    fileSize: 1,
    description: '',
    keywords: 1,
    nodes: 2,
    rootName: id,
    ...given,
  };
}

const sample = one('pack-1', { isSample: true, isActive: true });

test('the active one opens by itself, the sample never does', () => {
  expect(chosenFrom([one('a'), one('b', { isActive: true }), sample], undefined)?.id).toBe('b');
  expect(chosenFrom([one('a'), sample], undefined)?.id).toBe('a');
  expect(chosenFrom([sample], undefined)).toBeUndefined();
});

test('a link opens what it names, and nothing else', () => {
  expect(chosenFrom([one('a'), one('b', { isActive: true })], 'a')?.id).toBe('a');
  expect(chosenFrom([one('a', { isActive: true })], 'gone')).toBeUndefined();
  expect(chosenFrom([sample], 'sample')).toBe(sample);
  expect(linkId(sample)).toBe('sample');
});

test('what can be made active is one of the own that is not', () => {
  const own = [one('a'), one('b', { isActive: true }), sample];
  expect(own.filter((listed) => canActivate(listed, own)).map(({ id }) => id)).toEqual(['a']);
  const other = one('c', { userId: 'somebody', userEmail: 'somebody@example.com' });
  expect([canActivate(other, own), isOwn(other, own)]).toEqual([false, false]);
});

test('newer is what came in while the page was open and opens by itself now', () => {
  const [old, fresh] = [one('a', { isActive: true }), one('b', { isActive: true })];
  expect(newerOf([old], [fresh, one('a')])?.id).toBe('b');
  // Another of those that were there is made active: that was somebody's choice and no news.
  expect(newerOf([old, one('b')], [one('a'), fresh])).toBeUndefined();
  expect(newerOf([old], [old])).toBeUndefined();
  // A first one, and one that came in without being active.
  expect(newerOf([sample], [fresh, sample])).toBeUndefined();
  expect(newerOf([old], [old, one('c')])).toBeUndefined();
  expect([newerOf(undefined, [fresh]), newerOf([old], undefined)]).toEqual([undefined, undefined]);
});
