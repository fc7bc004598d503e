import { expect, test } from 'vitest';
import { type DeletionCalls, deleteUser } from './delete-user.ts';

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });
const fault = refusal('fault/internal');

/** The outcome and the calls that were made, with some of the calls failing. */
async function deleting(failing: Partial<DeletionCalls>) {
  const made: string[] = [];
  const calls: DeletionCalls = {
    idToken: async () => `token ${made.length}`,
    forceDelete: async () => undefined,
    deleteRecords: async () => ({ authRemains: true }),
    deleteAuth: async () => ({ success: true }),
    ...failing,
  };
  const noted =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      made.push([name, ...args.slice(1)].join(' '));
      return call(...args);
    };
  const outcome = await deleteUser(
    {
      idToken: calls.idToken,
      forceDelete: noted('forceDelete', calls.forceDelete),
      deleteRecords: noted('deleteRecords', calls.deleteRecords),
      deleteAuth: noted('deleteAuth', calls.deleteAuth),
    },
    'u1',
  );
  return { outcome, made };
}
const fails = (error: Error) => () => Promise.reject(error);

test('one call deletes an account', async () => {
  expect(await deleting({})).toEqual({ outcome: { is: 'deleted' }, made: ['forceDelete token 0'] });
});

test('if it fails, records and credential are deleted one after the other, with a new token', async () => {
  expect(await deleting({ forceDelete: fails(fault) })).toEqual({
    outcome: { is: 'deleted' },
    made: ['forceDelete token 0', 'deleteRecords token 1', 'deleteAuth'],
  });
});

test('without a credential the last step is skipped', async () => {
  const { outcome, made } = await deleting({
    forceDelete: fails(fault),
    deleteRecords: async () => ({ authRemains: false }),
  });
  expect([outcome, made.at(-1)]).toEqual([{ is: 'deleted' }, 'deleteRecords token 1']);
});

test.each([
  ['answers no', async () => ({ success: false })],
  ['breaks', fails(fault)],
])('if the last step %s, everything but the credential is deleted', async (_name, deleteAuth) => {
  expect((await deleting({ forceDelete: fails(fault), deleteAuth })).outcome).toEqual({ is: 'deleted-partly' });
});

// Shows P8.8.
test('if the second step fails too, the account is never reported as deleted', async () => {
  const { outcome, made } = await deleting({ forceDelete: fails(fault), deleteRecords: fails(fault) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'fault/internal' } });
  expect(made).not.toContain('deleteAuth');
});

test('a refusal is final: nothing else is tried', async () => {
  const { outcome, made } = await deleting({ forceDelete: fails(refusal('account/own-delete')) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'account/own-delete' } });
  expect(made).toHaveLength(1);
});

// Shows P8.6.
test('without a recent step-up the password is requested before anything is deleted', async () => {
  const { outcome, made } = await deleting({ idToken: fails(refusal('step-up/required')) });
  expect([outcome, made]).toEqual([{ is: 'password-needed' }, []]);
});
