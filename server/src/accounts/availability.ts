import { canonicalEmail } from '@kc/rules/account';
import { checkEmail } from '@kc/rules/sign-in';
import type { Db } from '../database/open.ts';
import { accountByEmail } from './queries.ts';

export type Availability = {
  readonly email: string;
  readonly availability: 'available' | 'in-use' | 'invalid';
};

/**
 * Whether an account can be made with this email now. A sign-in method without an account is a locked one and holds no
 * email, so the accounts alone decide.
 *
 * Source: spec §5 "Email availability".
 */
export async function emailAvailability(db: Db, text: string): Promise<Availability> {
  const email = checkEmail(text);
  if (!email.ok) return { email: canonicalEmail(text), availability: 'invalid' };
  const taken = await accountByEmail(db, email.value);
  return { email: email.value, availability: taken ? 'in-use' : 'available' };
}
