import { expect, test } from 'vitest';
import { refusedWith } from '../../../api/refusal.ts';
import { changed } from './changes.ts';
import { runChanges } from './run-changes.ts';
import { account } from './testing-account.ts';

const changes = Array.from({ length: 10 }, (_, n) => ({
  what: 'status' as const,
  to: 'approved' as const,
  account: account(`p${n}@example.com`, { status: 'pending' }),
}));
const email = (change: { account: { email: string } }) => change.account.email;

test('every change is sent once and what the server saved is heard of', async () => {
  const saved: string[] = [];
  const outcome = await runChanges(
    changes,
    async (change) => changed(change),
    (one) => void saved.push(`${one.email} ${one.status}`),
  );
  expect(outcome.done.map(email)).toEqual(changes.map(email));
  expect(saved).toEqual(changes.map((change) => `${email(change)} approved`));
});

test('no more than four are under way at a time', async () => {
  let underWay = 0;
  let most = 0;
  const send = async (change: (typeof changes)[number]) => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay--;
    return changed(change);
  };
  await runChanges(changes, send as Parameters<typeof runChanges>[1], () => undefined);
  expect([most, underWay]).toEqual([4, 0]);
});

test('one that fails stops no other', async () => {
  const { done, failed } = await runChanges(
    changes.slice(0, 3),
    async (change) => {
      if (email(change) === 'p1@example.com') throw refusedWith({ code: 'account/not-found' });
      return changed(change);
    },
    () => undefined,
  );
  expect(done.map(email)).toEqual(['p0@example.com', 'p2@example.com']);
  expect(failed).toEqual([{ change: changes[1], refusal: { code: 'account/not-found' } }]);
});

test('an answer that ends the session ends it all', async () => {
  const lost = refusedWith({ code: 'session/required' });
  let sent = 0;
  const run = runChanges(
    changes,
    async () => {
      sent++;
      throw lost;
    },
    () => undefined,
  );
  await expect(run).rejects.toBe(lost);
  expect(sent).toBe(4);
});
