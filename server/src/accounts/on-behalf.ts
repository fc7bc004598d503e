import type { BuiltInAdmins } from '@kc/rules/account';
import { refuse } from '@kc/rules/result';
import type { Queryable } from '../database/open.ts';
import type { Person, RequestContext } from './require.ts';
import { toAccount } from './responses.ts';

/**
 * The context of work that runs in the name of an account without a request of its own: every permission check uses the
 * account as the database knows it at that moment.
 */
export async function contextOf(
  { db, builtInAdmins }: { readonly db: Queryable; readonly builtInAdmins: BuiltInAdmins },
  accountId: string,
): Promise<RequestContext> {
  const nothing = (): void => undefined;
  return {
    person: await readPerson(db, accountId),
    visitor: undefined,
    builtInAdmins,
    address: '',
    token: undefined,
    device: undefined,
    readAgain: (through = db) => readPerson(through, accountId),
    readVisitorAgain: async () => refuse('session/required'),
    reportRefused: async () => undefined,
    setSession: nothing,
    setLink: nothing,
    setDevice: nothing,
    clearSession: nothing,
  };
}

async function readPerson(db: Queryable, accountId: string): Promise<Person | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', accountId)
    .where('migrated_to', 'is', null)
    .executeTakeFirst();
  // It has no session: what belongs to one is closed to it.
  return row && { account: toAccount(row), sessionId: '', hasPhoto: false };
}
