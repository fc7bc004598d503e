import { landingPath } from '@kc/rules/access';
import { type Account, type BuiltInAdmins, effective, isAdmin } from '@kc/rules/account';
import { paths } from '@kc/rules/paths';
import type { ListedAccount, Session } from '@kc/rules/shapes';
import type { Selectable } from 'kysely';
import type { AccountRow } from '../database/account-tables.ts';
import type { RequestContext } from './require.ts';

/** The part of a row that the rules need. */
export type KnownRow = Pick<
  Selectable<AccountRow>,
  'id' | 'email' | 'display_name' | 'role' | 'status' | 'email_proven_at' | 'created_at'
>;

/** A row in the shape of the rules. */
export function toAccount(row: KnownRow): Account {
  return {
    id: row.id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
    status: row.status,
    emailProven: row.email_proven_at !== null,
    createdAt: row.created_at.getTime(),
  };
}

/** What is known about an account in addition to its row. */
export type AccountContext = { readonly presence: ListedAccount['presence']; readonly hasPhoto: boolean };

/** An account as administrators see it, with its effective role and status. */
export function toAccountResponse(
  row: Selectable<AccountRow>,
  { presence, hasPhoto }: AccountContext,
  youId: string,
  builtInAdmins: BuiltInAdmins,
): ListedAccount {
  const { role, status } = effective(toAccount(row), builtInAdmins);
  return {
    id: row.id,
    uniqueId: row.id,
    email: row.email,
    emailProven: row.email_proven_at !== null,
    displayName: row.display_name,
    ...(hasPhoto ? { photoUrl: photoPath(row.id) } : {}),
    role,
    status,
    createdAt: row.created_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    ...(row.last_login ? { lastLogin: row.last_login.getTime() } : {}),
    createdBy: row.created_by,
    isYou: row.id === youId,
    isPrimaryAdmin: builtInAdmins.has(row.email),
    isSample: row.is_sample,
    presence,
  };
}

/** The address of a picture; see `avatars/route`. */
const photoPath = (id: string): string => `/api/avatars/${id}`;

/** What the sign-in screen needs to know about the server. */
export type ServerFacts = Session['server'];

/** The response of the session call, also for signed-out visitors. */
export function toSessionResponse(
  person: RequestContext['person'],
  builtInAdmins: BuiltInAdmins,
  server: ServerFacts,
): Session {
  if (!person) {
    return { isAuthenticated: false, isAdmin: false, redirectPath: paths.login, shouldRedirect: true, server };
  }
  const { id, email, emailProven, displayName, createdAt, status } = effective(person.account, builtInAdmins);
  const state = { isAuthenticated: true, status, isAdmin: isAdmin(person.account, builtInAdmins) };
  const redirectPath = landingPath(state);
  return {
    ...state,
    redirectPath,
    shouldRedirect: redirectPath !== paths.visualization,
    account: {
      id,
      email,
      emailProven,
      displayName,
      ...(person.hasPhoto ? { photoUrl: photoPath(id) } : {}),
      createdAt,
      inAdminList: builtInAdmins.has(email),
    },
    server,
  };
}
