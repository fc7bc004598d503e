import { canonicalEmail } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { checkEmail } from '@kc/rules/sign-in';
import { sql } from 'kysely';
import type { Queryable } from '../database/open.ts';
import { accountByEmail } from './queries.ts';

export type Availability = {
  readonly email: string;
  readonly availability: 'available' | 'in-use' | 'recently-deleted' | 'invalid';
};

/**
 * Whether an account can be made with this email now. A sign-in method without an account is a locked one and holds no
 * email, so the accounts alone decide.
 *
 * Source: spec §5 "Email availability", decisions §2.14.
 */
export async function emailAvailability(db: Queryable, text: string, now: number): Promise<Availability> {
  const email = checkEmail(text);
  if (!email.ok) return { email: canonicalEmail(text), availability: 'invalid' };
  const taken = await accountByEmail(db, email.value);
  if (!taken) return { email: email.value, availability: 'available' };
  const isRecent = await wasJustDeleted(db, email.value, now);
  return { email: email.value, availability: isRecent ? 'recently-deleted' : 'in-use' };
}

/**
 * Whether an account with this email was deleted a moment ago. If the email is in use all the same, somebody took it
 * again since, and whoever deleted it wants to know that this is another account.
 */
async function wasJustDeleted(db: Queryable, email: string, now: number): Promise<boolean> {
  const line = await db
    .selectFrom('audit_log')
    .select('id')
    .where(sql<string>`details->>'email'`, '=', email)
    .where('action', 'in', ['delete', 'delete-records'])
    .where('at', '>', new Date(now - limits.justDeletedMs))
    .executeTakeFirst();
  return line !== undefined;
}
