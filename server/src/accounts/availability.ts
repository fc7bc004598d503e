import { canonicalEmail } from '@kc/rules/account';
import { limits } from '@kc/rules/limits';
import { checkEmail } from '@kc/rules/sign-in';
import { sql } from 'kysely';
import { findsRow, type Queryable } from '../database/open.ts';
import { accountByEmail } from './queries.ts';

type Availability = {
  readonly email: string;
  readonly availability: 'available' | 'in-use' | 'recently-deleted' | 'invalid';
};

/**
 * Whether an account can be created with this email now. Only accounts count: a credential without an account is locked
 * and reserves no email.
 */
export async function emailAvailability(db: Queryable, text: string, now: number): Promise<Availability> {
  const email = checkEmail(text);
  if (!email.ok) return { email: canonicalEmail(text), availability: 'invalid' };
  const existing = await accountByEmail(db, email.value);
  if (!existing) return { email: email.value, availability: 'available' };
  const isRecent = await wasJustDeleted(db, email.value, now);
  return { email: email.value, availability: isRecent ? 'recently-deleted' : 'in-use' };
}

/**
 * Whether an account with this email was deleted a moment ago. If the email is in use again, someone has taken it
 * since, and the administrator who deleted it should learn that this is a different account.
 */
async function wasJustDeleted(db: Queryable, email: string, now: number): Promise<boolean> {
  return findsRow(
    db
      .selectFrom('audit_log')
      .select('id')
      .where(sql<string>`details->>'email'`, '=', email)
      .where('action', 'in', ['delete', 'delete-records'])
      .where('at', '>', new Date(now - limits.justDeletedMs)),
  );
}
