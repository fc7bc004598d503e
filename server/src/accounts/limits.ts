import type { Config } from '../config.ts';
import { type AuditLine, audit } from '../database/audit.ts';
import type { Db } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import type { AccountDeps } from './deps.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Attempts on one account from one address, or from a known browser. A success resets them. */
export const signInLimit: Limit = { name: 'sign-in', uses: 10, windowMs: 15 * minute };
export const signInAddressLimit: Limit = { name: 'sign-in-address', uses: 300, windowMs: 15 * minute };
/** Attempts on one account, and on all accounts, from unknown browsers anywhere. Source: SECURITY.md, T7. */
export const signInAccountLimit: Limit = { name: 'sign-in-account', uses: 100, windowMs: hour };
export const signInGlobalLimit: Limit = { name: 'sign-in-all', uses: 5_000, windowMs: 15 * minute };
export const signUpLimit: Limit = { name: 'sign-up', uses: 20, windowMs: minute };
export const signUpGlobalLimit: Limit = { name: 'sign-up-all', uses: 2_000, windowMs: 24 * hour };
/** Challenges for sign-ups: each costs the server one of the many tries that it costs a browser. */
export const signUpCheckLimit: Limit = { name: 'sign-up-check', uses: 60, windowMs: 10 * minute };
export const claimLimit: Limit = { name: 'claim', uses: 100, windowMs: 15 * minute };

/** Opening or using a mailed link. */
export const linkLimit: Limit = { name: 'link', uses: 100, windowMs: 15 * minute };
/** Mails to one address. Source: SECURITY.md, SEC-15. */
export const mailLimits = {
  reset: { name: 'mail-reset', uses: 3, windowMs: hour },
  verify: { name: 'mail-verify', uses: 3, windowMs: hour },
} as const satisfies Record<string, Limit>;
/** Mails that one network address may cause, to any recipients. */
export const mailAddressLimit: Limit = { name: 'mail-address', uses: 30, windowMs: hour };
/** Name changes of one user: each adds a line to a log that is never shortened, and notifies all administrators. */
export const nameLimit: Limit = { name: 'name', uses: 30, windowMs: hour };
/** Deletions by one administrator. More in a short time are a mistake, or another person at the keyboard. */
export const deletionLimit: Limit = { name: 'delete', uses: 120, windowMs: 15 * minute };

const unprovenSignUps: Limit = { name: 'sign-up-unproven', uses: 2, windowMs: 10 * minute };
const unprovenSignUpsTogether: Limit = { name: 'sign-up-unproven-all', uses: 30, windowMs: 10 * minute };

/**
 * Whether a sign-up must include a proof of work: from the third within ten minutes from one address, and while there
 * are many from everywhere. Counts this sign-up.
 */
export async function needsProof(db: Db, address: string, now: number): Promise<boolean> {
  return (
    (await consume(db, unprovenSignUps, address, now)) > 0 || (await consume(db, unprovenSignUpsTogether, '', now)) > 0
  );
}

const disclosureLimit: Limit = { name: 'disclosure', uses: 10, windowMs: hour };
const disclosureGlobalLimit: Limit = { name: 'disclosure-all', uses: 500, windowMs: 24 * hour };

/** Counted along with the real budgets when nothing is disclosed, so that the response takes as long. */
const silenceLimit: Limit = { name: 'silence', uses: 0, windowMs: hour };
const silenceGlobalLimit: Limit = { name: 'silence-all', uses: 0, windowMs: hour };

/**
 * Whether responses to this network address may still reveal if an email is known: ten times an hour, five hundred
 * times a day for all addresses together, never with `ENUMERATION_PROTECTION=strict`. Two uses are counted in any case,
 * so that the response time reveals nothing.
 *
 * @param hidden disclose nothing in any case; uses no budget Source: SECURITY.md, S5, T8.
 */
export async function mayDisclose(
  db: Db,
  config: Config,
  address: string,
  now: number,
  hidden = false,
): Promise<boolean> {
  return !config.strictEnumeration && consumeDisclosure(db, address, now, hidden);
}

/**
 * Like {@link mayDisclose}, for an email in a sign-up. No response can hide whether it is taken, so `strict` has this
 * budget as well.
 */
export const mayRevealTaken = (db: Db, address: string, now: number): Promise<boolean> =>
  consumeDisclosure(db, address, now, false);

async function consumeDisclosure(db: Db, address: string, now: number, hidden: boolean): Promise<boolean> {
  const own = (await consume(db, hidden ? silenceLimit : disclosureLimit, address, now)) === 0;
  const together = (await consume(db, own ? disclosureGlobalLimit : silenceGlobalLimit, '', now)) === 0;
  return own && together;
}

const hourMs = 3_600_000;
const perAddress: Limit = { name: 'audit-refusal', uses: 60, windowMs: hourMs };
const together: Limit = { name: 'audit-refusal-all', uses: 2_000, windowMs: hourMs };

/**
 * Records a refusal in the audit log. Strangers can cause any number of refusals and the log is never shortened, so
 * lines are limited per hour, for one network address and for all together. The server's own log has every refusal.
 *
 * Source: SECURITY.md, SEC-26.
 */
export async function auditRefusal(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  line: Omit<AuditLine, 'result'>,
  address: string,
): Promise<void> {
  const at = now();
  if ((await consume(db, perAddress, address, at)) > 0 || (await consume(db, together, '', at)) > 0) return;
  await audit(db, { ...line, result: 'refused', details: { ...line.details, address } }, at);
}
