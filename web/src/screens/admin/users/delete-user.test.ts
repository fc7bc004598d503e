import { expect, test } from 'vitest';
import { type DeletionCalls, deleteUser } from './delete-user.ts';

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });
const fault = refusal('fault/internal');

/** What became of it and which calls were made, with some of the calls failing. */
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

test('one call deletes somebody', async () => {
  expect(await deleting({})).toEqual({ outcome: { is: 'deleted' }, made: ['forceDelete token 0'] });
});

test('when it breaks, records and credential go one after the other, with a token of their own', async () => {
  expect(await deleting({ forceDelete: fails(fault) })).toEqual({
    outcome: { is: 'deleted' },
    made: ['forceDelete token 0', 'deleteRecords token 1', 'deleteAuth'],
  });
});

test('a credential that is not there needs no last step', async () => {
  const { outcome, made } = await deleting({
    forceDelete: fails(fault),
    deleteRecords: async () => ({ authRemains: false }),
  });
  expect([outcome, made.at(-1)]).toEqual([{ is: 'deleted' }, 'deleteRecords token 1']);
});

test.each([
  ['answers no', async () => ({ success: false })],
  ['breaks', fails(fault)],
])('when the last step %s, it is deleted but for the credential', async (_name, deleteAuth) => {
  expect((await deleting({ forceDelete: fails(fault), deleteAuth })).outcome).toEqual({ is: 'deleted-partly' });
});

test('when the second step breaks, too, it is never called deleted', async () => {
  const { outcome, made } = await deleting({ forceDelete: fails(fault), deleteRecords: fails(fault) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'fault/internal' } });
  expect(made).not.toContain('deleteAuth');
});

test('a refusal is an answer: nothing else is tried', async () => {
  const { outcome, made } = await deleting({ forceDelete: fails(refusal('account/own-delete')) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'account/own-delete' } });
  expect(made).toHaveLength(1);
});

test('without a password given just now it is asked for, before anything is deleted', async () => {
  const { outcome, made } = await deleting({ idToken: fails(refusal('step-up/required')) });
  expect([outcome, made]).toEqual([{ is: 'password-needed' }, []]);
});
