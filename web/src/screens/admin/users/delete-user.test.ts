import { expect, test, vi } from 'vitest';
import { deleteUser } from './delete-user.ts';

const refusal = (code: string) => Object.assign(new Error(code), { data: { code } });
const fault = refusal('fault/internal');

// Files of one worker share imports: another file may have loaded these without the mocks.
vi.hoisted(() => vi.resetModules());
const { accounts, session } = vi.hoisted(() => ({
  accounts: { deleteRecords: vi.fn(), deleteUserAuth: vi.fn() },
  session: { idToken: vi.fn() },
}));
vi.mock('../../../api/client.ts', () => ({ client: { accounts, session } }));
vi.mock('../../../session/change-session.ts', () => ({ stepUpHandle: () => 'a-handle' }));

type Calls = {
  readonly idToken: () => Promise<string>;
  readonly forceDelete: () => Promise<unknown>;
  readonly deleteRecords: () => Promise<{ authRemains: boolean }>;
  readonly deleteAuth: () => Promise<{ success: boolean }>;
};

/** The outcome and the calls that were made, with some of the calls failing. */
async function deleting(failing: Partial<Calls>) {
  const log: string[] = [];
  const calls: Calls = {
    idToken: async () => `token ${log.length}`,
    forceDelete: async () => undefined,
    deleteRecords: async () => ({ authRemains: true }),
    deleteAuth: async () => ({ success: true }),
    ...failing,
  };
  session.idToken.mockImplementation(async () => ({ idToken: await calls.idToken() }));
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const { userId, idToken } = JSON.parse(body);
    expect(userId).toBe('u1');
    log.push(`forceDelete ${idToken}`);
    return calls.forceDelete().then(
      () => Response.json({ ok: true }),
      ({ data }) => Response.json({ error: 'x', data }, { status: 500 }),
    );
  });
  accounts.deleteRecords.mockImplementation(({ idToken }) => {
    log.push(`deleteRecords ${idToken}`);
    return calls.deleteRecords();
  });
  accounts.deleteUserAuth.mockImplementation(() => {
    log.push('deleteAuth');
    return calls.deleteAuth();
  });
  return { outcome: await deleteUser('u1'), log };
}
const fails = (error: Error) => () => Promise.reject(error);

test('one call deletes an account', async () => {
  expect(await deleting({})).toEqual({ outcome: { is: 'deleted' }, log: ['forceDelete token 0'] });
});

test('if it fails, records and credential are deleted one after the other, with a new token', async () => {
  expect(await deleting({ forceDelete: fails(fault) })).toEqual({
    outcome: { is: 'deleted' },
    log: ['forceDelete token 0', 'deleteRecords token 1', 'deleteAuth'],
  });
});

test('without a credential the last step is skipped', async () => {
  const { outcome, log } = await deleting({
    forceDelete: fails(fault),
    deleteRecords: async () => ({ authRemains: false }),
  });
  expect([outcome, log.at(-1)]).toEqual([{ is: 'deleted' }, 'deleteRecords token 1']);
});

test.each([
  ['answers no', async () => ({ success: false })],
  ['breaks', fails(fault)],
])('if the last step %s, everything but the credential is deleted', async (_name, deleteAuth) => {
  expect((await deleting({ forceDelete: fails(fault), deleteAuth })).outcome).toEqual({ is: 'deleted-partly' });
});

// Shows P8.8.
test('if the second step fails too, the account is never reported as deleted', async () => {
  const { outcome, log } = await deleting({ forceDelete: fails(fault), deleteRecords: fails(fault) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'fault/internal' } });
  expect(log).not.toContain('deleteAuth');
});

test('a refusal is final: nothing else is tried', async () => {
  const { outcome, log } = await deleting({ forceDelete: fails(refusal('account/own-delete')) });
  expect(outcome).toEqual({ is: 'failed', refusal: { code: 'account/own-delete' } });
  expect(log).toHaveLength(1);
});

// Shows P8.6.
test('without a recent step-up the password is requested before anything is deleted', async () => {
  const { outcome, log } = await deleting({ idToken: fails(refusal('step-up/required')) });
  expect([outcome, log]).toEqual([{ is: 'password-needed' }, []]);
});
