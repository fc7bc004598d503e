import type { Visualization } from '@kc/rules/shapes';
import { describe, expect, test } from 'vitest';
import { canActivate, chosenFrom, isArrival, isOwn, linkId, settle, settledOn } from './choice.ts';

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

// Shows P13.1.
test('the active one opens by default, and the sample never does', () => {
  expect(chosenFrom([one('a'), one('b', { isActive: true }), sample], undefined)?.id).toBe('b');
  expect(chosenFrom([one('a'), sample], undefined)?.id).toBe('a');
  expect(chosenFrom([sample], undefined)).toBeUndefined();
});

// Shows P13.1.
test('a link opens what it names, and nothing else', () => {
  expect(chosenFrom([one('a'), one('b', { isActive: true })], 'a')?.id).toBe('a');
  expect(chosenFrom([one('a', { isActive: true })], 'gone')).toBeUndefined();
  expect(chosenFrom([sample], 'sample')).toBe(sample);
  expect(linkId(sample)).toBe('sample');
});

// Shows P13.2.
test('one of the user’s own that is not active can be activated', () => {
  const own = [one('a'), one('b', { isActive: true }), sample];
  expect(own.filter((listed) => canActivate(listed, own)).map(({ id }) => id)).toEqual(['a']);
  const other = one('c', { userId: 'somebody', userEmail: 'somebody@example.com' });
  expect([canActivate(other, own), isOwn(other, own)]).toEqual([false, false]);
});

describe('while a page is open', () => {
  const [old, fresh] = [one('a', { isActive: true }), one('b', { isActive: true })];
  const before = settledOn([old, one('c'), sample], 'a', undefined);
  const after = [fresh, one('a'), one('c'), sample];

  // Shows P13.3.
  test('a new default waits, and the current one stays', () => {
    const { shown, newer } = settle(after, undefined, before);
    expect([shown?.id, newer?.id]).toEqual(['a', 'b']);
    // It keeps waiting however often the list is refetched.
    const later = settle(after, undefined, settledOn(after, 'a', newer));
    expect([later.shown?.id, later.newer?.id]).toEqual(['a', 'b']);
  });

  test('it also waits behind a link and behind the sample', () => {
    for (const requestedId of ['c', 'sample']) {
      const { shown, newer } = settle(after, requestedId, settledOn([old, one('c'), sample], requestedId, undefined));
      expect([shown?.isSample === true ? 'sample' : shown?.id, newer?.id]).toEqual([requestedId, 'b']);
    }
  });

  test('once it is shown, nothing waits any more', () => {
    const { shown, newer } = settle(after, undefined, settledOn(after, 'b', undefined));
    expect([shown?.id, newer]).toEqual(['b', undefined]);
  });

  test('one activated elsewhere waits; one activated here opens at once', () => {
    const all = [one('c', { isActive: true }), one('a')];
    const { shown, newer } = settle(all, undefined, before);
    expect([shown?.id, newer?.id]).toEqual(['a', 'c']);
    const later = settle(all, undefined, settledOn(all, 'a', newer));
    expect([later.shown?.id, later.newer?.id]).toEqual(['a', 'c']);
    expect(settle(all, undefined, before, 'c')).toEqual({ shown: all[0], newer: undefined });
    expect(settle(all, undefined, settledOn(all, 'c', undefined))).toEqual({ shown: all[0], newer: undefined });
  });

  test('if the active one is activated again while another waits, nothing waits any more', () => {
    const waiting = settle([one('c', { isActive: true }), one('a')], undefined, before);
    const all = [one('c'), old];
    expect(settle(all, undefined, settledOn(all, 'a', waiting.newer))).toEqual({ shown: old, newer: undefined });
  });

  test('it is an arrival for a user who had nothing of their own, at the empty sky and in the sample', () => {
    const atSky = settledOn([sample], undefined, undefined);
    const inSample = settledOn([fresh, sample], sample.id, fresh);
    expect([atSky, inSample].map((waited) => isArrival(fresh, waited))).toEqual([true, true]);
    expect([before, undefined].map((last) => isArrival(fresh, last))).toEqual([false, false]);
    expect(isArrival(sample, settledOn([], undefined, undefined))).toBe(false);
  });

  test('the first one opens at once, an inactive one is ignored, and a deleted one disappears', () => {
    const empty = settledOn([sample], undefined, undefined);
    expect(settle([fresh, sample], undefined, empty)).toEqual({ shown: fresh, newer: undefined });
    expect(settle([old, one('d')], undefined, before)).toEqual({ shown: old, newer: undefined });
    expect(settle([fresh], undefined, before)).toEqual({ shown: fresh, newer: undefined });
    expect(settle([old], undefined, undefined)).toEqual({ shown: old, newer: undefined });
  });
});
