import { expect, test } from 'vitest';
import type { Notification } from '../database/notifications.ts';
import { createChangeTimes } from './change-times.ts';

/** Times on a clock that the test sets. */
function timesOn(most?: number) {
  let now = 0;
  let hear: (notification: Notification) => void = () => undefined;
  const listener = {
    on(handler: typeof hear) {
      hear = handler;
      return () => undefined;
    },
  };
  const times = createChangeTimes(listener, { clock: () => now, ...(most !== undefined && { most }) });
  return {
    times,
    /** Says something at a time. @returns the time that `times` give it */
    say(at: number, notification: Notification): number {
      now = at;
      let told = Number.NaN;
      const end = times.on((_, time) => {
        told = time;
      });
      hear(notification);
      end();
      return told;
    },
    readAt(at: number): number {
      now = at;
      return times.now();
    },
  };
}

test('an answer begun before a change is older than it, and one begun after is newer', () => {
  const { times, say, readAt } = timesOn();
  const before = readAt(1);
  say(2, { about: 'visualizations', accountId: 'ann' });
  const after = readAt(3);
  const last = times.last('visualizations', 'ann');
  expect([before < last, last < after]).toEqual([true, true]);
});

test('a change of one account is none of another, and of another kind neither', () => {
  const { times, say, readAt } = timesOn();
  const read = readAt(1);
  say(2, { about: 'visualizations', accountId: 'ann' });
  expect(times.last('visualizations', 'ben') <= read).toBe(true);
  expect(times.last('drafts', 'ann') <= read).toBe(true);
  // Of any account.
  expect(times.last('visualizations') > read).toBe(true);
});

test('two changes at one moment have different times', () => {
  const { say } = timesOn();
  const [first, second] = [say(5, { about: 'settings' }), say(5, { about: 'accounts' })];
  expect(first < second).toBe(true);
});

test('after a gap in the notifications, everything counts as changed', () => {
  const { times, say, readAt } = timesOn();
  const read = readAt(1);
  const gap = say(2, { about: 'missed' });
  expect([times.last('settings'), times.last('session', 'ann')]).toEqual([gap, gap]);
  expect(gap > read).toBe(true);
});

test('the times of many accounts are forgotten together, and nothing counts as unchanged for it', () => {
  const { times, say, readAt } = timesOn(10);
  say(1, { about: 'session', accountId: 'ann' });
  const read = readAt(2);
  for (let nth = 0; nth < 30; nth++) say(3 + nth, { about: 'session', accountId: `account ${nth}` });
  expect(times.last('session', 'ann') > read).toBe(true);
});
