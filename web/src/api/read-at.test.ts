import { expect, test } from 'vitest';
import { createReadTimes } from './read-at.ts';

/** Times of responses with these headers. */
async function timesOf(...headers: readonly (string | undefined)[]) {
  const left = [...headers];
  const times = createReadTimes(async () => {
    const readAt = left.shift();
    return new Response('', readAt === undefined ? {} : { headers: { 'Read-At': readAt } });
  });
  for (const _ of headers) await times.send('/api/session');
  return times;
}

test('the oldest answer counts, in whatever order answers arrive', async () => {
  expect((await timesOf('one 12.5', 'one 3', 'one 20')).oldest()).toEqual({ server: 'one', at: 3 });
});

test('before the first answer, and if servers differ or one does not say it, there is no oldest', async () => {
  for (const headers of [[], ['one 1', 'two 2'], ['one 1', undefined], [undefined, 'one 1', 'one 2']]) {
    expect((await timesOf(...headers)).oldest()).toBeUndefined();
  }
});

test('for another person only the newest answer counts', async () => {
  const times = await timesOf('one 1', 'two 2');
  times.keepNewest();
  expect(times.oldest()).toEqual({ server: 'two', at: 2 });
});
