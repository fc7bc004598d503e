import { limits } from '@kc/rules/limits';
import { expect, test } from 'vitest';
import { account } from '../../../../test/support/account.ts';
import { refusedWith } from '../../../api/refusal.ts';
import { type Change, changed } from './changes.ts';
import { runChanges } from './run-changes.ts';

const changesOf = (count: number): readonly Change[] =>
  Array.from({ length: count }, (_, n) => ({
    what: 'status',
    to: 'approved',
    account: account(`p${n}@example.com`, { status: 'pending' }),
  }));
const email = (change: Change) => change.account.email;
const saveAll = async (batch: readonly Change[]) => batch.map((change) => ({ account: changed(change) }));
const ignore = () => undefined;

test('all changes are sent in one call, and what the server saved is reported', async () => {
  const changes = changesOf(189);
  const calls: number[] = [];
  const saved: string[] = [];
  const outcome = await runChanges(
    changes,
    (batch) => {
      calls.push(batch.length);
      return saveAll(batch);
    },
    (accounts) => saved.push(...accounts.map((one) => `${one.email} ${one.status}`)),
  );
  expect(calls).toEqual([189]);
  expect(outcome.done.map(email)).toEqual(changes.map(email));
  expect(saved).toEqual(changes.map((change) => `${email(change)} approved`));
});

test('more changes than a call takes are sent in several, one after the other', async () => {
  const calls: string[][] = [];
  const { done } = await runChanges(
    changesOf(limits.maxBulkChanges + 2),
    (batch) => {
      calls.push(batch.map(email));
      return saveAll(batch);
    },
    ignore,
  );
  expect(calls.map((batch) => batch.length)).toEqual([limits.maxBulkChanges, 2]);
  expect(done).toHaveLength(limits.maxBulkChanges + 2);
});

test('a refused change is reported beside the ones that were saved', async () => {
  const changes = changesOf(3);
  const refusal = { code: 'account/not-found' } as const;
  const { done, failed } = await runChanges(
    changes,
    async (batch) => batch.map((change, n) => (n === 1 ? { refusal } : { account: changed(change) })),
    ignore,
  );
  expect(done.map(email)).toEqual(['p0@example.com', 'p2@example.com']);
  expect(failed).toEqual([{ change: changes[1], refusal }]);
});

test('a call that fails fails for each of its changes, and the next call is made', async () => {
  let calls = 0;
  const { done, failed } = await runChanges(
    changesOf(limits.maxBulkChanges + 1),
    (batch) => {
      if (++calls === 1) throw refusedWith({ code: 'request/offline' });
      return saveAll(batch);
    },
    ignore,
  );
  expect([done.length, failed.length]).toEqual([1, limits.maxBulkChanges]);
});

test('a refusal that ends the session ends the run', async () => {
  const lost = refusedWith({ code: 'session/required' });
  let calls = 0;
  const run = runChanges(
    changesOf(limits.maxBulkChanges + 1),
    async () => {
      calls++;
      throw lost;
    },
    ignore,
  );
  await expect(run).rejects.toBe(lost);
  expect(calls).toBe(1);
});
